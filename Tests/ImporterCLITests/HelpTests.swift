import ImporterCLI
import ImporterKit
import Testing

@Suite struct Help {
  private func page(_ arguments: [String], columns: String? = nil) throws -> String {
    guard case .help(let page) = try parse(arguments, environment: columns.map { ["COLUMNS": $0] } ?? [:]) else {
      throw UsageError("no help: \(arguments)")
    }
    return page
  }

  @Test func `the page of export reads as it should`() throws {
    #expect(try page(["export", "--help"]) == Self.exportPage)
  }

  static let exportPage = """
    EXAMPLES
      # CSV on standard output
      importer export
      # XML
      importer export --format xml
      # one entity, to a file
      importer export --entity contact -o contacts.csv
      # some rows, in an order
      importer export --where "title CONTAINS[cd] 'perche' AND date >= '2013-01-01'" --sort-by title,-date

    OVERVIEW
      Write the rows of a database out as a file.

      Rows come in key order, so that two exports of the same database are the same
      bytes. Loading an export under its model gives the same rows again; a value
      that a format cannot hold is refused with its row named.

      In XML, JSON and text the rows that belong to a row, which are those that are
      deleted with it, stand within it; --where and --sort-by are about the
      outermost ones.

    USAGE
      importer export [<options>]

    OUTPUT OPTIONS
      --entity <name>         The entity to write. (default: the only one; all into
                              a folder)
      --format <name>         The format to write. (values: csv, tsv, text, xml,
                              json, ndjson) (default: by the extension of --output,
                              else csv)
      -o, --output <file>     Where to write, by gzip if it ends with .gz; it
                              appears when complete. FOLDER/ gets every entity and a
                              datapackage.json that loads them again. (default:
                              standard output)
      --where <condition>     Which rows to write: nome == 'Ada' AND nick != NULL.
                              Texts and dates stand in quotes; see CONDITIONS.
                              (default: all)
      --sort-by <names>       The order of the rows: name,-date; '-' turns one
                              round, name[cd] ignores case and diacritics. (default:
                              by key)
      --delimiter <text>      What parts two cells; 'tab' or '\\t' is a tab.
                              (default: a comma, in TSV a tab)
      --header <when>         Whether column names come first; source is as the
                              loaded file had it. (values: yes, no, source)
                              (default: yes)
      --spreadsheet-safe      Write an apostrophe before text that a spreadsheet
                              would run: it begins with = + - @, a tab or a line
                              end.
      --flat                  Write every entity by itself, also in XML, JSON and
                              text, in which rows that are deleted with another one
                              stand within it.
      --list-separator <text> What parts the keys of a to-many relationship in one
                              cell of CSV, such as ','. (default: CSV leaves them
                              out; their join table is an entity)

    OPTIONS
      -d, --database <path>   The SQLite database. (default: $IMPORTER_DATABASE,
                              else importer.sqlite)
      -q, --quiet             Say nothing but errors; success is silent.
      -v, --verbose           Say more: where settings come from, every fault; -vv
                              defaults too.
      --color <when>          Colour messages. (values: auto, always, never)
                              (default: auto)
      -h, --help              Show help.
      --version               Show the version.

    CONDITIONS
      name == 'x'             also != < <= > >=; texts and dates stand in quotes,
                              numbers do not, TRUE and FALSE are words
      name == NULL            has no value; a row without one fulfils no other
                              comparison but !=, and == of two attributes that both
                              have none
      title CONTAINS[cd] 'x'  also BEGINSWITH, ENDSWITH; [c] ignores case, [d]
                              diacritics, in == and IN too
      title LIKE 'a*b?'       the whole text: * is any characters, ? is one; MATCHES
                              takes a regular expression
      n BETWEEN {1, 9}        both included; kind IN {'a', 'b'} is one of a list
      label.name == 'x'       of the row that a foreign key refers to; ANY, ALL,
                              NONE and .@count for many rows
      a AND NOT (b OR c)      NOT binds before AND, AND before OR; `a name` with
                              blanks stands in backticks

    EXIT STATUS
      0                       everything was written
      1                       the format cannot hold a value; the row is named, and
                              an output file is as it was
      64                      the command line is wrong
      66                      there is no database
      70                      a fault of this program
      73                      an output cannot be created
      74                      reading or writing failed, such as on a full disk
      75                      another process holds the database: try again
      78                      the database is not one that can be read, or an
                              options file is wrong
      128+n                   signal n

    FILES
      @FILE                   as an argument: options from FILE, one a line. A line
                              is '--name', '--name value' or '--name=value'; the
                              value is the rest of the line, blanks included, and
                              quotes are ordinary characters. Lines that begin with
                              '#' are comments. Options on the command line win.

    ENVIRONMENT
      IMPORTER_DATABASE       the database where --database is not given
      NO_COLOR                if not empty, no colour; --color wins over it
      CLICOLOR_FORCE          if neither empty nor 0, colour also where there is no
                              terminal; NO_COLOR wins over it
      COLUMNS                 the width of help pages

    """

