import CSVFormat
import Diagnostics
import EntityModel
import Records
import Testing

/// The faults that people meet in real files, each by its name.
@Suite struct CSVDiseases {
  private func cells(_ text: String, _ dialect: CSVDialect = CSVDialect(), chunkSize: Int) throws -> [[String?]] {
    try read(text, dialect, chunkSize: chunkSize).cells.map { row in
      row.map { cell in
        if case .text(let text) = cell { text } else { nil }
      }
    }
  }

  @Test(arguments: chunkSizes) func `CRLF and a lone CR inside quotes stay as they are`(chunkSize: Int) throws {
    #expect(
      try cells("a,b\r\n\"1\r\n2\",\"3\r4\"\r\n5,6\r\n", chunkSize: chunkSize) == [["1\r\n2", "3\r4"], ["5", "6"]]
    )
  }

  @Test(arguments: chunkSizes) func `a byte order mark before a quoted header is dropped`(chunkSize: Int) throws {
    let table = try read("\u{FEFF}\"a\",\"b\"\n1,2\n", chunkSize: chunkSize)
    #expect(table.columns == ["a", "b"])
    #expect(table.cells == [[.text("1"), .text("2")]])
  }

  @Test(arguments: chunkSizes) func `a quote in the middle of a field is an ordinary character`(chunkSize: Int) throws {
    #expect(try cells("a,b\n5\" bolt,x\"y\"\n1,2\n", chunkSize: chunkSize) == [["5\" bolt", "x\"y\""], ["1", "2"]])
  }

  @Test func `an unterminated quote on line 3 of 100,000 costs one record`() throws {
    var text = "id,name\n1,x\n2,\"open\n"
    for id in 3..<100_000 { text += "\(id),x\n" }
    let table = try read(text)
    #expect(table.records.count == 99_999)
    let faulty = table.records.filter { !$0.faults.isEmpty }
    #expect(faulty.map { $0.faults.map(\.code) } == [[.unterminatedQuote]])
    #expect(faulty.map(\.raw) == [Array("2,\"open\n".utf8)])
    #expect(table.records[2].line == 4)
  }

  @Test(arguments: chunkSizes) func `numbers are text to the reader, digit for digit`(chunkSize: Int) throws {
    let values = ["007", "+39 06", "1e5", "9223372036854775808", "9007199254740993", "1.10", "1.9", "1,5"]
    let text = "a;b\n" + values.map { "\($0);\($0)\n" }.joined()
    #expect(try cells(text, CSVDialect(delimiter: ";"), chunkSize: chunkSize) == values.map { [$0, $0] })
  }

  @Test(arguments: [4096, 128 << 10]) func `a field of 5 MB is read`(chunkSize: Int) throws {
    let long = String(repeating: "0123456789", count: 500_000)
    #expect(try cells("a,b\n1,\"\(long)\"\n2,x\n", chunkSize: chunkSize) == [["1", long], ["2", "x"]])
  }

  @Test(arguments: chunkSizes) func `a header alone is a table without records`(chunkSize: Int) throws {
    for text in ["a,b", "a,b\n", "a,b\r\n\r\n"] {
      let table = try read(text, chunkSize: chunkSize)
      #expect(table.columns == ["a", "b"])
      #expect(table.records.isEmpty)
    }
  }

  @Test func `an empty file is refused as empty`() throws {
    #expect(throws: ReadError.empty(path: "in.csv")) { try read("") }
  }

  @Test(arguments: chunkSizes) func `blank lines are passed over, and are NULL in a single column`(chunkSize: Int)
    throws
  {
    #expect(try cells("a,b\n\n1,2\n\r\n\n3,4\n", chunkSize: chunkSize) == [["1", "2"], ["3", "4"]])
    #expect(try cells("a\n1\n\n2\n", chunkSize: chunkSize) == [["1"], [nil], ["2"]])
  }

  @Test func `header names that differ in case alone are refused`() throws {
    let error = #expect(throws: ReadError.self) { try read("name,Name\n1,2\n") }
    guard case .refused(let faults) = error else { return #expect(Bool(false), "not refused") }
    #expect(faults.map(\.code) == [.duplicateLabel])
  }

  @Test(arguments: [7, 4096, 128 << 10]) func `1,200 columns are read`(chunkSize: Int) throws {
    let names = (0..<1200).map { "c\($0)" }
    let row = (0..<1200).map { $0 % 7 == 0 ? "" : "\($0)" }
    let text = names.joined(separator: ",") + "\n" + row.joined(separator: ",") + "\n"
    #expect(try cells(text, chunkSize: chunkSize) == [row.map { $0.isEmpty ? nil : $0 }])
  }

  struct LineEnds: CustomTestStringConvertible, Sendable {
    let lineEnd: CSVDialect.LineEnd
    let records: [[String?]]
    var testDescription: String { lineEnd.rawValue }
  }

  @Test(
    arguments: [
      LineEnds(lineEnd: .any, records: [["1", "2"], ["3", "4"], ["5", "6"], ["7", "8"]]),
      LineEnds(lineEnd: .lf, records: [["1", "2\r3"], ["5", "6\r"], ["7", "8"]]),
      LineEnds(lineEnd: .crlf, records: [["1", "2\r3"]]),
    ],
    chunkSizes
  ) func `only the line end that was told ends a line`(_ example: LineEnds, chunkSize: Int) throws {
    let dialect = CSVDialect.with {
      $0.lineEnd = example.lineEnd
      $0.columns = ["a", "b"]
      $0.header = .none
    }
    let text: String =
      switch example.lineEnd {
      case .any: "1,2\r3,4\n5,6\r\n7,8"
      case .lf: "1,2\r3\n5,6\r\n7,8"
      case .crlf, .cr: "1,2\r3\r\n"
      }
    #expect(try cells(text, dialect, chunkSize: chunkSize) == example.records)
  }

  @Test(arguments: chunkSizes) func `where quotes are not doubled, one closes before a delimiter or line end`(
    chunkSize: Int
  )
    throws
  {
    let dialect = CSVDialect.with { $0.doublesQuotes = false }
    let text = "a,b\n\"Round 48\"\",\"x\"\n\"\",\"a\"\"b, c\"\n\"5\" bolt\",\"y\nz\"\n"
    let expected = [["Round 48\"", "x"], ["", "a\"\"b, c"], ["5\" bolt", "y\nz"]]
    #expect(try cells(text, dialect, chunkSize: chunkSize) == expected)
  }
}
