import Diagnostics
import EntityModel
import Records

/// Rows that say what the header says, and that a reader would take for the header of a second table.
///
/// A reader takes only those for it that are spelled like the header, so these have quotes around their cells.
extension CSVWriter {
  /// The position of the next such row; that of the end if there is none.
  func repeatedHeader(in rows: borrowing ValueBatch, from start: Int, text: borrowing TextBuffer) -> Int {
    guard let first = header.first else { return rows.rows.count }
    var spelling = TextBuffer()
    for index in start..<rows.rows.count {
      let value = rows.values[Int(rows.rows[index].valueStart)]
      if case .text(let slice) = value {
        guard Int(slice.count) == first.count else { continue }
      } else if columns[0].type == .text || value == .null || value == .absent {
        continue
      }
      if repeatsHeader(rows.rows[index], of: rows, text: text, &spelling) { return index }
    }
    return rows.rows.count
  }

  /// Whether the cells are those of the header, of which some may be missing at the end, as `CSVHeaderRepeat` has it.
  private func repeatsHeader(
    _ row: ValueBatch.Row,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    _ spelling: inout TextBuffer
  ) -> Bool {
    var equal = 0
    for (column, name) in header.enumerated() {
      let value = rows.values[Int(row.valueStart) + column]
      if value == .null || value == .absent {
        guard 2 * equal > header.count else { return false }
        continue
      }
      spelling.truncate(to: 0)
      ValueSpelling.append(value, as: columns[column].type, from: text, to: &spelling)
      guard spelling.count == name.count else { return false }
      for index in name.indices where spelling.bytes[index] != name[index] { return false }
      equal += 1
    }
    return equal > 1 && 2 * equal > header.count
  }

  /// Appends such a row.
  ///
  /// - Throws: `WriteError.cannotHold` where the header's own cells have quotes, or none can have any.
  mutating func appendQuoted(
    _ row: ValueBatch.Row,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    to output: inout TextBuffer
  ) throws(WriteError) {
    rowCount += 1
    var spelling = TextBuffer()
    var isSpelledAlike = true
    for column in columns.indices {
      if column > 0 { output.append(quoting.syntax.delimiter.span) }
      let value = rows.values[Int(row.valueStart) + column]
      if value == .null || value == .absent { continue }
      spelling.truncate(to: 0)
      ValueSpelling.append(value, as: columns[column].type, from: text, to: &spelling)
      if !quoting.needsQuotes(spelling.bytes, isFirst: column == 0, isAtStart: false) { isSpelledAlike = false }
      quoting.appendQuoted(spelling.bytes, to: &output)
    }
    guard !isSpelledAlike, !quoting.syntax.quote.isEmpty else {
      throw .cannotHold("row \(rowCount) says what the header says; write it without one (--header no)")
    }
    output.append(0x0A)
  }
}
