import Diagnostics

/// Finds the option that a word means, among those of one command.
struct OptionLookup {
  /// An option, and whether the word turns a flag off.
  struct Match {
    var specification: OptionSpecification
    var isOff = false
  }

  let command: CommandSpecification

  /// The option that a long name without dashes means; `no-` turns a flag off.
  func option(named name: String, place: UsageError.Place? = nil) throws(UsageError) -> Match {
    if let option = command.option(named: name) { return Match(specification: option) }
    if name.hasPrefix("no-"), let option = command.option(named: String(name.dropFirst(3))) {
      if case .flag = option.kind { return Match(specification: option, isOff: true) }
      throw UsageError("'--\(name)': only flags can be turned off", command: command.name, place: place)
    }
    throw unknown("--\(name)", named: name, place: place)
  }

  /// The option of a letter.
  func option(
    lettered letter: Character,
    in word: String,
    place: UsageError.Place? = nil
  ) throws(UsageError) -> Match {
    let name = String(word.dropFirst())
    // `-database` is a long name with one dash too few.
    if name.count > 1, command.option(named: name) != nil {
      throw UsageError(
        "unknown option '\(excerpt(of: word))'",
        remedy: "did you mean '-\(excerpt(of: word))'?",
        command: command.name,
        place: place
      )
    }
    if let option = command.option(lettered: letter) { return Match(specification: option) }
    let shown = excerpt(of: "-\(letter)") + (name.count > 1 ? "' in '\(excerpt(of: word))" : "")
    throw UsageError("unknown option '\(shown)'", command: command.name, place: place)
  }

  /// An error that names the nearest option, or says whose option it is.
  private func unknown(_ spelling: String, named name: String, place: UsageError.Place?) -> UsageError {
    let shown = "'\(excerpt(of: spelling))'"
    if CommandTable.laterOptions.contains(name) || (command.name == "export" && name == OptionName.json.rawValue) {
      return UsageError(
        "\(shown) is not in this version of '\(command.invocation)'",
        command: command.name,
        place: place
      )
    }
    let owners = CommandTable.commands.filter { $0.option(named: name) != nil }.map { "'\($0.name)'" }
    if !owners.isEmpty {
      let listed = owners.dropLast(2) + [owners.suffix(2).joined(separator: " and ")]
      let whose = "\(shown) is an option of \(listed.joined(separator: ", "))"
      return command.name.isEmpty
        ? UsageError("\(whose): it follows the command's name", place: place)
        : UsageError("\(whose), not of '\(command.name)'", command: command.name, place: place)
    }
    let visible = command.options.filter { !$0.isHidden }
    // A flag that is on by itself is known by both its names.
    let names =
      visible.map(\.shownName)
      + visible.map { "--\($0.name.rawValue)" }.filter { !visible.map(\.shownName).contains($0) }
    return UsageError(
      "unknown option \(shown)",
      remedy: suggestion(for: spelling, among: names),
      command: command.name,
      place: place
    )
  }
}
