import JSONSyntax
import Records

/// Finds the records in the text of a batch, which grows until there is one.
protocol RecordScanner: Sendable {
  /// What makes fields of a record's tokens.
  var assembly: RecordAssembly { get set }
  /// The number of the last record found.
  var ordinal: Int64 { get }

  /// Adds the records that are whole to the batch, and goes on where the last call stopped.
  ///
  /// When records were added, the bytes from `end` on must be the first of the next batch, and a record in progress is
  /// begun anew there. When none were, the call is repeated with more bytes.
  mutating func scan(_ batch: inout RecordBatch, isComplete: Bool) throws(ScanFailure) -> ScanProgress

  /// Tells that the first `byteCount` bytes, at most up to the last `end`, were taken away.
  mutating func discard(_ byteCount: Int, of bytes: Span<UInt8>)
}

/// How far a scan has come.
struct ScanProgress {
  /// Where the last whole record ends, or the record in progress begins.
  var end: Int
  /// The place of `end`.
  var place: JSONPlace
  /// Whether fields of a record in progress are in the batch.
  var isInRecord: Bool
}

/// Why a document is refused.
enum ScanFailure: Error {
  /// The text is not JSON; asked again with more bytes, the scanner says the same and shows more of what stands there.
  case malformed(JSONSyntaxError)
  /// It may be JSON, but is no array.
  case noArray(JSONSyntaxError, isObject: Bool)
  case tooLong(Range<Int>, place: JSONPlace)
}
