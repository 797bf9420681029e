package import EntityModel

/// What is put into a record, by its position in its batch, and how many bytes from the record's beginning.
package typealias RecordInsertion = (Int) -> (offset: Int, bytes: [UInt8])?

extension RecordBatch {
  /// Whether a record stands within another one's bytes, or others within its own.
  package func standsAmongOthers(_ record: Int) -> Bool {
    let next = record + 1
    return outermost(of: record) != record || (next < records.count && outermost(of: next) == record)
  }

  /// Whether a record gives a field of that name.
  package func hasField(named name: String, in record: Int) -> Bool {
    let columns = shapes[Int(records[record].kind)].columns
    return columns.firstIndex(of: name).map { !field($0, of: record).isAbsent } ?? false
  }

  /// A number as a field of a record, and where that goes in it; nil in formats without records in records.
  package func insertion(
    of number: (name: String, number: Int64),
    into record: Int,
    format: FileFormat
  ) -> (offset: Int, bytes: [UInt8])? {
    let raw = rawText(record)
    var offset = 1
    switch format {
    case .json, .ndjson:
      // The record may begin with the name that it has as a member.
      if raw.count > 0, raw[0] == UInt8(ascii: "\"") {
        while offset < raw.count, raw[offset] != UInt8(ascii: "\"") {
          offset += raw[offset] == UInt8(ascii: "\\") ? 2 : 1
        }
        while offset < raw.count, raw[offset] != UInt8(ascii: "{") { offset += 1 }
        offset += 1
      }
      return (offset, Array("\"\(number.name)\": \(number.number), ".utf8))
    case .xml:
      while offset < raw.count, !"/> \t\r\n".utf8.contains(raw[offset]) { offset += 1 }
      return (offset, Array(" \(number.name)=\"\(number.number)\"".utf8))
    case .csv, .tsv, .text, .plist: return nil
    }
  }

  /// The records that stand within another one, as positions: all that follow it until one that does not.
  package func enclosed(by record: Int) -> Range<Int> {
    var end = record + 1
    let limit = records[record].raw.range.upperBound
    while end < records.count, records[end].parent >= 0, records[end].raw.range.upperBound <= limit { end += 1 }
    return record + 1..<end
  }

  /// The record within whose bytes a record stands, and which stands in no other's; itself, if it is that.
  package func outermost(of record: Int) -> Int {
    var position = record
    let raw = records[record].raw.range
    while position > 0, records[position].parent >= 0 {
      let enclosing = position - Int(records[position].ordinal - records[position].parent)
      guard enclosing >= 0, records[enclosing].raw.range.lowerBound <= raw.lowerBound,
        records[enclosing].raw.range.upperBound >= raw.upperBound
      else { break }
      position = enclosing
    }
    return position
  }

  /// The bytes of an outermost record without those of records within it that are neither wanted nor around wanted ones.
  ///
  /// What encloses a wanted record stays with all of its own fields, so that it can be found again. What parts two records,
  /// such as the comma of JSON, goes with one that is left out.
  ///
  /// - Parameters:
  ///   - wanted: Positions of records within it, ascending.
  ///   - insertion: What is put into a record around wanted ones, and how many bytes from its beginning.
  package func raw(
    _ outermost: Int,
    keeping wanted: [Int],
    insertion: RecordInsertion = { _ in nil }
  ) -> [UInt8] {
    let within = enclosed(by: outermost)
    guard !within.isEmpty, !wanted.contains(outermost) else {
      let bytes = raw(outermost)
      return Array(copying: bytes)
    }
    var isNeeded = [Bool](repeating: false, count: within.count + 1)
    var isWanted = isNeeded
    for record in wanted {
      isWanted[record - outermost] = true
      var position = record
      while position > outermost, !isNeeded[position - outermost] {
        isNeeded[position - outermost] = true
        position -= Int(records[position].ordinal - records[position].parent)
      }
    }
    var pieces: [Range<Int>] = []
    var insertions: [(position: Int, bytes: [UInt8])] = []
    func insert(into record: Int) {
      guard source == nil, let insertion = insertion(record) else { return }
      insertions.append((records[record].raw.range.lowerBound + insertion.offset, insertion.bytes))
    }
    insert(into: outermost)
    var start = records[outermost].raw.range.lowerBound
    var keptEnd = start
    for record in within {
      let range = records[record].raw.range
      // What stands within a record that is kept or left out as a whole is kept or left out with it.
      guard range.lowerBound >= keptEnd else { continue }
      if isWanted[record - outermost] { keptEnd = range.upperBound }
      guard !isNeeded[record - outermost] else {
        if !isWanted[record - outermost] { insert(into: record) }
        continue
      }
      pieces.append(start..<range.lowerBound)
      start = range.upperBound
      if let separator = innerSeparator { leaveOut(separator, after: &start, pieces: &pieces) }
      keptEnd = start
    }
    pieces.append(start..<records[outermost].raw.range.upperBound)
    return bytes(of: pieces, insertions)
  }

  /// Takes the separator out that stands behind a part left out, or else the one before it.
  private func leaveOut(_ separator: UInt8, after start: inout Int, pieces: inout [Range<Int>]) {
    let bytes = text.bytes
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    var next = start
    while next < bytes.count, isSpace(bytes[next]) { next += 1 }
    if next < bytes.count, bytes[next] == separator {
      start = next + 1
      return
    }
    while let last = pieces.popLast() {
      var end = last.upperBound
      while end > last.lowerBound, isSpace(bytes[end - 1]) { end -= 1 }
      guard end > last.lowerBound else { continue }
      pieces.append(last.lowerBound..<(bytes[end - 1] == separator ? end - 1 : last.upperBound))
      return
    }
  }

  private func bytes(of pieces: [Range<Int>], _ insertions: [(position: Int, bytes: [UInt8])]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = insertions[...]
    for piece in pieces {
      var start = piece.lowerBound
      while let next = rest.first, next.position <= piece.upperBound {
        append(start..<next.position, to: &result)
        result += next.bytes
        start = next.position
        rest.removeFirst()
      }
      append(start..<piece.upperBound, to: &result)
    }
    return result
  }

  private func append(_ piece: Range<Int>, to result: inout [UInt8]) {
    let span = raw(ofText: piece)
    for index in span.indices { result.append(span[index]) }
  }

  /// The bytes of the input that some text was read from.
  @_lifetime(borrow self)
  private func raw(ofText range: Range<Int>) -> Span<UInt8> {
    guard let source else { return text.bytes(of: TextSlice(range)) }
    let start = source.position(ofText: byteOffset + Int64(range.lowerBound))
    let end = source.position(ofText: byteOffset + Int64(range.upperBound))
    return sourceBytes.span.extracting(start..<end)
  }
}
