/// Passes over bytes, of a record or comment that is too long to be held, to where reading can go on.
struct BlockSkipper: Sendable {
  enum Target: Sendable { case nextLine, blankLine }

  let target: Target
  /// How many line ends were passed.
  private(set) var lineCount = 0
  /// Whether only blanks stand on the line so far.
  private var isBlank: Bool
  private var wasCR = false

  /// Begins within a line that is not blank.
  init(to target: Target) {
    self.target = target
    isBlank = false
  }

  /// Passes over bytes; returns the offset at which reading goes on, or nil when that is not among them.
  mutating func skip(_ text: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int? {
    var position = start
    while position < end {
      let byte = unsafe text[position]
      if byte == 0x0A, wasCR {
        wasCR = false
        position += 1
        if target == .nextLine { return position }
        continue
      }
      // The line end of a CR is told from a CRLF only by the next byte.
      if wasCR, target == .nextLine { return position }
      wasCR = false
      if LineScan.isLineEnd(byte) {
        if isBlank { return position }
        wasCR = byte == 0x0D
        lineCount += 1
        isBlank = true
        position += 1
        if byte == 0x0A, target == .nextLine { return position }
      } else if LineScan.isBlank(byte) {
        position += 1
      } else {
        isBlank = false
        position = unsafe LineScan.lineEnd(in: text, from: position, to: end)
      }
    }
    return nil
  }
}
