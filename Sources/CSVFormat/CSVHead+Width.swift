import EntityModel
import Records

/// How many cells the records have, as far as the head's bytes show it.
extension CSVHeadReader {
  /// So many of the first records, and bytes, are looked at, so that the size of a chunk makes no difference.
  private static var sampleRecordCount: Int { 200 }
  private var sightByteCount: Int { min(64 << 10, limits.recordByteCount) }

  /// How many cells the records behind the header have; 0 where too few agree, nil if that takes more bytes.
  func usualWidth(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int, isEnd: Bool) -> Int? {
    if let told = dialect.columns { return told.count }
    guard let found = unsafe widths(bytes, from: start, to: end, isEnd: isEnd) else { return nil }
    // A few records do not outvote the header.
    guard let most = found.max(by: { ($0.count, $0.width) < ($1.count, $1.width) }), most.count > 2,
      3 * most.count > 2 * found.reduce(0, { $0 + $1.count })
    else { return 0 }
    return most.width - (dialect.endsWithDelimiter ? 1 : 0)
  }

  /// How many cells the records have where no header tells it; 0 without records, nil if that takes more bytes.
  ///
  /// It is the commonest number of cells, so that most records fit; of several, the one that comes first.
  func widthWithoutHeader(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int, isEnd: Bool) -> Int? {
    guard let found = unsafe widths(bytes, from: start, to: end, isEnd: isEnd) else { return nil }
    guard let greatest = found.map(\.count).max() else {
      return unsafe widthOfFirstRecord(bytes, from: start, to: end, isEnd: isEnd)
    }
    return found.first { $0.count == greatest }?.width
  }

  /// The numbers of cells that sound records have, in the order in which they come, and how many records have each.
  private func widths(
    _ bytes: UnsafePointer<UInt8>,
    from start: Int,
    to end: Int,
    isEnd: Bool
  ) -> [(width: Int, count: Int)]? {
    guard isEnd || end - start >= sightByteCount else { return nil }
    let isCut = end - start > sightByteCount || !isEnd
    let end = min(end, start + sightByteCount)
    var found: [(width: Int, count: Int)] = []
    var record = ParsedRecord()
    var position = start
    var count = 0
    while position < end, count < Self.sampleRecordCount {
      let lineEnd = unsafe parser.syntax.firstLineEnd(bytes, from: position, to: end)
      let nextLine = unsafe lineEnd + (parser.syntax.lineEndLength(bytes, at: lineEnd, end: end, isEnd: true) ?? 0)
      let isComment = unsafe match(parser.syntax.comment, bytes, at: position, end: end, isEnd: true) == .yes
      if lineEnd > position, !isComment,
        unsafe parser.parse(bytes, from: position, to: end, isEnd: true, wanted: 0, into: &record) == .complete,
        record.brokenQuotes.isEmpty
      {
        // The record that reaches the end of sight may be a part of one.
        if isCut, record.end == end { break }
        let width = record.cellCount
        if let index = found.firstIndex(where: { $0.width == width }) {
          found[index].count += 1
        } else {
          found.append((width, 1))
        }
        count += 1
        position = record.end
      } else {
        position = nextLine
      }
    }
    return found
  }

  /// How many bytes tell that no line ends at the limit.
  private static var lineEndSight: Int { 2 }

  /// How many cells the first sound record has, else the first one; 0 without records, nil if that takes more bytes, or
  /// no record begins within the limit.
  private func widthOfFirstRecord(
    _ bytes: UnsafePointer<UInt8>,
    from start: Int,
    to end: Int,
    isEnd: Bool
  ) -> Int? {
    var place = CSVHead()
    place.position = start
    var record = ParsedRecord()
    var firstWidth: Int?
    while place.position < end, place.position - start <= limits.recordByteCount {
      guard let isPassedOver = unsafe isPassedOver(bytes, at: place.position, to: end, isEnd: isEnd) else { return nil }
      if !isPassedOver {
        let outcome = unsafe parser.parse(bytes, from: place.position, to: end, isEnd: isEnd, wanted: 0, into: &record)
        switch outcome {
        case .needsMore: return nil
        case .complete where record.brokenQuotes.isEmpty: return record.cellCount
        case .complete: firstWidth = firstWidth ?? record.cellCount
        case .tooLong: return firstWidth ?? max(1, record.cellCount)
        case .unterminated(let opening):
          // No further than the longest record, wherever the bytes end.
          let limit = max(opening, min(end, place.position + limits.recordByteCount))
          let lineEnd = unsafe parser.syntax.firstLineEnd(bytes, from: opening, to: limit)
          _ = unsafe parser.parse(
            bytes,
            from: place.position,
            to: lineEnd,
            isEnd: true,
            wanted: 0,
            plainFrom: opening,
            into: &record
          )
          firstWidth = firstWidth ?? record.cellCount
        }
      }
      guard unsafe skipLine(bytes, to: end, isEnd: isEnd, &place) else {
        return end - start > limits.recordByteCount + Self.lineEndSight ? firstWidth : nil
      }
    }
    if place.position - start > limits.recordByteCount { return firstWidth }
    return isEnd ? firstWidth ?? 0 : nil
  }
}
