import Diagnostics
import Records

/// Finds the records of an outline.
struct OutlineParser: LineParser {
  /// A record that may enclose the next one.
  struct Enclosing: Sendable {
    let indentation: [UInt8]
    let ordinal: Int64
    let kind: Int
    /// Whether it is rejected, and with it what hangs below it.
    let isBroken: Bool
  }

  var layout: OutlineLayout
  let file: String
  let limits: ReadLimits
  var shapes: [RecordShape] = []
  /// The line of the next byte, from 1.
  var line = 1
  var longLine: LongLine?
  var ordinal: Int64 = 0
  var enclosing: [Enclosing] = []
  /// The columns of each shape.
  var tables: [ColumnTable] = []
  /// The keys that begin records.
  var headings = ColumnTable()
  var headingNames: [String] = []
  /// The indentation of one level: that of the first indented line, or told in the file.
  var unit: [UInt8] = []
  /// Whether the file holds parts of an outline, which hang below nothing.
  var isOfParts = false
  /// Whether the file itself has told its kinds, so that no others count.
  var tellsKinds = false
  var rewritten: [UInt8] = []
  let comment: [UInt8]
  let fieldLimit: Int

  init(layout: OutlineLayout, file: String, limits: ReadLimits) {
    self.layout = layout
    self.file = file
    self.limits = limits
    comment = layout.comment.map { Array($0.utf8) } ?? []
    fieldLimit = min(limits.fieldByteCount, RecordKinds.fieldByteCount)
    for kind in layout.kinds.sorted() { addHeading(kind) }
  }

  /// Takes a key for one that begins records.
  mutating func addHeading(_ name: String) {
    let key = Array(name.utf8)
    unsafe key.withUnsafeBufferPointer { key in
      guard unsafe headings.column(of: key) == nil else { return }
      unsafe headings.append(key)
      headingNames.append(name)
    }
  }

