/// A shell that completes what is typed, from a script that it reads.
package enum CompletionShell: String, Sendable, Hashable, CaseIterable {
  case bash, zsh, fish

  /// The script, made from the table of commands, with a final line end.
  package var script: String {
    switch self {
    case .bash: BashCompletion.script
    case .zsh: ZshCompletion.script
    case .fish: FishCompletion.script
    }
  }
}

extension OptionSpecification {
  /// Whether its value is the name of a file or folder.
  var takesPath: Bool { takesValue && ["file", "folder", "path"].contains(valueName) }

  /// Every way to write its long name, the one that help shows first.
  var longNames: [String] { [shownName] + (isFlagOnByDefault ? ["--" + name.rawValue] : []) }

  private var isFlagOnByDefault: Bool { kind == .flag(isOnByDefault: true) }

  /// What it does, without what comes after the first sentence.
  var shortAbstract: String {
    guard let end = abstract.firstIndex(where: { $0 == "." || $0 == ";" || $0 == ":" }) else { return abstract }
    // A point within a name or a number ends nothing.
    let next = abstract.index(after: end)
    guard next == abstract.endIndex || abstract[next] == " " else { return abstract }
    return String(abstract[..<end])
  }
}

extension CommandSpecification {
  /// The options that completion offers.
  var shownOptions: [OptionSpecification] { options.filter { !$0.isHidden } }

  /// What the command does, without the final point.
  var shortAbstract: String { abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract }
}

/// Text in single quotes of a shell.
func quotedForShell(_ text: String) -> String {
  "'" + text.replacing("'", with: "'\\''") + "'"
}
