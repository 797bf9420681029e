import Diagnostics

/// Shows faults in data like a compiler's messages, at most ten of a kind.
final class PlainDiagnostics: DiagnosticSink {
  private static let shownOfAKind = 10

  private let isQuiet: Bool
  private let isVerbose: Bool
  private let write: (String) -> Void
  private var counts: [DiagnosticCode: Int] = [:]

  init(isVerbose: Bool, isQuiet: Bool, write: @escaping (String) -> Void) {
    self.isVerbose = isVerbose
    self.isQuiet = isQuiet
    self.write = write
  }

  func note(_ diagnostic: Diagnostic) {
    if isQuiet, diagnostic.severity == .warning { return }
    counts[diagnostic.code, default: 0] += 1
    guard isVerbose || counts[diagnostic.code, default: 0] <= Self.shownOfAKind else { return }
    let location = diagnostic.location
    let place = "\(excerpt(of: location.file)):\(location.line)" + (location.column.map { ":\($0)" } ?? "")
    let field = diagnostic.field.map { " (field '\(excerpt(of: $0))')" } ?? ""
    write(
      "\(place): \(diagnostic.severity.rawValue): \(diagnostic.message)\(field) [\(diagnostic.code.rawValue)]\n"
        + "  help: \(diagnostic.remedy)\n"
    )
  }

  /// Says how many were left out.
  func finish() {
    guard !isVerbose else { return }
    for code in DiagnosticCode.allCases {
      let rest = counts[code, default: 0] - Self.shownOfAKind
      if rest > 0 { write("and \(rest) more [\(code.rawValue)]\n") }
    }
  }
}

/// The sink that shows faults on the console.
func makeDiagnosticSink(console: Console, _ presentation: Presentation) -> PlainDiagnostics {
  PlainDiagnostics(
    isVerbose: presentation.verbosity > 0,
    isQuiet: presentation.isQuiet,
    write: console.write
  )
}
