/// The beginning of some input, made safe to show: escaped, and cut with `…` where more than `limit` bytes are left out.
///
/// Nothing in it can move a terminal's cursor, break a line or turn the direction of reading: control characters come
/// out as `\n`, `\x1B` or `\u{9B}`, invisible and bidirectional format characters as `\u{202E}`, and bytes that are not
/// UTF-8 as `\xFF`. Everything else stays as it is, so an excerpt of an excerpt is the same text.
///
/// - Parameters:
///   - bytes: Supposed to be UTF-8; any bytes are taken.
///   - limit: How many bytes of the input to show; a character that would go past it is left out whole.
public func excerpt(of bytes: Span<UInt8>, limit: Int = 40) -> String {
  // A character that begins before the limit ends within three bytes after it.
  let headCount = limit < bytes.count - 3 ? limit + 3 : bytes.count
  var head: [UInt8] = []
  head.reserveCapacity(headCount)
  for index in 0..<headCount { head.append(bytes[index]) }

  var shown = ""
  var position = 0
  var parser = Unicode.UTF8.ForwardParser()
  var iterator = head.makeIterator()
  while true {
    switch parser.parseScalar(from: &iterator) {
    case .valid(let encoded):
      guard position + encoded.count <= limit else { return shown + "…" }
      appendVisibly(Unicode.UTF8.decode(encoded), to: &shown)
      position += encoded.count
    case .error(let length):
      for byte in head[position..<position + length] {
        guard position < limit else { return shown + "…" }
        shown += hexadecimal(byte)
        position += 1
      }
    case .emptyInput:
      return position < bytes.count ? shown + "…" : shown
    }
  }
}

/// The beginning of a text, made safe to show; see `excerpt(of:limit:)` for bytes.
public func excerpt(of text: String, limit: Int = 200) -> String {
  let isPlain = text.utf8.count <= limit && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
  return isPlain ? text : excerpt(of: Array(text.utf8).span, limit: limit)
}

private func appendVisibly(_ scalar: Unicode.Scalar, to shown: inout String) {
  switch scalar {
  case " "..."~": shown.unicodeScalars.append(scalar)
  case "\t": shown += "\\t"
  case "\n": shown += "\\n"
  case "\r": shown += "\\r"
  case _ where scalar.isASCII: shown += hexadecimal(UInt8(truncatingIfNeeded: scalar.value))
  case _ where scalar.misleads: shown += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
  default: shown.unicodeScalars.append(scalar)
  }
}

private func hexadecimal(_ byte: UInt8) -> String {
  (byte < 0x10 ? "\\x0" : "\\x") + String(byte, radix: 16, uppercase: true)
}

extension Unicode.Scalar {
  /// Whether it controls how other text is shown, or shows nothing itself.
  ///
  /// Variation selectors only choose between pictures of the character before them, and are left alone.
  fileprivate var misleads: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    // Noncharacters may stand in no page (HTML, 3.2.2).
    case .unassigned where properties.isNoncharacterCodePoint: true
    default: properties.isDefaultIgnorableCodePoint && !(0xFE00...0xFE0F).contains(value)
    }
  }
}
