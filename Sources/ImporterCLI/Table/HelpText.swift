import Diagnostics

/// The sections that several help pages share.
enum HelpText {
  private typealias Entry = CommandSpecification.Section.Entry

  static let exitStatus = CommandSpecification.Section(
    title: "EXIT STATUS",
    entries: [
      Entry("0", "everything was done"),
      Entry("2", "committed, but some records were rejected (--strict makes it 1, --accept-rejects makes it 0)"),
      status(.data, "nothing was committed, because of the data"),
      status(.usage, "the command line is wrong"),
      status(.input, "an input is missing, unreadable or empty"),
      status(.software, "a fault of this program"),
      status(.cannotCreate, "an output cannot be created"),
      status(.inputOutput, "reading or writing failed, such as on a full disk"),
      status(.locked, "another process holds the database: try again"),
      status(.model, "a model or an options file is wrong"),
      Entry("128+n", "signal n, after everything was rolled back"),
    ]
  )

  /// For commands that reject nothing.
  static let exitStatusWithoutRejects = exitStatus.with([], without: "2")

  /// For a load that is only tried.
  static let exitStatusOfCheck = exitStatus.with([
    Entry("0", "everything would be loaded"),
    Entry("2", "some records would be rejected (--strict makes it 1, --accept-rejects makes it 0)"),
    status(.data, "nothing would be committed, because of the data"),
    Entry("128+n", "signal n"),
  ])

  /// For a command that rejects nothing and changes no database.
  static let exitStatusOfExport = exitStatus.with(
    [
      Entry("0", "everything was written"),
      status(.data, "the format cannot hold a value; the row is named, and an output file is as it was"),
      status(.input, "there is no database"),
      status(.model, "the database is not one that can be read, or an options file is wrong"),
      Entry("128+n", "signal n"),
    ],
    without: "2"
  )

  /// For a command that only reads.
  static let exitStatusOfInspect = CommandSpecification.Section(
    title: exitStatus.title,
    entries: [
      Entry("0", "everything was read, faulty records included"),
      status(.data, "a document is malformed, or a header is wrong"),
      status(.usage, "the command line is wrong"),
      status(.input, "an input is missing, unreadable or empty"),
      status(.software, "a fault of this program"),
      status(.inputOutput, "reading or writing failed"),
      status(.model, "a data package or an options file is wrong"),
      Entry("128+n", "signal n"),
    ]
  )

  /// For a command that reads models.
  static let exitStatusOfModel = CommandSpecification.Section(
    title: exitStatus.title,
    entries: [
      Entry("0", "the model was shown or written"),
      status(.data, "a document is malformed, or a header is wrong"),
      status(.usage, "the command line is wrong"),
      status(.input, "the source is missing, unreadable or empty"),
      status(.software, "a fault of this program"),
      status(.cannotCreate, "an output cannot be created"),
      status(.inputOutput, "reading or writing failed, such as on a full disk"),
      status(.locked, "another process holds the database: try again"),
      status(.model, "the model or an options file is wrong, or the form cannot hold the model"),
      Entry("128+n", "signal n"),
    ]
  )

  /// For a command that reads a database alone.
  static let exitStatusOfHistory = CommandSpecification.Section(
    title: exitStatus.title,
    entries: [
      Entry("0", "the list was shown, empty or not"),
      status(.usage, "the command line is wrong"),
      status(.input, "there is no database"),
      status(.software, "a fault of this program"),
      status(.inputOutput, "reading or writing failed"),
      status(.locked, "another process holds the database: try again"),
      status(.model, "the database is not one that importer has made, or an options file is wrong"),
      Entry("128+n", "signal n"),
    ]
  )

  static let environmentWithoutDatabase = CommandSpecification.Section(
    title: environment.title,
    entries: environment.entries.filter { $0.term != "IMPORTER_DATABASE" }
  )

  static let environment = CommandSpecification.Section(
    title: "ENVIRONMENT",
    entries: [
      Entry("IMPORTER_DATABASE", "the database where --database is not given"),
      Entry("NO_COLOR", "if not empty, no colour; --color wins over it"),
      Entry("CLICOLOR_FORCE", "if neither empty nor 0, colour also where there is no terminal; NO_COLOR wins over it"),
      Entry("COLUMNS", "the width of help pages"),
    ]
  )

  /// What `--mode` takes.
  static let modes = CommandSpecification.Section(
    title: "MODES",
    entries: [
      Entry("insert", "every record is a new row; a key that exists is rejected"),
      Entry("skip", "a key that exists is left as it is, and counted as skipped"),
      Entry("upsert", "a key that exists gets the values that the record gives; what the record lacks stays"),
      Entry("update", "as upsert, but a key that does not exist is skipped"),
      Entry("replace", "the entities are emptied first, by their delete rules; then as insert"),
      Entry("sync", "as upsert; then the rows go whose keys no record has, within --delete-limit"),
    ]
  )

  /// The grammar of `--where`.
  static let conditions = CommandSpecification.Section(
    title: "CONDITIONS",
    entries: [
      Entry(
        "name == 'x'",
        "also != < <= > >=; texts and dates stand in quotes, numbers do not, TRUE and FALSE are words"
      ),
      Entry(
        "name == NULL",
        "has no value; a row without one fulfils no other comparison but !=, and == of two attributes that both have none"
      ),
      Entry("title CONTAINS[cd] 'x'", "also BEGINSWITH, ENDSWITH; [c] ignores case, [d] diacritics, in == and IN too"),
      Entry("title LIKE 'a*b?'", "the whole text: * is any characters, ? is one; MATCHES takes a regular expression"),
      Entry("n BETWEEN {1, 9}", "both included; kind IN {'a', 'b'} is one of a list"),
      Entry("label.name == 'x'", "of the row that a foreign key refers to; ANY, ALL, NONE and .@count for many rows"),
      Entry("a AND NOT (b OR c)", "NOT binds before AND, AND before OR; `a name` with blanks stands in backticks"),
    ]
  )

  /// The same of records that are still to be loaded, which know of no other rows.
  static let conditionsOfRecords = CommandSpecification.Section(
    title: conditions.title,
    entries: conditions.entries.map { entry in
      !entry.term.hasPrefix("label.name")
        ? entry : Entry("label.name == 'x'", "of the row that the record refers to, if that is what it gives")
    }
  )

  static let optionsFile = CommandSpecification.Section(title: "FILES", entries: [optionsFileEntry])

  static let files = CommandSpecification.Section(
    title: "FILES",
    entries: [
      optionsFileEntry,
      Entry("NAME.rejected.EXT", "the rejected records of NAME.EXT, byte for byte: mend them and load this file"),
      Entry("NAME.rejects.csv", "one line for every fault, with place, value and remedy"),
    ]
  )

  private static let optionsFileEntry = Entry(
    "@FILE",
    """
    as an argument: options from FILE, one a line. A line is '--name', '--name value' or '--name=value'; the value is \
    the rest of the line, blanks included, and quotes are ordinary characters. Lines that begin with '#' are comments. \
    Options on the command line win.
    """
  )

  private static func status(_ kind: FailureKind, _ meaning: String) -> Entry {
    Entry("\(kind.exitStatus)", meaning)
  }
}

extension CommandSpecification.Section {
  /// The same section, with other meanings for some terms and without one of them.
  fileprivate func with(_ changed: [Entry], without left: String? = nil) -> Self {
    var section = self
    section.entries.removeAll { $0.term == left }
    for entry in changed {
      guard let index = section.entries.firstIndex(where: { $0.term == entry.term }) else { continue }
      section.entries[index] = entry
    }
    return section
  }
}
