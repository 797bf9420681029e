import Diagnostics
import EntityModel
import ImporterCLI
import ImporterKit
import Testing

@Suite struct OptionsFiles {
  private func job(of file: String, _ arguments: [String] = []) throws -> LoadJob {
    try loadJob(["load", "@n.args"] + arguments + ["f"], files: ["n.args": file])
  }

  @Test func `a file holds options, comments and blank lines`() throws {
    let text = """
      \u{FEFF}# every night

        --database   /var/lib/a b.sqlite\u{20}\t
      -v
      --null=
      --null= NA\u{20}
      --comment #
      --delimiter --
      --strict\r
      --date-format born=dd/MM/yyyy HH:mm
      """
    var expected = LoadJob(inputs: ["f"], database: "/var/lib/a b.sqlite")
    expected.reading.nullTokens = ["", " NA "]
    expected.reading.comment = .text("#")
    expected.reading.delimiter = "--"
    expected.isStrict = true
    expected.model.dateFormats = [.init(column: "born", pattern: "dd/MM/yyyy HH:mm")]
    #expect(try job(of: text) == expected)
  }

  @Test func `quotes are ordinary characters`() throws {
    #expect(try job(of: "--database a 'b' c").database == "a 'b' c")
    #expect(try job(of: "--quote '").reading.quote == .text("'"))
    #expect(try job(of: "--null='NA'").reading.nullTokens == ["'NA'"])
  }

  @Test func `a cluster may end in a value`() throws {
    #expect(try job(of: "-vd a b").database == "a b")
  }

  @Test func `the command line wins wherever it stands`() throws {
    #expect(try loadJob(["load", "-d", "x", "f", "@n"], files: ["n": "-d y"]).database == "x")
    #expect(try job(of: "--key a", ["--key", "b"]).model.key == ["b"])
    #expect(try job(of: "--strict", ["--no-strict"]).isStrict == false)
    #expect(try job(of: "--strict", ["--accept-rejects"]).isStrict == false)
    #expect(try job(of: "--type a=date", ["--type", "a=text"]).model.types == [.init(column: "a", type: .text)])
  }

  @Test func `of two files the later wins, and their repeatable options add up`() throws {
    let files = ["one": "-d x\n--require a", "two": "-d y\n--require b"]
    let job = try loadJob(["@one", "load", "f", "@two"], files: files)
    #expect(job.database == "y")
    #expect(job.model.required == ["a", "b"])
  }

  @Test(arguments: [
    ("--strict\n--databse x", "n.args:2: unknown option '--databse'; did you mean '--database'?"),
    ("\n\n--skip-lines two", "n.args:3: option '--skip-lines': 'two' is not a count; write digits, such as 2"),
    ("--type a=dat", "n.args:1: option '--type': unknown type 'dat' for 'a'; did you mean 'date'?"),
    (
      "--format=xm",
      "n.args:1: option '--format': 'xm' is none of csv, tsv, text, xml, plist, json, ndjson; did you mean 'xml'?"
    ),
    ("--database", "n.args:1: option '--database' needs a value <path>"),
    ("--null", "n.args:1: option '--null' needs a value <token>; for an empty value, write '--null='"),
    ("--strict yes", "n.args:1: option '--strict' takes no value"),
    ("-dv x", "n.args:1: option '-d' needs a value <path>"),
    ("--help", "n.args:1: '--help' belongs on the command line"),
    ("@other", "n.args:1: an options file cannot name another one"),
    ("--quiet\n-v", "n.args:2: '--quiet' and '-v' exclude each other"),
    ("--key a\n--key b", "n.args:2: option '--key' is given twice: 'a' and 'b'; give all its names at once, as a,b"),
    ("--format xml\n--delimiter ,", "n.args:2: option '--delimiter' has no meaning for the format xml; leave it out"),
    ("--output x", "n.args:1: '--output' is an option of 'model' and 'export', not of 'load'"),
    ("--expect-records 9", "n.args:1: '--expect-records' is not in this version of 'importer load'"),
    ("--strict\u{0}", "n.args:1: the line is not UTF-8 text"),
    (
      "contacts.csv",
      "n.args:1: 'contacts.csv' is not an option; an options file holds one option a line, such as '--strict'; "
        + "name inputs on the command line"
    ),
    (
      "--null ''",
      "n.args:1: quotes are ordinary characters in an options file; write '--null=', without quotes; with '=' a value is "
        + "taken as it is, so quotes can be meant too"
    ),
  ]) func `a fault names the file and the line, and ends with 78`(_ text: String, _ sentence: String) {
    let error = usageError(["load", "@n.args", "f"], files: ["n.args": text])
    #expect(error?.sentence == sentence)
    #expect(error?.kind.exitStatus == 78)
  }

