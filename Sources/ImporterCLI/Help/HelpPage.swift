/// The help page of a command, made from the table of commands.
///
/// Examples come first; text starts at column 26 and is wrapped.
package struct HelpPage {
  private static let textColumn = 26

  private let command: CommandSpecification
  private let columns: Int

  /// Makes the page of a command.
  ///
  /// - Parameter columns: The width to wrap to.
  package init(of command: CommandSpecification, columns: Int) {
    self.command = command
    self.columns = columns
  }

  /// The width that the environment asks for, within reason; 80 where it asks for none.
  package static func columns(environment: [String: String]) -> Int {
    guard let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 else { return 80 }
    return min(max(columns, 60), 200)
  }

  /// The whole page, with a final line end.
  package var text: String {
    var lines = examples + overview
    lines += ["USAGE", "  \(command.usage)", ""]
    if !command.arguments.isEmpty {
      lines.append("ARGUMENTS")
      for argument in command.arguments { lines += row("<\(argument.name)>", argument.abstract) }
      lines.append("")
    }
    if command.name.isEmpty {
      lines.append("COMMANDS")
      for command in CommandTable.commands { lines += row(command.name, command.abstract) }
      lines.append("")
    }
    lines += options
    for section in command.sections {
      lines.append(section.title)
      for entry in section.entries { lines += row(entry.term, entry.meaning) }
      lines.append("")
    }
    if command.name.isEmpty {
      lines.append("See 'importer help <command>' for the options of a command.")
    } else {
      lines.removeLast()
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// One example a line, with its purpose beside it where all of them leave room, else above it.
  private var examples: [String] {
    let width = command.examples.map(\.command.count).max() ?? 0
    let purposeWidth = command.examples.map(\.purpose.count).max() ?? 0
    let standBeside = 2 + width + 4 + purposeWidth <= columns
    var lines = ["EXAMPLES"]
    for example in command.examples {
      if standBeside {
        lines.append("  " + padded(example.command, to: width) + "  # " + example.purpose)
      } else {
        lines += ["  # " + example.purpose, "  " + example.command]
      }
    }
    return lines + [""]
  }

  private var overview: [String] {
    let title = command.name.isEmpty ? ["OVERVIEW", "  importer \(command.abstract)", ""] : ["OVERVIEW"]
    let abstract = command.name.isEmpty ? [] : wrapped(command.abstract, indent: 2) + [""]
    return title + abstract + command.overview.flatMap { wrapped($0, indent: 2) + [""] }
  }

  private var options: [String] {
    // What is particular to a command comes before what all of them have.
    let groups = OptionSpecification.Group.allCases.filter { $0 != .general } + [.general]
    return groups.flatMap { group -> [String] in
      let members = command.options.filter { $0.group == group && !$0.isHidden }
      guard !members.isEmpty else { return [] }
      return [group.rawValue] + members.flatMap { row(Self.label(of: $0), Self.abstract(of: $0)) } + [""]
    }
  }

  /// An option's names and what it takes.
  static func label(of option: OptionSpecification) -> String {
    let short = option.shortName.map { "-\($0), " } ?? ""
    return short + option.shownName + (option.takesValue ? " <\(option.valueName)>" : "")
  }

  /// What an option does, with its values and what holds without it.
  static func abstract(of option: OptionSpecification) -> String {
    var text = option.abstract
    let values = option.values.map { $0.allSatisfy(\.isLetter) ? $0 : "'\($0)'" }
    if !values.isEmpty { text += " (values: \(values.joined(separator: ", ")))" }
    if let note = option.defaultNote ?? option.defaultText { text += " (default: \(note))" }
    return text
  }

  /// A term with its text beside it, or below it when the term is too long.
  private func row(_ term: String, _ text: String) -> [String] {
    let lines = wrapped(text, indent: Self.textColumn)
    let label = "  " + term
    guard label.count < Self.textColumn else { return [label] + lines }
    return [padded(label, to: Self.textColumn) + lines[0].dropFirst(Self.textColumn)] + lines.dropFirst()
  }

  /// The text in lines no longer than the page is wide, broken at blanks; at least one line.
  private func wrapped(_ text: String, indent: Int) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = margin
    for word in text.split(separator: " ") {
      if line.count > indent, line.count + 1 + word.count > columns {
        lines.append(line)
        line = margin
      }
      line += (line.count > indent ? " " : "") + word
    }
    return lines + [line]
  }
}

private func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}
