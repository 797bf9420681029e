/// How far a load has come.
public struct LoadProgress: Sendable, Hashable {
  /// The input that is being read, as it was named.
  public var input: String
  /// How many bytes of all inputs have been read.
  public var readByteCount: Int64
  /// How many there are; nil where that is not known: a pipe, a compressed file, an encoding that is converted.
  public var byteCount: Int64?
  /// How many records have been read.
  public var recordCount: Int64
  /// How many of them were rejected.
  public var rejectedCount: Int64

  /// Makes the progress of a load; see the properties.
  public init(input: String, readByteCount: Int64, byteCount: Int64?, recordCount: Int64, rejectedCount: Int64) {
    self.input = input
    self.readByteCount = readByteCount
    self.byteCount = byteCount
    self.recordCount = recordCount
    self.rejectedCount = rejectedCount
  }
}
