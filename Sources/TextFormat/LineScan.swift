/// Finding line ends eight bytes at a step.
///
/// Reads up to seven bytes past `end`, so the buffer must have that room.
enum LineScan {
  /// How many bytes past the last one must be readable.
  static let slack = 8

  /// The offset of the first LF or CR in `start..<end`, or `end`.
  @inline(__always)
  static func lineEnd(in bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    var position = start
    while position < end {
      let word = unsafe UInt64(
        littleEndian: UnsafeRawPointer(bytes + position).loadUnaligned(as: UInt64.self)
      )
      let marks = zeroBytes(word ^ 0x0A0A_0A0A_0A0A_0A0A) | zeroBytes(word ^ 0x0D0D_0D0D_0D0D_0D0D)
      if marks != 0 { return min(position &+ marks.trailingZeroBitCount / 8, end) }
      position &+= 8
    }
    return end
  }

  /// The offset after the line end at `position`, which holds LF or CR; nil when a CR is the last byte, since an LF may
  /// follow in the next piece.
  @inline(__always)
  static func lineStart(
    in bytes: UnsafePointer<UInt8>,
    after position: Int,
    to end: Int,
    isFinal: Bool
  ) -> Int? {
    if unsafe bytes[position] == 0x0A { return position &+ 1 }
    guard position &+ 1 < end else { return isFinal ? position &+ 1 : nil }
    return unsafe bytes[position &+ 1] == 0x0A ? position &+ 2 : position &+ 1
  }

  /// The offset of the first byte in `start..<end` that is neither a space nor a tab, or `end`.
  static func afterBlanks(in bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    var position = start
    while position < end, unsafe isBlank(bytes[position]) { position &+= 1 }
    return position
  }

  @inline(__always)
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  @inline(__always)
  static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// The top bit of every byte that is zero; higher bytes than the first such may be marked wrongly.
  @inline(__always)
  private static func zeroBytes(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }
}
