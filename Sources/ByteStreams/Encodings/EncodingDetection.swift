/// Which encoding an input is in, and how that is known.
package struct EncodingDetection: Sendable {
  /// The encoding.
  package var encoding: TextEncoding
  /// How it is known, such as `byte order mark`; nil when it was told, or is the default.
  package var reason: String?
  /// How many bytes at the head are a byte order mark.
  package var byteOrderMarkCount = 0
  /// What of the told encoding was not followed, in a sentence; nil when it was.
  package var contradiction: String?

  /// Finds the encoding of an input: its byte order mark says it, else what was told, else zero bytes at every second or
  /// at three of four places; else it is UTF-8.
  ///
  /// A mark outweighs what was told, as in the WHATWG's Encoding Standard: no text in another encoding begins with one.
  /// Encodings of a byte a character are never guessed.
  package static func detect(
    sample: Span<UInt8>,
    isWholeInput: Bool,
    told: ToldEncoding?
  ) -> EncodingDetection {
    if let (encoding, count) = mark(at: sample, told: told) {
      var detection = EncodingDetection(encoding: encoding, reason: "byte order mark", byteOrderMarkCount: count)
      if let told, !told.includes(encoding) {
        detection.contradiction =
          "it was told to be \(told.name), but begins with the byte order mark of \(encoding.name)"
      }
      return detection
    }
    switch told {
    case .exact(let encoding)?: return EncodingDetection(encoding: encoding)
    case .utf16?:
      guard let order = ZeroPattern.utf16Order(of: sample) else {
        return EncodingDetection(encoding: .utf16(isBigEndian: true), reason: "no byte order mark: RFC 2781")
      }
      return EncodingDetection(encoding: .utf16(isBigEndian: order), reason: "zero bytes at every second place")
    case .utf32?:
      let order = ZeroPattern.utf32Order(of: sample, isWholeInput: isWholeInput) ?? true
      return EncodingDetection(encoding: .utf32(isBigEndian: order), reason: "its zero bytes")
    case nil:
      guard ZeroPattern.hasZero(in: sample) else { return EncodingDetection(encoding: .utf8) }
      if let order = ZeroPattern.utf32Order(of: sample, isWholeInput: isWholeInput) {
        return EncodingDetection(encoding: .utf32(isBigEndian: order), reason: "zero bytes at three of four places")
      }
      if let order = ZeroPattern.utf16Order(of: sample) {
        return EncodingDetection(encoding: .utf16(isBigEndian: order), reason: "zero bytes at every second place")
      }
      return EncodingDetection(encoding: .utf8)
    }
  }

  /// The encoding whose byte order mark stands at the head, and the mark's length.
  private static func mark(at sample: Span<UInt8>, told: ToldEncoding?) -> (TextEncoding, Int)? {
    func begins(with bytes: [UInt8]) -> Bool {
      sample.count >= bytes.count && bytes.indices.allSatisfy { sample[$0] == bytes[$0] }
    }
    if begins(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    // UTF-16 whose first character is a NUL begins the same; only one who knows can mean that.
    if begins(with: [0xFF, 0xFE, 0, 0]), !(told?.isUTF16 ?? false) { return (.utf32(isBigEndian: false), 4) }
    if begins(with: [0, 0, 0xFE, 0xFF]) { return (.utf32(isBigEndian: true), 4) }
    if begins(with: [0xFF, 0xFE]) { return (.utf16(isBigEndian: false), 2) }
    if begins(with: [0xFE, 0xFF]) { return (.utf16(isBigEndian: true), 2) }
    return nil
  }
}

extension ToldEncoding {
  /// Whether it is UTF-16 in any order.
  var isUTF16: Bool {
    switch self {
    case .utf16: true
    case .exact(let encoding): if case .utf16 = encoding.kind { true } else { false }
    case .utf32: false
    }
  }

  /// Whether an encoding is what was told.
  func includes(_ encoding: TextEncoding) -> Bool {
    switch (self, encoding.kind) {
    case (.utf16, .utf16), (.utf32, .utf32): true
    case (.exact(let own), _): own.name == encoding.name
    default: false
    }
  }
}
