import Diagnostics
import Records

/// A source whose bytes can be looked at before they are read.
struct ForesightedSource: ByteSource, ~Copyable {
  private var ahead = TextBuffer()
  private var position = 0
  private var rest: any ByteSource & ~Copyable

  init(_ source: consuming any ByteSource & ~Copyable) { rest = source }

  /// Looks at the next bytes behind those that have been looked at.
  ///
  /// - Parameters:
  ///   - byteCount: How many at most.
  ///   - look: Gets them.
  /// - Returns: false at the end.
  mutating func lookAhead(_ byteCount: Int, _ look: (Span<UInt8>) -> Void) throws(ReadError) -> Bool {
    let start = ahead.count
    guard try rest.read(byteCount, into: &ahead) > 0 else { return false }
    look(ahead.bytes.extracting(start..<ahead.count))
    return true
  }

  mutating func read(_ byteCount: Int, into text: inout TextBuffer) throws(ReadError) -> Int {
    guard position < ahead.count else { return try rest.read(byteCount, into: &text) }
    let count = min(byteCount, ahead.count - position)
    text.append(ahead.bytes.extracting(position..<position + count))
    position += count
    if position == ahead.count {
      ahead = TextBuffer()
      position = 0
    }
    return count
  }
}
