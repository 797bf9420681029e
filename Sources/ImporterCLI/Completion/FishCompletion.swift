/// Completion for fish.
enum FishCompletion {
  static var script: String {
    var lines = [
      "# Completion of importer for fish, made by 'importer --generate-completion-script fish'.",
      "# To use it, write it to ~/.config/fish/completions/importer.fish.",
      "",
      "set -l commands \(CommandTable.commands.map(\.name).joined(separator: " "))",
      "complete -c importer -f",
      "complete -c importer -n \"not __fish_seen_subcommand_from $commands\" -a \"$commands\"",
    ]
    for command in CommandTable.commands {
      lines.append(
        "complete -c importer -n \"not __fish_seen_subcommand_from $commands\" -a \(command.name) -d "
          + quoted(command.shortAbstract)
      )
    }
    let beforeCommands = "-n \"not __fish_seen_subcommand_from $commands\""
    for option in CommandTable.root.shownOptions { lines += self.lines(for: option, when: beforeCommands) }
    for command in CommandTable.commands {
      let isUsed = "-n '__fish_seen_subcommand_from \(command.name)'"
      if command.name == "help" {
        lines.append("complete -c importer \(isUsed) -a \"$commands\"")
      } else if !command.arguments.isEmpty {
        lines.append("complete -c importer \(isUsed) -F")
      }
      for option in command.shownOptions { lines += self.lines(for: option, when: isUsed) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(for option: OptionSpecification, when condition: String) -> [String] {
    option.longNames.enumerated().map { index, name in
      var parts = ["complete -c importer", condition, "-l \(name.dropFirst(2))"]
      if index == 0, let short = option.shortName { parts.append("-s \(short)") }
      if option.takesValue {
        if !option.values.isEmpty {
          parts.append("-x -a \(quoted(option.values.joined(separator: " ")))")
        } else {
          parts.append(option.takesPath ? "-r -F" : "-x")
        }
      }
      parts.append("-d \(quoted(option.shortAbstract))")
      return parts.joined(separator: " ")
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
