import CXML
import Diagnostics
import Records

/// The fields of the record at hand, and its end.
extension RecordAssembler {
  /// How many further values of its fields a record may have, and how many faults of it are told.
  static let repeatLimit = 1 << 16
  private static let faultLimit = 1000

  mutating func note(_ fault: PendingFault) {
    if record.faults.count < Self.faultLimit { record.faults.append(fault) }
  }

  // MARK: Fields

  mutating func column(of path: UInt32, of parser: borrowing EventParser, at offset: Int64) -> Int? {
    if let column = columns.column(of: path, in: record.kind, guess: record.nextColumn) {
      record.nextColumn = column + 1
      return column
    }
    guard let column = columns.add(path, in: record.kind, paths: paths, of: parser, limit: limits.columnCount) else {
      note(.tooManyColumns(limit: limits.columnCount, at: offset))
      return nil
    }
    record.nextColumn = column + 1
    return column
  }

  mutating func add(_ field: Field, on path: UInt32, original: Int64, of parser: borrowing EventParser) {
    guard let column = column(of: path, of: parser, at: original) else { return }
    var field = field
    if field.count > limits.fieldByteCount || field.text.count >= 1 << 29 {
      note(
        .fieldTooLong(
          columns.shapes[record.kind].columns[column],
          limit: limits.fieldByteCount,
          at: original,
          byteCount: Int(field.text.count)
        )
      )
      field = .absent
    } else if record.repeats.count < Self.repeatLimit {
      record.rewrites.append((field.text.offset, original))
    }
    let count = record.fields.count
    if column == count {
      record.fields.append(field)
    } else if column < count {
      if record.fields[column].isAbsent {
        record.fields[column] = field
      } else if record.repeats.count < Self.repeatLimit {
        record.repeats.append((column, field))
      } else {
        note(.tooManyRepeats(limit: Self.repeatLimit, at: original))
      }
    } else {
      record.fields.append(contentsOf: repeatElement(.absent, count: column - count))
      record.fields.append(field)
    }
  }

  // MARK: The record's end

  mutating func close(at end: Int64, of parser: borrowing EventParser, into batch: inout RecordBatch) {
    guard outer.isEmpty else { return closeNested(at: end, of: parser) }
    record.isOpen = false
    discovery?.endRecord()
    behindLastRecord = end
    if record.kind < 0 {
      // Neither attributes nor children, and not named like the records: something beside them.
      if record.ownRunCount > 0 { surroundings.noteUnread(record.name, line: record.line, of: parser) }
      return
    }
    takeOwnText(of: parser)
    checkLength(upTo: end)
    let byteCount = Int(end - record.offset)
    if record.ordinal == 0 { takeOrdinal() }
    let position = batch.records.count
    noteFraming(of: position, in: &batch)
    let start = Int(record.offset - batch.byteOffset)
    batch.records.append(
      RecordHeader(
        ordinal: record.ordinal,
        line: record.line,
        column: UInt32(truncatingIfNeeded: record.column),
        raw: TextSlice(start..<start + byteCount),
        fieldStart: UInt32(truncatingIfNeeded: batch.fields.count),
        fieldCount: UInt32(truncatingIfNeeded: record.fields.count),
        kind: UInt16(truncatingIfNeeded: record.kind)
      )
    )
    batch.fields.append(contentsOf: record.fields)
    // The record's own text stands before that of its children.
    if record.ownRunCount > 0, record.hasChildren { record.rewrites.sort { $0.text < $1.text } }
    let base = batch.byteOffset
    for rewrite in record.rewrites {
      batch.rewrites.append(Rewrite(text: rewrite.text, original: UInt32(truncatingIfNeeded: rewrite.original - base)))
    }
    for (column, field) in record.repeats {
      batch.repeats.append(RepeatedField(record: position, column: column, field: field))
    }
    for fault in record.faults { report(fault, of: position, in: &batch) }
    emitNested(into: &batch)
  }

  mutating func takeOrdinal() {
    count += 1
    record.ordinal = count
  }

  /// Refuses the document if the record at hand is too long: what is not kept could not be rejected either.
  mutating func checkLength(upTo end: Int64) {
    guard end - outermostOffset > Int64(limits.recordByteCount), refusal == nil else { return }
    let outermost = outer.first ?? record
    refusal = .recordTooLong(
      limit: limits.recordByteCount,
      at: SourceLocation(
        file: file,
        record: outermost.ordinal > 0 ? outermost.ordinal : count + 1,
        line: outermost.line,
        column: outermost.column,
        byteOffset: outermost.offset,
        byteCount: Int(end - outermost.offset)
      )
    )
  }

  /// Tells the batch when other elements enclose the record than the one before.
  private mutating func noteFraming(of position: Int, in batch: inout RecordBatch) {
    let before = surroundings.framingTags
    guard surroundings.keepFraming(), let before, let now = surroundings.framingTags else { return }
    if position > 0, batch.framings.isEmpty { batch.framings.append((0, framing.framing(of: before))) }
    batch.framings.append((position, framing.framing(of: now)))
  }

  mutating func takeOwnText(of parser: borrowing EventParser) {
    endItems(of: parser)
    if record.ownRunCount == 0 {
      if let mark = record.base64Mark { add(mark.field, on: mark.path, original: mark.original, of: parser) }
      return
    }
    guard record.ownRunCount == 1 else {
      note(.interruptedText(at: record.offset, byteCount: record.tagByteCount))
      return
    }
    add(
      Field(
        TextSlice(record.ownText..<record.ownText + record.ownByteCount),
        isQuoted: true,
        isBase64: record.base64Mark != nil
      ),
      on: ColumnTable.ownText,
      original: record.offset + Int64(record.tagByteCount),
      of: parser
    )
  }

  func report(_ fault: PendingFault, of position: Int, in batch: inout RecordBatch) {
    let location = batch.location(
      atOffset: Int(fault.offset - batch.byteOffset),
      byteCount: fault.byteCount,
      in: position
    )
    batch.faults.append(
      RecordFault(
        record: position,
        diagnostic: Diagnostic(
          code: fault.code,
          location: location,
          field: fault.field,
          message: fault.message,
          remedy: fault.remedy
        )
      )
    )
  }
}
