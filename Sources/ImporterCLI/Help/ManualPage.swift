/// The manual page of a command in the macros of man(7), made from the table of commands.
package struct ManualPage {
  private let command: CommandSpecification

  /// Makes the page of a command; of `importer` itself for the table's root.
  package init(of command: CommandSpecification) {
    self.command = command
  }

  /// The page, with a final line end.
  package var text: String {
    let title = command.invocation.replacing(" ", with: "-")
    let abstract = command.name.isEmpty ? command.abstract : lowered(command.shortAbstract)
    var lines = [
      ".\\\" Made by 'importer --generate-manual-page'.",
      ".TH \(title.uppercased()) 1 \"\" \"importer \(importerVersion)\" \"User Commands\"",
      ".SH NAME", "\(escaped(title)) \\- \(escaped(abstract))",
      ".SH SYNOPSIS", ".B \(escaped(command.invocation))",
      escaped(
        String(command.usage.dropFirst(command.invocation.count)).trimmingPrefix(while: \.isWhitespace).description
      ),
      ".SH DESCRIPTION",
    ]
    lines += Array(command.overview.map { [line($0)] }.joined(separator: [".PP"]))
    if !command.arguments.isEmpty {
      lines.append(".SH ARGUMENTS")
      for argument in command.arguments { lines += term("<\(argument.name)>", argument.abstract) }
    }
    if command.name.isEmpty {
      lines.append(".SH COMMANDS")
      for command in CommandTable.commands { lines += term(command.name, command.abstract) }
    }
    let groups = OptionSpecification.Group.allCases.filter { $0 != .general } + [.general]
    for group in groups {
      let members = command.shownOptions.filter { $0.group == group }
      guard !members.isEmpty else { continue }
      lines.append(".SH \(group.rawValue)")
      for option in members { lines += term(HelpPage.label(of: option), HelpPage.abstract(of: option)) }
    }
    for section in command.sections {
      lines.append(".SH \(section.title)")
      for entry in section.entries { lines += term(entry.term, entry.meaning) }
    }
    lines.append(".SH EXAMPLES")
    for example in command.examples {
      lines += [".PP", line(example.purpose + ":"), ".PP", ".nf", ".RS", line(example.command), ".RE", ".fi"]
    }
    lines += [".SH SEE ALSO", seeAlso]
    return lines.joined(separator: "\n") + "\n"
  }

  private var seeAlso: String {
    let others = [CommandTable.root] + CommandTable.commands.filter { $0.name != "help" }
    return others.filter { $0.name != command.name }
      .map { "\\fB\(escaped($0.invocation.replacing(" ", with: "-")))\\fR(1)" }.joined(separator: ", ")
  }

  private func term(_ term: String, _ meaning: String) -> [String] {
    [".TP", "\\fB\(escaped(term))\\fR", line(meaning)]
  }

  /// A line of text, which must not begin like a request.
  private func line(_ text: String) -> String {
    let text = escaped(text)
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }

  private func escaped(_ text: String) -> String {
    let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\n", with: " ")
    // Without a preprocessor groff takes a page for Latin-1.
    return plain.unicodeScalars.map { scalar in
      if scalar.isASCII { return String(scalar) }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
    }.joined()
  }

  private func lowered(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }
}
