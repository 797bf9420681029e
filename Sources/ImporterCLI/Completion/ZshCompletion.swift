/// Completion for zsh, by its `_arguments`.
enum ZshCompletion {
  static var script: String {
    let commands = CommandTable.commands.map { command in
      "    \(quotedForShell(command.name + ":" + escaped(command.shortAbstract)))\n"
    }
    return """
      #compdef importer
      # Completion of importer for zsh, made by 'importer --generate-completion-script zsh'.
      # To use it, write it into a folder of $fpath as _importer.

      _importer() {
        local context state line
        typeset -A opt_args
        _arguments -C \\
      \(CommandTable.root.shownOptions.map(specification).joined())\
          '1:command:->command' \\
          '*::argument:->argument'
        case $state in
          command) _importer_commands ;;
          argument)
            case $words[1] in
      \(CommandTable.commands.map(branch).joined())\
            esac ;;
        esac
      }

      _importer_commands() {
        local -a commands
        commands=(
      \(commands.joined())\
        )
        _describe -t commands command commands
      }

      _importer_files() {
        if [[ $PREFIX == @* ]]; then
          compset -P @
        fi
        _files
      }

      # Read by 'source', it defines the completion; found in $fpath, it is the completion.
      if [ "$funcstack[1]" = _importer ]; then _importer "$@"; else compdef _importer importer; fi

      """
  }

  private static func branch(for command: CommandSpecification) -> String {
    let operands =
      command.name == "help" ? "'1:command:_importer_commands'" : "'*:file:_importer_files'"
    return """
              \(command.name))
                _arguments -s \\
      \(command.shownOptions.map(specification).joined())\
                \(operands) ;;

      """
  }

  /// An option in the words of `_arguments`, with the mark that the command line goes on.
  private static func specification(for option: OptionSpecification) -> String {
    let isRepeated = option.kind == .repeatable || option.kind == .counted
    let mark = isRepeated ? "*" : ""
    let text = "[" + escaped(option.shortAbstract) + "]"
    var action = ""
    if option.takesValue {
      let value =
        !option.values.isEmpty
        ? "(" + option.values.map { escaped($0) }.joined(separator: " ") + ")" : option.takesPath ? "_files" : " "
      action = ":\(escaped(option.valueName)):\(value)"
    }
    var names = option.longNames
    if let short = option.shortName { names.append("-\(short)") }
    return names.map { name in
      let sign = option.takesValue && name.hasPrefix("--") ? "=" : option.takesValue ? "+" : ""
      return "          \(quotedForShell(mark + name + sign + text + action)) \\\n"
    }
    .joined()
  }

  /// Text without what means something to `_arguments`.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
      .replacing(":", with: "\\:")
  }
}
