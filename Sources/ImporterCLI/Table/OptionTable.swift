import EntityModel
import ImporterKit

/// The options that commands share.
enum OptionTable {
  private typealias Option = OptionSpecification

  /// The options of every command.
  static let general: [OptionSpecification] = [
    Option(.database, "d", value: "path", group: .general, "The SQLite database.")
      .with {
        $0.defaultText = "importer.sqlite"; $0.defaultNote = "$IMPORTER_DATABASE, else importer.sqlite"
      },
    Option(flag: .quiet, "q", group: .general, "Say nothing but errors; success is silent.")
      .with { $0.exclusion = .amountOfTalk },
    Option(
      flag: .verbose,
      "v",
      kind: .counted,
      group: .general,
      "Say more: where settings come from, every fault; -vv defaults too."
    )
    .with { $0.exclusion = .amountOfTalk },
    Option(flag: .json, group: .general, "Write the run report as one JSON object on standard output."),
    Option(.color, value: "when", group: .general, "Colour messages.").with {
      $0.aliases = ["colour"]
      $0.values = ColorChoice.allCases.map(\.rawValue)
      $0.defaultText = ColorChoice.auto.rawValue
    },
    Option(flag: .help, "h", kind: .action, group: .general, "Show help."),
    Option(flag: .version, kind: .action, group: .general, "Show the version."),
  ]

  /// What only `importer` without a command writes.
  static let generating: [OptionSpecification] = [
    Option(.generateCompletionScript, value: "shell", group: .general, "Write a script that completes command lines.")
      .with { $0.values = CompletionShell.allCases.map(\.rawValue) },
    Option(
      .generateManualPage,
      value: "command",
      group: .general,
      "Write the manual page of a command, or of importer, for man."
    ),
  ]

  /// The options of `load` and `check`, without the general ones.
  static let loading: [OptionSpecification] = reading + [listSeparator] + model + writing + rejects

  /// How inputs are written.
  private static let reading: [OptionSpecification] = [
    Option(.format, value: "name", group: .reading, "The format of all inputs.").with {
      $0.values = FileFormat.allCases.map(\.rawValue)
      $0.defaultNote = "detected from the content, then the name"
    },
    Option(.encoding, value: "name", group: .reading, "The encoding of all inputs: any name that iconv knows.")
      .with { $0.defaultNote = "by the byte order mark or the zero bytes of UTF-16, else UTF-8" },
    Option(.layout, value: "name", group: .reading, "The layout of plain text.").with {
      $0.values = TextLayout.allCases.map(\.rawValue)
      $0.defaultNote = "detected"
    },
    Option(
      .widths,
      value: "list",
      group: .reading,
      "The columns of fixed-width text in characters: from-to as 1-10,11-30,31- or widths as 10,20,5."
    )
    .with { $0.defaultNote = "detected" },
    Option(.delimiter, value: "text", group: .reading, "What parts two cells; 'tab' or '\\t' is a tab.")
      .with { $0.defaultNote = "detected" },
    Option(.quote, value: "text", group: .reading, "What encloses cells, or 'none'.")
      .with { $0.defaultNote = "detected" },
    Option(
      .escape,
      value: "text",
      group: .reading,
      "What makes a quote ordinary, besides doubling it; 'none': a quote closes before a delimiter or line end only."
    )
    .with { $0.defaultNote = "detected" },
    Option(.lineTerminator, value: "name", group: .reading, "What ends a line of cells; all else is data.").with {
      $0.values = CSVDialect.LineEnd.allCases.map(\.rawValue)
      $0.defaultText = CSVDialect.LineEnd.any.rawValue
    },
    Option(.comment, value: "text", group: .reading, "What a line that is no record begins with, or 'none'.")
      .with { $0.defaultNote = "detected" },
    Option(.header, value: "lines", group: .reading, "How many header lines there are, or 'none'; 'yes' is 1.")
      .with { $0.defaultNote = "detected" },
    Option(.columns, value: "names", group: .reading, "The column names, as a,b,c or a JSON array of strings.")
      .with { $0.isExclusive = true },
    Option(.skipLines, value: "count", group: .reading, "Lines before the header.")
      .with { $0.defaultNote = "detected" },
    Option(.skipFooter, value: "count", group: .reading, "Lines after the last record.")
      .with { $0.defaultNote = "0; detected with --bad-rows repair" },
    Option(
      .null,
      value: "token",
      kind: .repeatable,
      group: .reading,
      "Another spelling of NULL; '' also makes empty values of text and XML NULL. Repeatable."
    ).with { $0.allowsEmptyValue = true },
    Option(
      .badRows,
      value: "action",
      group: .reading,
      "What becomes of rows with missing or extra cells or stray quotes."
    )
    .with {
      $0.values = CSVDialect.BadRows.allCases.map(\.rawValue)
      $0.defaultText = CSVDialect.BadRows.reject.rawValue
    },
    Option(
      .recordPath,
      value: "path",
      group: .reading,
      "What is a record in XML, JSON and property lists: NAME or /a/b."
    )
    .with { $0.defaultNote = "detected" },
    Option(.maximumRecordSize, value: "bytes", group: .reading, "The longest record; K, M and G are understood.")
      .with { $0.defaultText = "16M" },
    Option(.maximumFieldSize, value: "bytes", group: .reading, "The longest field.").with {
      $0.defaultText = "10000000"
    },
    Option(
      .maximumColumns,
      value: "count",
      group: .reading,
      "The most columns that are read; a table of SQLite holds 2000, of which --columns takes some."
    )
    .with { $0.defaultText = "16384" },
  ]

