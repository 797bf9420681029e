import EntityModel
import ImporterCLI
import ImporterKit
import Testing

@Suite struct Grammar {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let arguments: [String]
    let expected: LoadJob

    init(_ description: String, _ arguments: [String], inputs: [String] = ["f"], _ change: (inout LoadJob) -> Void) {
      testDescription = description
      self.arguments = arguments
      var job = LoadJob(inputs: inputs, database: "importer.sqlite")
      change(&job)
      expected = job
    }
  }

  static let cases = [
    Case("a value after a blank", ["load", "--database", "x", "f"]) { $0.database = "x" },
    Case("a value after an equals sign", ["load", "--database=x", "f"]) { $0.database = "x" },
    Case("a value that holds an equals sign", ["load", "--database=x=y", "f"]) { $0.database = "x=y" },
    Case("a short option", ["load", "-d", "x", "f"]) { $0.database = "x" },
    Case("a short option with an equals sign", ["load", "-d=x", "f"]) { $0.database = "x" },
    Case("a cluster whose last letter takes a value", ["load", "-vvd", "x", "f"]) { $0.database = "x" },
    Case("a cluster with an equals sign", ["load", "-vd=-x", "f"]) { $0.database = "-x" },
    Case("options after operands", ["load", "f", "--strict", "g"], inputs: ["f", "g"]) { $0.isStrict = true },
    Case("the end of options", ["load", "--strict", "--", "-d", "@x"], inputs: ["-d", "@x"]) { $0.isStrict = true },
    Case("the end of options before the command", ["--", "load", "--strict"], inputs: ["--strict"]) { _ in },
    Case("a dash as an operand", ["load", "-"], inputs: ["-"]) { _ in },
    Case("a dash as a value", ["load", "--delimiter", "-", "f"]) { $0.reading.delimiter = "-" },
    Case("a negative number as a value", ["load", "--null", "-5", "--null", "-.5e3", "f"]) {
      $0.reading.nullTokens = ["-5", "-.5e3"]
    },
    Case("a dashed value by an equals sign", ["load", "--null=--", "--null=-x", "f"]) {
      $0.reading.nullTokens = ["--", "-x"]
    },
    Case("an empty value", ["load", "--null", "", "--null=", "f"]) { $0.reading.nullTokens = [""] },
    Case("options before the command", ["-d", "x", "--quiet", "load", "f"]) { $0.database = "x" },
    Case("the last of a repeated option wins", ["load", "-d", "x", "--database=y", "f"]) { $0.database = "y" },
    Case("a flag turned off again", ["load", "--strict", "--no-strict", "f"]) { _ in },
    Case("a flag turned on again", ["load", "--no-strict", "--strict", "f"]) { $0.isStrict = true },
    Case("a flag that is on by itself", ["load", "--no-defaults", "f"]) { $0.usesDefaults = false },
    Case("and on again", ["load", "--no-defaults", "--defaults", "f"]) { _ in },
    Case("repeatable options add up", ["load", "--require", "a,b", "--require=c", "f"]) {
      $0.model.required = ["a", "b", "c"]
    },
    Case("check is a load that does not write", ["check", "f"]) { $0.isCheck = true },
    Case("and so is a dry run", ["load", "--dry-run", "f"]) { $0.isCheck = true },
    Case("an alias", ["load", "--colour", "never", "f"]) { _ in },
  ]

  @Test(arguments: cases) func `arguments make the job that they describe`(_ example: Case) throws {
    #expect(try loadJob(example.arguments) == example.expected)
  }

  @Test func `presentation options are told apart from the job`() throws {
    var expected = Presentation()
    expected.verbosity = 2
    expected.isJSON = true
    expected.color = .always
    guard case .load(_, let presentation, _) = try parse(["load", "-vv", "--json", "--color=always", "f"]) else {
      Issue.record("not a load")
      return
    }
    #expect(presentation == expected)
    guard case .export(_, let quiet, _) = try parse(["export", "-q"]) else {
      Issue.record("not an export")
      return
    }
    #expect(quiet.isQuiet && quiet.verbosity == 0)
  }

  @Test(arguments: [
    (["export"], ExportJob(database: "importer.sqlite")),
    (["export", "-o", "-"], ExportJob(database: "importer.sqlite")),
  ]) func `an export needs nothing`(_ arguments: [String], _ expected: ExportJob) throws {
    #expect(try exportJob(arguments) == expected)
  }

  @Test func `an export takes all its options`() throws {
    var expected = ExportJob(database: "x")
    expected.entity = "contact"
    expected.format = .tsv
    expected.output = "y"
    expected.delimiter = "\t"
    expected.header = .source
    let arguments = ["-d", "x", "--entity", "contact", "--format", "tsv", "-o", "y", "--delimiter", "\\t"]
    #expect(try exportJob(["export"] + arguments + ["--header", "source"]) == expected)
  }

  @Test func `an inspection takes the options of reading, and no database`() throws {
    var expected = InspectJob(inputs: ["f", "-"])
    expected.reading.delimiter = ";"
    expected.reading.nullTokens = ["NA"]
    expected.dateFormats = [.init(column: "d", pattern: "%d/%m/%Y")]
    let arguments = ["inspect", "--json", "--delimiter", ";", "--null=NA", "--date-format", "d=%d/%m/%Y", "f", "-"]
    guard case .inspect(let job, let presentation, _) = try parse(arguments) else {
      Issue.record("not an inspection")
      return
    }
    #expect(job == expected)
    #expect(presentation.isJSON)
    #expect(usageError(["inspect", "-d", "x", "f"]) != nil)
    #expect(usageError(["inspect", "--strict", "f"]) != nil)
    #expect(usageError(["inspect", "-", "-"]) != nil)
    #expect(usageError(["inspect"]) != nil)
  }

  @Test(
    arguments: [
      ("a.xml", .xml), ("a.TXT", .text), ("b/a.jsonl", .ndjson), ("a.tsv", .tsv), ("a.xml/b", .csv), ("a.dat", .csv),
    ] as [(String, FileFormat)]
  )
  func `an export's format follows the name of its output`(_ output: String, _ format: FileFormat) throws {
    #expect(try exportJob(["export", "--output", output]).format == format)
    #expect(try exportJob(["export", "--output", output, "--format", "json"]).format == .json)
  }

  @Test func `the version is shown with or without a command`() throws {
    #expect(try parse(["--version"]) == .version)
    #expect(try parse(["load", "--version"]) == .version)
  }
}
