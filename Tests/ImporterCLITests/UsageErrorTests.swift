import Diagnostics
import ImporterCLI
import ImporterKit
import Testing

@Suite struct UsageErrors {
  static let cases: [([String], String)] = [
    ([], "a command is missing: load, check, inspect, model, export, delete, history, help"),
    (["-v"], "a command is missing: load, check, inspect, model, export, delete, history, help"),
    (["lod", "f"], "unknown command 'lod'; did you mean 'load'?"),
    (["epxort"], "unknown command 'epxort'; did you mean 'export'?"),
    (["exp"], "unknown command 'exp'; did you mean 'export'?"),
    (["contacts.txt"], "unknown command 'contacts.txt'; to read a file, write 'importer load contacts.txt'"),
    (
      ["frobnicate"],
      "unknown command 'frobnicate'; the commands are load, check, inspect, model, export, delete, history, help"
    ),
    (["history", "f"], "'history' takes no 'f'; to name a database, use '--database f'"),
    (["history", "--limit", "0"], "option '--limit': '0' is no number of runs; write digits, such as 5, or 'all'"),
    (["help", "chck"], "unknown command 'chck'; did you mean 'check'?"),
    (["help", "load", "check"], "'help' takes one command, not 2"),
    (["load"], "no input: name a file, or '-' for standard input"),
    (["load", ""], "an input's name is empty"),
    (["load", "-", "f", "-"], "standard input ('-') can be read only once"),
    (["load", "--databse", "x", "f"], "unknown option '--databse'; did you mean '--database'?"),
    (["load", "--no-defautls", "f"], "unknown option '--no-defautls'; did you mean '--no-defaults'?"),
    (["load", "--data", "x", "f"], "unknown option '--data'; did you mean '--database'?"),
    (["load", "-database", "x", "f"], "unknown option '-database'; did you mean '--database'?"),
    (["load", "-x", "f"], "unknown option '-x'"),
    (["load", "-vx", "f"], "unknown option '-x' in '-vx'"),
    (["load", "--\u{1B}[2J", "f"], "unknown option '--\\x1B[2J'"),
    (["load", "--no-database", "f"], "'--no-database': only flags can be turned off"),
    (["load", "--expect-records", "9", "f"], "'--expect-records' is not in this version of 'importer load'"),
    (["load", "--output", "x", "f"], "'--output' is an option of 'model' and 'export', not of 'load'"),
    (["export", "--strict"], "'--strict' is an option of 'load', 'check' and 'delete', not of 'export'"),
    (["export", "--json"], "'--json' is not in this version of 'importer export'"),
    (["--json", "export"], "'--json' is not in this version of 'importer export'"),
    (
      ["--format", "csv", "load", "f"],
      "'--format' is an option of 'load', 'check', 'inspect', 'model', 'export' and 'delete': it follows the command's name"
    ),
    (["load", "f", "--database"], "option '--database' needs a value <path>"),
    (
      ["load", "--database", "-x", "f"],
      "option '--database' needs a value <path>; a value that begins with a dash is written '--database=-x'"
    ),
    (["load", "--database=", "f"], "option '--database' needs a value that is not empty"),
    (["load", "-dx", "f"], "option '-d' in '-dx' needs a value; write '-d x'"),
    (["load", "--strict=yes", "f"], "option '--strict' takes no value"),
    (["load", "-v=2", "f"], "option '-v' takes no value"),
    (["load", "-qv", "f"], "'-q' and '-v' exclude each other"),
    (["load", "--strict", "--accept-rejects", "f"], "'--strict' and '--accept-rejects' exclude each other"),
    (
      ["load", "--key", "a", "--key", "b", "f"],
      "option '--key' is given twice: 'a' and 'b'; give all its names at once, as a,b"
    ),
    (
      ["load", "--format=xml", "--quote=x", "f"],
      "option '--quote' has no meaning for the format xml; leave it out"
    ),
    (
      ["load", "--layout=records", "--skip-footer=1", "f"],
      "option '--skip-footer' has no meaning for the layout records; leave it out"
    ),
    (
      ["load", "--format=csv", "--layout=records", "f"],
      "option '--layout' has no meaning for the format csv; leave it out"
    ),
    (
      ["load", "--delimiter=;", "--comment=;", "f"],
      "'--delimiter' and '--comment' are both ';'; give each a text of its own"
    ),
    (
      ["export", "a.csv"],
      "'export' takes no 'a.csv'; to write into a file, use '--output a.csv'; to read a database, '--database'"
    ),
    (["export", "--format=xml", "--header=no"], "option '--header' has no meaning for the format xml; leave it out"),
    (["load", "@", "f"], "'@' names no options file; write '@nightly.args'"),
  ]

  @Test(arguments: cases) func `a wrong command line is told with a remedy`(_ arguments: [String], _ sentence: String) {
    let error = usageError(arguments)
    #expect(error?.sentence == sentence)
    #expect(error?.kind.exitStatus == 64)
  }

  @Test func `a quote may be its own escape`() throws {
    #expect(try loadJob(["load", "--quote='", "--escape='", "f"]).reading.escape == .text("'"))
  }
}

@Suite struct Suggestions {
  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("", "abc", 3), ("load", "load", 0), ("lod", "load", 1), ("laod", "load", 1),
    ("kitten", "sitting", 3), ("ca", "abc", 3), ("è", "e", 1),
  ]) func `edits are counted, a swap of neighbours as one`(_ first: String, _ second: String, _ distance: Int) {
    #expect(editDistance(first, second) == distance)
    #expect(editDistance(second, first) == distance)
  }

  @Test(arguments: [
    ("databse", "database"), ("DATABASE", "database"), ("dat", "database"), ("ouput", "output"), ("qiet", "quiet"),
    ("xyz", nil), ("da", "database"), ("d", nil), ("o", nil), ("databasefilename", nil), ("qu", nil),
  ]) func `only what is near is suggested`(_ word: String, _ expected: String?) {
    #expect(nearest(to: word, among: ["database", "quiet", "quote", "output"]) == expected)
  }

  @Test func `of equally near words the first is taken`() {
    #expect(nearest(to: "lost", among: ["most", "lots", "cost"]) == "most")
  }

  @Test func `a hostile word costs little and is shown escaped and cut`() {
    let word = String(repeating: "\u{1B}x", count: 500_000)
    let error = usageError(["load", "--\(word)", "f"])
    #expect((error?.sentence.count ?? 0) < 900)
    #expect(error?.sentence.contains("\u{1B}") == false)
  }
}