  private static let listSeparator = Option(
    .listSeparator,
    value: "text",
    group: .reading,
    "What parts the keys in one value of a to-many relationship, such as ','."
  ).with { $0.defaultNote = "a value is one key" }

  /// The options of `inspect`, without the general ones.
  static let inspecting: [OptionSpecification] = reading + [dateFormat.with { $0.group = .reading }]

  private static let dateFormat = Option(
    .dateFormat,
    value: "[column=]pattern",
    kind: .repeatable,
    group: .model,
    "How dates are written: %d/%m/%Y, dd/MM/yyyy or UnixTime; several are tried in order. Repeatable."
  ).with { $0.defaultNote = "ISO 8601" }

  /// What is valid.
  private static let model: [OptionSpecification] = [
    Option(
      .model,
      value: "file",
      group: .model,
      "A Data Package, a Table Schema, a Core Data model, or a database whose schema is the model."
    ),
    Option(.entity, value: "name", group: .model, "What the records become.")
      .with { $0.defaultNote = "the model's, the XML element's or the file's name" },
    Option(
      .type,
      value: "column=type",
      kind: .repeatable,
      group: .model,
      "The type of a column: " + AttributeType.names.joined(separator: ", ") + ". Repeatable."
    ),
    Option(flag: .allText, group: .model, "Take everything as text: infer no types."),
    Option(
      .require,
      value: "columns",
      kind: .repeatable,
      group: .model,
      "Columns that must have a value, as a,b,c. Repeatable."
    ),
    Option(
      .unique,
      value: "columns",
      kind: .repeatable,
      group: .model,
      "Columns whose values must differ. Repeatable."
    ),
    Option(.key, value: "columns", group: .model, "The columns that together tell one row from another.")
      .with { $0.isExclusive = true },
    Option(
      .map,
      value: "source=attribute",
      kind: .repeatable,
      group: .model,
      "The attribute that a column fills. Repeatable."
    ),
    Option(
      .link,
      value: "reference=column",
      kind: .repeatable,
      group: .model,
      "A reference by a column of its target's file that serves this run alone: artist.label=label.id. Repeatable."
    ),
    dateFormat,
    Option(
      .binary,
      value: "[column=]spelling",
      kind: .repeatable,
      group: .model,
      "How bytes are given: base64, hex, or file, the name of a file beside the input. Repeatable."
    ).with { $0.defaultNote = "base64" },
    Option(.decimalMark, value: "mark", group: .model, "What parts whole digits from decimals.").with {
      $0.values = [".", ","]
      $0.defaultText = "."
    },
    Option(
      flag: .defaults,
      kind: .flag(isOnByDefault: true),
      group: .model,
      "Do not fill absent values with the model's defaults."
    ),
  ]

