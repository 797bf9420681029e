/// Whether a text is a UUID in the form 8-4-4-4-12 (RFC 9562, section 4), in either case.
package func isUUID(_ text: Span<UInt8>) -> Bool {
  guard text.count == 36 else { return false }
  for position in text.indices {
    switch position {
    case 8, 13, 18, 23: guard text[position] == UInt8(ascii: "-") else { return false }
    default: guard isHexDigit(text[position]) else { return false }
    }
  }
  return true
}

/// Whether a text has the form of a URI: a scheme, a colon, and no character that RFC 3986 never allows.
///
/// Letters beyond ASCII pass, as in RFC 3987.
package func isURI(_ text: Span<UInt8>) -> Bool {
  var position = 0
  while position < text.count, text[position] != UInt8(ascii: ":") {
    let byte = text[position]
    let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    let isFurther =
      byte &- UInt8(ascii: "0") <= 9 || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".")
    guard isLetter || (position > 0 && isFurther) else { return false }
    position += 1
  }
  guard position > 0, position < text.count else { return false }
  while position < text.count {
    switch text[position] {
    case 0...0x20, 0x7F, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "}"),
      UInt8(ascii: "|"), UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"):
      return false
    case UInt8(ascii: "%"):
      guard position + 2 < text.count, isHexDigit(text[position + 1]), isHexDigit(text[position + 2]) else {
        return false
      }
    default: break
    }
    position += 1
  }
  return true
}

private func isHexDigit(_ byte: UInt8) -> Bool {
  byte &- UInt8(ascii: "0") <= 9 || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
}