  @Test func `a missing file ends with 78`() {
    let error = usageError(["load", "@none.args", "f"])
    #expect(
      error?.sentence
        == "none.args: there is no such options file; for an input whose name begins with '@', write './@none.args'"
    )
    #expect(error?.kind.exitStatus == 78)
  }

  @Test func `bytes that are not UTF-8 are refused with their line`() {
    #expect(throws: UsageError.self) {
      try parseInvocation(arguments: ["load", "@n", "f"]) { _ in .success([0x0A, 0x2D, 0xFF]) }
    }
  }

  @Test func `no file is read for help or before a wrong option`() throws {
    var count = 0
    _ = try parseInvocation(arguments: ["load", "@n", "--help"]) { _ in
      count += 1
      return .success([])
    }
    _ = try? parseInvocation(arguments: ["load", "@n", "--wrong", "f"]) { _ in
      count += 1
      return .success([])
    }
    #expect(count == 0)
  }
}

@Suite struct Origins {
  private func settings(_ arguments: [String], _ environment: [String: String] = [:], file: String = "") throws
    -> [Setting]
  {
    switch try parse(arguments, environment: environment, files: ["n": file]) {
    case .load(_, _, let settings), .inspect(_, _, let settings), .model(_, _, let settings),
      .export(_, _, let settings), .delete(_, _, let settings), .history(_, _, let settings):
      return settings
    case .help, .version: return []
    }
  }

  @Test func `every setting tells where it comes from`() throws {
    let all = try settings(
      ["load", "@n", "-vv", "--require", "b", "f"],
      ["IMPORTER_DATABASE": "e"],
      file: "#\n--require a"
    )
    func only(_ name: OptionName) -> [Setting] { all.filter { $0.name == name } }
    #expect(only(.database) == [Setting(name: .database, value: "e", origin: .environment("IMPORTER_DATABASE"))])
    #expect(
      only(.require) == [
        Setting(name: .require, value: "a", origin: .optionsFile(path: "n", line: 2)),
        Setting(name: .require, value: "b", origin: .option),
      ]
    )
    #expect(only(.verbose) == [Setting(name: .verbose, value: "2", origin: .option)])
    #expect(only(.mode) == [Setting(name: .mode, value: "insert", origin: .byDefault)])
    #expect(only(.key) == [Setting(name: .key, value: nil, origin: .byDefault)])
    #expect(all.map(\.origin.description).contains("n:2"))
  }

  @Test func `an option wins over a file, a file over the environment`() throws {
    let environment = ["IMPORTER_DATABASE": "e"]
    #expect(try loadJob(["load", "f"], environment: environment).database == "e")
    #expect(try loadJob(["load", "@n", "f"], environment: environment, files: ["n": "-d n"]).database == "n")
    #expect(
      try loadJob(["load", "@n", "f", "-d", "o"], environment: environment, files: ["n": "-d n"]).database == "o"
    )
    #expect(try loadJob(["load", "f"], environment: ["IMPORTER_DATABASE": ""]).database == "importer.sqlite")
  }

  @Test func `a format taken from the output's name says so`() throws {
    let format = try settings(["export", "-o", "a.xml"]).first { $0.name == .format }
    #expect(format == Setting(name: .format, value: "xml", origin: .implied(by: .output)))
  }
}