  /// How rows are written.
  private static let writing: [OptionSpecification] = [
    Option(
      .filter,
      value: "condition",
      group: .writing,
      "Load only the records that fulfil it: nome == 'Ada' AND nick != NULL; see CONDITIONS. Faulty ones are rejected all the same."
    ).with { $0.defaultNote = "all" },
    Option(.mode, value: "mode", group: .writing, "What becomes of keys that are in the database; see MODES.").with {
      $0.values = LoadJob.Mode.allCases.map(\.rawValue)
      $0.defaultText = LoadJob.Mode.insert.rawValue
    },
    Option(
      .deleteLimit,
      value: "count",
      group: .writing,
      "How many rows of an entity --mode sync may delete: a number, or a share as 20%. More undo the run."
    ).with { $0.defaultText = "10%" },
    Option(
      .orphans,
      value: "action",
      group: .writing,
      "What becomes of references to nothing: the record is rejected, the reference made NULL, or a row with the key made."
    ).with {
      $0.values = LoadJob.Orphans.allCases.map(\.rawValue)
      $0.defaultText = LoadJob.Orphans.reject.rawValue
    },
    Option(
      flag: .skipUnchanged,
      group: .writing,
      "End at once when the same content is in the database already, loaded by the same options."
    ),
    Option(
      .commitEvery,
      value: "count",
      group: .writing,
      "Commit whenever so many records have been read; the same command, run again, goes on behind the last commit."
    ).with { $0.defaultNote = "one transaction" },
    Option(
      flag: .startOver,
      group: .writing,
      "Forget a load that --commit-every has left unfinished, and begin at the first record; what it committed stays."
    ),
    Option(flag: .dryRun, group: .writing, "Do everything but the writing, as 'importer check' does."),
    Option(.lockWait, value: "seconds", group: .writing, "How long to wait for another process's lock.")
      .with { $0.defaultText = "10" },
  ]

  /// What becomes of rejects.
  private static let rejects: [OptionSpecification] = [
    Option(.rejects, value: "folder", group: .rejects, "Where rejected records and their reasons go.")
      .with { $0.defaultNote = "beside each input" },
    Option(
      .rejectLimit,
      value: "count",
      group: .rejects,
      "How many records may be rejected: a number, past which reading stops, or a share as 5%. More undo the run."
    ).with {
      $0.defaultNote = "no limit"
    },
    Option(flag: .strict, group: .rejects, "Let any reject undo the run and end with 1.")
      .with { $0.exclusion = .weightOfRejects },
    Option(flag: .acceptRejects, group: .rejects, "Let a run with rejects end with 0.")
      .with { $0.exclusion = .weightOfRejects },
    Option(
      .report,
      value: "file",
      kind: .repeatable,
      group: .rejects,
      "Write the run report: .html is a page for people, .json for programs, .csv and .txt its tables. Repeatable."
    ),
  ]

  /// The options of `model`, without the general ones.
  static let modelling: [OptionSpecification] =
    [
      Option(.form, value: "form", group: .output, "The form to write.").with {
        $0.values = ModelJob.Form.allCases.map(\.rawValue)
        $0.defaultNote = "text for people"
      },
      Option(
        .output,
        "o",
        value: "file",
        group: .output,
        "Where to write; it appears when it is complete. NAME.xcdatamodel and .xcdatamodeld are made as folders."
      ).with { $0.defaultNote = "standard output" },
    ] + reading + model.filter { $0.name != .model && $0.name != .defaults }
    + writing.filter { $0.name == .lockWait }.map { $0.with { $0.group = .reading } }

