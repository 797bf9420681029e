import Diagnostics
import Records

/// A line of an outline that is not blank.
struct OutlineLine {
  /// Where its text begins, behind its indentation, and ends.
  let content: Range<Int>
  /// Where the line begins, and where the next one does.
  let start: Int
  let next: Int
  /// Whether it is longer than a record may be, so that only its beginning is known.
  let isTooLong: Bool

  /// The line at `start`; nil when its end is not in sight.
  init?(_ text: UnsafePointer<UInt8>, _ start: Int, to count: Int, isFinal: Bool, limit: Int) {
    self.start = start
    let end: Int
    switch unsafe LineScan.line(in: text, from: start, to: count, isFinal: isFinal, limit: limit) {
    case .cut: return nil
    case .tooLong: (end, next, isTooLong) = (start + limit, start + limit, true)
    case .whole(let contentEnd, let nextLine): (end, next, isTooLong) = (contentEnd, nextLine, false)
    }
    content = unsafe LineScan.afterBlanks(in: text, from: start, to: end)..<end
  }

  var indentation: Range<Int> { start..<content.lowerBound }

  /// The key before the first colon, without blanks at its end; nil without one.
  func key(in text: UnsafePointer<UInt8>) -> (key: Range<Int>, value: Range<Int>)? {
    guard let colon = content.first(where: { unsafe text[$0] == UInt8(ascii: ":") }) else { return nil }
    var end = colon
    while end > content.lowerBound, LineScan.isBlank(unsafe text[end - 1]) { end -= 1 }
    guard end > content.lowerBound else { return nil }
    let hasBlank = colon + 1 < content.upperBound && LineScan.isBlank(unsafe text[colon + 1])
    return (content.lowerBound..<end, (colon + (hasBlank ? 2 : 1))..<content.upperBound)
  }
}

/// How a line stands to the record that was told its indentation before.
enum IndentationRelation {
  case deeper, same, shallower, unrelated

  init(_ text: UnsafePointer<UInt8>, _ range: Range<Int>, to other: [UInt8]) {
    let shared = min(range.count, other.count)
    for index in 0..<shared where unsafe text[range.lowerBound + index] != other[index] {
      self = .unrelated
      return
    }
    self = range.count == other.count ? .same : range.count > other.count ? .deeper : .shallower
  }
}

extension OutlineParser {
  // MARK: Depth

  /// Finds the record that encloses a line, and what is wrong with the line's indentation.
  mutating func place(
    _ first: OutlineLine,
    in text: UnsafePointer<UInt8>,
    record: inout OpenOutlineRecord
  ) -> IndentationFault? {
    var index = enclosing.count
    var fault: IndentationFault?
    while index > 0 {
      let relation = unsafe IndentationRelation(text, first.indentation, to: enclosing[index - 1].indentation)
      if relation == .deeper { break }
      index -= 1
      switch relation {
      case .same: record.indentation = enclosing[index].indentation
      case .unrelated: fault = .mixed
      case .shallower, .deeper: break
      }
      if relation == .same { break }
    }
    if index < enclosing.count, index > 0, fault == nil, record.indentation.count != first.indentation.count {
      fault = .between
    }
    if record.indentation.count != first.indentation.count {
      record.indentation = first.indentation.map { unsafe text[$0] }
    }
    enclosing.removeLast(enclosing.count - index)
    if let parent = enclosing.last {
      record.parent = parent.ordinal
      if parent.isBroken { fault = fault ?? .belowRejected }
    }
    guard case .cells = layout.style else { return fault }
    if unit.isEmpty { unit = record.indentation }
    var depth = 0
    while !unit.isEmpty, depth * unit.count < record.indentation.count,
      record.indentation[(depth * unit.count)...].starts(with: unit)
    { depth += 1 }
    if depth * unit.count != record.indentation.count {
      fault = fault ?? .mixed
    } else if depth > enclosing.count, !isOfParts {
      fault = fault ?? .tooDeep(depth - enclosing.count)
    }
    record.kind = kind(named: depth < layout.levels.count ? layout.levels[depth] : "level_\(depth + 1)")
    return fault
  }

  // MARK: Cells

