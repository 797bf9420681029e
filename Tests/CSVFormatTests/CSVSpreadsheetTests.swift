import CSVFormat
import Diagnostics
import EntityModel
import Records
import TestSupport
import Testing

private func detect(
  _ text: String,
  known: [String] = [],
  told change: (inout CSVSettings) -> Void = { _ in }
) -> CSVDetection {
  var told = CSVSettings()
  change(&told)
  return CSVDetector.detect(
    sample: Array(text.utf8).span,
    isWholeInput: true,
    told: told,
    knownNames: known,
    defaultDelimiter: ",",
    assumesHeader: true
  )
}

/// Reads a text in the dialect that is detected for it.
private func readDetected(
  _ text: String,
  chunkSize: Int,
  told change: (inout CSVSettings) -> Void = { _ in }
) throws(ReadError) -> ReadTable {
  let detection = detect(text, told: change)
  return try read(text, detection.dialect, frame: detection.frame, chunkSize: chunkSize)
}

/// What spreadsheets, and tools that write like them, put into files.
@Suite struct SpreadsheetHabits {
  // MARK: sep=

  @Test(arguments: chunkSizes) func `the line that tells the delimiter is no header, and stays with the rejects`(
    chunkSize: Int
  ) throws {
    for line in ["sep=;", "SEP=;", "\u{FEFF}sep=;", "\"sep=;\""] {
      let text = line + "\r\na;b\r\n1;2,5\r\n3\r\n"
      let detection = detect(text)
      #expect(detection.dialect.delimiter == ";")
      #expect(detection.dialect.skippedLines == 1)
      #expect(detection.isDelimited)
      #expect(detection.reasons.first == "delimiter ';' (the line 'sep=;' says so)")
      let table = try readDetected(text, chunkSize: chunkSize)
      #expect(table.columns == ["a", "b"])
      #expect(table.cells.first == [.text("1"), .text("2,5")])
      #expect(table.codes == [[], [.missingCell]])
      #expect(table.framing.opening == Array((line + "\r\na;b\r\n").utf8))
    }
  }

  @Test func `a told delimiter wins over that line, which is passed over all the same`() {
    let detection = detect("sep=;\na|b\n1|2\n") { $0.delimiter = "|" }
    #expect(detection.dialect.delimiter == "|")
    #expect(detection.dialect.skippedLines == 1)
    #expect(detection.reasons.contains("the line 'sep=;' passed over"))
  }

  @Test func `a line that only looks like it is a record`() {
    for text in ["sep=\na\n", "sep=;,\na,b\n", "sep=\"\na,b\n", "separator,b\n1,2\n", "a\nsep=,\n"] {
      #expect(detect(text).dialect.skippedLines == 0, "\(text)")
      #expect(detect(text).dialect.delimiter == ",", "\(text)")
    }
    #expect(detect("sep=;\na;b\n1;2\n") { $0.skippedLines = 0 }.dialect.skippedLines == 0)
  }

  // MARK: A delimiter at the end of every record

  static let ended: [(testDescription: String, text: String, columns: [String])] = [
    ("in the header too", "a,b,\n1,2,\n3,4,\n", ["a", "b"]),
    ("in the header and one record", "a,b,\n1,2,\n", ["a", "b"]),
    ("in the records alone", "a,b\n1,2,\n3,4,\n", ["a", "b"]),
    ("with quotes", "\"a\";\"b\";\n\"1\";2;\n\"3\";\"4\";\n", ["a", "b"]),
    ("one column", "a;\n1;\n3;\n", ["a"]),
  ]

  @Test(arguments: ended.indices) func `the empty cell at the end of every record is left out, and that is said`(
    _ index: Int
  ) throws {
    let example = Self.ended[index]
    let detection = detect(example.text)
    #expect(detection.dialect.endsWithDelimiter, "\(example.testDescription)")
    #expect(detection.reasons.contains("the empty cell at the end of every record left out"))
    for chunkSize in chunkSizes {
      let table = try readDetected(example.text, chunkSize: chunkSize)
      #expect(table.columns == example.columns, "\(example.testDescription)")
      #expect(table.cells.allSatisfy { $0.count == example.columns.count })
      #expect(table.codes.allSatisfy { $0.isEmpty })
      #expect(table.cells.first?.first == .text("1"))
    }
  }

