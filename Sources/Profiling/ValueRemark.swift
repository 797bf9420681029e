/// Something about a value that often means trouble, whatever its type.
package enum ValueRemark: UInt8, Sendable, Hashable, CaseIterable {
  /// White space stands before or after it.
  case surroundingSpace
  /// It holds a line end.
  case lineBreak
  /// It holds another control character than a tab or a line end.
  case controlCharacter
  /// It is not UTF-8.
  case invalidUTF8
  /// It holds U+FFFD, which programs put where they could not read what was there.
  case replacementCharacter
  /// It looks as if UTF-8 had been read as Latin-1 or Windows-1252 and encoded again, such as `Ã©`.
  case doubleEncoding
  /// It holds characters that show nothing or turn the direction of reading.
  case invisibleCharacter

  /// Its bit in a set.
  var bit: UInt8 { 1 << rawValue }
}

/// What is known of a value by itself: its kind, and the remarks that it earns.
struct ValueNature {
  var kind: ValueKind
  var remarks: UInt8

  /// Looks at a value that is not empty; counts its characters on the way.
  ///
  /// - Parameter characters: Receives the number of Unicode scalars, or of bytes where they are no UTF-8.
  init(of text: Span<UInt8>, characters: inout Int) {
    kind = ValueKind(of: text)
    remarks = 0
    characters = text.count
    // Numbers and dates are made of digits and marks alone.
    guard kind == .text || kind.rawValue >= ValueKind.booleanWord.rawValue else { return }
    let scan = unsafe ByteScan(text.bytes)
    if scan.hasControl { takeControls(text) }
    if scan.isASCII {
      if Self.isSpace(text[0]) || Self.isSpace(text[text.count - 1]) { remarks |= ValueRemark.surroundingSpace.bit }
    } else {
      takeCharacters(text, &characters)
    }
  }

  init(kind: ValueKind, remarks: UInt8) {
    self.kind = kind
    self.remarks = remarks
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 <= 4 }

  private mutating func takeControls(_ text: Span<UInt8>) {
    for index in text.indices {
      let byte = text[index]
      if byte == 0x0A || byte == 0x0D {
        remarks |= ValueRemark.lineBreak.bit
      } else if (byte < 0x20 && byte != 0x09) || byte == 0x7F {
        remarks |= ValueRemark.controlCharacter.bit
      }
    }
  }

  /// Looks at text that is more than ASCII.
  private mutating func takeCharacters(_ text: Span<UInt8>, _ characters: inout Int) {
    guard let characterCount = countScalars(of: text) else {
      remarks |= ValueRemark.invalidUTF8.bit
      return
    }
    characters = characterCount
    var position = 0
    while position < text.count {
      let lead = text[position]
      if lead < 0xC0 {
        position += 1
        continue
      }
      let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
      var scalar = UInt32(lead) & (0x7F >> UInt32(length))
      for offset in 1..<length { scalar = scalar << 6 | UInt32(text[position + offset] & 0x3F) }
      take(scalar, next: position + length < text.count ? text[position + length] : 0)
      position += length
    }
    let startsBlank = Self.isSpace(text[0]) || Self.beginsWithWideSpace(text)
    if startsBlank || Self.isSpace(text[text.count - 1]) || Self.endsWithWideSpace(text) {
      remarks |= ValueRemark.surroundingSpace.bit
    }
  }

  private mutating func take(_ scalar: UInt32, next: UInt8) {
    switch scalar {
    case 0x80...0x9F: remarks |= ValueRemark.controlCharacter.bit
    case 0xC2, 0xC3:
      // `Ã` or `Â` before U+0080…U+00BF is the lead of a character that was taken for two.
      if next == 0xC2 { remarks |= ValueRemark.doubleEncoding.bit }
    case 0xAD, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2064, 0x2066...0x2069, 0xFEFF:
      remarks |= ValueRemark.invisibleCharacter.bit
    case 0x2028, 0x2029: remarks |= ValueRemark.lineBreak.bit
    case 0xFFFD: remarks |= ValueRemark.replacementCharacter.bit
    default: break
    }
  }

  /// U+00A0, U+3000 and U+2000 to U+200A at the start.
  private static func beginsWithWideSpace(_ text: Span<UInt8>) -> Bool {
    if text.count >= 2, text[0] == 0xC2, text[1] == 0xA0 { return true }
    return text.count >= 3 && isWideSpace(text[0], text[1], text[2])
  }

  private static func endsWithWideSpace(_ text: Span<UInt8>) -> Bool {
    let end = text.count
    if end >= 2, text[end - 2] == 0xC2, text[end - 1] == 0xA0 { return true }
    return end >= 3 && isWideSpace(text[end - 3], text[end - 2], text[end - 1])
  }

  private static func isWideSpace(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
    (first == 0xE3 && second == 0x80 && third == 0x80) || (first == 0xE2 && second == 0x80 && third <= 0x8A)
  }
}

/// Whether bytes are ASCII, and whether control characters are among them; eight bytes a step.
private struct ByteScan {
  var isASCII: Bool
  var hasControl: Bool

  init(_ raw: RawSpan) {
    var high: UInt64 = 0
    var control: UInt64 = 0
    func take(_ word: UInt64) {
      high |= word
      // A byte below 0x20 borrows; one that is 0x7F has no bit set beside it.
      let delete = word ^ 0x7F7F_7F7F_7F7F_7F7F
      control |= (word &- 0x2020_2020_2020_2020) & ~word
      control |= (delete &- 0x0101_0101_0101_0101) & ~delete
    }
    let count = raw.byteCount
    if count >= 8 {
      var position = 0
      while position + 8 < count {
        take(unsafe raw.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
        position += 8
      }
      // The last eight may be some of the ones before; looking twice changes nothing.
      take(unsafe raw.unsafeLoadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
    } else {
      var word: UInt64 = 0x2020_2020_2020_2020
      for position in 0..<count {
        word = word << 8 | UInt64(unsafe raw.unsafeLoad(fromByteOffset: position, as: UInt8.self))
      }
      take(word)
    }
    isASCII = high & 0x8080_8080_8080_8080 == 0
    hasControl = control & 0x8080_8080_8080_8080 != 0
  }
}

/// How many Unicode scalars a text has; nil for bytes that are not UTF-8 (RFC 3629).
func countScalars(of text: Span<UInt8>) -> Int? {
  guard (try? UTF8Span(validating: text)) != nil else { return nil }
  var count = 0
  for index in text.indices where text[index] & 0xC0 != 0x80 { count += 1 }
  return count
}
