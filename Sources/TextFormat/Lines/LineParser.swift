import Diagnostics
import Records

/// What a layout of lines makes of them; `LineReader` brings the bytes.
protocol LineParser: Sendable {
  /// The kinds of records known so far.
  var shapes: [RecordShape] { get }

  /// How many lines stand before the head; the reader passes over them.
  var skippedLineCount: Int { get }

  /// How much stands before the first record of these bytes: header lines, a ruler.
  ///
  /// - Parameters:
  ///   - text: Readable for `LineScan.slack` bytes past `count`.
  ///   - start: Behind the byte order mark and the lines that are skipped, if there are any.
  ///   - isFinal: Whether the input ends with these bytes.
  /// - Returns: The offset of the first byte that is no part of the head; nil when that is not in sight.
  /// - Throws: `ReadError.refused` for a header that cannot be used.
  mutating func parseHead(
    _ text: UnsafePointer<UInt8>,
    from start: Int,
    to count: Int,
    isFinal: Bool
  ) throws(ReadError) -> Int?

  /// Reads as many complete records as there are.
  ///
  /// A line longer than a record may be is told as soon as that is certain, and parsing ends within it, whether or not
  /// its end is in sight: the size of the chunks must not show.
  ///
  /// - Returns: How far the bytes are used up.
  mutating func parse(
    _ text: UnsafePointer<UInt8>,
    from start: Int,
    to count: Int,
    isFinal: Bool,
    into batch: inout RecordBatch
  ) -> Int

  /// What `parse` has ended within, if it has: the reader passes over the rest of the line.
  var longLine: LongLine? { get set }

  /// Values that do not stand in one piece in the input; the reader puts them behind it, a byte after its end.
  var rewritten: [UInt8] { get set }

  /// Counts lines that the reader has passed over.
  mutating func passLines(_ count: Int)

  /// What a file of rejects begins with.
  ///
  /// - Parameters:
  ///   - head: The bytes of the input's own head, lines that are skipped among them.
  ///   - skippedByteCount: How much of the head those are.
  ///   - lineEnd: The input's line end.
  func opening(after head: [UInt8], skippedByteCount: Int, lineEnd: [UInt8]) -> [UInt8]

  /// What parts two records in a file of rejects.
  func separator(lineEnd: [UInt8]) -> [UInt8]
}

extension LineParser {
  /// None, as in most layouts.
  var rewritten: [UInt8] {
    get { [] }
    set {}
  }

  /// Passes over the lines that stand before the head.
  ///
  /// - Returns: Where the head begins; nil when that is not in sight, or a line is too long.
  mutating func skipLines(
    _ text: UnsafePointer<UInt8>,
    from start: Int,
    to count: Int,
    isFinal: Bool,
    limit: Int
  ) -> Int? {
    var position = start
    for _ in 0..<skippedLineCount where position < count || !isFinal {
      let line = unsafe LineScan.line(in: text, from: position, to: count, isFinal: isFinal, limit: limit)
      guard case .whole(_, let next) = line else { return nil }
      position = next
      passLines(1)
    }
    return position
  }

  /// A line end.
  func separator(lineEnd: [UInt8]) -> [UInt8] { lineEnd }
}

/// A line that is longer than a record may be.
enum LongLine {
  /// A comment, of which nothing is kept.
  case comment
  /// A record that is rejected; its bytes are handed on as they pass by.
  case record
}

/// The bounds of a batch, since hostile input can make many fields of few bytes.
enum BatchBound {
  static let fieldCount = 1 << 18
  static let faultCount = 1000

  static func isReached(by batch: borrowing RecordBatch) -> Bool {
    batch.fields.count >= fieldCount || batch.faults.count >= faultCount
  }
}

extension LineScan {
  /// What is in sight of a line.
  enum SightedLine {
    /// Where its content ends, and where the next line begins.
    case whole(end: Int, next: Int)
    /// Its content is longer than the limit, wherever it ends.
    case tooLong
    /// Its end is not in sight.
    case cut
  }

  /// The line that begins at `start`, whose content may have so many bytes.
  ///
  /// What it is does not depend on how much of the input is in sight, unless it is cut.
  @inline(__always)
  static func line(
    in text: UnsafePointer<UInt8>,
    from start: Int,
    to count: Int,
    isFinal: Bool,
    limit: Int
  ) -> SightedLine {
    let end = unsafe lineEnd(in: text, from: start, to: count)
    guard end &- start <= limit else { return .tooLong }
    guard end < count else { return isFinal ? .whole(end: end, next: count) : .cut }
    guard let next = unsafe lineStart(in: text, after: end, to: count, isFinal: isFinal) else { return .cut }
    return .whole(end: end, next: next)
  }
}
