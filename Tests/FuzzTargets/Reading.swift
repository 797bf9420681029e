package import Diagnostics
package import Records

/// All that reading one input gave, as a flat value without batches: what must not depend on how the bytes came in.
package struct Reading: Sendable, Hashable {
  /// One field of a record.
  package struct Cell: Sendable, Hashable {
    /// Its value.
    package var bytes: [UInt8]
    /// See `Field`.
    package var isQuoted, isBase64, isAbsent: Bool
    /// Where it stands in the input; -1 for an absent one.
    package var offset: Int64

    /// Whether it is NULL.
    package var isNull: Bool { isAbsent || (bytes.isEmpty && !isQuoted) }
  }

  /// One record.
  package struct Record: Sendable, Hashable {
    /// See `RecordHeader`.
    package var ordinal, parent: Int64
    /// See `RecordHeader`.
    package var line, column, kind: Int
    /// Where it stands in the input.
    package var offset: Int64
    /// Its untouched bytes.
    package var raw: [UInt8]
    /// Its fields; absent ones at the end are left out.
    package var cells: [Cell]
    /// Further values, each with its column.
    package var repeats: [Repeat]
    /// See `RecordHeader`.
    package var isUnreadable: Bool
    /// What is wrong with it.
    package var faults: [Diagnostic]

    /// The offset behind its last byte.
    package var end: Int64 { offset + Int64(raw.count) }
  }

  /// A further value of a column.
  package struct Repeat: Sendable, Hashable {
    /// The column's position in its shape.
    package var column: Int
    /// The value.
    package var cell: Cell
  }

  /// The records, in the order in which they were handed out.
  package var records: [Record] = []
  /// Remarks on the whole input.
  package var notes: [Diagnostic] = []
  /// The shapes at the end.
  package var shapes: [RecordShape] = []
  /// The framing at the end.
  package var framing = RejectFraming()
  /// Why reading stopped early, if it did.
  package var failure: ReadError?

  /// Reads an input to its end.
  ///
  /// Generic, since the optimizer of Swift 6.3 copies a consumed existential, which stops the process.
  package init<Reader: RecordReader & ~Copyable>(_ reader: consuming Reader) {
    var reader = reader
    var batch = RecordBatch()
    do throws(ReadError) {
      try reader.open()
      while try reader.fill(&batch) { append(batch) }
      append(batch)
    } catch {
      failure = error
    }
    shapes = reader.shapes
    framing = reader.framing
  }

  private mutating func append(_ batch: borrowing RecordBatch) {
    // More of a record that is too long to be held.
    if batch.continuedByteCount > 0, !records.isEmpty {
      records[records.count - 1].raw += copy(batch.text.bytes.extracting(0..<batch.continuedByteCount))
    }
    var nextFault = 0
    var nextRepeat = 0
    for index in 0..<batch.count {
      let header = batch.records[index]
      var record = Record(
        ordinal: header.ordinal,
        parent: header.parent,
        line: header.line,
        column: Int(header.column),
        kind: Int(header.kind),
        offset: batch.byteOffset + Int64(header.raw.offset),
        raw: copy(batch.raw(index)),
        cells: (0..<Int(header.fieldCount)).map { cell(batch.field($0, of: index), in: batch) },
        repeats: [],
        isUnreadable: header.isUnreadable,
        faults: []
      )
      while record.cells.last?.isAbsent == true { record.cells.removeLast() }
      while nextRepeat < batch.repeats.count, batch.repeats[nextRepeat].record == index {
        let further = batch.repeats[nextRepeat]
        record.repeats.append(Repeat(column: further.column, cell: cell(further.field, in: batch)))
        nextRepeat += 1
      }
      while nextFault < batch.faults.count, batch.faults[nextFault].record == index {
        record.faults.append(batch.faults[nextFault].diagnostic)
        nextFault += 1
      }
      records.append(record)
    }
    notes += batch.notes
  }

  private func cell(_ field: Field, in batch: borrowing RecordBatch) -> Cell {
    guard !field.isAbsent else {
      return Cell(bytes: [], isQuoted: false, isBase64: false, isAbsent: true, offset: -1)
    }
    return Cell(
      bytes: copy(batch.text.bytes(of: field.text)),
      isQuoted: field.isQuoted,
      isBase64: field.isBase64,
      isAbsent: false,
      offset: batch.byteOffset + Int64(batch.originalOffset(of: field))
    )
  }
}

/// The bytes of a span as an array.
func copy(_ bytes: Span<UInt8>) -> [UInt8] {
  unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
}
