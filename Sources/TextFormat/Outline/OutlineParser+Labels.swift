import Records

/// Records that begin with `Kind: value`, and their attributes.
extension OutlineParser {
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
    var open: OpenOutlineValue?
    var lineEnd = first.content.upperBound..<first.next
    while position < count, position - record.end <= limit {
      guard let next = unsafe OutlineLine(text, position, to: count, isFinal: isFinal, limit: limit) else {
        return false
      }
      guard !next.isTooLong else { return true }
      position = next.next
      if var value = open, let indentation, passed == 0, unsafe next.continues(text, at: indentation) {
        guard next.next - record.start <= limit else {
          return noteTooLong(&record, &batch)
        }
        let start = next.content.lowerBound + 1
        let hasBlank = unsafe start < next.content.upperBound && LineScan.isBlank(text[start])
        let content = start + (hasBlank ? 1 : 0)..<next.content.upperBound
        unsafe continueValue(&value, text, lineEnd: lineEnd, with: content, behind: count, record, &batch)
        open = value
        lineEnd = next.content.upperBound..<next.next
        line += 1
        record.end = next.next
        continue
      }
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
        return noteTooLong(&record, &batch)
      }
      indentation = indentation ?? next.indentation.map { unsafe text[$0] }
      line += passed + 1
      passed = 0
      record.end = next.next
      open = take(unsafe Array(name), value, record, &batch)
      lineEnd = next.content.upperBound..<next.next
    }
    return isFinal || position - record.end > limit
  }

  /// Rejects a record that has become too long.
  private mutating func noteTooLong(_ record: inout OpenOutlineRecord, _ batch: inout RecordBatch) -> Bool {
    // The attributes from here on are records that hang below a rejected one, each with its bytes.
    note(.lineTooLong(limit: limits.recordByteCount, at: whole(record, in: batch)), &batch)
    record.isUnreadable = true
    return true
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
}
