package import Diagnostics

/// Writes a diagnostic for people, in the manner of a compiler's message.
///
/// ```text
/// contacts.txt:4:5: error: required value is missing (field 'cognome') [required]
///   help: give 'cognome' a value, or make it optional in the model
/// ```
///
/// Names, values and sentences are escaped once more on the way out: escaping twice changes nothing, and no caller can
/// forget it.
package struct DiagnosticText: Sendable, Hashable {
  /// Whether to mark the place and the severity with ANSI colours.
  package var isColored: Bool

  /// Makes a writer; colour is for terminals only.
  package init(isColored: Bool = false) {
    self.isColored = isColored
  }

  /// The message, and its remedy on a line of its own if it has one; without a last line end.
  package func message(for diagnostic: Diagnostic) -> String {
    var text = marked(place(of: diagnostic.location) + ":", .bold) + " "
    switch diagnostic.severity {
    case .error: text += marked("error:", .red)
    case .warning: text += marked("warning:", .yellow)
    }
    text += " " + excerpt(of: diagnostic.message, limit: 1_000)
    if let field = diagnostic.field { text += " (field '\(excerpt(of: field))')" }
    text += " [\(diagnostic.code.rawValue)]"
    if !diagnostic.remedy.isEmpty { text += "\n  help: " + excerpt(of: diagnostic.remedy, limit: 1_000) }
    return text
  }

  /// `file:line:column`, or without a column where the whole record is meant.
  private func place(of location: SourceLocation) -> String {
    let place = shownName(ofInput: location.file) + ":\(location.line)"
    return location.column.map { place + ":\($0)" } ?? place
  }

  private enum Mark: String {
    case bold = "1"
    case red = "1;31"
    case yellow = "1;33"
  }

  private func marked(_ text: String, _ mark: Mark) -> String {
    isColored ? "\u{1B}[\(mark.rawValue)m\(text)\u{1B}[0m" : text
  }
}

/// An input's name as people are shown it: escaped, and `<stdin>` for standard input.
func shownName(ofInput path: String) -> String {
  path == "-" ? "<stdin>" : excerpt(of: path, limit: 4_096)
}
