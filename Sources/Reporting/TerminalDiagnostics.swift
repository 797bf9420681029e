package import Diagnostics

/// Shows diagnostics to a person: the first ten of each code, and at the end how many more there were.
///
/// ```text
/// … and 1,234 more [required]
/// ```
///
/// Counts go on past the cap, so the last lines are exact. It is a class since everything in a run that finds faults
/// shares it.
package final class TerminalDiagnostics: DiagnosticSink {
  /// How many diagnostics of one code and severity are shown.
  package static let limit: Int64 = 10

  private struct Kind: Hashable {
    let severity: Diagnostic.Severity
    let code: DiagnosticCode
  }

  private let text: DiagnosticText
  private let isQuiet: Bool
  private let isVerbose: Bool
  private let print: (String) -> Void
  /// Warnings that a quiet run keeps back until it is known whether anything failed.
  private var held: [String] = []
  private var counts: [Kind: Int64] = [:]
  private var kinds: [Kind] = []

  /// Makes a sink.
  ///
  /// - Parameters:
  ///   - text: How a diagnostic is written.
  ///   - isQuiet: Whether warnings are kept back until something fails. Errors never are: a run with rejects is no plain
  ///     success.
  ///   - isVerbose: Whether everything is shown, without the cap.
  ///   - print: Takes one or two lines at a time, without the last line end.
  package init(
    text: DiagnosticText = DiagnosticText(),
    isQuiet: Bool = false,
    isVerbose: Bool = false,
    print: @escaping (String) -> Void
  ) {
    self.text = text
    self.isQuiet = isQuiet
    self.isVerbose = isVerbose
    self.print = print
  }

  /// Shows the diagnostic, or only counts it once ten of its code have been shown.
  package func note(_ diagnostic: Diagnostic) {
    let kind = Kind(severity: diagnostic.severity, code: diagnostic.code)
    if counts[kind] == nil { kinds.append(kind) }
    counts[kind, default: 0] += 1
    guard isVerbose || counts[kind, default: 0] <= Self.limit else { return }
    if isQuiet, diagnostic.severity == .warning {
      held.append(text.message(for: diagnostic))
    } else {
      print(text.message(for: diagnostic))
    }
  }

  /// Ends with what stopped a run, and the faults in it where a document as a whole was refused.
  package func finish(after error: any Error) {
    finish()
    guard case ReadError.refused(let faults) = error else { return }
    for fault in faults { note(fault) }
    finish()
  }

  /// Says how many of each code were not shown, errors last, and starts counting anew.
  ///
  /// - Parameter isSuccess: Whether all went well; a quiet run says nothing of its warnings then.
  package func finish(isSuccess: Bool = false) {
    let dropsWarnings = isQuiet && isSuccess
    if dropsWarnings { kinds.removeAll { $0.severity == .warning } } else { held.forEach(print) }
    held = []
    for severity in [Diagnostic.Severity.warning, .error] where !isVerbose {
      for kind in kinds where kind.severity == severity {
        let hidden = counts[kind, default: 0] - Self.limit
        if hidden > 0 { print("… and \(hidden.grouped) more [\(kind.code.rawValue)]") }
      }
    }
    counts = [:]
    kinds = []
  }
}