  /// What `history` takes, without the general ones.
  static let listing: [OptionSpecification] =
    [
      Option(.limit, value: "count", group: .output, "How many of the last runs to list, or 'all'.")
        .with { $0.defaultText = "30" }
    ] + writing.filter { $0.name == .lockWait }.map { $0.with { $0.group = .output } }

  /// What `delete` takes.
  static let deleting: [OptionSpecification] =
    [
      Option(.entity, value: "name", group: .output, "The entity to delete from.").with {
        $0.defaultNote = "the only one"
      },
      Option(
        .filter,
        value: "condition",
        group: .output,
        "Which rows to delete: nome == 'Ada' AND nick != NULL; TRUEPREDICATE is all. See CONDITIONS."
      ),
      Option(
        .keys,
        value: "file",
        group: .output,
        "Which rows to delete: those whose keys are in this file, in any format that load reads; '-' is standard input."
      ),
    ]
    + loading.filter { [.dryRun, .lockWait].contains($0.name) }.map { option in
      option.with {
        $0.group = .output
        if option.name == .dryRun { $0.abstract = "Count what would be deleted, and delete nothing." }
      }
    } + readingKeys + rejects.filter { [.rejects, .strict, .acceptRejects].contains($0.name) }

  /// What says how a file of keys is written.
  static let readingKeys: [OptionSpecification] =
    reading
    + model.filter { [.map, .dateFormat, .decimalMark].contains($0.name) }.map { $0.with { $0.group = .reading } }

  /// The options of `export`, without the general ones.
  static let exporting: [OptionSpecification] = [
    Option(.entity, value: "name", group: .output, "The entity to write.").with {
      $0.defaultNote = "the only one; all into a folder"
    },
    Option(.format, value: "name", group: .output, "The format to write.").with {
      $0.values = FileFormat.written.map(\.rawValue)
      $0.defaultText = FileFormat.csv.rawValue
      $0.defaultNote = "by the extension of --output, else csv"
    },
    Option(
      .output,
      "o",
      value: "file",
      group: .output,
      "Where to write, by gzip if it ends with .gz; it appears when complete. FOLDER/ gets every entity and a datapackage.json that loads them again."
    )
    .with { $0.defaultNote = "standard output" },
    Option(
      .filter,
      value: "condition",
      group: .output,
      "Which rows to write: nome == 'Ada' AND nick != NULL. Texts and dates stand in quotes; see CONDITIONS."
    ).with { $0.defaultNote = "all" },
    Option(
      .sortBy,
      value: "names",
      group: .output,
      "The order of the rows: name,-date; '-' turns one round, name[cd] ignores case and diacritics."
    ).with { $0.defaultNote = "by key" },
    Option(.delimiter, value: "text", group: .output, "What parts two cells; 'tab' or '\\t' is a tab.")
      .with { $0.defaultNote = "a comma, in TSV a tab" },
    Option(
      .header,
      value: "when",
      group: .output,
      "Whether column names come first; source is as the loaded file had it."
    ).with {
      $0.values = ExportJob.Header.allCases.map(\.rawValue)
      $0.defaultText = ExportJob.Header.yes.rawValue
    },
    Option(
      flag: .spreadsheetSafe,
      group: .output,
      "Write an apostrophe before text that a spreadsheet would run: it begins with = + - @, a tab or a line end."
    ),
    Option(
      flag: .flat,
      group: .output,
      "Write every entity by itself, also in XML, JSON and text, in which rows that are deleted with another one stand within it."
    ),
    listSeparator.with {
      $0.group = .output
      $0.abstract = "What parts the keys of a to-many relationship in one cell of CSV, such as ','."
      $0.defaultNote = "CSV leaves them out; their join table is an entity"
    },
  ]
}
