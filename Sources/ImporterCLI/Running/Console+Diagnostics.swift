import Reporting

extension Console {
  /// The sink that shows faults in data like a compiler's messages, at most ten of a kind.
  func diagnosticSink(_ presentation: Presentation) -> TerminalDiagnostics {
    TerminalDiagnostics(
      text: DiagnosticText(isColored: usesColor),
      isQuiet: presentation.isQuiet,
      isVerbose: presentation.verbosity > 0,
      print: say
    )
  }
}
