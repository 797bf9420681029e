/// Where the table begins and ends within a sample: what stands above its header and below its last record.
///
/// Only what is certain counts; all else is a record, and rejected if it does not fit.
struct CSVTableBounds {
  private let trial: CSVTrial
  private let sample: CSVSample
  private var rows: [[CSVTrial.Cell]] { trial.rows }

  init(_ trial: CSVTrial, in sample: CSVSample) {
    self.trial = trial
    self.sample = sample
  }

  /// How many lines stand above the header; nil if none do.
  ///
  /// They are rows with one cell that is not empty, at most, above a row of words, one for each column.
  var preamble: Int? {
    let width = trial.cellCount
    guard width > 1, let header = rows.prefix(50).firstIndex(where: { !isTitle($0) }), header > 0 else { return nil }
    let row = rows[header]
    guard rows.count > header + 1, row.count == width, isWords(row), Set(row.map(\.bytes)).count == width else {
      return nil
    }
    let areShort = rows[..<header].allSatisfy { $0.count < width }
    let body = rows[(header + 1)...]
    guard areShort || CSVHeaderGuess.columnOfOtherKind(row, below: body) != nil else { return nil }
    return sample.lineCount(before: trial.rowStarts[header])
  }

  /// Lines below the last record.
  struct Footer {
    var lineCount: Int
    /// How many records they say there are; nil where they say nothing of it.
    var recordCount: Int?
  }

  /// What stands below the last record; nil if nothing does.
  ///
  /// It is lines of one cell behind an empty line, or one that tells a number of records.
  var footer: Footer? {
    guard !sample.isCut, trial.cellCount > 1, trial.isComplete else { return nil }
    var first = rows.count
    while first > 0, rows[first - 1].count == 1, rows.count - first < 5 { first -= 1 }
    guard first < rows.count, first > 1, rows[first - 1].count == trial.cellCount else { return nil }
    let start = trial.rowStarts[first]
    let recordCount = first == rows.count - 1 ? statedCount(rows[first][0].bytes) : nil
    guard recordCount != nil || sample.isBehindEmptyLine(start) else { return nil }
    let lines = sample.lineCount(before: sample.range.upperBound) - sample.lineCount(before: start)
    return Footer(lineCount: lines, recordCount: recordCount)
  }

  /// How many lines the header has: more than one where the first is repeated, or would be no header by itself.
  var headerLineCount: Int {
    guard let first = rows.first, first.count == trial.cellCount, first.count > 1 else { return 1 }
    let names = first.map(\.bytes)
    let repeated = rows.dropFirst().prefix { $0.map(\.bytes) == names }.count
    if repeated > 0, repeated < 5, rows.count > repeated + 1 { return repeated + 1 }
    guard names.contains([]) || Set(names).count < names.count else { return 1 }
    for count in 2...3 where rows.count > count + 1 {
      let head = rows[..<count]
      guard
        head.allSatisfy({ row in
          row.count == first.count && row.allSatisfy { [.text, .empty].contains(CSVCellKind($0.bytes)) }
        })
      else { return 1 }
      let joined = first.indices.map { column in
        head.map { $0[column].bytes }.filter { !$0.isEmpty }.joined(separator: [0x20]).map { $0 }
      }
      let typed = CSVHeaderGuess.columnsOfOtherKind(head[count - 1], below: rows[count...])
      if !joined.contains([]), Set(joined).count == joined.count, 2 * typed.count >= first.count, typed.count > 1 {
        return count
      }
    }
    return 1
  }

  /// How many cells the records have of which the last is always empty; nil where it is not.
  ///
  /// The first row may lack the last delimiter, or be a header whose last cell is empty as well.
  var widthWithEmptyLastCell: Int? {
    guard let first = rows.first, let width = rows.dropFirst().first?.count, width > 1 else { return nil }
    func hasEmptyLast(_ row: [CSVTrial.Cell]) -> Bool {
      row.count == width && row[width - 1].bytes.isEmpty && !row[width - 1].isQuoted
    }
    guard rows.dropFirst().allSatisfy(hasEmptyLast) else { return nil }
    if hasEmptyLast(first) { return width }
    // One record with an empty cell too many is rather a slip, and a broken quote may have joined two of the header's.
    return first.count == width - 1 && rows.count > 2 && trial.brokenQuotes == 0 ? width : nil
  }

  private func isTitle(_ row: [CSVTrial.Cell]) -> Bool {
    if row.count == 1 { return true }
    return trial.cellCount > 2 && row.count { !$0.bytes.isEmpty } < 2
  }

  private func isWords(_ row: [CSVTrial.Cell]) -> Bool { row.allSatisfy { CSVCellKind($0.bytes) == .text } }

  /// The number of records that a line such as `(42 rows)` gives.
  private func statedCount(_ line: ArraySlice<UInt8>) -> Int? {
    guard line.first == 0x28, line.last == 0x29 else { return nil }
    let words = line.dropFirst().dropLast().split(separator: 0x20)
    guard words.count == 2, ["row", "rows"].contains(String(decoding: words[1], as: UTF8.self)) else { return nil }
    return Int(String(decoding: words[0], as: UTF8.self))
  }
}
