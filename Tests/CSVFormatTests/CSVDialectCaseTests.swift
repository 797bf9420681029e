import CSVFormat
import EntityModel
import Testing

/// What is taken for the dialect of an input, and what is said about it.
@Suite struct CSVDetecting {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let input: String
    var isWhole = true
    var told = CSVSettings()
    var knownNames: [String] = []
    var assumesHeader = true
    var isDelimited = true
    let dialect: CSVDialect
    let reasons: [String]

    init(
      _ description: String,
      _ input: String,
      cut: Bool = false,
      told: CSVSettings = CSVSettings(),
      model: [String] = [],
      assumesHeader: Bool = true,
      isDelimited: Bool = true,
      _ dialect: CSVDialect,
      _ reasons: [String]
    ) {
      testDescription = description
      self.input = input
      isWhole = !cut
      self.told = told
      knownNames = model
      self.assumesHeader = assumesHeader
      self.isDelimited = isDelimited
      self.dialect = dialect
      self.reasons = reasons
    }
  }

  static let noHeader = CSVDialect(header: .none)
  static let commented = CSVDialect.with { $0.comment = "#" }

  static let delimiters: [Case] = [
    Case("comma", "a,b\nx,y\n", CSVDialect(), ["delimiter ',' (2 of 2 records have 2 cells)", "header assumed"]),
    Case(
      "a name of the model in doubled quotes, above values with tabs",
      "\"d\"\"e\"\n\nx\t\n\n",
      model: [#"d"e"#],
      isDelimited: false,
      CSVDialect(),
      ["one column", "header matches the model"]
    ),
    Case(
      "semicolon, with decimal commas",
      "name;price\nx;1,5\ny;2,25\n",
      CSVDialect(delimiter: ";"),
      ["delimiter ';' (3 of 3 records have 2 cells)", "header (numbers in column 2)"]
    ),
    Case(
      "tab, with commas in sentences",
      "who\twhat\nme\tone, two, three\nyou\tfour, five\n",
      CSVDialect(delimiter: "\t"),
      ["delimiter tab (3 of 3 records have 2 cells)", "header assumed"]
    ),
    Case(
      "pipe",
      "a|b|c\n1|2|3\n",
      CSVDialect(delimiter: "|"),
      ["delimiter '|' (2 of 2 records have 3 cells)", "header (numbers in column 1)"]
    ),
    Case(
      "delimiters in quotes do not count",
      "a,b\n\"x;y;z\",\"1;2;3\"\n\"p;q;r\",\"4;5;6\"\n",
      CSVDialect(),
      ["delimiter ',' (3 of 3 records have 2 cells)", "header assumed"]
    ),
    Case(
      "lines in quotes do not count",
      "a;b\n\"x,y\nz,w\nv,u\";1\nq;2\n",
      CSVDialect(delimiter: ";"),
      ["delimiter ';' (3 of 3 records have 2 cells)", "header (numbers in column 2)"]
    ),
    Case(
      "a few records of another width",
      "a,b\n1,2\n3,4,5\n6,7\n8,9\n",
      CSVDialect(),
      ["delimiter ',' (4 of 5 records have 2 cells)", "header (numbers in column 1)"]
    ),
    Case("one column", "name\nAda\nBob\n", isDelimited: false, CSVDialect(), ["one column", "header assumed"]),
    Case(
      "one column of numbers",
      "n\n1\n2\n",
      isDelimited: false,
      CSVDialect(),
      ["one column", "header (numbers in column 1)"]
    ),
    Case(
      "CRLF and a byte order mark",
      "\u{FEFF}a;b\r\nx;y\r\n",
      CSVDialect(delimiter: ";"),
      ["delimiter ';' (2 of 2 records have 2 cells)", "header assumed"]
    ),
    Case(
      "a sample cut within a record",
      "a;b;c\n1;2;3\n4;5;6\n7;\"8,,,,\n,,",
      cut: true,
      CSVDialect(delimiter: ";"),
      ["delimiter ';' (3 of 3 records have 3 cells)", "header (numbers in column 1)"]
    ),
    Case(
      "a sample cut within its only line",
      "a;b;c",
      cut: true,
      CSVDialect(delimiter: ";"),
      ["delimiter ';' (1 of 1 record has 3 cells)", "header assumed"]
    ),
    Case("nothing", "", isDelimited: false, CSVDialect(), ["one column", "header assumed"]),
    Case(
      "skipped lines are not looked at",
      "one;two;three\n;;\nn,m\nx,y\nend;;;;;\n",
      told: .with {
        $0.skippedLines = 2
        $0.skippedFooterLines = 1
      },
      .with {
        $0.skippedLines = 2
        $0.skippedFooterLines = 1
      },
      ["delimiter ',' (2 of 2 records have 2 cells)", "header assumed"]
    ),
  ]

  static let tokens: [Case] = [
    Case(
      "comments before the header",
      "# made by hand, on Monday, with care\n#\na,b\n1,2\n",
      commented,
      ["delimiter ',' (2 of 2 records have 2 cells)", "comment '#'", "header (numbers in column 1)"]
    ),
    Case(
      "comments without a blank, of another width",
      "a,b\n1,2\n#old\n3,4\n",
      commented,
      ["delimiter ',' (3 of 3 records have 2 cells)", "comment '#'", "header (numbers in column 1)"]
    ),
    Case(
      "a header that begins with # is no comment",
      "#id,name\n1,x\n2,y\n",
      CSVDialect(),
      ["delimiter ',' (3 of 3 records have 2 cells)", "header (numbers in column 1)"]
    ),
    Case(
      "cells that begin with # are no comments",
      "tag,n\n#a,1\n#b,2\nc,3\n",
      CSVDialect(),
      ["delimiter ',' (4 of 4 records have 2 cells)", "header (numbers in column 2)"]
    ),
    Case(
      "doubled #, as before a header with one",
      "## a file\n## of ours\n#id,name\n1,x\n",
      .with { $0.comment = "##" },
      ["delimiter ',' (2 of 2 records have 2 cells)", "comment '##'", "header (numbers in column 1)"]
    ),
    Case(
      "single quotes",
      "a,b\n'x,y','z'\n'p','q,r'\n",
      CSVDialect(quote: "'"),
      ["delimiter ',' (3 of 3 records have 2 cells)", "quote \"'\"", "header assumed"]
    ),
    Case(
      "apostrophes are no quotes",
      "a,b\n'tis,x\nit's,y'\n",
      CSVDialect(),
      ["delimiter ',' (3 of 3 records have 2 cells)", "header assumed"]
    ),
    Case(
      "backslashes before quotes",
      #"a,b"# + "\n" + #""x \"y\", z","w""# + "\n" + #""p","q""# + "\n",
      .with { $0.escape = "\\" },
      ["delimiter ',' (3 of 3 records have 2 cells)", "escape '\\'", "header assumed"]
    ),
    Case(
      "everything told",
      "1,2\n",
      told: .with {
        $0.delimiter = ";"
        $0.quote = .text("'")
        $0.escape = .text("\\")
        $0.comment = .text("!")
        $0.header = CSVDialect.Header.none
      },
      .with {
        $0.delimiter = ";"
        $0.quote = "'"
        $0.escape = "\\"
        $0.comment = "!"
        $0.header = .none
      },
      []
    ),
    Case(
      "no comment, told",
      "# x\na,b\n# y\n",
      told: .with {
        $0.comment = CSVSettings.Told.none
        $0.delimiter = ","
        $0.header = .lines(1)
      },
      CSVDialect(),
      []
    ),
    Case(
      "no quote, told",
      "a,b\n'x','y'\n'p','q'\n",
      told: .with { $0.quote = CSVSettings.Told.none },
      CSVDialect(quote: nil),
      ["delimiter ',' (3 of 3 records have 2 cells)", "header assumed"]
    ),
  ]

  static let headers: [Case] = [
    Case("dates below", "x,when\np,2024-01-31\nq,2024-02-01\n", CSVDialect(), ["header (dates in column 2)"]),
    Case("booleans below", "x,ok\np,true\nq,no\n", CSVDialect(), ["header (booleans in column 2)"]),
    Case("empty cells below do not count", "x,n\np,\nq,7\n", CSVDialect(), ["header (numbers in column 2)"]),
    Case("a number in the first line", "1,x\n2,y\n", noHeader, ["no header (cell 1 is a number)"]),
    Case("a date in the first line", "x,31.12.2024\ny,1.1.2025\n", noHeader, ["no header (cell 2 is a date)"]),
    Case("a boolean in the first line", "x,true\ny,false\n", noHeader, ["no header (cell 2 is a boolean)"]),
    Case("an empty cell in the first line", "x,\ny,z\n", noHeader, ["no header (cell 2 is empty)"]),
    Case("a cell that recurs", "red,x\ngreen,y\nred,z\n", noHeader, ["no header (cell 1 recurs below)"]),
    Case("two cells alike", "red,RED\nx,y\n", noHeader, ["no header (two cells are alike)"]),
    Case("nothing speaks for one", "x,y\np,q\n", assumesHeader: false, noHeader, ["no header"]),
    Case("nothing speaks against one", "x,y\np,q\n", CSVDialect(), ["header assumed"]),
    Case(
      "names of the model",
      "Name,b\np,q\n",
      model: ["b", "name"],
      noHeaderAssumed: (),
      ["header matches the model"]
    ),
    Case(
      "half of them",
      "name,x\np,q\n",
      model: ["a", "b", "name"],
      noHeaderAssumed: (),
      ["header matches the model"]
    ),
    Case("a single row of known names", "a,b\n", model: ["a", "b"], noHeaderAssumed: (), ["header matches the model"]),
    Case("too few of them", "name,x,y,z\np,q,r,s\n", model: ["a", "b", "c", "name"], CSVDialect(), ["header assumed"]),
    Case("none of them", "x,y\np,q\n", model: ["a", "b"], CSVDialect(), ["header assumed"]),
    Case(
      "none of them, numbers below",
      "x,y\np,1\n",
      model: ["a", "b"],
      CSVDialect(),
      ["header (numbers in column 2)"]
    ),
    Case("none of them, another width", "x,y\np,q\n", model: ["a", "b", "c"], CSVDialect(), ["header assumed"]),
    Case(
      "names told that stand there",
      "x,y\np,q\n",
      told: .with { $0.columns = ["x", "y"] },
      .with { $0.columns = ["x", "y"] },
      ["header matches --columns"]
    ),
    Case(
      "names told that do not",
      "p,q\nr,s\n",
      told: .with { $0.columns = ["x", "y"] },
      .with {
        $0.columns = ["x", "y"]
        $0.header = .none
      },
      ["no header (--columns)"]
    ),
  ]

  private func detect(_ example: Case) -> CSVDetection {
    CSVDetector.detect(
      sample: Array(example.input.utf8).span,
      isWholeInput: example.isWhole,
      told: example.told,
      knownNames: example.knownNames,
      defaultDelimiter: ",",
      assumesHeader: example.assumesHeader
    )
  }

  @Test(arguments: delimiters + tokens)
  func `a dialect is detected from what is regular`(_ example: Case) {
    let detection = detect(example)
    #expect(detection.dialect == example.dialect)
    #expect(detection.reasons == example.reasons)
    #expect(detection.isDelimited == example.isDelimited)
    #expect(detection.reasons.joined(separator: ", ").utf8.count <= 100)
  }

  @Test(arguments: headers)
  func `a header is told from records`(_ example: Case) {
    let detection = detect(example)
    #expect(detection.dialect == example.dialect)
    #expect(detection.reasons.dropFirst() == example.reasons[...])
  }

  @Test func `the default delimiter is taken where none shows`() {
    let detection = CSVDetector.detect(
      sample: Array("one\ntwo\n".utf8).span,
      isWholeInput: true,
      told: CSVSettings(),
      knownNames: [],
      defaultDelimiter: "\t",
      assumesHeader: false
    )
    #expect(detection.dialect == CSVDialect(delimiter: "\t", header: .none))
    #expect(detection.reasons == ["one column", "no header"])
  }

  @Test func `prose is not taken for delimited text`() {
    let prose =
      "Dear Ada,\n\nthank you for the letter, the book and the tea.\nIt was kind, as ever.\n\nAll of us, Ann, Tom, and the cat, read it twice.\n\nYours, Bob\n"
    #expect(!detect(Case("prose", prose, CSVDialect(), [])).isDelimited)
  }

  @Test func `a sample of any bytes is survived at any cut`() {
    let bytes: [UInt8] =
      Array("\u{FEFF}#x\n##\n\"a\"\"b;\"c\n'd';\\\"\r\r\n\0;\u{E9};\"".utf8) + [0xFF, 0xC3, 0x22, 0x0A]
    for start in 0...bytes.count {
      for end in start...bytes.count {
        for isWhole in [true, false] {
          let detection = CSVDetector.detect(
            sample: Array(bytes[start..<end]).span,
            isWholeInput: isWhole,
            told: CSVSettings(),
            knownNames: ["a"],
            defaultDelimiter: ",",
            assumesHeader: true
          )
          if detection.dialect.contradiction != nil { Issue.record("\(start)..<\(end): \(detection.dialect)") }
        }
      }
    }
  }
}

extension CSVDetecting.Case {
  /// A case with a header that would not be assumed.
  init(_ description: String, _ input: String, model: [String], noHeaderAssumed: Void, _ reasons: [String]) {
    self.init(description, input, model: model, assumesHeader: false, CSVDialect(), reasons)
  }
}

extension CSVSettings {
  /// Settings with some properties told.
  static func with(_ change: (inout CSVSettings) -> Void) -> CSVSettings {
    var settings = CSVSettings()
    change(&settings)
    return settings
  }
}
