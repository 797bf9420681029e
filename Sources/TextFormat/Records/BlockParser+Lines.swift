import Diagnostics
import Records

/// The lines of one record.
extension BlockParser {
  /// A field that a following line may continue.
  struct OpenValue {
    /// Position in the batch's fields or, for a further value, its repeats.
    var index: Int
    var isRepeat: Bool
    var column: Int
    var line: Int
    var offset: Int
    var count: Int
    /// The line end after the last line of the value.
    var lineEnd: Range<Int>
    /// Where the value begins in `rewritten`, once it has a second line.
    var rewrittenStart: Int?
    /// The blanks that begin its indented lines, once there is one.
    var indentation: Range<Int>?
  }

  /// Takes a field's value, which begins after its colon.
  @inline(__always)
  mutating func parseValue(
    _ text: UnsafePointer<UInt8>,
    of column: Int,
    from afterColon: Int,
    to count: Int,
    isFinal: Bool,
    into batch: inout RecordBatch
  ) -> Int? {
    let end = unsafe LineScan.lineEnd(in: text, from: afterColon, to: count)
    guard let next = unsafe endOfLine(text, at: end, to: count, isFinal: isFinal) else { return nil }
    let start = unsafe afterColon < end && LineScan.isBlank(text[afterColon]) ? afterColon &+ 1 : afterColon
    let byteCount = end &- start
    let field = Self.field(start, count: byteCount)
    expected = column &+ 1
    let index = fieldStart &+ column
    var isRepeat = false
    if index == batch.fields.count {
      batch.fields.append(field)
    } else if index > batch.fields.count {
      while batch.fields.count < index { batch.fields.append(.absent) }
      batch.fields.append(field)
    } else if batch.fields[index].isAbsent {
      batch.fields[index] = field
    } else {
      batch.repeats.append(RepeatedField(record: batch.records.count, column: column, field: field))
      isRepeat = true
    }
    value = OpenValue(
      index: isRepeat ? batch.repeats.count &- 1 : index,
      isRepeat: isRepeat,
      column: column,
      line: line,
      offset: start,
      count: byteCount,
      lineEnd: end..<next
    )
    if byteCount > fieldLimit { noteTooLong(column, line: line, offset: start, count: byteCount, in: &batch) }
    return next
  }

  /// Takes a line that is not the expected field: another field, a continuation, a comment, or none of these.
  mutating func parseOtherLine(
    _ text: UnsafePointer<UInt8>,
    from lineOffset: Int,
    to count: Int,
    isFinal: Bool,
    start: Int,
    into batch: inout RecordBatch
  ) -> Int? {
    let end = unsafe LineScan.lineEnd(in: text, from: lineOffset, to: count)
    guard let next = unsafe endOfLine(text, at: end, to: count, isFinal: isFinal) else { return nil }
    let content = unsafe UnsafeBufferPointer(start: text + lineOffset, count: end - lineOffset)
    func unreadable(_ reason: UnreadableLine) {
      badLineCount += 1
      value = nil
      guard badLineCount <= Self.badLineLimit else { return }
      let place = location(of: lineOffset..<end, in: batch)
      note(unsafe .unreadableLine(content.span, because: reason, at: place), in: &batch)
    }
    switch unsafe text[lineOffset] {
    case UInt8(ascii: "#"): break
    case UInt8(ascii: "%"):
      if lineOffset != start || !(unsafe Self.isEmptyRecord(content.span)) { unreadable(.descriptorInRecord) }
    case UInt8(ascii: "+"):
      guard value != nil else {
        unreadable(.nothingToContinue)
        break
      }
      let hasSpace = unsafe lineOffset + 1 < end && text[lineOffset + 1] == 0x20
      unsafe continueValue(text, with: (lineOffset + (hasSpace ? 2 : 1))..<end, lineEnd: end..<next, into: &batch)
    case 0x20, 0x09:
      guard value != nil else {
        unreadable(.nothingToContinue)
        break
      }
      let start = unsafe afterIndentation(text, from: lineOffset, to: end)
      unsafe continueValue(text, with: start..<end, lineEnd: end..<next, into: &batch)
    default:
      guard let colon = unsafe content.firstIndex(of: UInt8(ascii: ":")) else {
        if let value, value.count > 0, unsafe endsInBackslash(value, text) {
          unsafe continueValue(text, with: lineOffset..<end, lineEnd: end..<next, joins: true, into: &batch)
          break
        }
        unreadable(.noColon)
        break
      }
      var keyEnd = colon
      while keyEnd > 0, unsafe LineScan.isBlank(content[keyEnd - 1]) { keyEnd -= 1 }
      guard keyEnd > 0 else {
        unreadable(.noKey)
        break
      }
      let key = unsafe UnsafeBufferPointer(rebasing: content[..<keyEnd])
      guard let column = unsafe column(of: key, at: lineOffset, in: &batch) else {
        value = nil
        break
      }
      return unsafe parseValue(
        text,
        of: column,
        from: lineOffset + colon + 1,
        to: count,
        isFinal: isFinal,
        into: &batch
      )
    }
    return next
  }

