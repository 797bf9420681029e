import Diagnostics

/// All commands, and what is known of later ones: the one source of parser, help, completions and manual pages.
package enum CommandTable {
  /// `importer` itself, with the options that may stand before a command's name.
  package static let root = CommandSpecification(
    name: "",
    abstract: "moves flat files into SQLite and back",
    examples: [
      .init(command: "importer load contacts.txt", purpose: "into ./importer.sqlite"),
      .init(command: "importer check contacts.txt", purpose: "the same, without writing"),
      .init(command: "importer inspect contacts.txt", purpose: "what is in it"),
      .init(command: "importer export --format xml", purpose: "back, on standard output"),
    ],
    overview: [
      """
      Reads plain text, CSV, XML and JSON, checks every record against a model, and writes what is valid into an SQLite \
      database in one transaction. What is not valid is rejected with its reason and kept, byte for byte, so that it can \
      be mended and loaded again.
      """
    ],
    options: OptionTable.general + OptionTable.generating,
    sections: [HelpText.exitStatus, HelpText.environment]
  )

  /// The commands, in the order of help.
  package static let commands = [load, check, inspect, model, export, delete, history, help]

  /// Long names of options of later versions, which get a message of their own.
  package static let laterOptions: Set<String> = [
    "expect-records", "expect-sha256",
    "log-time", "textfile",
  ]

  /// The command of that name; nil where there is none.
  package static func command(named name: String) -> CommandSpecification? {
    commands.first { $0.name == name }
  }

  private static let inputs = CommandSpecification.Argument(
    name: "file",
    abstract: """
      A file to read, compressed by gzip or not; '-' is standard input, a folder stands for the files in it (rejects left out), and \
      datapackage.json for all its resources.
      """,
    isRequired: true,
    isRepeated: true
  )

  private static let load = CommandSpecification(
    name: "load",
    abstract: "Read files, validate their records, write them into a database.",
    examples: [
      .init(command: "importer load contacts.txt", purpose: "infer types, write ./importer.sqlite"),
      .init(command: "importer load -d shop.sqlite orders.csv items.csv", purpose: "several files, one transaction"),
      .init(command: "importer load --key nick --require nome contacts.csv", purpose: "with rules"),
      .init(command: "importer load --model datapackage.json contacts.csv", purpose: "with a model"),
      .init(command: "importer load --where \"city == 'Oslo'\" contacts.csv", purpose: "some of the records"),
      .init(command: "xz -dc contacts.csv.xz | importer load --entity contact -", purpose: "from a pipe"),
      .init(command: "importer load @nightly.args contacts.csv", purpose: "options from a file"),
    ],
    overview: [
      """
      All files go in as one transaction: all accepted records, or none (--commit-every parts it). A record that breaks a rule is rejected alone, \
      with every reason, and kept beside its file; mend it there and load that file.
      """,
      """
      What is valid comes from --model, else a datapackage.json beside the file that names it, else the tables that \
      the database already has, else the whole file: a type is inferred only if every value survives it.
      """,
    ],
    arguments: [inputs],
    options: OptionTable.loading + OptionTable.general,
    sections: [HelpText.modes, HelpText.conditionsOfRecords, HelpText.exitStatus, HelpText.files, HelpText.environment]
  )

  private static let check = CommandSpecification(
    name: "check",
    abstract: "Do all of load but the writing: same counts, same rejects, same exit status.",
    examples: [
      .init(command: "importer check contacts.txt", purpose: "against ./importer.sqlite, if it is there"),
      .init(command: "importer check --strict @nightly.args contacts.csv", purpose: "any reject ends with 1"),
    ],
    overview: [
      """
      Reads and validates like 'importer load', down to the keys that are already in the database, and writes the rejects \
      but never the database. It takes the options of load, so that one options file serves both.
      """
    ],
    arguments: [inputs],
    options: OptionTable.loading.map { $0.name == .dryRun ? $0.with { $0.isHidden = true } : $0 } + OptionTable.general,
    sections: [
      HelpText.modes, HelpText.conditionsOfRecords, HelpText.exitStatusOfCheck, HelpText.files, HelpText.environment,
    ]
  )

  private static let inspect = CommandSpecification(
    name: "inspect",
    abstract: "Show what is in files: format, dialect and why, and what every column holds.",
    examples: [
      .init(command: "importer inspect contacts.csv", purpose: "format, columns, types, values, remarks"),
      .init(command: "importer inspect --json contacts.csv", purpose: "the same for a program"),
      .init(command: "importer inspect --delimiter ';' --null NA *.txt", purpose: "with settings, several files"),
      .init(command: "xz -dc contacts.csv.xz | importer inspect -", purpose: "from a pipe"),
    ],
    overview: [
      """
      Reads every file once, from its beginning to its end, and writes nothing. Shows the format, the encoding, the dialect \
      and the evidence for them; for every column the type that load would infer and the value that rules out a narrower \
      one, NULLs, different values, least and greatest, the most frequent and the first values, and what deserves a look \
      before loading.
      """,
      """
      Counts are exact; where a column has too many different values, their number and the most frequent ones are \
      estimated, and marked by ≈ and ≥. A file that cannot be read is told, and the next one is looked at.
      """,
    ],
    arguments: [inputs],
    options: OptionTable.inspecting + OptionTable.general.filter { $0.name != .database },
    sections: [HelpText.exitStatusOfInspect, HelpText.optionsFile, HelpText.environmentWithoutDatabase]
  )

  private static let model = CommandSpecification(
    name: "model",
    abstract: "Show a model, or write it in another form.",
    examples: [
      .init(command: "importer model music.xcdatamodeld", purpose: "entities, attributes, rules, links"),
      .init(command: "importer model shop.sqlite --as datapackage", purpose: "of a database"),
      .init(command: "importer model contacts.csv --key nick --as datapackage -o datapackage.json", purpose: "of data"),
      .init(command: "importer model shop.sqlite --as svg -o shop.svg", purpose: "as a picture"),
    ],
    overview: [
      """
      Reads a model from a Core Data model, a Data Package, a Table Schema, the tables of a database, or data files, whose \
      types are inferred as a load would, and shows it. Nothing but the output is written.
      """,
      """
      A model that is written --as datapackage, xcdatamodel or sql and read again is the same model: what a form has no \
      words for stands in properties of ours, in userInfo, or in the table importer_model. What cannot be written is \
      refused by name.
      """,
    ],
    arguments: [
      .init(
        name: "source",
        abstract: "A model file, a database, a data file or a folder of them; '-' is data on standard input.",
        isRequired: true,
        isRepeated: false
      )
    ],
    options: OptionTable.modelling
      + OptionTable.general.filter { $0.name != .database }.map { option in
        option.name != .json ? option : option.with { $0.abstract = "Show the model as one JSON object." }
      },
    sections: [HelpText.exitStatusOfModel, HelpText.optionsFile, HelpText.environmentWithoutDatabase]
  )

  private static let export = CommandSpecification(
    name: "export",
    abstract: "Write the rows of a database out as a file.",
    examples: [
      .init(command: "importer export", purpose: "CSV on standard output"),
      .init(command: "importer export --format xml", purpose: "XML"),
      .init(command: "importer export --entity contact -o contacts.csv", purpose: "one entity, to a file"),
      .init(
        command:
          "importer export --where \"title CONTAINS[cd] 'perche' AND date >= '2013-01-01'\" --sort-by title,-date",
        purpose: "some rows, in an order"
      ),
    ],
    overview: [
      """
      Rows come in key order, so that two exports of the same database are the same bytes. Loading an export under its \
      model gives the same rows again; a value that a format cannot hold is refused with its row named.
      """,
      """
      In XML, JSON and text the rows that belong to a row, which are those that are deleted with it, stand within it; \
      --where and --sort-by are about the outermost ones.
      """,
    ],
    options: OptionTable.exporting + OptionTable.general.filter { $0.name != .json },
    sections: [
      HelpText.conditions, HelpText.exitStatusOfExport, HelpText.optionsFile, HelpText.environment,
    ]
  )

  private static let delete = CommandSpecification(
    name: "delete",
    abstract: "Delete rows of a database, with what their delete rules take along.",
    examples: [
      .init(command: "importer delete --where \"nick == 'adab'\"", purpose: "one contact"),
      .init(
        command: "importer delete --entity Album --where \"artist.label.name == 'Basalt Audio'\" --dry-run",
        purpose: "how many would go"
      ),
      .init(command: "importer delete --entity Label --where TRUEPREDICATE", purpose: "all rows"),
      .init(command: "importer delete --entity Album --keys withdrawn.csv", purpose: "those that a file names"),
    ],
    overview: [
      """
      Deletes the rows that fulfil a condition, or whose keys stand in a file, in one transaction. Rows that refer to them go too (cascade), lose the \
      reference (nullify), or keep them (deny): then nothing is deleted, some of those rows are named, and the exit status is 1. What was deleted is \
      counted, by entity.
      """,
      """
      A file of keys is read as load reads it: its columns or fields are matched with the parts of the entity's key by name, \
      and all others are passed over. Keys of no row are counted; faulty ones are rejected and kept beside the file, and the \
      others deleted.
      """,
    ],
    options: OptionTable.deleting
      + OptionTable.general.map { option in
        option.name != .json ? option : option.with { $0.abstract = "Write what was deleted as one JSON object." }
      },
    sections: [
      HelpText.conditions, HelpText.exitStatus, HelpText.files, HelpText.environment,
    ]
  )

  private static let history = CommandSpecification(
    name: "history",
    abstract: "List the loads that a database has seen.",
    examples: [
      .init(command: "importer history", purpose: "of ./importer.sqlite, the newest last"),
      .init(command: "importer history -d shop.sqlite --limit all -v", purpose: "all, with their files' SHA-256"),
      .init(command: "importer history --json", purpose: "the same for a program"),
    ],
    overview: [
      """
      A database that importer has made remembers every load, in the load's own transaction: when it began, its files with \
      size and SHA-256, and what became of the records of each entity; deletions too. A run that was undone is not listed. \
      The list stands in the tables importer_loads and importer_load_counts.
      """
    ],
    options: OptionTable.listing
      + OptionTable.general.map { option in
        option.name != .json ? option : option.with { $0.abstract = "Write the list as one JSON object." }
      },
    sections: [HelpText.exitStatusOfHistory, HelpText.optionsFile, HelpText.environment]
  )

  private static let help = CommandSpecification(
    name: "help",
    abstract: "Show help for a command.",
    examples: [.init(command: "importer help load", purpose: "the same as 'importer load --help'")],
    overview: ["Shows what a command does, its options and its exit statuses."],
    arguments: [
      .init(name: "command", abstract: "The command to explain.", isRequired: false, isRepeated: false)
    ],
    options: OptionTable.general.filter { $0.name == .help || $0.name == .version }
  )
}