  @Test(arguments: chunkSizes) func `what stands behind the last delimiter of one record rejects it`(chunkSize: Int)
    throws
  {
    let dialect = CSVDialect.with { $0.endsWithDelimiter = true }
    let table = try read("a,b,\n1,2,\n3,4,x\n5,6\n7\n8,9,,y\n10,11,\"\"\n", dialect, chunkSize: chunkSize)
    #expect(table.codes == [[], [.extraCell], [], [.missingCell], [.extraCell], [.extraCell]])
    #expect(table.cells[2] == [.text("5"), .text("6")])
    #expect(table.records[1].faults.first?.value == "x")
    let repaired = try read(
      "a,b,\n1,2,\n3,4,x\n5,6\n7\n",
      .with { ($0.endsWithDelimiter, $0.badRows) = (true, .repair) },
      chunkSize: chunkSize
    )
    #expect(
      repaired.cells == [["1", "2"], ["3", "4"], ["5", "6"]].map { $0.map { .text($0) } } + [[.text("7"), .null]]
    )
    #expect(repaired.notes.map(\.code) == [.extraCell, .missingCell])
  }

  @Test func `a last column is one where it has a name, a value, or no header beside it`() {
    for text in [
      "a,b,c\n1,2,\n3,4,\n", "a,b,\n1,2,\n3,4,5\n", "a,b\n1,2,\n", "a,b\n1,2,\n3,4\n5,6,\n",
      "\"a,\"b\",c\n1,2,\n3,4,\n",
    ] {
      #expect(!detect(text).dialect.endsWithDelimiter, "\(text)")
    }
    let records = detect("1,2,\n3,4,\n")
    #expect(records.dialect.header == .none)
    #expect(!records.dialect.endsWithDelimiter)
    #expect(records.widthWithEmptyLastCell == 3)
  }

  @Test func `told names say that the last cell has none`() throws {
    let text = "1|2|\n3|4|\n"
    #expect(detect(text) { $0.columns = ["a", "b"] }.dialect.endsWithDelimiter)
    #expect(!detect(text) { $0.columns = ["a", "b", "c"] }.dialect.endsWithDelimiter)
    let table = try readDetected(text, chunkSize: 3) { $0.columns = ["a", "b"] }
    #expect(table.cells == [[.text("1"), .text("2")], [.text("3"), .text("4")]])
  }

  @Test func `a header with a delimiter too many is refused, with the ways out`() throws {
    let error = #expect(throws: ReadError.self) { try read("a,b,\n1,2\n3,4\n") }
    guard case .refused(let faults) = error else { return #expect(Bool(false), "not refused") }
    #expect(faults.map(\.code) == [.blankHeader])
    #expect(faults[0].remedy.contains("take the last delimiter away"))
    #expect(faults[0].remedy.contains("--bad-rows repair"))
    let repaired = try read("a,b,\n1,2\n3,4\n5,6\n", .with { $0.badRows = .repair })
    #expect(repaired.columns == ["a", "b"])
    #expect(repaired.cells.count == 3)
  }

  // MARK: Lines that are no records

  @Test func `a last line that counts the records is none of them`() throws {
    for (text, lines) in [
      ("a|b\n1|2\n3|4\n(2 rows)\n", 1), ("a|b\n1|2\n3|4\n\n(2 rows)\n\n", 2), ("a|b\n1|2\n(1 row)\n", 1),
      ("a|b\n1|2\n3|4\n(3 rows)\n", 0), ("a|b\n1|2\n3|4\ntotal\n", 0), ("a|b\n1|2\n3|4\n\nthe end\n", 0),
    ] {
      let detection = detect(text)
      #expect(detection.dialect.skippedFooterLines == lines, "\(text)")
      #expect(detection.frame.keepsFooter == (lines == 0))
      let table = try readDetected(text, chunkSize: 7)
      #expect(table.framing.closing.isEmpty)
    }
  }

  @Test(arguments: chunkSizes) func `rejects stand without detected lines, and with told ones`(chunkSize: Int) throws {
    let text = "\u{FEFF}A report\n\na;b\n1;2\n3;4\n5\n"
    let detected = try readDetected(text, chunkSize: chunkSize)
    #expect(detected.framing.opening == Array("\u{FEFF}a;b\n".utf8))
    let told = try readDetected(text, chunkSize: chunkSize) { $0.skippedLines = 2 }
    #expect(told.framing.opening == Array("\u{FEFF}A report\n\na;b\n".utf8))
    let separated = try readDetected("sep=;\nA report\n\na;b\n1;2\n3;4\n5\n", chunkSize: chunkSize)
    #expect(separated.framing.opening == Array("sep=;\na;b\n".utf8))
  }
}

@Suite struct WidthWithoutHeader {
  static let cases: [(text: String, width: Int)] = [
    ("notes\n1,2,3\n4,5,6\n", 3), ("1,2\n1,2,\n3,4,\n", 3), ("1,2,3,4\n1,2\n1,2\n\n1,2,3,4,5\n", 2),
    ("1,2,3\n1,2\n", 3), ("1,2\n1,2,3\n", 2), ("\"open\n1,2\n3,4\n", 2), ("1,\"2\"x,3\n1,2\n3,4\n", 2), ("", 0),
  ]

  @Test(arguments: cases) func `it is the number of cells that most records have, else the first one's`(
    _ example: (text: String, width: Int)
  ) throws {
    guard !example.text.isEmpty else { return }
    for chunkSize in chunkSizes {
      let table = try read(example.text, CSVDialect(header: .none), chunkSize: chunkSize)
      #expect(table.columns.count == example.width, "\(example.text)")
    }
  }
}

@Suite struct WideHeaders {
  @Test func `a header past the limit of columns is refused at once, on its own line`() {
    let header = (1...30_000).map { "c\($0)" }.joined(separator: ",")
    let error = #expect(throws: ReadError.self) { try read("\(header)\n1,2\n") }
    guard case .refused(let faults) = error else { return #expect(Bool(false), "not refused") }
    #expect(faults.map(\.code) == [.extraCell])
    #expect(faults.map(\.location.line) == [1])
    #expect(faults.map(\.message) == ["the file has 30000 columns; the limit is 16384"])
  }

  @Test func `names have their place, over lines too`() {
    let error = #expect(throws: ReadError.self) { try read("a,\"é\nb\",,\"c\",c\n") }
    guard case .refused(let faults) = error else { return #expect(Bool(false), "not refused") }
    #expect(faults.map { [$0.location.line, $0.location.column ?? 0] } == [[2, 4], [2, 9]])
  }
}
