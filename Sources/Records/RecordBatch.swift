package import Diagnostics

/// Where one record stands in its batch and in its input.
public struct RecordHeader: Sendable {
  /// The record's number in its input, from 1.
  public var ordinal: Int64
  /// The ordinal of the record that encloses it; -1 at the top.
  public var parent: Int64
  /// Its first line, from 1.
  public var line: Int
  /// The column of its first character on that line, from 1; more than 1 where records share a line.
  public var column: UInt32
  /// Its untouched bytes in the batch's text, line end included where it has one.
  public var raw: TextSlice
  /// Position of its first field in `RecordBatch.fields`.
  public var fieldStart: UInt32
  /// How many fields it has; fewer than its shape's columns means that the rest are absent.
  public var fieldCount: UInt32
  /// Which of the batch's shapes it has.
  public var kind: UInt16
  /// Whether its fields make no sense (an unclosed quote); such a record has a fault and is not validated.
  public var isUnreadable: Bool

  /// Makes a header; see the properties.
  @inlinable
  public init(
    ordinal: Int64,
    parent: Int64 = -1,
    line: Int,
    column: UInt32 = 1,
    raw: TextSlice,
    fieldStart: UInt32,
    fieldCount: UInt32,
    kind: UInt16 = 0,
    isUnreadable: Bool = false
  ) {
    self.ordinal = ordinal
    self.parent = parent
    self.line = line
    self.column = column
    self.raw = raw
    self.fieldStart = fieldStart
    self.fieldCount = fieldCount
    self.kind = kind
    self.isUnreadable = isUnreadable
  }
}

/// The name and columns of one kind of record.
///
/// Columns may be added as a file is read, never moved.
package struct RecordShape: Sendable, Hashable {
  /// The element or record type; empty where the format has no name for it.
  package var name: String
  /// The columns' names, in the order of a record's fields.
  package var columns: [String]
  /// The position of the shape of the records that enclose these; nil where none do, or of several shapes.
  package var parent: Int?
  /// How long the name of the object, or element, is that a column is a part of, in bytes at the beginning of the column's;
  /// none for a field, whatever dots its name has.
  package var objectLengths: [Int: Int] = [:]

  /// Makes a shape.
  package init(name: String = "", columns: [String] = [], parent: Int? = nil) {
    self.name = name
    self.columns = columns
    self.parent = parent
  }
}

