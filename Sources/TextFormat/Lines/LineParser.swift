import Diagnostics
import Records

/// What a layout of lines makes of them; `LineReader` brings the bytes.
protocol LineParser: Sendable {
  /// The kinds of records known so far.
  var shapes: [RecordShape] { get }

  /// How much stands before the first record of these bytes: lines that are skipped, header lines, a ruler.
  ///
  /// - Parameters:
  ///   - text: Readable for `LineScan.slack` bytes past `count`.
  ///   - start: Behind the byte order mark, if there is one.
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

  /// Counts lines that the reader has passed over.
  mutating func passLines(_ count: Int)

  /// What a file of rejects begins with.
  ///
  /// - Parameters:
  ///   - head: The bytes of the input's own head.
  ///   - lineEnd: The input's line end.
  func opening(after head: [UInt8], lineEnd: [UInt8]) -> [UInt8]

  /// What parts two records in a file of rejects.
  func separator(lineEnd: [UInt8]) -> [UInt8]
}

extension LineParser {
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
