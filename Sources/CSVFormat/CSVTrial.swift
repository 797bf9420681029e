import EntityModel
import Records

/// A sample read in one dialect.
struct CSVTrial {
  /// One cell, without its quotes.
  struct Cell {
    var bytes: ArraySlice<UInt8>
    var isQuoted: Bool
  }

  private(set) var rows: [[Cell]] = []
  /// Where in the sample the rows begin.
  private(set) var rowStarts: [Int] = []
  /// How many cells are enclosed in quotes that fit.
  private(set) var quotedCellCount = 0
  /// Whether the whole sample was looked at.
  private(set) var isComplete = false
  /// How many quotes did not fit.
  private(set) var brokenQuotes = 0

  /// The commonest number of cells, and how many records have it; of two, the greater number.
  private(set) var cellCount = 0
  private(set) var matchingRows = 0

  /// Reads a sample.
  ///
  /// - Parameter limit: How many records are looked at.
  init(_ sample: CSVSample, in dialect: CSVDialect, limit: Int = CSVSample.recordLimit) {
    let parser = CSVRecordParser(syntax: CSVSyntax(dialect), recordByteCount: 1 << 30, fieldByteCount: 1 << 29 - 1)
    let range = sample.range
    unsafe sample.bytes.withUnsafeBufferPointer { buffer in
      guard let bytes = buffer.baseAddress else { return }
      var position = range.lowerBound
      var record = ParsedRecord()
      while position < range.upperBound, rows.count < limit, brokenQuotes < 100 {
        let end = range.upperBound
        let lineEnd = unsafe parser.syntax.firstLineEnd(bytes, from: position, to: end)
        let nextLine = unsafe lineEnd + (parser.syntax.lineEndLength(bytes, at: lineEnd, end: end, isEnd: true) ?? 0)
        if unsafe lineEnd == position
          || match(parser.syntax.comment, bytes, at: position, end: end, isEnd: true) == .yes
        {
          position = nextLine
          continue
        }
        let outcome = unsafe parser.parse(bytes, from: position, to: end, isEnd: true, wanted: 1024, into: &record)
        guard outcome == .complete else {
          // The sample may have been cut within the record; a record of half the sample is rather a stray quote.
          if sample.isCut, position - range.lowerBound > end - position { break }
          brokenQuotes += 1
          position = nextLine
          continue
        }
        brokenQuotes += record.brokenQuotes.count
        rowStarts.append(position)
        quotedCellCount += record.fields.count { $0.isQuoted }
        var cells = record.fields.map { field in
          let start = Int(field.text.offset)
          return Cell(bytes: sample.bytes[start..<start + field.count], isQuoted: field.isQuoted)
        }
        for column in record.escapedFields {
          cells[column].bytes = unsafe cells[column].bytes.withUnsafeBufferPointer {
            unsafe parser.syntax.unescaped($0)[...]
          }
        }
        rows.append(cells)
        position = record.end
      }
      isComplete = position >= range.upperBound
    }
    var frequencies: [Int: Int] = [:]
    for row in rows { frequencies[row.count, default: 0] += 1 }
    for (count, frequency) in frequencies where (frequency, count) > (matchingRows, cellCount) {
      (matchingRows, cellCount) = (frequency, count)
    }
  }

  /// The share of records with the commonest number of cells.
  var consistency: Double { rows.isEmpty ? 0 : Double(matchingRows) / Double(rows.count) }

  /// The share of cells that hold nothing which another delimiter would part.
  func cleanliness(delimiter: UInt8, others: [UInt8]) -> Double {
    var cells = 0
    var clean = 0
    for row in rows.prefix(200) {
      for (column, cell) in row.enumerated() {
        cells += 1
        if cell.isQuoted || isClean(cell.bytes, delimiter: delimiter, others: others, isFirst: column == 0) {
          clean += 1
        }
      }
    }
    return cells == 0 ? 0 : Double(clean) / Double(cells)
  }

  private func isClean(_ cell: ArraySlice<UInt8>, delimiter: UInt8, others: [UInt8], isFirst: Bool) -> Bool {
    // A comma, a space and a word is how people write sentences.
    if delimiter == 0x2C, !isFirst, cell.count > 1, cell.first == 0x20, CSVCellKind(cell.dropFirst()) == .text {
      return false
    }
    return CSVCellKind(cell) == .number || !cell.contains { others.contains($0) }
  }
}