  mutating func takeCells(
    _ text: UnsafePointer<UInt8>,
    _ first: OutlineLine,
    delimiter: String?,
    _ record: inout OpenOutlineRecord,
    _ batch: inout RecordBatch
  ) {
    line += 1
    let mark = delimiter.map { Array($0.utf8) } ?? []
    let names = layout.columns[shapes[record.kind].name] ?? []
    var start = first.content.lowerBound
    var column = 0
    while true {
      var end = start
      while end < first.content.upperBound,
        mark.isEmpty || !(unsafe Self.stands(mark, at: end, text, first.content.upperBound))
      {
        end += 1
      }
      var cell = start..<end
      while !cell.isEmpty, LineScan.isBlank(unsafe text[cell.lowerBound]) {
        cell = cell.lowerBound + 1..<cell.upperBound
      }
      while !cell.isEmpty, LineScan.isBlank(unsafe text[cell.upperBound - 1]) {
        cell = cell.lowerBound..<cell.upperBound - 1
      }
      if column == shapes[record.kind].columns.count {
        let name = column < names.count ? names[column] : "column_\(column + 1)"
        guard let added = addColumn(Array(name.utf8), to: record.kind) else {
          note(.tooManyColumns(limit: limits.columnCount, at: whole(record, in: batch)), &batch)
          return
        }
        column = added
      }
      append(cell, isQuoted: false, column: column, record, &batch)
      column += 1
      guard end < first.content.upperBound else { return }
      start = end + mark.count
    }
  }

  private static func stands(_ mark: [UInt8], at offset: Int, _ text: UnsafePointer<UInt8>, _ end: Int) -> Bool {
    guard offset + mark.count <= end else { return false }
    for index in mark.indices where unsafe text[offset + index] != mark[index] { return false }
    return true
  }

  // MARK: Labels

  /// Takes a record's label and its attributes; false when their end is not in sight.
  mutating func takeLabels(
    _ text: UnsafePointer<UInt8>,
    _ first: OutlineLine,
    to count: Int,
    isFinal: Bool,
    _ record: inout OpenOutlineRecord,
    _ batch: inout RecordBatch
  ) -> Bool {
    line += 1
    guard let (key, value) = unsafe first.key(in: text) else {
      return refuse(.noKind, record: &record, &batch)
    }
    let name = unsafe UnsafeBufferPointer(start: text + key.lowerBound, count: key.count)
    if unsafe headings.column(of: name) == nil {
      guard !isOfParts else { return refuse(.unknownKind, record: &record, &batch) }
      var isHeading = enclosing.isEmpty
      if !isHeading {
        guard let found = unsafe hasDeeper(text, below: first, to: count, isFinal: isFinal) else { return false }
        isHeading = found
      }
      guard isHeading else { return refuse(.attributeBehindChildren, record: &record, &batch) }
      guard key.count <= RecordKinds.keyByteCount, unsafe !name.contains(0),
        unsafe String(validating: name, as: UTF8.self) != nil
      else {
        return refuse(.noKind, record: &record, &batch)
      }
      addHeading(unsafe String(decoding: name, as: UTF8.self))
    }
    record.kind = kind(named: unsafe String(decoding: name, as: UTF8.self))
    if !value.isEmpty {
      let column = layout.columns[shapes[record.kind].name]?.first ?? "name"
      take(Array(column.utf8), value, record, &batch)
    }
    return unsafe takeAttributes(text, first, to: count, isFinal: isFinal, &record, &batch)
  }

