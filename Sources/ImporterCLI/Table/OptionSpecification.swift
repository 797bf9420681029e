/// One option of a command, as a plain value: what the parser takes and what help, completions and manual pages show.
package struct OptionSpecification: Sendable, Hashable {
  /// What an option takes, and what giving it again means.
  package enum Kind: Sendable, Hashable {
    /// Nothing; `--no-` before the name turns it off, and the last one wins.
    case flag(isOnByDefault: Bool)
    /// Nothing; it ends the parsing with something to show, and has no `--no-`.
    case action
    /// Nothing; every time counts, as in `-vv`.
    case counted
    /// One value; the last one wins.
    case value
    /// One value each time; all of them hold.
    case repeatable
  }

  /// Options of which one command line may give only one.
  package enum Exclusion: Sendable, Hashable {
    /// How much is said.
    case amountOfTalk
    /// What rejects mean for the exit status.
    case weightOfRejects
  }

  /// The headings under which help lists options, in this order.
  package enum Group: String, Sendable, Hashable, CaseIterable {
    /// What every command has.
    case general = "OPTIONS"
    /// How inputs are written.
    case reading = "READING OPTIONS"
    /// What is valid.
    case model = "MODEL OPTIONS"
    /// How rows are written.
    case writing = "WRITING OPTIONS"
    /// What becomes of rejects.
    case rejects = "REJECT OPTIONS"
    /// How an export is written.
    case output = "OUTPUT OPTIONS"
  }

  /// The option, and so its long name.
  package var name: OptionName
  /// Its short name, if it has one.
  package var shortName: Character?
  /// Other long names that are understood and not shown.
  package var aliases: [String] = []
  /// What it takes.
  package var kind: Kind
  /// What its value is called in help; empty where it takes none.
  package var valueName: String
  /// The only values that it takes; empty where any text may be one.
  package var values: [String] = []
  /// What it does, for help.
  package var abstract: String
  /// The heading it is listed under.
  package var group: Group
  /// What holds without it, as it would be written; nil where nothing does.
  package var defaultText: String?
  /// What holds without it, in words, where no written value says it.
  package var defaultNote: String?
  /// Whether help leaves it out.
  package var isHidden = false
  /// Whether giving it twice is an error, since taking the last would lose the first unseen.
  package var isExclusive = false
  /// Whether its value may be empty.
  package var allowsEmptyValue = false
  /// The set of options of which only one may be given.
  package var exclusion: Exclusion?

  /// Makes an option that takes a value.
  package init(
    _ name: OptionName,
    _ shortName: Character? = nil,
    value valueName: String,
    kind: Kind = .value,
    group: Group,
    _ abstract: String
  ) {
    self.name = name
    self.shortName = shortName
    self.kind = kind
    self.valueName = valueName
    self.group = group
    self.abstract = abstract
  }

  /// Makes an option without a value.
  package init(
    flag name: OptionName,
    _ shortName: Character? = nil,
    kind: Kind = .flag(isOnByDefault: false),
    group: Group,
    _ abstract: String
  ) {
    self.init(name, shortName, value: "", kind: kind, group: group, abstract)
  }

  /// Whether it takes a value.
  package var takesValue: Bool {
    switch kind {
    case .value, .repeatable: true
    case .flag, .action, .counted: false
    }
  }

  /// The long name as help shows it: `--strict`, or `--no-defaults` for a flag that is on by itself.
  package var shownName: String {
    kind == .flag(isOnByDefault: true) ? "--no-\(name.rawValue)" : "--\(name.rawValue)"
  }

  /// The same option with some properties changed; keeps the table readable.
  func with(_ change: (inout OptionSpecification) -> Void) -> OptionSpecification {
    var changed = self
    change(&changed)
    return changed
  }
}
