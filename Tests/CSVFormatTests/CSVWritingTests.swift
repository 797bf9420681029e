import CSVFormat
import Diagnostics
import EntityModel
import Records
import Testing

/// How values are spelled, and when a cell gets quotes.
@Suite struct CSVWriting {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let dialect: CSVDialect
    let rows: [[Written]]
    let output: String

    init(_ description: String, in dialect: CSVDialect = CSVDialect(), _ rows: [[Written]], _ output: String) {
      testDescription = description
      self.dialect = dialect
      self.rows = rows
      self.output = output
    }
  }

  static let cases: [Case] = [
    Case("no rows", [], ""),
    Case("ordinary text", [["x", "é z"], [" y ", "it's"]], "x,é z\n y ,it's\n"),
    Case("delimiter", [["a,b", "a;b"]], "\"a,b\",a;b\n"),
    Case("quote", [["5\" bolt", "\""]], "\"5\"\" bolt\",\"\"\"\"\n"),
    Case("line ends", [["a\nb", "a\r"], ["\r\n", "\t"]], "\"a\nb\",\"a\r\"\n\"\r\n\",\t\n"),
    Case("NULL and the empty string", [[.null, ""], ["", .null], [.null, .null]], ",\"\"\n\"\",\n,\n"),
    Case("one column", [[.null], [""], ["x"]], "\n\"\"\nx\n"),
    Case(
      "specials past 16 bytes",
      [["0123456789abcdef,", "0123456789abcdef0"]],
      "\"0123456789abcdef,\",0123456789abcdef0\n"
    ),
    Case("NUL", [["\0", "a\0,"]], "\0,\"a\0,\"\n"),
    Case(
      "byte order mark, which counts at the very start alone",
      [["\u{FEFF}a", "\u{FEFF}b"], ["\u{FEFF}c", .null]],
      "\"\u{FEFF}a\",\u{FEFF}b\n\u{FEFF}c,\n"
    ),
    Case("no comments in the dialect", [["#a", "#"]], "#a,#\n"),
    Case(
      "what looks like a comment, which counts in the first cell alone",
      in: .with { $0.comment = "#" },
      [["#a", "#b"], ["a#", "#"], ["#", .null]],
      "\"#a\",#b\na#,#\n\"#\",\n"
    ),
    Case("half a comment", in: .with { $0.comment = "//" }, [["/", "/"], ["a/", .null]], "\"/\",/\na/,\n"),
    Case(
      "NULL tokens",
      in: .with { $0.nullTokens = ["NULL", "", "\\N"] },
      [["NULL", "\\N"], ["null", "NULLS"], [.null, ""]],
      "\"NULL\",\"\\N\"\nnull,NULLS\n,\"\"\n"
    ),
    Case("tabs", in: CSVDialect(delimiter: "\t"), [["a,b", "a\tb"]], "a,b\t\"a\tb\"\n"),
    Case("other quote", in: CSVDialect(quote: "'"), [["it's", "\""], ["", .null]], "'it''s',\"\n'',\n"),
    Case(
      "escape",
      in: .with { $0.escape = "\\" },
      [[#"a"\,b"#, #"c\d"#]],
      #""a\"\\,b",c\d"# + "\n"
    ),
    Case(
      "half a delimiter",
      in: CSVDialect(delimiter: "||"),
      [["a|", "b"], ["|", "a||b"], ["a", .null]],
      "\"a|\"||b\n\"|\"||\"a||b\"\na||\n"
    ),
    Case(
      "no quote, and no need of one",
      in: CSVDialect(quote: nil),
      [["a\"b", .null], ["'", "\""]],
      "a\"b,\n',\"\n"
    ),
  ]

  @Test(arguments: cases)
  func `quotes stand only where reading would give something else`(_ example: Case) throws {
    let columns = textColumns((0..<(example.rows.first?.count ?? 2)).map { "c\($0)" })
    let bytes = try write(example.rows, columns: columns, example.dialect, header: false)
    #expect(String(decoding: bytes, as: UTF8.self) == example.output)
  }

  @Test func `values are spelled by their types`() throws {
    let columns = [
      WrittenColumn(name: "i", type: .integer(bits: 64)),
      WrittenColumn(name: "d", type: .decimal(precision: 9, scale: 2)),
      WrittenColumn(name: "r", type: .double), WrittenColumn(name: "b", type: .boolean),
      WrittenColumn(name: "x", type: .binary),
    ]
    let rows: [[Written]] = [
      [.integer(.min), .integer(5), .real(0.1), .integer(1), .blob([0xFF, 0xFE])],
      [.integer(-1), .real(1.5), .integer(2), .integer(0), .blob([])],
      [.null, .null, .null, .null, .null],
    ]
    let output = String(decoding: try write(rows, columns: columns), as: UTF8.self)
    #expect(output == "i,d,r,b,x\n-9223372036854775808,5.00,0.1,true,//4=\n-1,1.50,2.0,false,\"\"\n,,,,\n")
    // Digits and signs may be tokens.
    let odd = String(
      decoding: try write([[.integer(-15)]], columns: [columns[0]], CSVDialect(delimiter: "-")),
      as: UTF8.self
    )
    #expect(odd == "i\n\"-15\"\n")
    let nulls = CSVDialect.with { $0.nullTokens = ["-1"] }
    let token = String(
      decoding: try write([[.integer(-1)], [.integer(1)]], columns: [columns[0]], nulls),
      as: UTF8.self
    )
    #expect(token == "i\n\"-1\"\n1\n")
  }

  @Test func `header names are cells like others`() throws {
    let names = ["\u{FEFF}#a", "b,c", "d\"e", "f\ng", ""]
    let bytes = try write([], columns: textColumns(names), .with { $0.comment = "#" })
    #expect(String(decoding: bytes, as: UTF8.self) == "\"\u{FEFF}#a\",\"b,c\",\"d\"\"e\",\"f\ng\",\"\"\n")
    // Behind a header, no cell stands at the start.
    let behind = try write([["\u{FEFF}"]], columns: textColumns(["a"]))
    #expect(String(decoding: behind, as: UTF8.self) == "a\n\u{FEFF}\n")
  }

  @Test(arguments: ["a,b", "a\nb", "\r", "", "NA", "#a", "\u{FEFF}"])
  func `what needs quotes is refused where there are none`(_ text: String) {
    let dialect = CSVDialect.with {
      $0.quote = nil
      $0.comment = "#"
      $0.nullTokens = ["NA"]
    }
    let rows: [[Written]] = [[.text(Array(text.utf8)), "x"]]
    do throws(WriteError) {
      _ = try write(rows, columns: textColumns(["a", "b"]), dialect, header: false)
      Issue.record("'\(text)' was written")
    } catch {
      guard case .cannotHold(let sentence) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(sentence.hasPrefix("row 1: the value '"))
      #expect(sentence.hasSuffix("of 'a' needs quotes; write with a quote"))
    }
  }

  @Test func `the row that cannot be held is named across batches`() {
    let rows: [[Written]] = [["a"], ["b"], [.null], ["c"], ["d,e"]]
    let expected = WriteError.cannotHold("row 5: the value 'd,e' of 'x' needs quotes; write with a quote")
    #expect(throws: expected) {
      try write(rows, columns: textColumns(["x"]), CSVDialect(quote: nil), rowsPerBatch: 2)
    }
  }

  @Test func `names and dialects that cannot be written are refused`() {
    #expect(throws: WriteError.cannotHold("the column name 'a,b' needs quotes; write with a quote")) {
      try write([], columns: textColumns(["a,b"]), CSVDialect(quote: nil))
    }
    #expect(throws: WriteError.self) { try write([], columns: textColumns(["a"]), CSVDialect(delimiter: "\"")) }
  }

  @Test func `great tables go to the sink in pieces`() throws {
    let rows = (0..<30_000).map { index in [Written.text(Array("row \(index)".utf8)), .null] }
    let bytes = try write(rows, columns: textColumns(["a", "b"]), rowsPerBatch: 1000)
    let expected = "a,b\n" + (0..<30_000).map { "row \($0),\n" }.joined()
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }
}
