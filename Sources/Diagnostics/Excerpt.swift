/// The beginning of some input, made safe to show: escaped, and cut with `…` past `limit` bytes.
///
/// Control characters, bidirectional overrides, and bytes that are not UTF-8 come out as visible escapes, so that no
/// input can move a terminal's cursor or hide in a message.
public func excerpt(of bytes: Span<UInt8>, limit: Int = 40) -> String {
  var end = min(bytes.count, limit)
  if end < bytes.count {
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
  }
  var head: [UInt8] = []
  head.reserveCapacity(end)
  for index in 0..<end { head.append(bytes[index]) }
  return visible(head) + (end < bytes.count ? "…" : "")
}

/// The beginning of a text, made safe to show; see `excerpt(of:limit:)` for bytes.
public func excerpt(of text: String, limit: Int = 200) -> String {
  excerpt(of: Array(text.utf8).span, limit: limit)
}

/// Decodes UTF-8 and escapes whatever a terminal or a reader could be misled by.
private func visible(_ bytes: [UInt8]) -> String {
  var result = ""
  var decoder = UTF8()
  var iterator = bytes.makeIterator()
  var consumed = 0
  while true {
    switch decoder.decode(&iterator) {
    case .scalarValue(let scalar):
      consumed += UTF8.width(scalar)
      appendVisible(scalar, to: &result)
    case .emptyInput:
      return result
    case .error:
      // One byte at a time from here on: the decoder does not say how many it took.
      if consumed < bytes.count { result += escape(bytes[consumed]) }
      consumed += 1
      iterator = bytes[min(consumed, bytes.count)...].makeIteratorOfArray()
      decoder = UTF8()
    }
  }
}

private func appendVisible(_ scalar: Unicode.Scalar, to result: inout String) {
  switch scalar.value {
  case 0x09: result += "\\t"
  case 0x0A: result += "\\n"
  case 0x0D: result += "\\r"
  case 0..<0x20, 0x7F: result += escape(UInt8(truncatingIfNeeded: scalar.value))
  case 0x80..<0xA0, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB:
    result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
  default: result.unicodeScalars.append(scalar)
  }
}

private func escape(_ byte: UInt8) -> String {
  let digits = String(byte, radix: 16, uppercase: true)
  return "\\x" + (digits.count < 2 ? "0" : "") + digits
}

extension ArraySlice<UInt8> {
  /// An iterator of the same type as an array's.
  fileprivate func makeIteratorOfArray() -> IndexingIterator<[UInt8]> { Array(self).makeIterator() }
}
