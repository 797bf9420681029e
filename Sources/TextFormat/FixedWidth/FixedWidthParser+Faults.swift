import Diagnostics
import EntityModel
import Records

/// What is told of a line.
extension FixedWidthParser {
  mutating func appendTooLong(at start: Int, into batch: inout RecordBatch) {
    let limit = limits.recordByteCount
    let place = SourceLocation(
      file: file,
      record: ordinal + 1,
      line: line,
      byteOffset: batch.byteOffset + Int64(start),
      byteCount: limit
    )
    note(.lineTooLong(limit: limit, at: place), &batch)
    ordinal += 1
    batch.records.append(
      RecordHeader(
        ordinal: ordinal,
        line: line,
        raw: TextSlice(start..<start + limit),
        fieldStart: UInt32(truncatingIfNeeded: batch.fields.count),
        fieldCount: 0,
        isUnreadable: true
      )
    )
  }

  func name(_ column: Int) -> String { Diagnostics.excerpt(of: shapes[0].columns[column]) }

  func excerpt(_ text: UnsafePointer<UInt8>, _ range: Range<Int>) -> String {
    unsafe Diagnostics.excerpt(of: UnsafeBufferPointer(start: text + range.lowerBound, count: range.count).span)
  }

  func place(_ column: Int, _ range: Range<Int>, in batch: borrowing RecordBatch) -> SourceLocation {
    SourceLocation(
      file: file,
      record: ordinal + 1,
      line: line,
      column: column,
      byteOffset: batch.byteOffset + Int64(range.lowerBound),
      byteCount: range.count
    )
  }

  func note(_ diagnostic: Diagnostic, _ batch: inout RecordBatch) {
    batch.faults.append(RecordFault(record: batch.records.count, diagnostic: diagnostic))
  }

  mutating func noteMissing(_ column: Int, _ content: Range<Int>, in batch: inout RecordBatch) {
    guard !layout.isCutShort else { return }
    let place = SourceLocation(
      file: file,
      record: ordinal + 1,
      line: line,
      byteOffset: batch.byteOffset + Int64(content.lowerBound),
      byteCount: content.count
    )
    var fault = Diagnostic.lineTooShort(name(column), first: layout.columns[column].first, at: place)
    guard layout.isRepairing else { return note(fault, &batch) }
    fault.severity = .warning
    fault.message += "; repaired: what is missing is NULL"
    batch.notes.append(fault)
  }

  mutating func noteExtra(_ value: String, _ place: SourceLocation, _ batch: inout RecordBatch) {
    var fault = Diagnostic.textBehindColumns(value, at: place)
    guard layout.isRepairing else { return note(fault, &batch) }
    fault.severity = .warning
    fault.message += "; repaired: it is cut off"
    batch.notes.append(fault)
  }
}
