import Records

/// How far a decoder came.
struct DecodeStep: Equatable {
  /// How many bytes of the source were taken, whole characters only.
  var taken = 0
  /// How many bytes of UTF-8 were made.
  var made = 0
}

/// Makes UTF-8 of another encoding, a stretch at a time.
///
/// A step ends where the input ends, where it ends within a character (those bytes are left for the next step), or where
/// the next character has no room. Each invalid sequence becomes one `invalidByte`; with `isEnd`, so does what remains of
/// a character that breaks off.
protocol TextDecoder: SourceCoding {
  /// Whether every step may begin anywhere that one has ended; else only behind a line feed.
  var isStateless: Bool { get }

  func decode(
    _ input: UnsafeBufferPointer<UInt8>,
    isEnd: Bool,
    to room: UnsafeMutableBufferPointer<UInt8>
  ) -> DecodeStep
}

extension TextDecoder {
  /// Decodes as much as makes so many bytes of UTF-8.
  func sourceCount(ofText textCount: Int, in bytes: Span<UInt8>) -> Int {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4096) { room in
      unsafe bytes.withUnsafeBufferPointer { input in
        var step = DecodeStep()
        while step.made < textCount, step.taken < input.count {
          let wanted = min(textCount - step.made, room.count)
          let next = unsafe decode(
            UnsafeBufferPointer(rebasing: input[step.taken...]),
            isEnd: true,
            to: UnsafeMutableBufferPointer(rebasing: room[..<wanted])
          )
          // A character that is longer than what is wanted ends the search before it.
          guard next.taken > 0 else { break }
          step.taken += next.taken
          step.made += next.made
        }
        return step.taken
      }
    }
  }
}

extension TextDecoder {
  /// Decodes everything.
  func text(of bytes: Span<UInt8>) -> [UInt8] {
    // UTF-16 makes three bytes of two, a single byte at most three.
    unsafe [UInt8](unsafeUninitializedCapacity: 3 * bytes.count + 4) { room, count in
      unsafe bytes.withUnsafeBufferPointer { input in
        count = unsafe decode(input, isEnd: true, to: room).made
      }
    }
  }
}

/// Where UTF-8 is written to, character by character.
@safe struct UTF8Room: ~Copyable {
  private let room: UnsafeMutableBufferPointer<UInt8>
  /// How many bytes were written.
  private(set) var count = 0

  @unsafe init(_ room: UnsafeMutableBufferPointer<UInt8>) { unsafe self.room = room }

  /// Bytes that may still be written.
  var left: Int { unsafe room.count - count }

  /// Writes one byte; there must be room for it.
  @inline(__always)
  mutating func append(_ byte: UInt8) {
    unsafe room[count] = byte
    count += 1
  }

  /// Counts bytes that were written by other means.
  @inline(__always)
  mutating func advance(by byteCount: Int) { count += byteCount }

  /// Writes a scalar value; false where it has no room.
  @inline(__always)
  mutating func append(scalar: UInt32) -> Bool {
    switch scalar {
    case 0..<0x80:
      guard left >= 1 else { return false }
      append(UInt8(truncatingIfNeeded: scalar))
    case 0x80..<0x800:
      guard left >= 2 else { return false }
      append(0xC0 | UInt8(truncatingIfNeeded: scalar >> 6))
      append(Self.trail(scalar))
    case 0x800..<0x1_0000:
      guard left >= 3 else { return false }
      append(0xE0 | UInt8(truncatingIfNeeded: scalar >> 12))
      append(Self.trail(scalar >> 6))
      append(Self.trail(scalar))
    default:
      guard left >= 4 else { return false }
      append(0xF0 | UInt8(truncatingIfNeeded: scalar >> 18))
      append(Self.trail(scalar >> 12))
      append(Self.trail(scalar >> 6))
      append(Self.trail(scalar))
    }
    return true
  }

  /// Writes what stands for an invalid sequence; false where it has no room.
  mutating func appendInvalid() -> Bool {
    guard left >= 1 else { return false }
    append(invalidByte)
    return true
  }

  @inline(__always)
  private static func trail(_ bits: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: bits & 0x3F) }
}

/// The scalars of a text of ours.
func scalars(of text: Span<UInt8>) -> String.UnicodeScalarView {
  unsafe text.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }.unicodeScalars
}