/// Records that travel together: one buffer of bytes and small tables of offsets into it.
///
/// ```text
/// text    │ A-1,"5"" bolt",12\n … the input, untouched … │ 5" bolt │ … rewritten fields …
/// fields  (0,3) (n,7,quoted) (15,2)
/// records line 2, ordinal 1, raw (0,18), fields 0..<3
/// ```
package struct RecordBatch: ~Copyable, Sendable {
  /// The input's name, for messages.
  package var file: String
  /// Offset in the input of the first byte of `text`.
  package var byteOffset: Int64
  /// The input's bytes, then the rewritten fields.
  package var text: TextBuffer
  /// How many bytes at the beginning of `text` belong to the last record of the batch before, which was too long to be
  /// held and has been rejected.
  package var continuedByteCount: Int
  /// What the records' fields are called, by `RecordHeader.kind`.
  package var shapes: [RecordShape]
  /// The records, in the order of the input.
  package var records: [RecordHeader]
  /// The fields of all records.
  package var fields: [Field]
  /// Further values of columns that may hold several, in record order.
  package var repeats: [RepeatedField]
  /// Where rewritten fields came from, in ascending order of `text`.
  package var rewrites: [Rewrite]
  /// What is wrong with records, in record order.
  package var faults: [RecordFault]
  /// From which record on which framing holds, where it changes within the batch; else the reader's holds for all.
  package var framings: [(firstRecord: Int, framing: RejectFraming)]
  /// Remarks on the input as a whole that came up while reading, such as a repair.
  package var notes: [Diagnostic]
  /// What parts two records within a record, such as the comma of JSON; nil where nothing does.
  package var innerSeparator: UInt8?
  /// What the text was decoded from, once it is attached; nil where the input is UTF-8 itself.
  package internal(set) var source: SourceText?
  /// The source's bytes, here once more so that a span of them can be handed out.
  var sourceBytes: [UInt8]

  /// Makes an empty batch.
  package init(file: String = "", capacity: Int = 0) {
    self.file = file
    byteOffset = 0
    continuedByteCount = 0
    text = TextBuffer(capacity: capacity)
    shapes = []
    records = []
    fields = []
    repeats = []
    rewrites = []
    faults = []
    framings = []
    notes = []
    innerSeparator = nil
    source = nil
    sourceBytes = []
  }

  /// Forgets everything but the storage.
  package mutating func reset() {
    continuedByteCount = 0
    text.truncate(to: 0)
    records.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
    repeats.removeAll(keepingCapacity: true)
    rewrites.removeAll(keepingCapacity: true)
    faults.removeAll(keepingCapacity: true)
    framings.removeAll()
    notes.removeAll(keepingCapacity: true)
    guard source != nil else { return }
    source = nil
    sourceBytes = []
  }

  /// How many records it holds.
  package var count: Int { records.count }

  /// The framing that holds for a record, if it changes within the batch.
  package func framing(of record: Int) -> RejectFraming? {
    framings.last { $0.firstRecord <= record }?.framing
  }

  /// The field in a column of a record; absent past the record's last field.
  package func field(_ column: Int, of record: Int) -> Field {
    let header = records[record]
    return column < Int(header.fieldCount) ? fields[Int(header.fieldStart) + column] : .absent
  }

  /// The untouched bytes of a record, in the input's own encoding.
  @_lifetime(borrow self)
  package func raw(_ record: Int) -> Span<UInt8> {
    guard let source else { return text.bytes(of: records[record].raw) }
    let range = records[record].raw.range
    let start = source.position(ofText: byteOffset + Int64(range.lowerBound))
    let end = source.position(ofText: byteOffset + Int64(range.upperBound))
    return sourceBytes.span.extracting(start..<end)
  }

  /// The untouched bytes that continue the last record of the batch before; see `continuedByteCount`.
  @_lifetime(borrow self)
  package func continuedRaw() -> Span<UInt8> {
    guard let source else { return text.bytes.extracting(0..<continuedByteCount) }
    let start = source.position(ofText: byteOffset)
    let end = source.position(ofText: byteOffset + Int64(continuedByteCount))
    return sourceBytes.span.extracting(start..<end)
  }

  /// The bytes of a record as its reader saw them: UTF-8, whatever the input is in.
  @_lifetime(borrow self)
  package func rawText(_ record: Int) -> Span<UInt8> {
    text.bytes(of: records[record].raw)
  }

  /// Where the bytes of a field stood in the input: its own offset, or the original's of a rewritten one.
  package func originalOffset(of field: Field) -> Int {
    let offset = field.text.offset
    guard let first = rewrites.first, offset >= first.text else { return Int(offset) }
    // The last rewrite that starts at or before the field.
    var low = 0
    var high = rewrites.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if rewrites[middle].text <= offset { low = middle } else { high = middle }
    }
    return Int(rewrites[low].original)
  }

  /// The place of a whole record.
  package func location(of record: Int) -> SourceLocation {
    let header = records[record]
    let place = place(atOffset: Int(header.raw.offset), byteCount: Int(header.raw.count))
    return SourceLocation(
      file: file,
      record: header.ordinal,
      line: header.line,
      byteOffset: place.offset,
      byteCount: place.byteCount
    )
  }

  /// The line on which a field of a record begins, from 1; counts from the record's start.
  package func line(of field: Field, in record: Int) -> Int {
    let header = records[record]
    let bytes = text.bytes
    let end = field.isAbsent ? Int(header.raw.offset) : min(originalOffset(of: field), bytes.count)
    var line = header.line
    var position = Int(header.raw.offset)
    while position < end {
      let byte = bytes[position]
      position += 1
      if byte == 0x0A || (byte == 0x0D && !(position < bytes.count && bytes[position] == 0x0A)) { line += 1 }
    }
    return line
  }

  /// The place of a field of a record; for an absent field, that of the record.
  package func location(of field: Field, in record: Int) -> SourceLocation {
    guard !field.isAbsent else { return location(of: record) }
    return location(atOffset: originalOffset(of: field), byteCount: field.count, in: record)
  }

  /// The place of some of a record's bytes; counts lines and columns from the record's start, so only for messages.
  package func location(atOffset offset: Int, byteCount: Int, in record: Int) -> SourceLocation {
    let header = records[record]
    let start = Int(header.raw.offset)
    let bytes = text.bytes
    var line = header.line
    var column = Int(header.column)
    var position = start
    while position < min(offset, bytes.count) {
      let byte = bytes[position]
      let isCRLF = byte == 0x0D && position + 1 < bytes.count && bytes[position + 1] == 0x0A
      if (byte == 0x0A || byte == 0x0D) && !isCRLF {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
      position += 1
    }
    let place = place(atOffset: offset, byteCount: byteCount)
    return SourceLocation(
      file: file,
      record: header.ordinal,
      line: line,
      column: column,
      byteOffset: place.offset,
      byteCount: place.byteCount
    )
  }

  /// Where in the input some bytes of the text stand.
  private func place(atOffset offset: Int, byteCount: Int) -> (offset: Int64, byteCount: Int) {
    let textOffset = byteOffset + Int64(offset)
    guard let source else { return (textOffset, byteCount) }
    return source.place(ofText: textOffset, count: byteCount)
  }
}
