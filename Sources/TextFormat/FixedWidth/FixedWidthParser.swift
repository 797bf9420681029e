import Diagnostics
import EntityModel
import Records

/// Cuts lines into columns.
struct FixedWidthParser: LineParser {
  let layout: FixedWidthLayout
  let file: String
  let limits: ReadLimits
  var shapes: [RecordShape] = []
  /// The line of the next byte, from 1.
  var line = 1
  var longLine: LongLine?
  var ordinal: Int64 = 0
  private let comment: [UInt8]
  private let fieldLimit: Int
  private var hasNotedTab = false
  /// Whether a ruler stands in the head.
  private var hasRulerInHead = false

  init(layout: FixedWidthLayout, file: String, limits: ReadLimits) {
    self.layout = layout
    self.file = file
    self.limits = limits
    comment = layout.comment.map { Array($0.utf8) } ?? []
    fieldLimit = min(limits.fieldByteCount, RecordKinds.fieldByteCount)
  }

  private var isOneColumn: Bool { layout.columns.count == 1 }

  var skippedLineCount: Int { layout.skippedLineCount }

  mutating func passLines(_ count: Int) { line += count }

  // MARK: The head

  mutating func parseHead(
    _ text: UnsafePointer<UInt8>,
    from start: Int,
    to count: Int,
    isFinal: Bool
  ) throws(ReadError) -> Int? {
    let limit = limits.recordByteCount
    var position = start
    func line(at position: Int) -> LineScan.SightedLine {
      unsafe LineScan.line(in: text, from: position, to: count, isFinal: isFinal, limit: limit)
    }
    var header = FixedWidthHeader(layout: layout, file: file)
    while header.lineCount < layout.headerLineCount {
      guard position < count else {
        guard isFinal else { return nil }
        throw .refused([.noHeaderLine(at: SourceLocation(file: file, line: self.line, byteOffset: Int64(position)))])
      }
      guard case .whole(let end, let next) = line(at: position) else { return nil }
      let content = unsafe UnsafeBufferPointer(start: text + position, count: end - position)
      if unsafe !isPassedOver(content) { unsafe header.add(content.span, line: self.line, at: position) }
      position = next
      self.line += 1
    }
    // A ruler below the header belongs to the head: it shows the columns to whom reads the rejects.
    while layout.hasRulers, position < count || !isFinal {
      let sight = line(at: position)
      if case .cut = sight { return nil }
      guard case .whole(let end, let next) = sight,
        unsafe Ruler.isRuler(UnsafeBufferPointer(start: text + position, count: end - position).span)
      else { break }
      hasRulerInHead = true
      position = next
      self.line += 1
    }
    guard layout.columns.count <= limits.columnCount else {
      throw .refused([.tooManyWidths(layout.columns.count, limit: limits.columnCount, at: SourceLocation(file: file))])
    }
    shapes = [RecordShape(columns: try header.names())]
    return position
  }

  func opening(after head: [UInt8], skippedByteCount: Int, lineEnd: [UInt8]) -> [UInt8] {
    var opening = head
    if let last = head.last, !LineScan.isLineEnd(last) { opening += lineEnd }
    if layout.isFound || layout.isCutShort, !hasRulerInHead { opening += Ruler.drawn(for: layout.columns) + lineEnd }
    return opening
  }

  /// Whether a line is no record: empty where there are several columns, a comment, or a ruler.
  @inline(__always)
  private func isPassedOver(_ content: UnsafeBufferPointer<UInt8>) -> Bool {
    if content.isEmpty { return !isOneColumn }
    if unsafe isComment(content) { return true }
    guard layout.hasRulers else { return false }
    return unsafe Ruler.isRuler(content.span)
  }

  @inline(__always)
  private func isComment(_ content: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe !comment.isEmpty && content.starts(with: comment)
  }

  // MARK: Records

