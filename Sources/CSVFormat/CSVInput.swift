import Diagnostics
import Records

/// A source whose bytes can be given back, so that a batch takes no more than it should.
///
/// Bytes given back are drawn again before any new ones. They stay where they are: after a long look ahead (for the end
/// of a quote, say) batch after batch is drawn from them without moving the rest.
struct CSVInput: ~Copyable, Sendable {
  private var source: any ByteSource & ~Copyable
  private var returned = TextBuffer()
  /// The first of the returned bytes that has not been drawn again.
  private var position = 0
  private var hasSourceEnded = false
  /// Offset in the input of the next byte to be drawn.
  private(set) var offset: Int64 = 0

  init(_ source: consuming any ByteSource & ~Copyable) {
    self.source = source
  }

  /// Whether everything has been drawn; known only once drawing has come short.
  var isAtEnd: Bool { hasSourceEnded && position == returned.count }

  /// Appends so many bytes, fewer only at the end.
  mutating func draw(_ byteCount: Int, into text: inout TextBuffer) throws(ReadError) {
    let start = text.count
    defer { offset += Int64(text.count - start) }
    let again = min(byteCount, returned.count - position)
    if again > 0 {
      text.append(returned.bytes.extracting(position..<position + again))
      position += again
    }
    while !hasSourceEnded, text.count - start < byteCount {
      if try source.read(byteCount - (text.count - start), into: &text) == 0 { hasSourceEnded = true }
    }
  }

  /// Takes back what was drawn last, from `start` on; leaves the bytes before it in `text`.
  mutating func takeBack(_ text: inout TextBuffer, from start: Int) {
    let count = text.count - start
    offset -= Int64(count)
    if position < returned.count {
      // All of it was drawn from there.
      position -= count
      text.truncate(to: start)
    } else if count > max(start, 1 << 20) {
      // Much: the buffers change places, and the few bytes before it are copied instead.
      swap(&text, &returned)
      position = start
      text = TextBuffer(capacity: start + start / 4 + 64)
      text.append(returned.bytes.extracting(0..<start))
    } else {
      if returned.capacity > 1 << 20, count < 1 << 16 { returned = TextBuffer(capacity: count) }
      returned.truncate(to: 0)
      returned.append(text.bytes.extracting(start..<text.count))
      position = 0
      text.truncate(to: start)
    }
  }
}
