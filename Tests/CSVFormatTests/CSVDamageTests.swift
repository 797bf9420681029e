import Diagnostics
import EntityModel
import Records
import TestSupport
import Testing

/// What becomes of records that are not sound.
@Suite struct CSVDamage {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Behind the header `a,b,c`.
    let input: String
    let raws: [String]
    let codes: [[DiagnosticCode]]
    /// With `--bad-rows repair`.
    let repaired: [[Cell]]

    init(_ description: String, _ input: String, _ raws: [String], _ codes: [[DiagnosticCode]], _ repaired: [[Cell]]) {
      testDescription = description
      self.input = input
      self.raws = raws
      self.codes = codes
      self.repaired = repaired
    }
  }

  static let cases: [Case] = [
    Case(
      "too few cells",
      "1,2\n4,5,6\n",
      ["1,2\n", "4,5,6\n"],
      [[.missingCell], []],
      [["1", "2", .null], ["4", "5", "6"]]
    ),
    Case("too many cells", "1,2,3,4,5\n", ["1,2,3,4,5\n"], [[.extraCell]], [["1", "2", "3"]]),
    Case(
      "text behind a quote",
      "\"1\"x,2,\"3\" \n4,5,6\n",
      ["\"1\"x,2,\"3\" \n", "4,5,6\n"],
      [[.textAfterQuote, .textAfterQuote], []],
      [["\"1\"x", "2", "\"3\" "], ["4", "5", "6"]]
    ),
    Case(
      "text behind a quote, and too few cells",
      "\"1\"x,2\n",
      ["\"1\"x,2\n"],
      [[.textAfterQuote, .missingCell]],
      [["\"1\"x", "2", .null]]
    ),
    Case(
      "a quote open at the end",
      "1,2,3\n4,\"5,6\n7,8,9\n",
      ["1,2,3\n", "4,\"5,6\n", "7,8,9\n"],
      [[], [.unterminatedQuote], []],
      [["1", "2", "3"], ["4", "\"5", "6"], ["7", "8", "9"]]
    ),
    Case(
      "a quote open on the second line of a record",
      "\"1\n2\",\"3\n4,5,6\n",
      ["\"1\n2\",\"3\n", "4,5,6\n"],
      [[.unterminatedQuote], []],
      [["1\n2", "\"3", .null], ["4", "5", "6"]]
    ),
    Case("a quote open on the last line", "1,2,\"", ["1,2,\""], [[.unterminatedQuote]], [["1", "2", "\""]]),
    Case(
      "a stray quote that a later cell closes",
      "1,\"2,3\n4,5,6\n7,\"8\",9\nx,y,z\n",
      ["1,\"2,3\n", "4,5,6\n", "7,\"8\",9\n", "x,y,z\n"],
      [[.unterminatedQuote], [], [], []],
      [["1", "\"2", "3"], ["4", "5", "6"], ["7", "8", "9"], ["x", "y", "z"]]
    ),
    Case(
      "a stray quote that a cell with doubled quotes closes",
      "1,\"2,3\n7,\"\"\"8\"\"\",9\n",
      ["1,\"2,3\n", "7,\"\"\"8\"\"\",9\n"],
      [[.unterminatedQuote], []],
      [["1", "\"2", "3"], ["7", "\"8\"", "9"]]
    ),
    Case(
      "a stray quote, sound lines, and one that closes it",
      "1,\"2,3\n4,5,6\n7,8,9\nx,y,z\n4,5\",6,7\n",
      ["1,\"2,3\n", "4,5,6\n", "7,8,9\n", "x,y,z\n", "4,5\",6,7\n"],
      [[.unterminatedQuote], [], [], [], [.extraCell]],
      [["1", "\"2", "3"], ["4", "5", "6"], ["7", "8", "9"], ["x", "y", "z"], ["4", "5\"", "6"]]
    ),
    Case(
      "a sound record of several lines with a cell too few is one record",
      "1,\"Dear John,\nthank you, and so on,\nyours\"\n4,5,6\n",
      ["1,\"Dear John,\nthank you, and so on,\nyours\"\n", "4,5,6\n"],
      [[.missingCell], []],
      [["1", "Dear John,\nthank you, and so on,\nyours", .null], ["4", "5", "6"]]
    ),
  ]

  @Test(arguments: cases, chunkSizes)
  func `damage ends where reading can resume`(_ example: Case, chunkSize: Int) throws {
    let table = try read("a,b,c\n" + example.input, chunkSize: chunkSize)
    #expect(table.raws == example.raws)
    #expect(table.codes == example.codes)
    for record in table.records {
      let isBroken = record.faults.contains { $0.code == .unterminatedQuote || $0.code == .textAfterQuote }
      #expect(record.isUnreadable == isBroken)
    }
  }

  @Test(arguments: cases, chunkSizes)
  func `repairs are made where they are asked for, and told`(_ example: Case, chunkSize: Int) throws {
    let table = try read("a,b,c\n" + example.input, .with { $0.badRows = .repair }, chunkSize: chunkSize)
    #expect(table.raws == example.raws)
    #expect(table.cells == example.repaired)
    #expect(table.codes.joined().isEmpty)
    #expect(table.records.allSatisfy { !$0.isUnreadable })
    #expect(table.notes.count >= example.codes.joined().count)
    #expect(table.notes.allSatisfy { $0.severity == .warning && $0.message.contains("repaired") })
  }

  @Test func `a fault says where it is, what was expected and what to do`() throws {
    let table = try read("a,b,c\né,2\n1,2,3,x\n\"é\"y,2,3\n1,\"2\n")
    let faults = table.records.flatMap(\.faults)
    #expect(faults.map(\.location.line) == [2, 3, 4, 5])
    #expect(faults.map(\.location.column) == [nil, 7, 4, 3])
    #expect(faults.map(\.location.byteOffset) == [6, 17, 23, 31])
    #expect(faults.map(\.location.record) == [1, 2, 3, 4])
    #expect(faults.map(\.field) == ["c", nil, "a", nil])
    #expect(faults[0].message == "the record has 2 cells where the header has 3; the first one missing is 'c'")
    #expect(faults[1].message == "the record has 4 cells where the header has 3; 'x' is the first one too many")
    #expect(faults[2].message.hasPrefix("'y' stands after the closing quote"))
    #expect(faults[3].message.hasPrefix("the quote that opens '\"2"))
    #expect(faults.allSatisfy { $0.severity == .error && $0.expected != nil && !$0.remedy.isEmpty })
  }

  @Test func `cells past the header are counted, not kept`() throws {
    let record = String(repeating: ",", count: 300_000) + "\n"
    let table = try read("a,b\n" + record + "1,2\n")
    #expect(table.cells == [[.null, .null], ["1", "2"]])
    #expect(table.codes == [[.extraCell], []])
  }

  // MARK: Limits

  @Test(arguments: chunkSizes)
  func `a record past the limit is kept whole, and the next line is read`(chunkSize: Int) throws {
    let limits = ReadLimits(recordByteCount: 20, fieldByteCount: 10)
    let long = String(repeating: "x", count: 300)
    let input = "a,b\n1,2\n\(long),\"y\n3,4\n5,\"\(long)\n6,7\n"
    let table = try read(input, chunkSize: chunkSize, limits: limits)
    #expect(table.raws == ["1,2\n", long + ",\"y\n", "3,4\n", "5,\"\(long)\n6,7\n"])
    #expect(table.codes == [[], [.recordTooLong], [], [.recordTooLong]])
    #expect(table.records.map(\.line) == [2, 3, 4, 5])
  }

  @Test(arguments: chunkSizes)
  func `a quoted cell past the limit is one record, line ends and all`(chunkSize: Int) throws {
    let limits = ReadLimits(recordByteCount: 40, fieldByteCount: 30)
    let text = String(repeating: "a \"\"line\"\" of prose\r\n", count: 20)
    let inputs: [(CSVDialect, String)] = [
      (CSVDialect(), "a,b,c\n1,\"\(text)\",\"x\ny\"\n3,4,5\n"),
      (.with { $0.escape = "\\" }, "a,b,c\n1,\"\(text)\\\"\",x\n3,4,5\n"),
      (.with { $0.doublesQuotes = false }, "a,b,c\n1,\"\(text)\",x\n3,4,5\n"),
    ]
    for (dialect, input) in inputs {
      let table = try read(input, dialect, chunkSize: chunkSize, limits: limits)
      #expect(table.codes == [[.recordTooLong], []])
      #expect(table.raws == [String(input.dropFirst(6).dropLast(6)), "3,4,5\n"])
      #expect(table.records[1].line == input.utf8.count { $0 == 0x0A })
    }
  }

  @Test(arguments: chunkSizes)
  func `a quote whose limit comes among records ends with its line`(chunkSize: Int) throws {
    let limits = ReadLimits(recordByteCount: 40, fieldByteCount: 30)
    let rows = (0..<40).map { "\($0),x\n" }.joined()
    let table = try read("a,b\n1,\"stray\n" + rows, chunkSize: chunkSize, limits: limits)
    #expect(table.codes.first == [.unterminatedQuote])
    #expect(table.records.count == 41)
  }

  @Test(arguments: chunkSizes)
  func `a record as long as the limit is taken`(chunkSize: Int) throws {
    let limits = ReadLimits(recordByteCount: 8, fieldByteCount: 6)
    let table = try read("a,b\n12345,7\n12345,78\n123,56\r\n1234567,\n", chunkSize: chunkSize, limits: limits)
    #expect(table.codes == [[], [.recordTooLong], [], [.recordTooLong]])
    let lines = try read("a,b\n1,\"2\n3\"\n1,\"2\n\n3\"\n1,\"2\n3456\"\n4,5\n", chunkSize: chunkSize, limits: limits)
    #expect(lines.raws == ["1,\"2\n3\"\n", "1,\"2\n\n3\"\n", "1,\"2\n3456\"\n", "4,5\n"])
    #expect(lines.codes == [[], [.recordTooLong], [.recordTooLong], []])
    #expect(lines.records.map(\.line) == [2, 4, 7, 9])
  }

  @Test(arguments: chunkSizes)
  func `a field past the limit is told with its column`(chunkSize: Int) throws {
    let limits = ReadLimits(recordByteCount: 1000, fieldByteCount: 5)
    let table = try read("a,b\n12345,\"123456\"\n12345,12345\n", chunkSize: chunkSize, limits: limits)
    #expect(table.codes == [[.fieldTooLong], []])
    #expect(table.records[0].faults[0].field == "b")
    #expect(table.records[0].faults[0].location.column == 7)
  }

  @Test(arguments: chunkSizes)
  func `an open quote costs no more than the limit`(chunkSize: Int) throws {
    let limits = ReadLimits(recordByteCount: 64, fieldByteCount: 64)
    let rows = (0..<200).map { "\($0),x\n" }.joined()
    let table = try read("a,b\n0,\"open\n" + rows, chunkSize: chunkSize, limits: limits)
    #expect(table.records.count == 201)
    #expect(table.codes[0] == [.unterminatedQuote])
    #expect(table.codes.dropFirst().joined().isEmpty)
  }
}
