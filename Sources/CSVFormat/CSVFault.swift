import Diagnostics
import Records

/// A fault of a record, as offsets; it becomes a `Diagnostic` once its batch is complete.
struct FoundFault {
  enum Kind {
    case missingCells(count: Int)
    case extraCells(count: Int, first: Range<Int>)
    case unterminatedQuote(opening: Int)
    case textAfterQuote(text: Range<Int>, column: Int)
    case recordTooLong
    case fieldTooLong(column: Int, cell: Range<Int>)
  }

  /// The record's position in the batch.
  var record: Int
  var kind: Kind
  /// Whether it was mended, so that it only needs to be told.
  var isRepaired: Bool
}

/// Words faults as diagnostics.
struct CSVFaultReport {
  let columns: [String]
  let delimiter: String
  let hasHeader: Bool
  let limits: ReadLimits

  /// Words a fault of a record in `batch`, whose text still holds the record.
  func diagnostic(for fault: FoundFault, in batch: borrowing RecordBatch) -> Diagnostic {
    let whole = batch.location(of: fault.record)
    let wanted = hasHeader ? " where the header has \(columns.count)" : ", expected \(columns.count)"
    var diagnostic: Diagnostic
    switch fault.kind {
    case .missingCells(let count):
      let name = columns[count]
      diagnostic = Diagnostic(
        code: .missingCell,
        location: whole,
        field: name,
        expected: cells(columns.count),
        message: "the record has \(cells(count))\(wanted); the first one missing is '\(excerpt(of: name))'",
        remedy: "add what is missing (a delimiter is enough for NULL), or fill such records up with --bad-rows repair"
      )
    case .extraCells(let count, let first):
      let value = excerpt(of: batch.text.bytes.extracting(first))
      diagnostic = Diagnostic(
        code: .extraCell,
        location: batch.location(atOffset: first.lowerBound, byteCount: first.count, in: fault.record),
        value: value,
        expected: cells(columns.count),
        message: "the record has \(cells(count))\(wanted); '\(value)' is the first one too many",
        remedy: "quote a cell that holds the delimiter '\(excerpt(of: delimiter))', or cut such records with "
          + "--bad-rows repair"
      )
    case .unterminatedQuote(let opening):
      let end = Int(batch.records[fault.record].raw.offset + batch.records[fault.record].raw.count)
      let value = excerpt(of: batch.text.bytes.extracting(opening..<max(opening, end)))
      diagnostic = Diagnostic(
        code: .unterminatedQuote,
        location: batch.location(atOffset: opening, byteCount: max(0, end - opening), in: fault.record),
        value: value,
        expected: "a closing quote before the next delimiter or line end",
        message: "the quote that opens '\(value)' is not closed",
        remedy:
          "close it, or take it away; --bad-rows repair reads such quotes as text, --quote none reads all of them so"
      )
    case .textAfterQuote(let text, let column):
      let value = excerpt(of: batch.text.bytes.extracting(text))
      diagnostic = Diagnostic(
        code: .textAfterQuote,
        location: batch.location(atOffset: text.lowerBound, byteCount: text.count, in: fault.record),
        field: column < columns.count ? columns[column] : nil,
        value: value,
        expected: "'\(excerpt(of: delimiter))' or a line end",
        message: "'\(value)' stands after the closing quote of a cell, where a delimiter or a line end is expected",
        remedy: "double the quotes within the cell, or read them as text with --bad-rows repair"
      )
    case .recordTooLong:
      diagnostic = Diagnostic(
        code: .recordTooLong,
        location: whole,
        expected: "a line end within \(limits.recordByteCount) bytes",
        message: "the record is longer than the limit of \(limits.recordByteCount) bytes; only so many are kept of it",
        remedy: "check for a missing line end or quote, or raise the limit with --max-record-size"
      )
    case .fieldTooLong(let column, let cell):
      diagnostic = Diagnostic(
        code: .fieldTooLong,
        location: batch.location(atOffset: cell.lowerBound, byteCount: cell.count, in: fault.record),
        field: column < columns.count ? columns[column] : nil,
        value: excerpt(of: batch.text.bytes.extracting(cell)),
        expected: "at most \(limits.fieldByteCount) bytes",
        message: "the cell has \(cell.count) bytes; the limit is \(limits.fieldByteCount)",
        remedy: "shorten it, or raise the limit with --max-field-size"
      )
    }
    if fault.isRepaired {
      diagnostic.severity = .warning
      diagnostic.message += repair(of: fault.kind)
    }
    return diagnostic
  }

  private func repair(of kind: FoundFault.Kind) -> String {
    switch kind {
    case .missingCells: "; repaired: what is missing is NULL"
    case .extraCells: "; repaired: what is too many is cut off"
    case .unterminatedQuote: "; repaired: the rest of the line is read without quotes"
    case .textAfterQuote: "; repaired: the cell is read as it stands, quotes included"
    case .recordTooLong, .fieldTooLong: ""
    }
  }

  private func cells(_ count: Int) -> String { count == 1 ? "1 cell" : "\(count) cells" }
}
