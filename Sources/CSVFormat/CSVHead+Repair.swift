import Diagnostics
import EntityModel
import Records

/// What `--bad-rows repair` makes of a header that does not fit its records.
extension CSVHeadReader {
  /// What was done to a header line; nothing if the message is nil.
  struct Mended {
    var message: String?
  }

  /// Mends the header line at `start` that was just read.
  ///
  /// - Parameter record: What was found; its `end` is 0 if it was not even a record.
  /// - Returns: nil if that takes more bytes.
  func repair(
    _ record: inout ParsedRecord,
    _ outcome: CSVRecordParser.Outcome,
    _ bytes: UnsafePointer<UInt8>,
    at start: Int,
    to end: Int,
    isEnd: Bool
  ) -> Mended? {
    let isSound = outcome == .complete && record.brokenQuotes.isEmpty
    let contentEnd = unsafe parser.syntax.firstLineEnd(bytes, from: start, to: end)
    // A line that is longer than a record may be is mended by nothing, and its end may be out of sight.
    if !isSound, contentEnd - start > limits.recordByteCount { return Mended() }
    let nextLine =
      unsafe contentEnd + (parser.syntax.lineEndLength(bytes, at: contentEnd, end: end, isEnd: true) ?? 0)
    let bodyStart = isSound ? record.end : nextLine
    guard let width = unsafe usualWidth(bytes, from: bodyStart, to: end, isEnd: isEnd) else { return nil }
    if isSound, record.cellCount == width || width == 0 { return Mended() }
    let mending = CSVMending(parser: parser, width: width)
    if !isSound, width > 0 {
      guard isEnd || end - start >= mending.sightByteCount else { return nil }
      if unsafe mending.mend(bytes, from: start, to: end, isEnd: isEnd, into: &record) != nil {
        return Mended(message: "the quotes of the header do not fit; repaired: they are read as text")
      }
    }
    if unsafe mending.reread(bytes, from: start, to: isSound ? record.end : nextLine, into: &record) != nil {
      return Mended(message: "the header is parted by another delimiter than the records; repaired: it is read so")
    }
    guard !isSound else { return Mended() }
    _ = unsafe parser.parse(
      bytes,
      from: start,
      to: nextLine,
      isEnd: true,
      wanted: limits.columnCount + 1,
      plainFrom: start,
      into: &record
    )
    return Mended(message: "the quotes of the header do not fit; repaired: it is read without quotes")
  }
}

extension CSVHeader {
  /// Gives the header as many names as the records have cells, where that loses none.
  ///
  /// Blank cells too many are taken away, missing names made up.
  ///
  /// - Returns: A warning for each repair.
  mutating func repair(width: Int, at location: SourceLocation) -> [Diagnostic] {
    var notes: [Diagnostic] = []
    func note(_ message: String) {
      notes.append(
        Diagnostic(
          severity: .warning,
          code: .blankHeader,
          location: location,
          message: message,
          remedy: "mend the header"
        )
      )
    }
    let found = labels.count
    let surplus = labels.indices.filter { labels[$0].name.isEmpty }.suffix(max(0, width == 0 ? 0 : found - width))
    if !surplus.isEmpty {
      for column in surplus.reversed() { removeLabel(at: column) }
      note("the header has \(found) cells where the records have \(width); repaired: blank ones are left out")
    }
    if labels.count < width {
      note("the header has \(found) names where the records have \(width) cells; repaired: the last columns get names")
      while labels.count < width { addLabel("column_\(labels.count + 1)", at: location) }
    }
    for column in labels.indices where labels[column].name.isEmpty {
      note("column \(column + 1) has no name in the header; repaired: it is called 'column_\(column + 1)'")
      rename("column_\(column + 1)", at: column)
    }
    return notes
  }
}