  @Test(arguments: [
    ["load", "--help"], ["load", "-h"], ["help", "load"], ["--help", "load"], ["-h", "load", "--wrong"],
    ["load", "@n", "-h"],
    ["load", "--database", "--help"], ["help", "load", "-h"],
  ]) func `help is shown however it is asked for`(_ arguments: [String]) throws {
    #expect(try page(arguments).contains("\n  importer load [<options>] <file>...\n"))
  }

  @Test(arguments: [["--help"], ["-h"], ["help"], ["help", "--help"]])
  func `help without a command lists the commands, or explains itself`(_ arguments: [String]) throws {
    let text = try page(arguments)
    #expect(arguments.count == 2 ? text.contains("importer help [<command>]") : text.contains("\nCOMMANDS\n"))
  }

  @Test func `a help option after the end of options is an input`() throws {
    #expect(try loadJob(["load", "--", "--help"]).inputs == ["--help"])
  }

  @Test(arguments: ["load", "check", "inspect", "export", "help", ""], [60, 80, 132])
  func `every page is wrapped, with text from column 26`(_ command: String, _ columns: Int) throws {
    let specification = CommandTable.command(named: command) ?? CommandTable.root
    let text = HelpPage(of: specification, columns: columns).text
    for line in text.split(separator: "\n") where !line.contains("importer ") {
      #expect(line.count <= columns)
      #expect(!line.hasSuffix(" "))
    }
    for option in specification.options {
      let label = "\(option.shownName)"
      let isListed = text.split(separator: "\n").contains { $0.hasPrefix("  \(label)") || $0.contains(", \(label)") }
      #expect(isListed == !option.isHidden, "\(label)")
    }
    #expect(text.hasPrefix("EXAMPLES\n  "))
    #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
  }

  @Test func `what is not in this version is not mentioned`() {
    let text = (CommandTable.commands + [CommandTable.root]).map { HelpPage(of: $0, columns: 80).text }.joined()
    for name in CommandTable.laterOptions { #expect(!text.contains("--\(name)")) }
  }

  @Test(arguments: [
    ("100", 100), ("10", 60), ("1000", 200), ("", 80), ("wide", 80), ("-3", 80), ("0", 80),
  ]) func `the width follows COLUMNS within reason`(_ value: String, _ columns: Int) {
    #expect(HelpPage.columns(environment: ["COLUMNS": value]) == columns)
    #expect(HelpPage.columns(environment: [:]) == 80)
  }

  @Test func `no name or letter stands twice in a command, and planned names are not taken`() {
    for command in CommandTable.commands + [CommandTable.root] {
      let names = command.options.flatMap { [$0.name.rawValue] + $0.aliases }
      #expect(Set(names).count == names.count)
      let letters = command.options.compactMap(\.shortName)
      #expect(Set(letters).count == letters.count)
      #expect(CommandTable.laterOptions.isDisjoint(with: names))
    }
  }

  @Test func `every option is taken by some command`() {
    let taken = Set((CommandTable.commands + [CommandTable.root]).flatMap(\.options).map(\.name))
    #expect(taken == Set(OptionName.allCases))
  }
}

@Suite struct Colour {
  @Test(
    arguments: [
      (.auto, [:], true, true), (.auto, [:], false, false), (.auto, ["TERM": "dumb"], true, false),
      (.auto, ["NO_COLOR": "1"], true, false), (.auto, ["NO_COLOR": ""], true, true),
      (.auto, ["CLICOLOR_FORCE": "1"], false, true), (.auto, ["CLICOLOR_FORCE": "0"], false, false),
      (.auto, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], true, false), (.always, ["NO_COLOR": "1"], false, true),
      (.never, ["CLICOLOR_FORCE": "1"], true, false),
    ] as [(ColorChoice, [String: String], Bool, Bool)]
  )
  func `the option beats the environment, and that the terminal`(
    _ choice: ColorChoice,
    _ environment: [String: String],
    _ isTerminal: Bool,
    _ expected: Bool
  ) {
    #expect(shouldColor(choice, environment: environment, isTerminal: isTerminal) == expected)
  }
}