  /// Lets none count but those that the file is about to tell.
  mutating func forgetUntoldHeadings() {
    guard !tellsKinds else { return }
    tellsKinds = true
    headings = ColumnTable()
    headingNames = []
  }

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
    var isInHead = false
    func line(at position: Int) -> LineScan.SightedLine {
      unsafe LineScan.line(in: text, from: position, to: count, isFinal: isFinal, limit: limit)
    }
    while position < count || !isFinal {
      let sight = line(at: position)
      if case .cut = sight { return nil }
      guard case .whole(let end, let next) = sight else { break }
      let content = unsafe Array(UnsafeBufferPointer(start: text + position, count: end - position))
      guard let directive = OutlineDirective(content), isInHead || directive.beginsHead else { break }
      directive.apply(to: &self)
      isInHead = true
      position = next
      self.line += 1
      if directive.endsHead { break }
    }
    return position
  }

  func opening(after head: [UInt8], skippedByteCount: Int, lineEnd: [UInt8]) -> [UInt8] {
    head.prefix(skippedByteCount) + OutlineDirective.lines(for: self).flatMap { Array($0.utf8) + lineEnd }
  }

  func separator(lineEnd: [UInt8]) -> [UInt8] { lineEnd + OutlineDirective.partEnd + lineEnd }

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
      guard let first = unsafe OutlineLine(text, position, to: count, isFinal: isFinal, limit: limit) else { break }
      let content = position..<first.content.upperBound
      if first.isTooLong {
        longLine = unsafe isComment(text, content) ? .comment : .record
        if longLine == .record { unsafe appendTooLong(first, in: text, into: &batch) }
        return first.next
      }
      let partsRecords = isOfParts && (unsafe takesPartEnd(text, content))
      if partsRecords || (unsafe isPassedOver(text, content)) {
        position = first.next
        line += 1
        continue
      }
      let state = (line, ordinal, enclosing, shapes, tables, unit, headings, headingNames)
      let counts = (batch.fields.count, batch.faults.count, batch.repeats.count, batch.records.count)
      let rewrites = (batch.rewrites.count, rewritten.count)
      guard let after = unsafe parseRecord(text, first, to: count, isFinal: isFinal, into: &batch) else {
        (line, ordinal, enclosing, shapes, tables, unit, headings, headingNames) = state
        batch.fields.removeLast(batch.fields.count - counts.0)
        batch.faults.removeLast(batch.faults.count - counts.1)
        batch.repeats.removeLast(batch.repeats.count - counts.2)
        batch.records.removeLast(batch.records.count - counts.3)
        batch.rewrites.removeLast(batch.rewrites.count - rewrites.0)
        rewritten.removeLast(rewritten.count - rewrites.1)
        break
      }
      position = after
    }
    return position
  }

  /// Whether a line is blank or a comment.
  func isPassedOver(_ text: UnsafePointer<UInt8>, _ content: Range<Int>) -> Bool {
    if unsafe LineScan.afterBlanks(in: text, from: content.lowerBound, to: content.upperBound) == content.upperBound {
      return true
    }
    return unsafe isComment(text, content)
  }

  /// Whether a line is a comment, indented or not.
  func isComment(_ text: UnsafePointer<UInt8>, _ content: Range<Int>) -> Bool {
    guard !comment.isEmpty else { return false }
    let start = unsafe LineScan.afterBlanks(in: text, from: content.lowerBound, to: content.upperBound)
    return unsafe UnsafeBufferPointer(start: text + start, count: content.upperBound - start).starts(with: comment)
  }

  /// Takes a line that parts two records of a file of parts; false for any other line.
  private mutating func takesPartEnd(_ text: UnsafePointer<UInt8>, _ content: Range<Int>) -> Bool {
    let line = unsafe UnsafeBufferPointer(start: text + content.lowerBound, count: content.count)
    if unsafe line.elementsEqual(OutlineDirective.partEnd) {
      enclosing.removeAll()
      return true
    }
    return unsafe line.elementsEqual(OutlineDirective.partContinuation)
  }

  /// Reads the record that begins with a line.
  ///
  /// - Returns: The offset after its last line; nil when its end is not in sight.
  private mutating func parseRecord(
    _ text: UnsafePointer<UInt8>,
    _ first: OutlineLine,
    to count: Int,
    isFinal: Bool,
    into batch: inout RecordBatch
  ) -> Int? {
    var record = OpenOutlineRecord(line: line, start: first.start, end: first.next, fieldStart: batch.fields.count)
    let fault = unsafe place(first, in: text, record: &record)
    switch layout.style {
    case .cells(let delimiter): unsafe takeCells(text, first, delimiter: delimiter, &record, &batch)
    case .labels:
      // Its attributes follow, until a line is none.
      guard unsafe takeLabels(text, first, to: count, isFinal: isFinal, &record, &batch) else { return nil }
    }
    if let fault {
      batch.faults.append(
        RecordFault(record: batch.records.count, diagnostic: .indentation(fault, at: whole(record, in: batch)))
      )
      record.isUnreadable = true
    }
    finish(record, &batch)
    return record.end
  }

  private mutating func finish(_ record: OpenOutlineRecord, _ batch: inout RecordBatch) {
    ordinal += 1
    enclosing.append(
      Enclosing(indentation: record.indentation, ordinal: ordinal, kind: record.kind, isBroken: record.isUnreadable)
    )
    batch.records.append(
      RecordHeader(
        ordinal: ordinal,
        parent: record.parent,
        line: record.line,
        raw: TextSlice(record.start..<record.end),
        fieldStart: UInt32(truncatingIfNeeded: record.fieldStart),
        fieldCount: UInt32(truncatingIfNeeded: batch.fields.count - record.fieldStart),
        kind: UInt16(truncatingIfNeeded: record.kind),
        isUnreadable: record.isUnreadable
      )
    )
  }

  /// Adds a record of which only the beginning is in sight.
  private mutating func appendTooLong(
    _ first: OutlineLine,
    in text: UnsafePointer<UInt8>,
    into batch: inout RecordBatch
  ) {
    var record = OpenOutlineRecord(line: line, start: first.start, end: first.next, fieldStart: batch.fields.count)
    let fault = unsafe place(first, in: text, record: &record)
    if case .labels = layout.style { record.kind = enclosing.last?.kind ?? kind(named: "record") }
    record.isUnreadable = true
    let place = whole(record, in: batch)
    note(.lineTooLong(limit: limits.recordByteCount, at: place), &batch)
    if let fault { note(.indentation(fault, at: place), &batch) }
    finish(record, &batch)
  }

  /// The place of a record's first line.
  func whole(_ record: OpenOutlineRecord, in batch: borrowing RecordBatch) -> SourceLocation {
    SourceLocation(
      file: file,
      record: ordinal + 1,
      line: record.line,
      byteOffset: batch.byteOffset + Int64(record.start),
      byteCount: record.end - record.start
    )
  }

  /// The position of a kind, a new one if need be.
  mutating func kind(named name: String) -> Int {
    if let known = shapes.firstIndex(where: { $0.name == name }) { return known }
    guard shapes.count <= Int(UInt16.max) else { return 0 }
    shapes.append(RecordShape(name: name))
    tables.append(ColumnTable())
    return shapes.count - 1
  }

  /// Adds a column to a kind; nil when there are as many as there may be.
  mutating func addColumn(_ name: [UInt8], to kind: Int) -> Int? {
    guard shapes.reduce(0, { $0 + $1.columns.count }) < limits.columnCount else { return nil }
    shapes[kind].columns.append(String(decoding: name, as: UTF8.self))
    unsafe name.withUnsafeBufferPointer { unsafe tables[kind].append($0) }
    return shapes[kind].columns.count - 1
  }
}

/// The record at hand.
struct OpenOutlineRecord {
  let line: Int
  let start: Int
  var end: Int
  let fieldStart: Int
  var kind = 0
  var parent: Int64 = -1
  var indentation: [UInt8] = []
  var isUnreadable = false

  init(line: Int, start: Int, end: Int, fieldStart: Int) {
    self.line = line
    self.start = start
    self.end = end
    self.fieldStart = fieldStart
  }
}
