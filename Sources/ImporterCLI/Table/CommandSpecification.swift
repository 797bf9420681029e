/// One command, as a plain value: what the parser takes and what help, completions and manual pages show.
package struct CommandSpecification: Sendable, Hashable {
  /// A command line that works, and what it does.
  package struct Example: Sendable, Hashable {
    /// The whole command line.
    package var command: String
    /// What it does, in a few words.
    package var purpose: String
  }

  /// Something that a command takes besides options.
  package struct Argument: Sendable, Hashable {
    /// What it is called in help.
    package var name: String
    /// What it is.
    package var abstract: String
    /// Whether the command needs one.
    package var isRequired: Bool
    /// Whether it takes several.
    package var isRepeated: Bool

    /// The argument in a usage line, such as `<file>...`.
    package var usage: String {
      let shown = "<\(name)>" + (isRepeated ? "..." : "")
      return isRequired ? shown : "[\(shown)]"
    }
  }

  /// A heading at the end of a help page, with terms and what they mean.
  package struct Section: Sendable, Hashable {
    /// A term and its meaning.
    package struct Entry: Sendable, Hashable {
      /// What is explained.
      package var term: String
      /// The explanation.
      package var meaning: String

      /// Makes an entry.
      package init(_ term: String, _ meaning: String) {
        self.term = term
        self.meaning = meaning
      }
    }

    /// The heading, in capitals.
    package var title: String
    /// The terms.
    package var entries: [Entry]
  }

  /// The name; empty for `importer` itself.
  package var name: String
  /// One line for the list of commands.
  package var abstract: String
  /// Command lines that work, the plainest first.
  package var examples: [Example]
  /// What it does, in paragraphs.
  package var overview: [String]
  /// What it takes besides options.
  package var arguments: [Argument] = []
  /// Its options, in the order of help.
  package var options: [OptionSpecification]
  /// What help says after the options.
  package var sections: [Section] = []

  /// The command as it is typed: `importer load`.
  package var invocation: String { name.isEmpty ? "importer" : "importer \(name)" }

  /// The usage line, without `Usage:`.
  package var usage: String {
    guard !name.isEmpty else { return "importer <command> [<options>] [<arguments>]" }
    let parts =
      [invocation] + (options.contains { $0.group != .general } ? ["[<options>]"] : []) + arguments.map(\.usage)
    return parts.joined(separator: " ")
  }

  /// The option of that long name or alias, without dashes.
  package func option(named long: String) -> OptionSpecification? {
    options.first { $0.name.rawValue == long || $0.aliases.contains(long) }
  }

  /// The option of that letter.
  package func option(lettered short: Character) -> OptionSpecification? {
    options.first { $0.shortName == short }
  }
}