  mutating func parse(
    _ text: UnsafePointer<UInt8>,
    from start: Int,
    to count: Int,
    isFinal: Bool,
    into batch: inout RecordBatch
  ) -> Int {
    var position = start
    let limit = limits.recordByteCount
    while position < count, !BatchBound.isReached(by: batch) {
      switch unsafe LineScan.line(in: text, from: position, to: count, isFinal: isFinal, limit: limit) {
      case .cut: return position
      case .tooLong:
        let beginning = unsafe UnsafeBufferPointer(start: text + position, count: limit + 1)
        longLine = unsafe isComment(beginning) ? .comment : .record
        if longLine == .record { appendTooLong(at: position, into: &batch) }
        return position + limit
      case .whole(let end, let next):
        let content = unsafe UnsafeBufferPointer(start: text + position, count: end - position)
        if unsafe !isPassedOver(content), unsafe !isShortOfPadding(content) {
          unsafe parseRecord(text, position..<end, rawEnd: next, into: &batch)
        }
        position = next
        line += 1
      }
    }
    return position
  }

  /// Whether a line is nothing but spaces that do not reach the last column.
  private func isShortOfPadding(_ content: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !isOneColumn, let last = layout.columns.last, content.count < last.first else { return false }
    return unsafe content.allSatisfy { $0 == 0x20 }
  }

  private mutating func parseRecord(
    _ text: UnsafePointer<UInt8>,
    _ content: Range<Int>,
    rawEnd: Int,
    into batch: inout RecordBatch
  ) {
    let fieldStart = batch.fields.count
    var cursor = unsafe CharacterCursor(text, content)
    var previousEnd = content.lowerBound
    for (index, column) in layout.columns.enumerated() {
      let start = unsafe cursor.offset(ofCharacter: column.first, in: text)
      if layout.isFound, let stray = unsafe strayText(text, previousEnd..<start) {
        note(
          .textInGap(
            unsafe excerpt(text, stray),
            before: name(index),
            at: place(unsafe cursor.character(at: stray.lowerBound, in: text), stray, in: batch)
          ),
          &batch
        )
      }
      guard start < content.upperBound || isOneColumn else {
        noteMissing(index, content, in: &batch)
        previousEnd = content.upperBound
        break
      }
      let end = column.last.map { unsafe cursor.offset(ofCharacter: $0 + 1, in: text) } ?? content.upperBound
      let isFull = column.last.map { cursor.reaches($0) } ?? false
      let cell = layout.dropsPadding ? unsafe trimmed(text, start..<end, isFull: isFull) : start..<end
      batch.fields.append(Field(TextSlice(cell.lowerBound..<min(cell.upperBound, cell.lowerBound + fieldLimit))))
      if cell.count > fieldLimit {
        note(
          .cellTooLong(
            name(index),
            limit: fieldLimit,
            at: place(unsafe cursor.character(at: cell.lowerBound, in: text), cell, in: batch)
          ),
          &batch
        )
      }
      previousEnd = end
    }
    if let stray = unsafe strayText(text, previousEnd..<content.upperBound) {
      noteExtra(
        unsafe excerpt(text, stray),
        place(unsafe cursor.character(at: stray.lowerBound, in: text), stray, in: batch),
        &batch
      )
    }
    if layout.dropsPadding, !hasNotedTab,
      unsafe UnsafeBufferPointer(start: text + content.lowerBound, count: content.count).contains(0x09)
    {
      hasNotedTab = true
      batch.notes.append(
        .tabCounts(
          at: SourceLocation(
            file: file,
            record: ordinal + 1,
            line: line,
            byteOffset: batch.byteOffset + Int64(content.lowerBound)
          )
        )
      )
    }
    ordinal += 1
    batch.records.append(
      RecordHeader(
        ordinal: ordinal,
        line: line,
        raw: TextSlice(content.lowerBound..<rawEnd),
        fieldStart: UInt32(truncatingIfNeeded: fieldStart),
        fieldCount: UInt32(truncatingIfNeeded: batch.fields.count - fieldStart)
      )
    )
  }
}
