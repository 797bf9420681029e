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
  /// - Returns: How far the bytes are used up.
  mutating func parse(
    _ text: UnsafePointer<UInt8>,
    from start: Int,
    to count: Int,
    isFinal: Bool,
    into batch: inout RecordBatch
  ) -> Int

  /// Adds a record of which only the beginning is kept; the rest of its line is passed over by the reader.
  mutating func appendTooLong(at start: Int, into batch: inout RecordBatch)

  /// Counts lines that the reader has passed over.
  mutating func passLines(_ count: Int)

  /// What a file of rejects begins with.
  ///
  /// - Parameters:
  ///   - head: The bytes of the input's own head.
  ///   - lineEnd: The input's line end.
  func opening(after head: [UInt8], lineEnd: [UInt8]) -> [UInt8]
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
  /// The line that begins at `start`: where its content ends, and where the next one begins; nil when that is not in
  /// sight.
  @inline(__always)
  static func line(
    in text: UnsafePointer<UInt8>,
    from start: Int,
    to count: Int,
    isFinal: Bool
  ) -> (end: Int, next: Int)? {
    let end = unsafe lineEnd(in: text, from: start, to: count)
    guard end < count else { return isFinal ? (end, count) : nil }
    guard let next = unsafe lineStart(in: text, after: end, to: count, isFinal: isFinal) else { return nil }
    return (end, next)
  }
}
