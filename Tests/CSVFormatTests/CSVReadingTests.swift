import Diagnostics
import EntityModel
import Records
import TestSupport
import Testing

/// What records are, in sound files.
@Suite struct CSVReading {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let input: String
    var dialect = CSVDialect()
    let columns: [String]
    let cells: [[Cell]]
    var lines: [Int]?

    init(
      _ description: String,
      _ input: String,
      in dialect: CSVDialect = CSVDialect(),
      columns: [String] = ["a", "b"],
      _ cells: [[Cell]],
      lines: [Int]? = nil
    ) {
      testDescription = description
      self.input = input
      self.dialect = dialect
      self.columns = columns
      self.cells = cells
      self.lines = lines
    }
  }

  static let cases: [Case] = [
    Case("one record", "a,b\n1,2\n", [["1", "2"]], lines: [2]),
    Case("no final line end", "a,b\n1,2", [["1", "2"]]),
    Case("CRLF", "a,b\r\n1,2\r\n3,4\r\n", [["1", "2"], ["3", "4"]], lines: [2, 3]),
    Case("CR alone", "a,b\r1,2\r3,4\r", [["1", "2"], ["3", "4"]], lines: [2, 3]),
    Case("line ends mixed", "a,b\n1,2\r3,4\r\n5,6", [["1", "2"], ["3", "4"], ["5", "6"]], lines: [2, 3, 4]),
    Case("only a header", "a,b\n", []),
    Case("only a header, without line end", "a,b", []),
    Case("NULL and the empty string", "a,b\n,\"\"\n\"\",\n,", [[.null, ""], ["", .null], [.null, .null]]),
    Case("quoted delimiter", "a,b\n\"x,y\",z\n", [["x,y", "z"]]),
    Case("doubled quotes", "a,b\n\"\"\"x\"\" y\",\"\"\"\"\n", [["\"x\" y", "\""]]),
    Case(
      "line ends in quotes",
      "a,b\n\"x\ny\r\nz\rw\",1\n2,3\n",
      [["x\ny\r\nz\rw", "1"], ["2", "3"]],
      lines: [2, 6]
    ),
    Case("quote within a cell", "a,b\n5\" bolt,x\"y\"z\n", [["5\" bolt", "x\"y\"z"]]),
    Case("blanks are kept", "a,b\n x , \"y\" \n", [[" x ", " \"y\" "]]),
    Case("empty lines", "\na,b\n\n1,2\n\r\n\r3,4\n\n", [["1", "2"], ["3", "4"]], lines: [4, 7]),
    Case(
      "empty lines are NULL in one column",
      "a\n\n1\n\n",
      columns: ["a"],
      [[.null], ["1"], [.null]],
      lines: [2, 3, 4]
    ),
    Case("byte order mark", "\u{FEFF}a,b\n1,2\n", [["1", "2"]]),
    Case("byte order mark before a quote", "\u{FEFF}\"a\",b\n1,\u{FEFF}\n", [["1", "\u{FEFF}"]]),
    Case("NUL is a byte like others", "a,b\n\0,x\0y\n", [["\0", "x\0y"]]),
    Case("tab", "a\tb\n1,5\t2\n", in: CSVDialect(delimiter: "\t"), [["1,5", "2"]]),
    Case("no quote", "a,b\n\"1,2\"\n", in: CSVDialect(quote: nil), [["\"1", "2\""]]),
    Case("other quote", "a,b\n'x,y',\"\n", in: CSVDialect(quote: "'"), [["x,y", "\""]]),
    Case(
      "long delimiter",
      "a||b\n1|||2\n\"x||y\"||z|\n",
      in: CSVDialect(delimiter: "||"),
      [["1", "|2"], ["x||y", "z|"]]
    ),
    Case("delimiter past ASCII", "a§b\n1§é\n", in: CSVDialect(delimiter: "§"), [["1", "é"]]),
    Case("quote past ASCII", "a,b\n«x,«««,2\n", in: CSVDialect(quote: "«"), [["x,«", "2"]]),
    Case(
      "escape",
      #"a,b"# + "\n" + #""x\"y","\\\n""z""""# + "\n",
      in: .with { $0.escape = "\\" },
      [[#"x"y"#, #"\\n"z""#]]
    ),
    Case("escape outside quotes", "a,b\n\\,x\\\n", in: .with { $0.escape = "\\" }, [["\\", "x\\"]]),
    Case(
      "comments",
      "# one, \"two\n#\na,b\n1,2\n#3,4\n5,#6\n\"#7\",8\n#",
      in: .with { $0.comment = "#" },
      [["1", "2"], ["5", "#6"], ["#7", "8"]],
      lines: [4, 6, 7]
    ),
    Case(
      "long comments",
      "//a,b\na,b\n/1,2\n//x\n3,4\n",
      in: .with { $0.comment = "//" },
      [["/1", "2"], ["3", "4"]]
    ),
    Case("no comments unless there are", "a,b\n#1,2\n", [["#1", "2"]]),
    Case(
      "no header",
      "1,2\n3,4\n",
      in: CSVDialect(header: .none),
      columns: ["column_1", "column_2"],
      [["1", "2"], ["3", "4"]]
    ),
    Case(
      "no header, empty lines first",
      "\n\n1\n",
      in: CSVDialect(header: .none),
      columns: ["column_1"],
      [[.null], [.null], ["1"]]
    ),
    Case("nothing but empty lines", "\n\n", in: CSVDialect(header: .none), columns: [], []),
    Case(
      "names told without a header",
      "\n1\n",
      in: .with {
        $0.header = .none
        $0.columns = ["x"]
      },
      columns: ["x"],
      [[.null], ["1"]]
    ),
    Case(
      "names told with a header",
      "a,b\n1,2\n",
      in: .with { $0.columns = ["x", "y"] },
      columns: ["x", "y"],
      [["1", "2"]]
    ),
    Case(
      "two header lines",
      "net,,\"x\ny\"\nweight,price,\n1,2,3\n",
      in: CSVDialect(header: .lines(2)),
      columns: ["net weight", "price", "x\ny"],
      [["1", "2", "3"]],
      lines: [4]
    ),
    Case(
      "skipped lines and footer",
      "Report \"x\r\n\na,b\n1,2\n3,4\ntotal: 2\nend\n",
      in: .with {
        $0.skippedLines = 2
        $0.skippedFooterLines = 2
      },
      [["1", "2"], ["3", "4"]],
      lines: [4, 5]
    ),
    Case("footer without line end", "a,b\n1,2\nend", in: .with { $0.skippedFooterLines = 1 }, [["1", "2"]]),
    Case(
      "footer longer than the file",
      "a,b\n",
      in: .with {
        $0.header = .none
        $0.columns = ["a", "b"]
        $0.skippedFooterLines = 9
      },
      []
    ),
    Case(
      "cells longer than a block",
      "a,b\n\(String(repeating: "x", count: 200)),\"\(String(repeating: "y\"\"", count: 70))\"\n",
      [[.text(String(repeating: "x", count: 200)), .text(String(repeating: "y\"", count: 70))]]
    ),
  ]

  @Test(arguments: cases, chunkSizes)
  func `records do not depend on the size of a chunk`(_ example: Case, chunkSize: Int) throws {
    let table = try read(example.input, example.dialect, chunkSize: chunkSize)
    #expect(table.columns == example.columns)
    #expect(table.cells == example.cells)
    #expect(table.codes.joined().isEmpty)
    #expect(table.notes.isEmpty)
    #expect(table.records.map(\.ordinal) == (0..<example.cells.count).map { Int64($0 + 1) })
    if let lines = example.lines { #expect(table.records.map(\.line) == lines) }
  }

  @Test func `raw bytes of all records stand in the input where the batch says`() throws {
    let input = Array("\u{FEFF}a,b\r\n1,\"x\"\"\ny\"\r\n\r\n2,3\n4,5".utf8)
    for chunkSize in chunkSizes {
      let table = try read(input, chunkSize: chunkSize)
      #expect(table.raws == ["1,\"x\"\"\ny\"\r\n", "2,3\n", "4,5"])
      for record in table.records {
        let start = Int(record.byteOffset)
        #expect(Array(input[start..<start + record.raw.count]) == record.raw)
      }
      // A rewritten cell leads back to the byte behind its opening quote.
      #expect(table.records[0].cellOffsets == [8, 11])
    }
  }

  @Test(arguments: chunkSizes)
  func `what stands around the records is kept for a file of rejects`(chunkSize: Int) throws {
    let dialect = CSVDialect.with {
      $0.skippedLines = 1
      $0.skippedFooterLines = 1
      $0.comment = "#"
    }
    let table = try read("\u{FEFF}title\r\n# x\r\na,b\r\n1,2\r\nend\r\n", dialect, chunkSize: chunkSize)
    #expect(table.framing.opening == Array("\u{FEFF}title\r\n# x\r\na,b\r\n".utf8))
    #expect(table.framing.separator == [0x0D, 0x0A])
    #expect(table.framing.closing == Array("end\r\n".utf8))
    #expect(table.cells == [["1", "2"]])
  }

  @Test func `an input without bytes is empty`() {
    #expect(throws: ReadError.empty(path: "in.csv")) { try read("") }
  }

  @Test func `a great file of short batches is read whole`() throws {
    let rows = (0..<20_000).map { "\($0),\"cell \($0), \"\"quoted\"\"\"\n" }
    let table = try read("a,b\n" + rows.joined(), chunkSize: 1000)
    #expect(table.records.count == 20_000)
    #expect(table.cells.last == ["19999", "cell 19999, \"quoted\""])
    #expect(table.records.last?.line == 20_001)
  }
}

extension Cell: ExpressibleByStringLiteral {
  init(stringLiteral value: String) { self = .text(value) }
}
