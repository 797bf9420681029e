import CSVFormat
import Diagnostics
import EntityModel
import Records
import TestSupport
import Testing

/// Writes rows of text cells.
private func write(
  _ rows: [[String?]],
  columns: [String] = ["a", "b"],
  dialect: CSVDialect = CSVDialect(),
  header: Bool = false
) throws -> String {
  let written = WrittenBytes()
  var writer = try CSVWriter(
    MemorySink(written),
    columns: columns.map { WrittenColumn(name: $0, type: .text) },
    dialect: dialect,
    writesHeader: header
  )
  var text = TextBuffer()
  var values = ValueBatch()
  for (index, row) in rows.enumerated() {
    values.rows.append(ValueBatch.Row(entity: 0, record: UInt32(index), valueStart: UInt32(values.values.count)))
    for cell in row {
      guard let cell else {
        values.values.append(.null)
        continue
      }
      let start = text.count
      text.append(cell)
      values.values.append(.text(TextSlice(start..<text.count)))
    }
  }
  try writer.write(values, text: text)
  try writer.finish()
  return written.text
}

/// Reads cells back; nil is NULL.
private func readBack(_ text: String, columns: [String], dialect: CSVDialect) throws -> [[String?]] {
  var dialect = dialect
  dialect.header = .none
  dialect.columns = columns
  var reader = CSVReader(ChunkedSource(text, chunkSize: 7), file: "t.csv", dialect: dialect)
  try reader.open()
  var batch = RecordBatch()
  var rows: [[String?]] = []
  while try reader.fill(&batch) {
    for record in 0..<batch.count {
      rows.append(
        columns.indices.map { column in
          let field = batch.field(column, of: record)
          if field.isNull { return nil }
          let bytes = batch.text.bytes(of: field.text)
          return String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
      )
    }
    #expect(batch.faults.isEmpty)
  }
  return rows
}

@Suite struct WritingCSV {
  static let cases: [(rows: [[String?]], text: String)] = [
    ([["1", "x"]], "1,x\n"), ([[nil, ""]], ",\"\"\n"), ([["a,b", "c\"d"]], "\"a,b\",\"c\"\"d\"\n"),
    ([["x\ny", "x\r"]], "\"x\ny\",\"x\r\"\n"), ([[" x ", "é"]], " x ,é\n"), ([[nil, nil]], ",\n"), ([], ""),
    ([["\u{FEFF}x", "\u{FEFF}"]], "\"\u{FEFF}x\",\u{FEFF}\n"),
  ]

  @Test(arguments: cases) func `cells are quoted only where they must be`(_ rows: [[String?]], _ text: String) throws {
    #expect(try write(rows) == text)
  }

  @Test func `a NULL alone on its line is an empty line`() throws {
    #expect(try write([[nil], ["x"], [nil]], columns: ["a"]) == "\nx\n\n")
    #expect(try readBack("\nx\n\n", columns: ["a"], dialect: CSVDialect()) == [[nil], ["x"], [nil]])
  }

  @Test func `header names are quoted where they must be`() throws {
    #expect(try write([], columns: ["a,b", "c", ""], header: true) == "\"a,b\",c,\"\"\n")
  }

  @Test func `what looks like a comment or a NULL token is quoted`() throws {
    var dialect = CSVDialect()
    dialect.comment = "#"
    dialect.nullTokens = ["NA"]
    #expect(try write([["#x", "#y"], ["NA", nil]], dialect: dialect) == "\"#x\",#y\n\"NA\",\n")
  }

  @Test func `without quotes a value that needs them is refused with its row and column`() throws {
    var dialect = CSVDialect(delimiter: ";", quote: nil)
    dialect.comment = nil
    #expect(try write([["a,b", "c"]], dialect: dialect) == "a,b;c\n")
    let error = #expect(throws: WriteError.self) { try write([["a", "b"], ["c", "d;e"]], dialect: dialect) }
    guard case .cannotHold(let sentence)? = error else { return }
    #expect(sentence.contains("row 2") && sentence.contains("'b'"))
  }

  static let dialects: [CSVDialect] = [
    CSVDialect(), CSVDialect(delimiter: "\t"), CSVDialect(delimiter: ";", quote: "'"), CSVDialect(delimiter: "||"),
    CSVDialect.with { $0.comment = "#" }, CSVDialect.with { $0.escape = "\\" },
    CSVDialect.with { $0.nullTokens = ["NULL", "x"] },
  ]

  @Test(arguments: 0..<200 as Range<UInt64>) func `what is written is read back as it was`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let dialect = Self.dialects[Int(seed) % Self.dialects.count]
    let pieces = [
      "\"", "'", ",", ";", "\t", "|", "||", "\n", "\r", "\r\n", "\u{0}", "\u{FEFF}", "#", "\\", "x", "NULL", "é", " ",
    ]
    let columns = Array(["a", "b", "c"].prefix(Int.random(in: 1...3, using: &random)))
    let rows: [[String?]] = (0..<Int.random(in: 1...8, using: &random)).map { _ in
      columns.map { _ in
        Int.random(in: 0..<4, using: &random) == 0
          ? nil
          : (0..<Int.random(in: 0...4, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      }
    }
    #expect(try readBack(write(rows, columns: columns, dialect: dialect), columns: columns, dialect: dialect) == rows)
  }
}
