import Diagnostics

extension JSONTokenizer {
  /// The error of a byte, or an end, that the grammar does not allow at `position`.
  func unexpected(in bytes: Span<UInt8>) -> JSONSyntaxError {
    error(at: position, in: bytes, expected: expectedHere, found: describe(at: position, in: bytes))
  }

  private var expectedHere: String {
    switch expectation {
    case .value: "a value"
    case .firstElement: "a value or ']'"
    case .firstName: "a name in double quotes or '}'"
    case .name: "a name in double quotes"
    case .colon: "':' after the name"
    case .separator: isInObject ? "',' or '}'" : "',' or ']'"
    case .end: "nothing more after the value"
    }
  }

  /// What stands at an offset, for a message: a word, a character or the end.
  func describe(at offset: Int, in bytes: Span<UInt8>) -> String {
    guard offset < bytes.count else { return "the end of the text" }
    var end = offset
    while end < bytes.count, Self.isWordByte(bytes[end]) { end += 1 }
    if end == offset { end += scalarLength(at: offset, in: bytes) }
    let found = "'\(excerpt(of: bytes.extracting(offset..<end)))'"
    // Only the first name or element stands after no comma.
    let followsComma = expectation == .name || (expectation == .value && depth > 0 && !isInObject)
    let closes = bytes[offset] == UInt8(ascii: "}") || bytes[offset] == UInt8(ascii: "]")
    return followsComma && closes ? found + " after a comma" : found
  }

  /// How many bytes the character at an offset has, cut at the end of the bytes.
  func scalarLength(at offset: Int, in bytes: Span<UInt8>) -> Int {
    var end = offset + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80, end < offset + 4 { end += 1 }
    return end - offset
  }

  /// What is wrong with a control character in a string, with the escape to write instead.
  static func controlCharacter(_ byte: UInt8) -> String {
    switch byte {
    case 0x0A: return "a string holds a line end; write it as '\\n'"
    case 0x0D: return "a string holds a carriage return; write it as '\\r'"
    case 0x09: return "a string holds a tab; write it as '\\t'"
    default:
      let digits = String(byte, radix: 16, uppercase: true)
      let padded = String(repeating: "0", count: 4 - digits.count) + digits
      return "a string holds the control character U+\(padded); write it as '\\u\(padded)'"
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "+"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
