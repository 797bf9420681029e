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
    /// A quote that opens a cell was taken for text.
    case quoteAsText(Range<Int>, column: Int)
    /// Quotes within a quoted cell were taken for text.
    case quoteWithinCell(Range<Int>, column: Int)
    /// Another delimiter than the file's parts the cells.
    case otherDelimiter(String)
    /// The record says what the header says; `ends` tells that the table ends with it.
    case repeatedHeader(ends: Bool)
    /// The record stands behind the header of another table, which is on that line.
    case secondTable(line: Int)
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
        message: "the record is longer than the limit of \(limits.recordByteCount) bytes",
        remedy: "check for a missing line end or quote, or raise the limit with --max-record-size"
      )
    case .quoteAsText(let cell, let column):
      let value = excerpt(of: batch.text.bytes.extracting(cell))
      diagnostic = Diagnostic(
        code: .unterminatedQuote,
        location: batch.location(atOffset: cell.lowerBound, byteCount: cell.count, in: fault.record),
        field: column < columns.count ? columns[column] : nil,
        value: value,
        expected: "a closing quote before the next delimiter or line end",
        message: "the quote that opens '\(value)' does not fit",
        remedy: "close it, or take it away"
      )
    case .quoteWithinCell(let cell, let column):
      let value = excerpt(of: batch.text.bytes.extracting(cell))
      diagnostic = Diagnostic(
        code: .textAfterQuote,
        location: batch.location(atOffset: cell.lowerBound, byteCount: cell.count, in: fault.record),
        field: column < columns.count ? columns[column] : nil,
        value: value,
        expected: "doubled quotes",
        message: "the cell '\(value)' holds quotes that are not doubled",
        remedy: "double the quotes within the cell"
      )
    case .otherDelimiter(let other):
      diagnostic = Diagnostic(
        code: .missingCell,
        location: whole,
        expected: cells(columns.count),
        message: "the line has \(cells(columns.count)) only if \(delimiterName(other)) parts them",
        remedy: "write '\(excerpt(of: delimiter))' between the cells"
      )
    case .repeatedHeader(let ends):
      diagnostic = Diagnostic(
        code: .repeatedHeader,
        location: whole,
        expected: "a record",
        message: ends ? "a second table begins here: its header is that of the first" : "the header stands here again",
        remedy: ends
          ? "load the second table by itself, from a file that begins with this line" : "take the line away"
      )
    case .secondTable(let line):
      diagnostic = Diagnostic(
        code: .secondTable,
        location: whole,
        message: "the record belongs to the second table, which begins on line \(line)",
        remedy: "load the second table by itself, from a file that begins with that line"
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
      if let remedy = remedy(forRepaired: fault.kind) { diagnostic.remedy = remedy }
    }
    return diagnostic
  }

  private func repair(of kind: FoundFault.Kind) -> String {
    switch kind {
    case .missingCells: "; repaired: what is missing is NULL"
    case .extraCells: "; repaired: what is too many is cut off"
    case .unterminatedQuote: "; repaired: the rest of the line is read without quotes"
    case .textAfterQuote: "; repaired: the cell is read as it stands, quotes included"
    case .quoteAsText: "; repaired: it is read as text"
    case .quoteWithinCell: "; repaired: they are read as text"
    case .otherDelimiter: "; repaired: it is read so"
    case .recordTooLong, .fieldTooLong, .repeatedHeader, .secondTable: ""
    }
  }

  /// What to do about a record that was repaired; nil where the remedy for a rejected one says nothing of repairs.
  private func remedy(forRepaired kind: FoundFault.Kind) -> String? {
    switch kind {
    case .missingCells: "add what is missing; a delimiter is enough for NULL"
    case .extraCells: "quote a cell that holds the delimiter '\(excerpt(of: delimiter))'"
    case .unterminatedQuote: "close it, or take it away"
    case .textAfterQuote: "double the quotes within the cell"
    case .quoteAsText, .quoteWithinCell, .otherDelimiter, .recordTooLong, .fieldTooLong, .repeatedHeader, .secondTable:
      nil
    }
  }

  private func delimiterName(_ text: String) -> String {
    switch text {
    case "\t": "a tab"
    case " ": "a space"
    default: "'\(excerpt(of: text))'"
    }
  }

  private func cells(_ count: Int) -> String { count == 1 ? "1 cell" : "\(count) cells" }
}
