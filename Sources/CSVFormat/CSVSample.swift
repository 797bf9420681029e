import EntityModel
import Records

/// The first bytes of an input, without the lines that cannot be records.
struct CSVSample {
  let bytes: [UInt8]
  /// Where the first record or header may begin, and where the whole lines end.
  let range: Range<Int>
  /// Whether the input goes on behind the sample.
  let isCut: Bool

  /// How many records are looked at.
  static let recordLimit = 1000

  init(_ sample: Span<UInt8>, isWholeInput: Bool, skippedLines: Int, skippedFooterLines: Int) {
    bytes = sample.indices.map { sample[$0] }
    isCut = !isWholeInput
    let lines = CSVSample.lines(of: bytes, from: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    var first = lines.startIndex
    var last = lines.endIndex
    first = min(last, first + max(0, skippedLines))
    // The last line of a cut sample is a piece; a sample of one line is all there is.
    if isCut {
      if last - first > 1 { last -= 1 }
    } else {
      last = max(first, last - max(0, skippedFooterLines))
    }
    range = first < last ? lines[first].lowerBound..<lines[last - 1].upperBound : bytes.count..<bytes.count
  }

  /// The physical lines, line ends included.
  var lines: [Range<Int>] { CSVSample.lines(of: Array(bytes[..<range.upperBound]), from: range.lowerBound) }

  private static func lines(of bytes: [UInt8], from start: Int) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var lineStart = start
    var position = start
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      guard byte == 0x0A || byte == 0x0D else { continue }
      if byte == 0x0D, position < bytes.count, bytes[position] == 0x0A { position += 1 }
      lines.append(lineStart..<position)
      lineStart = position
    }
    if lineStart < bytes.count { lines.append(lineStart..<bytes.count) }
    return lines
  }
}

/// A sample read in one dialect.
struct CSVTrial {
  /// One cell as it stands, without its quotes.
  struct Cell {
    var bytes: [UInt8]
    var isQuoted: Bool
  }

  private(set) var rows: [[Cell]] = []
  /// How many quotes did not fit.
  private(set) var brokenQuotes = 0

  /// The commonest number of cells, and how many records have it; of two, the greater number.
  private(set) var cellCount = 0
  private(set) var matchingRows = 0

  init(_ sample: CSVSample, in dialect: CSVDialect) {
    let parser = CSVRecordParser(syntax: CSVSyntax(dialect), recordByteCount: 1 << 30, fieldByteCount: 1 << 29 - 1)
    let range = sample.range
    unsafe sample.bytes.withUnsafeBufferPointer { buffer in
      guard let bytes = buffer.baseAddress else { return }
      var position = range.lowerBound
      var record = ParsedRecord()
      while position < range.upperBound, rows.count < CSVSample.recordLimit, brokenQuotes < 100 {
        let end = range.upperBound
        let lineEnd = unsafe firstLineEnd(bytes, from: position, to: end)
        let nextLine = unsafe lineEnd + (lineEndLength(bytes, at: lineEnd, end: end, isEnd: true) ?? 0)
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
        rows.append(
          record.fields.map { field in
            let cell = unsafe UnsafeBufferPointer(start: bytes + Int(field.text.offset), count: field.count)
            return unsafe Cell(bytes: Array(cell), isQuoted: field.isQuoted)
          }
        )
        position = record.end
      }
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

  private func isClean(_ cell: [UInt8], delimiter: UInt8, others: [UInt8], isFirst: Bool) -> Bool {
    // A comma, a space and a word is how people write sentences.
    if delimiter == 0x2C, !isFirst, cell.count > 1, cell[0] == 0x20, CSVCellKind(Array(cell[1...])) == .text {
      return false
    }
    return CSVCellKind(cell) == .number || !cell.contains { others.contains($0) }
  }
}