  /// Takes the attributes below a label; false when their end is not in sight.
  ///
  /// What is looked at beyond a line is bounded by the longest record, so that no more than that must be held.
  private mutating func takeAttributes(
    _ text: UnsafePointer<UInt8>,
    _ first: OutlineLine,
    to count: Int,
    isFinal: Bool,
    _ record: inout OpenOutlineRecord,
    _ batch: inout RecordBatch
  ) -> Bool {
    let limit = limits.recordByteCount
    var position = first.next
    var passed = 0
    var indentation: [UInt8]?
    while position < count, position - record.end <= limit {
      guard let next = unsafe OutlineLine(text, position, to: count, isFinal: isFinal, limit: limit) else {
        return false
      }
      guard !next.isTooLong else { return true }
      position = next.next
      if unsafe isPassedOver(text, next.start..<next.content.upperBound) {
        passed += 1
        continue
      }
      guard unsafe IndentationRelation(text, next.indentation, to: record.indentation) == .deeper,
        let (key, value) = unsafe next.key(in: text)
      else { return true }
      if let indentation, unsafe IndentationRelation(text, next.indentation, to: indentation) != .same { return true }
      let name = unsafe UnsafeBufferPointer(start: text + key.lowerBound, count: key.count)
      if !isOfParts {
        guard unsafe headings.column(of: name) == nil else { return true }
        guard let isHeading = unsafe hasDeeper(text, below: next, to: count, isFinal: isFinal) else { return false }
        guard !isHeading else { return true }
      }
      guard next.next - record.start <= limit else {
        // The attributes from here on are records that hang below a rejected one, each with its bytes.
        note(.lineTooLong(limit: limit, at: whole(record, in: batch)), &batch)
        record.isUnreadable = true
        return true
      }
      indentation = indentation ?? next.indentation.map { unsafe text[$0] }
      line += passed + 1
      passed = 0
      record.end = next.next
      take(unsafe Array(name), value, record, &batch)
    }
    return isFinal || position - record.end > limit
  }

  /// Whether the next line that is not blank is deeper than this one; nil when it is not in sight.
  private func hasDeeper(_ text: UnsafePointer<UInt8>, below line: OutlineLine, to count: Int, isFinal: Bool) -> Bool? {
    let limit = limits.recordByteCount
    let own = line.indentation.map { unsafe text[$0] }
    var position = line.next
    while position < count, position - line.next <= limit {
      guard let next = unsafe OutlineLine(text, position, to: count, isFinal: isFinal, limit: limit) else { return nil }
      position = next.next
      let content = next.start..<next.content.upperBound
      if unsafe next.isTooLong ? isComment(text, content) : isPassedOver(text, content) {
        if next.isTooLong { return false }
        continue
      }
      return unsafe IndentationRelation(text, next.indentation, to: own) == .deeper
    }
    return isFinal || position - line.next > limit ? false : nil
  }

  private mutating func refuse(
    _ fault: OutlineFault,
    record: inout OpenOutlineRecord,
    _ batch: inout RecordBatch
  ) -> Bool {
    record.kind = enclosing.last?.kind ?? kind(named: "record")
    record.isUnreadable = true
    note(.outline(fault, at: whole(record, in: batch)), &batch)
    return true
  }

  // MARK: Fields

  private mutating func take(
    _ name: [UInt8],
    _ value: Range<Int>,
    _ record: OpenOutlineRecord,
    _ batch: inout RecordBatch
  ) {
    let known = unsafe name.withUnsafeBufferPointer { unsafe tables[record.kind].column(of: $0) }
    guard name.count <= RecordKinds.keyByteCount, !name.contains(0), String(validating: name, as: UTF8.self) != nil
    else {
      return note(.outline(.badKey, at: whole(record, in: batch)), &batch)
    }
    guard let column = known ?? addColumn(name, to: record.kind) else {
      return note(.tooManyColumns(limit: limits.columnCount, at: whole(record, in: batch)), &batch)
    }
    append(value, isQuoted: true, column: column, record, &batch)
  }

  private mutating func append(
    _ value: Range<Int>,
    isQuoted: Bool,
    column: Int,
    _ record: OpenOutlineRecord,
    _ batch: inout RecordBatch
  ) {
    if value.count > fieldLimit {
      note(
        .cellTooLong(excerpt(of: shapes[record.kind].columns[column]), limit: fieldLimit, at: whole(record, in: batch)),
        &batch
      )
    }
    let field = Field(
      TextSlice(value.lowerBound..<min(value.upperBound, value.lowerBound + fieldLimit)),
      isQuoted: isQuoted
    )
    let index = record.fieldStart + column
    while batch.fields.count <= index { batch.fields.append(.absent) }
    if batch.fields[index].isAbsent {
      batch.fields[index] = field
    } else {
      batch.repeats.append(RepeatedField(record: batch.records.count, column: column, field: field))
    }
  }

  func note(_ diagnostic: Diagnostic, _ batch: inout RecordBatch) {
    batch.faults.append(RecordFault(record: batch.records.count, diagnostic: diagnostic))
  }
}
