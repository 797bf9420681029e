import Diagnostics
import Records

/// Finds records in a run of bytes and fills the tables of a batch.
///
/// ```text
/// # comment              between records: skipped
/// %rec: Note             between records: kept for the framing
///                        blank
/// title: Lista       ┐   field
/// body: riga uno     │   field
/// + riga due         │   continuation; value "riga uno\nriga due", rewritten behind the input
/// # comment          │   within the record's bytes, no part of a value
/// keywords: casa     ┘   field
///                        blank: the record is complete
/// ```
struct BlockParser: ~Copyable, Sendable {
  let file: String
  let limits: ReadLimits
  var kinds = RecordKinds()
  /// The line of the next byte, from 1.
  var line = 1
  /// How many records were found.
  var ordinal: Int64 = 0
  /// Values over several lines, to be put behind the input.
  var rewritten = TextBuffer()
  /// Where rewritten values will begin: behind all of the input's bytes and a byte more, since an empty value at their
  /// very end must not look like a rewritten one.
  private(set) var rewrittenOffset = 0
  /// The longest field, in bytes.
  let fieldLimit: Int
  /// Whether a line that continues something continues a descriptor.
  private(set) var isAfterDescriptor = false
  /// Whether a descriptor is too long to be read.
  private(set) var isDescriptorTooLong = false
  /// What passes over the rest of a record that is too long; `parse` has ended within it.
  var skipper: BlockSkipper?

  // Of the record being read.
  var shape = 0
  var expected = 0
  var fieldStart = 0
  var badLineCount = 0
  var value: OpenValue?

  /// A batch ends early past so many fields or faults, since hostile input can make many of few bytes.
  private static let batchFieldLimit = 1 << 18
  private static let batchFaultLimit = 1000
  /// How many unreadable lines of one record are told singly.
  static let badLineLimit = 100

  init(file: String, limits: ReadLimits) {
    self.file = file
    self.limits = limits
    fieldLimit = min(limits.fieldByteCount, RecordKinds.fieldByteCount)
  }

  /// Reads as many complete records as there are.
  ///
  /// - Parameters:
  ///   - text: Readable for `LineScan.slack` bytes past `count`.
  ///   - start: Where to begin, between two records.
  ///   - isFinal: Whether the input ends with these bytes.
  ///   - batch: Gets records, fields, repeats, rewrites and faults; its `byteOffset` is that of `text`.
  /// - Returns: How far the bytes are used up.
  mutating func parse(
    _ text: UnsafePointer<UInt8>,
    from start: Int,
    to count: Int,
    isFinal: Bool,
    into batch: inout RecordBatch
  ) -> Int {
    var position = start
    rewrittenOffset = count + 1
    while position < count, skipper == nil, batch.fields.count < Self.batchFieldLimit,
      batch.faults.count < Self.batchFaultLimit
    {
      let next =
        switch unsafe text[position] {
        case UInt8(ascii: "#"), UInt8(ascii: "%"), UInt8(ascii: "+"), 0x20, 0x09, 0x0A, 0x0D:
          unsafe passLine(text, from: position, to: count, isFinal: isFinal, into: &batch)
        default: unsafe parseRecord(text, from: position, to: count, isFinal: isFinal, into: &batch)
        }
      guard let next else { break }
      position = next
    }
    if isFinal, position == count, skipper == nil { kinds.endDescriptorBlock() }
    return position
  }

  /// Passes one line between records, or begins a record with it.
  private mutating func passLine(
    _ text: UnsafePointer<UInt8>,
    from start: Int,
    to count: Int,
    isFinal: Bool,
    into batch: inout RecordBatch
  ) -> Int? {
    let limit = max(limits.recordByteCount, 1)
    let blankEnd = unsafe LineScan.afterBlanks(in: text, from: start, to: count)
    // So many blanks are passed over; at least one is left, which still tells what kind of line it is.
    if blankEnd - start > limit { return start + limit }
    let end = unsafe LineScan.lineEnd(in: text, from: start, to: count)
    let lineEnd = unsafe endOfLine(text, at: end, to: count, isFinal: isFinal)
    guard lineEnd != nil || end - start > limit else { return nil }
    let content = unsafe UnsafeBufferPointer(start: text + start, count: min(end - start, limit + 1))
    let first = unsafe text[start]
    let isDescriptor =
      unsafe first == UInt8(ascii: "%")
      ? !Self.isEmptyRecord(content.span)
      : isAfterDescriptor && (first == UInt8(ascii: "+") || LineScan.isBlank(first)) && blankEnd < end
    guard let next = lineEnd else {
      if isDescriptor {
        isDescriptorTooLong = true
        return nil
      }
      guard first == UInt8(ascii: "#") else {
        return unsafe parseRecord(text, from: start, to: count, isFinal: isFinal, into: &batch)
      }
      skipper = BlockSkipper(to: .nextLine)
      return start + 1
    }
    if blankEnd == end {
      if isAfterDescriptor { kinds.endDescriptorBlock() }
      isAfterDescriptor = false
    } else if isDescriptor {
      unsafe kinds.descriptor(
        UnsafeBufferPointer(start: text + start, count: next - start).span,
        isContinuation: first != UInt8(ascii: "%"),
        number: line
      )
      isAfterDescriptor = true
    } else if first != UInt8(ascii: "#") {
      return unsafe parseRecord(text, from: start, to: count, isFinal: isFinal, into: &batch)
    }
    line += 1
    return next
  }