  /// The column of a key, a new one if need be; nil when the key cannot be one, which is told.
  private mutating func column(
    of key: UnsafeBufferPointer<UInt8>,
    at offset: Int,
    in batch: inout RecordBatch
  ) -> Int? {
    if let known = unsafe kinds.tables[shape].column(of: key) { return known }
    let place = location(of: offset..<offset + key.count, in: batch)
    guard key.count <= RecordKinds.keyByteCount else {
      note(unsafe .keyTooLong(key.span, limit: RecordKinds.keyByteCount, at: place), in: &batch)
      return nil
    }
    let isNUL = unsafe key.contains(0)
    if unsafe isNUL || String(validating: key, as: UTF8.self) == nil {
      note(unsafe .badKey(key.span, code: isNUL ? .illegalCharacter : .encodingError, at: place), in: &batch)
      return nil
    }
    if let new = unsafe kinds.addColumn(key, to: shape, limit: limits.columnCount) { return new }
    note(unsafe .tooManyKeys(key.span, limit: limits.columnCount, at: place), in: &batch)
    return nil
  }

  /// Adds a line to the open value; from its second line on it stands behind the input.
  private mutating func continueValue(
    _ text: UnsafePointer<UInt8>,
    with content: Range<Int>,
    lineEnd: Range<Int>,
    joins: Bool = false,
    into batch: inout RecordBatch
  ) {
    guard var open = value else { return }
    func copy(_ range: Range<Int>) {
      unsafe rewritten.append(UnsafeBufferPointer(start: text + range.lowerBound, count: range.count).span)
    }
    let start: Int
    if let known = open.rewrittenStart {
      start = known
    } else {
      start = rewritten.count
      open.rewrittenStart = start
      copy(open.offset..<open.offset + open.count)
      batch.rewrites.append(
        Rewrite(
          text: UInt32(truncatingIfNeeded: rewrittenOffset + start),
          original: UInt32(truncatingIfNeeded: open.offset)
        )
      )
    }
    let countBefore = open.count
    // A backslash at a line's end takes both away.
    if joins { rewritten.truncate(to: rewritten.count - 1) } else { copy(open.lineEnd) }
    copy(content)
    open.lineEnd = lineEnd
    open.count = rewritten.count - start
    value = open
    let field = Self.field(rewrittenOffset + start, count: open.count)
    if open.isRepeat { batch.repeats[open.index].field = field } else { batch.fields[open.index] = field }
    if countBefore <= fieldLimit, open.count > fieldLimit {
      noteTooLong(open.column, line: open.line, offset: open.offset, count: open.count, in: &batch)
    }
  }

  private func endsInBackslash(_ open: OpenValue, _ text: UnsafePointer<UInt8>) -> Bool {
    guard open.rewrittenStart != nil else { return unsafe text[open.offset + open.count - 1] == UInt8(ascii: "\\") }
    return rewritten.bytes[rewritten.count - 1] == UInt8(ascii: "\\")
  }

  // MARK: Pieces

  /// The offset after the line whose content ends at `end`; nil when that is not in sight.
  @inline(__always)
  func endOfLine(_ text: UnsafePointer<UInt8>, at end: Int, to count: Int, isFinal: Bool) -> Int? {
    guard end < count else { return isFinal ? count : nil }
    return unsafe LineScan.lineStart(in: text, after: end, to: count, isFinal: isFinal)
  }

  /// Where the text of an indented line begins: behind the blanks that it shares with the value's first such line.
  private mutating func afterIndentation(_ text: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    guard let known = value?.indentation else {
      let content = unsafe LineScan.afterBlanks(in: text, from: start, to: end)
      value?.indentation = start..<content
      return content
    }
    var shared = 0
    while shared < known.count, start + shared < end,
      unsafe text[known.lowerBound + shared] == text[start + shared]
    { shared += 1 }
    return start + shared
  }

  /// Whether a line is `%null:`, which makes a record whose fields are all NULL.
  static func isEmptyRecord(_ line: Span<UInt8>) -> Bool {
    let marker: StaticString = "%null:"
    guard line.count >= marker.utf8CodeUnitCount else { return false }
    for index in line.indices {
      let expected = unsafe index < marker.utf8CodeUnitCount ? marker.utf8Start[index] : nil
      guard line[index] == expected || expected == nil && LineScan.isBlank(line[index]) else { return false }
    }
    return true
  }

  /// A slice cut to what a field can hold; a longer one has a fault anyway.
  @inline(__always)
  private static func field(_ offset: Int, count: Int) -> Field {
    Field(
      TextSlice(
        offset: UInt32(truncatingIfNeeded: offset),
        count: UInt32(truncatingIfNeeded: min(count, RecordKinds.fieldByteCount))
      ),
      isQuoted: true
    )
  }

  private func note(_ diagnostic: Diagnostic, in batch: inout RecordBatch) {
    batch.faults.append(RecordFault(record: batch.records.count, diagnostic: diagnostic))
  }

  private func noteTooLong(_ column: Int, line: Int, offset: Int, count: Int, in batch: inout RecordBatch) {
    let place = SourceLocation(
      file: file,
      record: ordinal + 1,
      line: line,
      byteOffset: batch.byteOffset + Int64(offset),
      byteCount: count
    )
    let name = excerpt(of: kinds.shapes[shape].columns[column])
    note(.fieldTooLong(field: name, limit: fieldLimit, at: place), in: &batch)
  }

  /// The place of some bytes at the beginning of the current line.
  private func location(of range: Range<Int>, in batch: borrowing RecordBatch) -> SourceLocation {
    SourceLocation(
      file: file,
      record: ordinal + 1,
      line: line,
      column: 1,
      byteOffset: batch.byteOffset + Int64(range.lowerBound),
      byteCount: range.count
    )
  }
}
