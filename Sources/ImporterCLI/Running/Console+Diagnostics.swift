import Reporting

extension Console {
  /// The sink that shows faults in data like a compiler's messages, at most ten of a kind.
  ///
  /// - Parameter progress: A line that goes before something is shown.
  func diagnosticSink(_ presentation: Presentation, over progress: ProgressLine? = nil) -> TerminalDiagnostics {
    TerminalDiagnostics(
      text: DiagnosticText(isColored: usesColor),
      isQuiet: presentation.isQuiet,
      isVerbose: presentation.verbosity > 0,
      print: { line in
        progress?.clear()
        say(line)
      }
    )
  }
}
