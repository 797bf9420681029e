/// Completion for bash 4 and later, without the package bash-completion.
enum BashCompletion {
  static var script: String {
    let names = CommandTable.commands.map(\.name)
    return """
      # Completion of importer for bash, made by 'importer --generate-completion-script bash'.
      # To use it, read it: source <(importer --generate-completion-script bash)

      _importer() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command='' options='' word
        COMPREPLY=()
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          case $word in
            \(names.joined(separator: "|"))) command=$word; break ;;
          esac
        done
        # --name=value comes in three words.
        if [ "$previous" = = ]; then
          previous=${COMP_WORDS[COMP_CWORD-2]}
        elif [ "$current" = = ]; then
          current='' previous=${COMP_WORDS[COMP_CWORD-1]}
        fi
        case $current in
          @*)
            mapfile -t COMPREPLY < <(compgen -f -P @ -- "${current#@}")
            compopt -o filenames -o nospace
            return ;;
        esac
        case $command in
      \(CommandTable.commands.map(values).joined())\
      \(values(of: CommandTable.root, pattern: "''"))\
        esac
        if [ -z "$command" ] && [ "${current#-}" = "$current" ]; then
          mapfile -t COMPREPLY < <(compgen -W '\(names.joined(separator: " "))' -- "$current")
        elif [ "$command" = help ]; then
          mapfile -t COMPREPLY < <(compgen -W '\(names.joined(separator: " "))' -- "$current")
        elif [ "${current#-}" != "$current" ]; then
          mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
        else
          compopt -o default
        fi
      }

      complete -F _importer importer

      """
  }

  private static func values(of command: CommandSpecification) -> String {
    values(of: command, pattern: command.name)
  }

  /// A branch that completes the values of a command's options, and says what options it has.
  private static func values(of command: CommandSpecification, pattern: String) -> String {
    var branches: [(names: [String], action: String)] = []
    for option in command.shownOptions where option.takesValue {
      let names = option.longNames + (option.shortName.map { ["-\($0)"] } ?? [])
      if !option.values.isEmpty {
        let list = option.values.joined(separator: " ")
        branches.append((names, "mapfile -t COMPREPLY < <(compgen -W '\(list)' -- \"$current\"); return"))
      } else if option.takesPath {
        branches.append((names, "compopt -o default; return"))
      } else {
        branches.append((names, "return"))
      }
    }
    // Options that do the same share a line.
    var lines: [String] = []
    var done: Set<String> = []
    for branch in branches where done.insert(branch.action).inserted {
      let names = branches.filter { $0.action == branch.action }.flatMap(\.names)
      lines.append("        \(names.joined(separator: "|"))) \(branch.action) ;;\n")
    }
    let options = command.shownOptions.flatMap(\.longNames).joined(separator: " ")
    return """
          \(pattern))
            case $previous in
      \(lines.joined())\
            esac
            options='\(options)' ;;

      """
  }
}
