/// What is wrong with the bytes of a text, if anything.
package enum TextFault: Equatable {
  /// Bytes from this offset in the field are not UTF-8 (RFC 3629: no overlong forms, no surrogates, up to U+10FFFF).
  case invalidUTF8(at: Int)
  /// A NUL stands at this offset; SQLite's functions would cut the text there.
  case nul(at: Int)
}

/// Looks for bytes that a text cannot hold; nil if there are none.
///
/// Eight bytes a step while they are ASCII; the first that is not, or is NUL, goes on byte by byte.
package func findTextFault(_ text: Span<UInt8>) -> TextFault? {
  let raw = unsafe text.bytes
  var position = 0
  while position + 8 <= raw.byteCount {
    let word = unsafe raw.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
    // A high bit, or a borrow out of a zero byte.
    guard (word | (word &- 0x0101_0101_0101_0101)) & 0x8080_8080_8080_8080 == 0 else {
      return findTextFault(text, from: position)
    }
    position += 8
  }
  while position < text.count {
    guard text[position] &- 1 < 0x7F else { return findTextFault(text, from: position) }
    position += 1
  }
  return nil
}

/// The same, byte by byte, from the start of a character on.
private func findTextFault(_ text: Span<UInt8>, from start: Int) -> TextFault? {
  var position = start
  while position < text.count {
    let lead = text[position]
    if lead < 0x80 {
      guard lead != 0 else { return .nul(at: position) }
      position += 1
      continue
    }
    let length: Int
    var secondByteRange: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, secondByteRange) = (3, 0xA0...0xBF)
    case 0xED: (length, secondByteRange) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, secondByteRange) = (4, 0x90...0xBF)
    case 0xF4: (length, secondByteRange) = (4, 0x80...0x8F)
    case 0xF1...0xF3: length = 4
    default: return .invalidUTF8(at: position)
    }
    guard position + length <= text.count, secondByteRange.contains(text[position + 1]) else {
      return .invalidUTF8(at: position)
    }
    for offset in 2..<max(length, 2) where text[position + offset] & 0xC0 != 0x80 {
      return .invalidUTF8(at: position)
    }
    position += length
  }
  return nil
}

/// How many Unicode scalars a valid UTF-8 text has.
package func scalarCount(of text: Span<UInt8>) -> Int {
  var count = 0
  for index in text.indices where text[index] & 0xC0 != 0x80 { count += 1 }
  return count
}