  /// Reads the record that begins at `start`.
  ///
  /// - Returns: The offset after its last line; nil, with everything as before, when its end is not in sight.
  private mutating func parseRecord(
    _ text: UnsafePointer<UInt8>,
    from start: Int,
    to count: Int,
    isFinal: Bool,
    into batch: inout RecordBatch
  ) -> Int? {
    let before = Marks(of: batch, line: line, rewrittenCount: rewritten.count)
    shape = kinds.kindOfNextRecord()
    let columnCount = kinds.tables[shape].count
    expected = 0
    fieldStart = batch.fields.count
    badLineCount = 0
    value = nil
    let limit = limits.recordByteCount
    var position = start
    // How far the record goes at least.
    var seen = count
    var isComplete = true
    while position < count {
      var next: Int?
      if let valueStart = unsafe kinds.tables[shape].matches(expected, in: text, from: position, to: count) {
        next = unsafe parseValue(text, of: expected, from: valueStart, to: count, isFinal: isFinal, into: &batch)
      } else {
        let first = unsafe text[position]
        if LineScan.isLineEnd(first) { break }
        var isInSight = true
        if LineScan.isBlank(first) {
          let content = unsafe LineScan.afterBlanks(in: text, from: position, to: count)
          // So many blanks part records, whatever follows them.
          if content - position > limit, position - start <= limit { break }
          isInSight = content < count || isFinal
          if isInSight, content == count || LineScan.isLineEnd(unsafe text[content]) { break }
          if !isInSight { seen = position }
        }
        if isInSight {
          next = unsafe parseOtherLine(text, from: position, to: count, isFinal: isFinal, start: start, into: &batch)
        }
      }
      guard let next else {
        isComplete = false
        break
      }
      position = next
      line += 1
    }
    isComplete = isComplete && (position < count || isFinal)
    if isComplete { seen = position }
    guard isComplete, seen - start <= limit else {
      before.restore(&batch, line: &line, rewritten: &rewritten)
      // How much of the record was seen, and so how many keys, depends on the size of the chunks.
      kinds.removeColumns(from: columnCount, of: shape)
      guard seen - start > limit else { return nil }
      unsafe appendTooLong(text, at: start, into: &batch)
      return start + limit
    }
    isAfterDescriptor = false
    finish(start..<position, line: before.line, into: &batch)
    return position
  }

  private mutating func finish(_ raw: Range<Int>, line firstLine: Int, into batch: inout RecordBatch) {
    ordinal += 1
    if badLineCount > Self.badLineLimit {
      let location = SourceLocation(
        file: file,
        record: ordinal,
        line: firstLine,
        byteOffset: batch.byteOffset + Int64(raw.lowerBound),
        byteCount: raw.count
      )
      batch.faults.append(
        RecordFault(
          record: batch.records.count,
          diagnostic: .moreUnreadableLines(badLineCount - Self.badLineLimit, at: location)
        )
      )
    }
    batch.records.append(
      RecordHeader(
        ordinal: ordinal,
        line: firstLine,
        raw: TextSlice(raw),
        fieldStart: UInt32(truncatingIfNeeded: fieldStart),
        fieldCount: UInt32(truncatingIfNeeded: batch.fields.count - fieldStart),
        kind: UInt16(truncatingIfNeeded: shape)
      )
    )
  }

  /// Adds a record of which only the beginning is held; the reader hands on the rest.
  private mutating func appendTooLong(_ text: UnsafePointer<UInt8>, at start: Int, into batch: inout RecordBatch) {
    let kind = kinds.kindOfNextRecord()
    ordinal += 1
    isAfterDescriptor = false
    let limit = limits.recordByteCount
    let location = SourceLocation(
      file: file,
      record: ordinal,
      line: line,
      byteOffset: batch.byteOffset + Int64(start),
      byteCount: limit
    )
    batch.faults.append(
      RecordFault(record: batch.records.count, diagnostic: .recordTooLong(limit: limit, at: location))
    )
    batch.records.append(
      RecordHeader(
        ordinal: ordinal,
        line: line,
        raw: TextSlice(start..<start + limit),
        fieldStart: UInt32(truncatingIfNeeded: batch.fields.count),
        fieldCount: 0,
        kind: UInt16(truncatingIfNeeded: kind),
        isUnreadable: true
      )
    )
    var skipper = BlockSkipper(to: .blankLine)
    _ = unsafe skipper.skip(text, from: start, to: start + limit)
    self.skipper = skipper
  }
}

/// The state of a batch before a record, to go back to when the record's end is not in sight.
private struct Marks {
  let line: Int
  private let fields: Int
  private let repeats: Int
  private let rewrites: Int
  private let faults: Int
  private let rewrittenCount: Int

  init(of batch: borrowing RecordBatch, line: Int, rewrittenCount: Int) {
    self.line = line
    self.rewrittenCount = rewrittenCount
    fields = batch.fields.count
    repeats = batch.repeats.count
    rewrites = batch.rewrites.count
    faults = batch.faults.count
  }

  func restore(_ batch: inout RecordBatch, line: inout Int, rewritten: inout TextBuffer) {
    line = self.line
    batch.fields.removeLast(batch.fields.count - fields)
    batch.repeats.removeLast(batch.repeats.count - repeats)
    batch.rewrites.removeLast(batch.rewrites.count - rewrites)
    batch.faults.removeLast(batch.faults.count - faults)
    rewritten.truncate(to: rewrittenCount)
  }
}
