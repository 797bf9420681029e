/// What is wrong with a sequence of bytes that is not UTF-8 (RFC 3629; the Unicode Standard, table 3-7).
package enum UTF8Fault: Sendable, Hashable {
  /// A byte that may only continue a character continues none.
  case strayContinuation
  /// A character is spelled in more bytes than it needs.
  case overlong
  /// Half of a surrogate pair, which is no character.
  case surrogate
  /// A code point past the last one, U+10FFFF.
  case pastLast
  /// A byte that no character has.
  case neverUsed
  /// A character that breaks off before its last byte.
  case cutOff

  /// The fault in a few words.
  package var description: String {
    switch self {
    case .strayContinuation: "it continues no character"
    case .overlong: "a character in more bytes than it needs"
    case .surrogate: "half of a surrogate pair"
    case .pastLast: "past the last code point, U+10FFFF"
    case .neverUsed: "no character has such a byte"
    case .cutOff: "the character that it begins breaks off"
    }
  }

  /// Tells the fault of a sequence; its first byte is where valid UTF-8 ends.
  package init(of bytes: Span<UInt8>) {
    let second = bytes.count > 1 ? bytes[1] : 0
    switch (bytes[0], second) {
    case (0x80...0xBF, _): self = .strayContinuation
    case (0xC0...0xC1, _), (0xE0, 0x80...0x9F), (0xF0, 0x80...0x8F): self = .overlong
    case (0xED, 0xA0...0xBF): self = .surrogate
    case (0xF4, 0x90...0xBF), (0xF5...0xF7, _): self = .pastLast
    case (0xF8...0xFF, _): self = .neverUsed
    default: self = .cutOff
    }
  }
}

/// Offset of the first byte above 0x7F; nil if there is none.
package func firstNonASCII(in bytes: Span<UInt8>) -> Int? {
  let raw = unsafe bytes.bytes
  var position = 0
  while position + 8 <= raw.byteCount,
    unsafe raw.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
  {
    position += 8
  }
  while position < bytes.count {
    if bytes[position] >= 0x80 { return position }
    position += 1
  }
  return nil
}

/// Offset of the first byte that is no part of valid UTF-8, from `start` on; nil if there is none.
package func firstInvalidUTF8(in bytes: Span<UInt8>, from start: Int = 0) -> Int? {
  var position = start
  while position < bytes.count {
    let lead = bytes[position]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0x00...0x7F: length = 1
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: length = 4
    default: return position
    }
    guard position + length <= bytes.count else { return position }
    if length > 1 {
      guard second.contains(bytes[position + 1]) else { return position }
      for offset in 2..<max(length, 2) where bytes[position + offset] & 0xC0 != 0x80 { return position }
    }
    position += length
  }
  return nil
}
