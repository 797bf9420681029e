/// A value that is kept to be shown, or its beginning.
package struct KeptValue: Sendable, Hashable {
  /// Its bytes, at most `limit` of them; supposed to be UTF-8.
  package var bytes: [UInt8]
  /// Whether more bytes follow.
  package var isCut: Bool
  /// The line on which it stood first, from 1; nil where that is not known.
  package var line: Int?

  /// The most bytes that are kept of a value.
  package static let limit = 200

  /// Makes a value of bytes that are already cut.
  package init(_ bytes: [UInt8], isCut: Bool = false, line: Int? = nil) {
    self.bytes = bytes
    self.isCut = isCut
    self.line = line
  }

  /// Keeps the beginning of a text, whole characters only.
  package init(_ text: Span<UInt8>, line: Int? = nil) {
    var end = min(text.count, Self.limit)
    if end < text.count {
      var start = end
      while start > 0, end - start < 3, text[start] & 0xC0 == 0x80 { start -= 1 }
      if text[start] & 0xC0 == 0xC0 { end = start }
    }
    bytes = []
    bytes.reserveCapacity(end)
    for index in 0..<end { bytes.append(text[index]) }
    isCut = end < text.count
    self.line = line
  }
}
