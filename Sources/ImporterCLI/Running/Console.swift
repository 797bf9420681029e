import Diagnostics
import Glibc

/// Says things to people, on standard error.
struct Console: Sendable {
  /// Whether messages are coloured.
  let usesColor: Bool

  /// Makes a console; the choice of the user meets the environment and the terminal.
  init(color: ColorChoice, environment: [String: String]) {
    usesColor = shouldColor(color, environment: environment, isTerminal: isatty(STDERR_FILENO) == 1)
  }

  /// Writes a text as it is; where standard error fails there is nobody to tell.
  func write(_ text: String) {
    try? StandardStreams.write(text, to: STDERR_FILENO)
  }

  /// Writes one line.
  func say(_ line: String) {
    write(line + "\n")
  }

  /// Writes an error, with what to do about it.
  func say(error message: String, remedy: String?) {
    var text = "importer: " + colored("error:", "1;31") + " \(message)\n"
    if let remedy { text += "  " + colored("help:", "1;36") + " \(remedy)\n" }
    write(text)
  }

  private func colored(_ text: String, _ code: String) -> String {
    usesColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

/// Whether messages are coloured.
///
/// The option wins over the environment, `NO_COLOR` over `CLICOLOR_FORCE`, and both over the terminal (no-color.org).
package func shouldColor(_ choice: ColorChoice, environment: [String: String], isTerminal: Bool) -> Bool {
  switch choice {
  case .always: return true
  case .never: return false
  case .auto:
    if environment["NO_COLOR", default: ""] != "" { return false }
    if !["", "0"].contains(environment["CLICOLOR_FORCE", default: ""]) { return true }
    return isTerminal && environment["TERM"] != "dumb"
  }
}
