import CSVFormat
import Diagnostics
import EntityModel
import Records
import TestSupport
import Testing

/// What `--bad-rows repair` makes of records, and what is rejected without it.
@Suite struct CSVRepairing {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let input: String
    let records: [[Cell]]
    let notes: [DiagnosticCode]
    var columns = ["a", "b", "c"]
  }

  static func cells(_ rows: [[String?]]) -> [[Cell]] { rows.map { $0.map { $0.map { .text($0) } ?? .null } } }

  static let cases = [
    Case(
      testDescription: "a stray quote before a cell",
      input: "a,b,c\n1,\"2,3\n4,5,6\n",
      records: cells([["1", "\"2", "3"], ["4", "5", "6"]]),
      notes: [.unterminatedQuote]
    ),
    Case(
      testDescription: "a stray quote before a quoted cell",
      input: "a,b,c\n1,\"\"x, y\",3\n",
      records: cells([["1", "\"x, y", "3"]]),
      notes: [.textAfterQuote]
    ),
    Case(
      testDescription: "a stray quote with a sound quoted cell behind it",
      input: "a,b,c\n\"1,\"x, y\",3\n4,5,6\n",
      records: cells([["\"1", "x, y", "3"], ["4", "5", "6"]]),
      notes: [.unterminatedQuote]
    ),
    Case(
      testDescription: "quotes within a cell that are not doubled",
      input: "a,b,c\n1,\"5\" bolt, \"\"long\"\"\",3\n",
      records: cells([["1", "5\" bolt, \"long\"", "3"]]),
      notes: [.textAfterQuote]
    ),
    Case(
      testDescription: "a quote before the closing one that is not doubled",
      input: "a,b,c\n1,\"round 48\"\",3\n4,5,6\n",
      records: cells([["1", "round 48\"", "3"], ["4", "5", "6"]]),
      notes: [.textAfterQuote]
    ),
    Case(
      testDescription: "a line with another delimiter",
      input: "a,b,c\n1;2;3\n4 5 6\n7,8,9\n",
      records: cells([["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"]]),
      notes: [.missingCell, .missingCell]
    ),
    Case(
      testDescription: "a line that another delimiter does not part either",
      input: "a,b,c\n4 5\n7,8,9\n",
      records: cells([["4 5", nil, nil], ["7", "8", "9"]]),
      notes: [.missingCell]
    ),
    Case(
      testDescription: "a header with a stray quote",
      input: "a,\"b,c\n1,2,3\n4,5,6\n7,8,9\n",
      records: cells([["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"]]),
      notes: [.textAfterQuote],
      columns: ["a", "\"b", "c"]
    ),
    Case(
      testDescription: "a header with an empty cell too many",
      input: "a,,b,c\n1,2,3\n4,5,6\n7,8,9\n",
      records: cells([["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"]]),
      notes: [.blankHeader]
    ),
    Case(
      testDescription: "a header with a name too few",
      input: "a,b\n1,2,3\n4,5,6\n7,8,9\n",
      records: cells([["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"]]),
      notes: [.blankHeader],
      columns: ["a", "b", "column_3"]
    ),
  ]

  @Test(arguments: cases, chunkSizes) func `the likeliest reading is taken, and told`(_ example: Case, chunkSize: Int)
    throws
  {
    let table = try read(example.input, .with { $0.badRows = .repair }, chunkSize: chunkSize)
    #expect(table.columns == example.columns)
    #expect(table.cells == example.records)
    #expect(table.notes.map(\.code) == example.notes)
    #expect(table.notes.allSatisfy { $0.severity == .warning })
    #expect(table.codes.allSatisfy { $0.isEmpty })
  }

  @Test(arguments: chunkSizes) func `a repeated header alone is rejected`(chunkSize: Int) throws {
    let table = try read("a,b\n1,2\na,b\n3,4\n\"a\",\"b\"\n", chunkSize: chunkSize)
    // With quotes where the header has none it is a record that says the same.
    #expect(table.codes == [[], [.repeatedHeader], [], []])
    #expect(table.raws == ["1,2\n", "a,b\n", "3,4\n", "\"a\",\"b\"\n"])
  }

  @Test(arguments: chunkSizes) func `under repair a second table is kept out whole`(chunkSize: Int) throws {
    let input = "a,b,c\n1,2,3\na,b\n4,5\n6,7\n"
    let table = try read(input, .with { $0.badRows = .repair }, chunkSize: chunkSize)
    #expect(table.codes == [[], [.repeatedHeader], [.secondTable], [.secondTable]])
    #expect(table.notes.isEmpty)
    #expect(table.raws.joined() == String(input.dropFirst(6)))
  }

  @Test func `a single column has no repeated header`() throws {
    #expect(try read("a\na\nb\n").codes == [[], []])
  }

  @Test(arguments: 0..<40 as Range<UInt64>) func `what is read does not depend on chunks, for any dialect`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let alphabet = Array("a,;\"\"'\\\n\r# 1|")
    var text = "a,b,c\n"
    for _ in 0..<random.next(upperBound: 200 as UInt64) {
      text.append(alphabet[Int(random.next(upperBound: UInt64(alphabet.count)))])
    }
    var dialect = CSVDialect(delimiter: [",", ", ", "||"][Int(seed % 3)])
    dialect.badRows = seed % 2 == 0 ? .repair : .reject
    dialect.doublesQuotes = seed % 5 != 0
    dialect.escape = seed % 7 == 0 ? "\\" : nil
    dialect.lineEnd = CSVDialect.LineEnd.allCases[Int(seed / 2 % 4)]
    dialect.columns = ["a", "b", "c"]
    dialect.header = .none
    let limits = ReadLimits(recordByteCount: seed % 4 == 0 ? 24 : 1 << 20)
    let whole = try read(text, dialect, limits: limits)
    for chunkSize in chunkSizes {
      #expect(
        try read(text, dialect, chunkSize: chunkSize, limits: limits) == whole,
        "\(chunkSize) \(text.debugDescription)"
      )
    }
    // Every byte is in a record, an empty line or nowhere: none is doubled.
    #expect(whole.raws.joined().utf8.count <= text.utf8.count)
  }
}
