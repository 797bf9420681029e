/// A place in an input: the record, and within it the line, the column and the bytes that are meant.
public struct SourceLocation: Sendable, Hashable {
  /// The input as the user named it; `-` is standard input.
  public var file: String
  /// The record's number in its input, from 1; 0 when the place belongs to no record (a header, a whole document).
  public var record: Int64
  /// The line, from 1.
  ///
  /// LF, CRLF and CR each end a line.
  public var line: Int
  /// The column in Unicode scalars, from 1; nil when the whole record is meant.
  public var column: Int?
  /// Offset of the first byte meant, from 0, in the input's own bytes.
  public var byteOffset: Int64
  /// How many bytes are meant.
  public var byteCount: Int

  /// Makes a location; see the properties for units.
  public init(
    file: String,
    record: Int64 = 0,
    line: Int = 1,
    column: Int? = nil,
    byteOffset: Int64 = 0,
    byteCount: Int = 0
  ) {
    self.file = file
    self.record = record
    self.line = line
    self.column = column
    self.byteOffset = byteOffset
    self.byteCount = byteCount
  }
}
