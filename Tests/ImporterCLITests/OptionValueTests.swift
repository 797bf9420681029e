import Diagnostics
import EntityModel
import ImporterCLI
import ImporterKit
import Testing

@Suite struct OptionValues {
  /// One option with its value, and what it changes in the job.
  struct Case: CustomTestStringConvertible, Sendable {
    let option: OptionName
    let value: String?
    let expected: LoadJob

    init(_ option: OptionName, _ value: String?, _ change: (inout LoadJob) -> Void) {
      self.option = option
      self.value = value
      var job = LoadJob(inputs: ["f"], database: "importer.sqlite")
      change(&job)
      expected = job
    }

    var testDescription: String { "--\(option.rawValue) \(value ?? "")" }

    var arguments: [String] {
      guard let value else { return ["load", "--" + (option == .defaults ? "no-" : "") + option.rawValue, "f"] }
      return ["load", "--\(option.rawValue)=\(value)", "f"]
    }
  }

  static let cases = [
    Case(.database, "x.sqlite") { $0.database = "x.sqlite" },
    Case(.format, "ndjson") { $0.reading.format = .ndjson },
    Case(.encoding, "windows-1252") { $0.reading.encoding = "windows-1252" },
    Case(.layout, "records") { $0.reading.layout = .records },
    Case(.layout, "fixed") { $0.reading.layout = .fixed },
    Case(.widths, "1-10,12-30,31-") {
      $0.reading.widths = [.init(first: 1, last: 10), .init(first: 12, last: 30), .init(first: 31, last: nil)]
    },
    Case(.widths, "10, 5") { $0.reading.widths = [.init(first: 1, last: 10), .init(first: 11, last: 15)] },
    Case(.delimiter, ";") { $0.reading.delimiter = ";" },
    Case(.delimiter, "\\t") { $0.reading.delimiter = "\t" },
    Case(.delimiter, "tab") { $0.reading.delimiter = "\t" },
    Case(.delimiter, "||") { $0.reading.delimiter = "||" },
    Case(.quote, "'") { $0.reading.quote = .text("'") },
    Case(.quote, "none") { $0.reading.quote = ReadingOptions.Mark.none },
    Case(.escape, "\\") { $0.reading.escape = .text("\\") },
    Case(.lineTerminator, "lf") { $0.reading.lineEnd = .lf },
    Case(.comment, "#") { $0.reading.comment = .text("#") },
    Case(.header, "none") { $0.reading.header = CSVDialect.Header.none },
    Case(.header, "no") { $0.reading.header = CSVDialect.Header.none },
    Case(.header, "yes") { $0.reading.header = .lines(1) },
    Case(.header, "2") { $0.reading.header = .lines(2) },
    Case(.columns, "a,b c,d") { $0.reading.columns = ["a", "b c", "d"] },
    Case(.columns, #" ["a"]"#) { $0.reading.columns = [#" ["a"]"#] },
    Case(.columns, #"["a,b" , "\"\u00e9\ud83d\ude00\n"]"#) { $0.reading.columns = ["a,b", "\"é😀\n"] },
    Case(.skipLines, "3") { $0.reading.skippedLines = 3 },
    Case(.skipFooter, "0") { $0.reading.skippedFooterLines = 0 },
    Case(.null, "NA") { $0.reading.nullTokens = ["NA"] },
    Case(.badRows, "repair") { $0.reading.badRows = .repair },
    Case(.listSeparator, "; ") { $0.reading.listSeparator = "; " },
    Case(.recordPath, "/a/b") { $0.reading.recordPath = "/a/b" },
    Case(.maximumRecordSize, "16M") { $0.reading.maximumRecordByteCount = 16 << 20 },
    Case(.maximumRecordSize, "1G") { $0.reading.maximumRecordByteCount = 1 << 30 },
    Case(.maximumFieldSize, "64k") { $0.reading.maximumFieldByteCount = 64 << 10 },
    Case(.maximumColumns, "20000") { $0.reading.maximumColumnCount = 20_000 },
    Case(.maximumFieldSize, "100") { $0.reading.maximumFieldByteCount = 100 },
    Case(.model, "m.json") { $0.model.modelFile = "m.json" },
    Case(.entity, "Contatto") { $0.model.entity = "Contatto" },
    Case(.type, "n=integer16") { $0.model.types = [.init(column: "n", type: .integer(bits: 16))] },
    Case(.type, "a=b=decimal(10,2)") {
      $0.model.types = [.init(column: "a=b", type: .decimal(precision: 10, scale: 2))]
    },
    Case(.allText, nil) { $0.model.isAllText = true },
    Case(.require, "a,b") { $0.model.required = ["a", "b"] },
    Case(.unique, #"["a,b"]"#) { $0.model.unique = ["a,b"] },
    Case(.key, "label,name") { $0.model.key = ["label", "name"] },
    Case(.map, "E=mail=email") { $0.model.mappings = [.init(source: "E=mail", attribute: "email")] },
    Case(.link, "artist.label=label.id") {
      $0.model.links = [.init(source: "artist.label", target: "label.id")]
    },
    Case(.link, "a.b=c=d.e") { $0.model.links = [.init(source: "a.b=c", target: "d.e")] },
    Case(.binary, "hex") { $0.model.binaryFormats = [.init(spelling: .hex)] },
    Case(.binary, "a=b=file") { $0.model.binaryFormats = [.init(column: "a=b", spelling: .file)] },
    Case(.dateFormat, "%d/%m/%Y") { $0.model.dateFormats = [.init(pattern: "%d/%m/%Y")] },
    Case(.dateFormat, "dd/MM/yyyy") { $0.model.dateFormats = [.init(pattern: "dd/MM/yyyy")] },
    Case(.dateFormat, "born on=dd.MM.yyyy") {
      $0.model.dateFormats = [.init(column: "born on", pattern: "dd.MM.yyyy")]
    },
    Case(.dateFormat, "date=UnixTime") { $0.model.dateFormats = [.init(column: "date", pattern: "UnixTime")] },
    Case(.dateFormat, "%d=%m") { $0.model.dateFormats = [.init(pattern: "%d=%m")] },
    Case(.dateFormat, "=yyyy=MM") { $0.model.dateFormats = [.init(pattern: "yyyy=MM")] },
    Case(.decimalMark, ",") { $0.model.decimalMark = "," },
    Case(.defaults, nil) { $0.usesDefaults = false },
    Case(.mode, "insert") { _ in },
    Case(.mode, "skip") { $0.mode = .skip },
    Case(.mode, "upsert") { $0.mode = .upsert },
    Case(.mode, "update") { $0.mode = .update },
    Case(.mode, "replace") { $0.mode = .replace },
    Case(.mode, "sync") { $0.mode = .sync },
    Case(.deleteLimit, "500") { $0.deleteLimit = .count(500) },
    Case(.deleteLimit, "20%") { $0.deleteLimit = .percent(20) },
    Case(.orphans, "stub") { $0.orphans = .stub },
    Case(.filter, "n == 1") { $0.filter = "n == 1" },
    Case(.skipUnchanged, nil) { $0.skipsUnchanged = true },
    Case(.commitEvery, "100000") { $0.commitEvery = 100_000 },
    Case(.startOver, nil) { $0.startsOver = true },
    Case(.dryRun, nil) { $0.isCheck = true },
    Case(.lockWait, "30") { $0.lockWait = .seconds(30) },
    Case(.lockWait, "0.25") { $0.lockWait = .milliseconds(250) },
    Case(.rejects, "out") { $0.rejectsFolder = "out" },
    Case(.rejectLimit, "0") { $0.rejectLimit = .count(0) },
    Case(.rejectLimit, "5%") { $0.rejectLimit = .percent(5) },
    Case(.report, "out/Run.HTML") { $0.reports = ["out/Run.HTML"] },
    Case(.report, "r.json") { $0.reports = ["r.json"] },
    Case(.strict, nil) { $0.isStrict = true },
    Case(.acceptRejects, nil) { $0.acceptsRejects = true },
  ]

  @Test(arguments: cases) func `an option changes what it is named for`(_ example: Case) throws {
    #expect(try loadJob(example.arguments) == example.expected)
  }

  @Test func `no option of load is left without a case`() throws {
    let load = try #require(CommandTable.command(named: "load"))
    let presentational: Set<OptionName> = [.quiet, .verbose, .json, .color, .help, .version]
    let untested = Set(load.options.map(\.name)).subtracting(presentational).subtracting(Self.cases.map(\.option))
    #expect(untested.isEmpty)
  }

  @Test func `the last type told for a column holds`() throws {
    let job = try loadJob(["load", "--type", "a=date", "--type", "b=uuid", "--type", "a=text", "f"])
    #expect(job.model.types == [.init(column: "b", type: .uuid), .init(column: "a", type: .text)])
  }

  @Test func `date formats keep their order`() throws {
    let job = try loadJob(["load", "--date-format", "%Y", "--date-format", "d=%m", "f"])
    #expect(job.model.dateFormats == [.init(pattern: "%Y"), .init(column: "d", pattern: "%m")])
  }

  @Test(arguments: [
    (["--max-record-size", "16X"], "'16X' is not a size; write bytes, or K, M or G after the number, such as 16M"),
    (["--max-record-size", "2G"], "'2G' is out of range; give a size from 1 to 1G"),
    (["--max-columns", "0"], "'0' is out of range; give a count from 1 to 1000000"),
    (["--max-record-size", "0"], "'0' is out of range; give a size from 1 to 1G"),
    (
      ["--max-field-size", "99999999999999999999G"], "'99999999999999999999G' is out of range; give a size from 1 to 1G"
    ),
    (["--skip-lines", "-5"], "'-5' is not a count; write digits, such as 2"),
    (["--skip-lines", "99999999999999999999"], "'99999999999999999999' is not a count; write digits, such as 2"),
    (["--commit-every", "0"], "'0' is not a count of records; write digits, such as 100000; 1 at least"),
    (["--commit-every", "1k"], "'1k' is not a count of records; write digits, such as 100000; 1 at least"),
    (["--lock-wait", "soon"], "'soon' is no number of seconds; write digits, such as 30 or 0.5"),
    (["--lock-wait", "1.2.3"], "'1.2.3' is no number of seconds; write digits, such as 30 or 0.5"),
    (["--lock-wait", "."], "'.' is no number of seconds; write digits, such as 30 or 0.5"),
    (["--lock-wait", "0.0001"], "'0.0001' is finer than a millisecond"),
    (["--lock-wait", "99999999999"], "99999999999 seconds are more than a year"),
    (["--header", "nome"], "'nome' is no number of header lines; did you mean 'none'?"),
    (["--delimiter", "a\nb"], "'a\\nb' holds a line end; give a text that stands on one line"),
    (["--columns", "a,,b"], #"'a,,b' has an empty name; write names as a,b,c or as ["a", "b"]"#),
    (["--columns", "a,b,a"], "'a' stands twice in 'a,b,a'"),
    (["--key", "[]"], #"'[]' has an empty name; write names as a,b,c or as ["a", "b"]"#),
    (["--map", "a="], "'a=' is not source=attribute; write it as 'E-mail=email'"),
    (
      ["--link", "artist=label.id"],
      "'artist' names no entity and what is meant of it, parted by a dot; write it as artist.label=label.id"
    ),
    (
      ["--link", "artist.label"],
      "'artist.label' is not entity.relationship=entity.column; write it as artist.label=label.id"
    ),
    (["--type", "integer"], "'integer' is not column=type; write it as age=integer"),
    (["--type", "a=interger"], "unknown type 'interger' for 'a'; did you mean 'integer'?"),
    (["--date-format", "born="], "'born=' holds no pattern; write it as born=%d/%m/%Y"),
    (["--decimal-mark", ";"], "';' is none of ., ,"),
    (["--mode", "upset"], "'upset' is none of insert, skip, upsert, update, replace, sync; did you mean 'upsert'?"),
    (
      ["--delete-limit", "101%"],
      "'101%' is neither a number of rows nor a share of them; write digits, such as 500, or a whole share from 0% to 100%"
    ),
    (["--format", "cvs"], "'cvs' is none of csv, tsv, text, xml, plist, json, ndjson; did you mean 'csv'?"),
  ]) func `a wrong value is named with what would be right`(_ arguments: [String], _ message: String) {
    let error = usageError(["load"] + arguments + ["f"])
    #expect(error?.sentence == "option '\(arguments[0])': \(message)")
    #expect(error?.kind == .usage)
  }

  @Test(arguments: [
    (#"["a" "b"]"#, "expected ']' at character 6"),
    (#"["a",]"#, "expected '\"' at character 6"),
    (#"["a"] x"#, "expected the end at character 7"),
    (#"["a"#, "expected '\"' at character 4"),
    (#"[1]"#, "expected '\"' at character 2"),
    (#"["\x"]"#, "expected one of the escapes of JSON at character 5"),
    (#"["\u12g4"]"#, "expected four hexadecimal digits at character 5"),
    (#"["\udc00"]"#, "expected the first half of a surrogate pair at character 9"),
    (#"["\ud800x"]"#, "expected the second half of a surrogate pair at character 9"),
    ("[\"\u{1}\"]", "expected a control character as an escape at character 4"),
  ]) func `a JSON array is read strictly`(_ text: String, _ expected: String) {
    #expect(usageError(["load", "--columns", text, "f"])?.message.hasSuffix(expected) == true)
  }
}
