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

extension OutlineLine {
  /// Whether the line continues a value whose line is indented so.
  func continues(_ text: UnsafePointer<UInt8>, at indentation: [UInt8]) -> Bool {
    guard !isTooLong, let first = content.first, unsafe text[first] == UInt8(ascii: "+") else { return false }
    return unsafe IndentationRelation(text, self.indentation, to: indentation) == .same
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
    } else if isOfParts, !record.indentation.isEmpty {
      // It hung below a record that the file does not hold; no record has this number.
      record.parent = 0
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
    let length = first.content.upperBound - first.start
    if unsafe !isOfParts && OutlineDirective.parts(UnsafeBufferPointer(start: text + first.start, count: length)) {
      record.isUnreadable = true
      return note(.outline(.partMark, at: whole(record, in: batch)), &batch)
    }
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

  // MARK: Fields

  @discardableResult
  mutating func take(
    _ name: [UInt8],
    _ value: Range<Int>,
    _ record: OpenOutlineRecord,
    _ batch: inout RecordBatch
  ) -> OpenOutlineValue? {
    let known = unsafe name.withUnsafeBufferPointer { unsafe tables[record.kind].column(of: $0) }
    guard name.count <= RecordKinds.keyByteCount, !name.contains(0), String(validating: name, as: UTF8.self) != nil
    else {
      note(.outline(.badKey, at: whole(record, in: batch)), &batch)
      return nil
    }
    guard let column = known ?? addColumn(name, to: record.kind) else {
      note(.tooManyColumns(limit: limits.columnCount, at: whole(record, in: batch)), &batch)
      return nil
    }
    append(value, isQuoted: true, column: column, record, &batch)
    let index = record.fieldStart + column
    let isRepeat = batch.repeats.last.map { $0.record == batch.records.count && $0.column == column } ?? false
    return OpenOutlineValue(
      index: isRepeat ? batch.repeats.count - 1 : index,
      isRepeat: isRepeat,
      column: column,
      value
    )
  }

  /// Adds a line to a value, behind a line end.
  mutating func continueValue(
    _ open: inout OpenOutlineValue,
    _ text: UnsafePointer<UInt8>,
    lineEnd: Range<Int>,
    with content: Range<Int>,
    behind count: Int,
    _ record: OpenOutlineRecord,
    _ batch: inout RecordBatch
  ) {
    let offset = count + 1
    if open.rewrittenStart == nil {
      open.rewrittenStart = rewritten.count
      batch.rewrites.append(
        Rewrite(
          text: UInt32(truncatingIfNeeded: offset + rewritten.count),
          original: UInt32(truncatingIfNeeded: open.first.lowerBound)
        )
      )
      unsafe rewritten.append(
        contentsOf: UnsafeBufferPointer(start: text + open.first.lowerBound, count: open.first.count)
      )
    }
    let start = open.rewrittenStart ?? 0
    let countBefore = rewritten.count - start
    for range in [lineEnd, content] {
      unsafe rewritten.append(contentsOf: UnsafeBufferPointer(start: text + range.lowerBound, count: range.count))
    }
    let byteCount = rewritten.count - start
    if countBefore <= fieldLimit, byteCount > fieldLimit {
      let name = excerpt(of: shapes[record.kind].columns[open.column])
      note(.cellTooLong(name, limit: fieldLimit, at: whole(record, in: batch)), &batch)
    }
    let begin = offset + start
    let field = Field(TextSlice(begin..<begin + min(byteCount, fieldLimit)), isQuoted: true)
    if open.isRepeat { batch.repeats[open.index].field = field } else { batch.fields[open.index] = field }
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

/// A value that the following lines may continue.
struct OpenOutlineValue {
  /// Position in the batch's fields or, for a further value, its repeats.
  let index: Int
  let isRepeat: Bool
  let column: Int
  /// Its first line.
  let first: Range<Int>
  /// Where it begins among the rewritten values, once it has a second line.
  var rewrittenStart: Int?

  init(index: Int, isRepeat: Bool, column: Int, _ first: Range<Int>) {
    self.index = index
    self.isRepeat = isRepeat
    self.column = column
    self.first = first
  }
}
