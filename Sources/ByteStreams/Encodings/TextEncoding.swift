import Records

/// How characters are spelled as bytes.
package struct TextEncoding: Sendable {
  enum Kind: Sendable {
    /// Read as it is; validation checks it.
    case utf8
    /// UTF-8 in which nothing but ASCII is allowed.
    case ascii
    case utf16(isBigEndian: Bool)
    case utf32(isBigEndian: Bool)
    case singleByte(SingleByteDecoder)
    case multiByte(MultiByteDecoder, systemName: String)
  }

  /// Its name for people, such as `UTF-8` or `WINDOWS-1252`.
  package let name: String
  let kind: Kind

  init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// UTF-8 (RFC 3629).
  package static let utf8 = TextEncoding(name: "UTF-8", kind: .utf8)
  /// ASCII: the lower half of UTF-8, and nothing else.
  package static let ascii = TextEncoding(name: "ASCII", kind: .ascii)

  /// UTF-16 (RFC 2781) in a byte order.
  package static func utf16(isBigEndian: Bool) -> TextEncoding {
    TextEncoding(name: isBigEndian ? "UTF-16BE" : "UTF-16LE", kind: .utf16(isBigEndian: isBigEndian))
  }

  /// UTF-32 in a byte order.
  package static func utf32(isBigEndian: Bool) -> TextEncoding {
    TextEncoding(name: isBigEndian ? "UTF-32BE" : "UTF-32LE", kind: .utf32(isBigEndian: isBigEndian))
  }

  /// Whether readers take the bytes as they are.
  package var isRead: Bool {
    switch kind {
    case .utf8, .ascii: true
    default: false
    }
  }

  /// Whether bytes above 0x7F are no characters.
  package var isASCII: Bool {
    if case .ascii = kind { true } else { false }
  }

  /// Whether characters have several bytes that may look like others.
  package var isMultiByte: Bool {
    if case .multiByte = kind { true } else { false }
  }

  /// The UTF-8 of the first bytes of an input; a character that is cut at their end is left out.
  package func text(ofSample sample: Span<UInt8>, isWhole: Bool) -> [UInt8] {
    guard !isRead else { return Array(copying: sample) }
    let decoder = makeDecoder()
    var text = unsafe [UInt8](unsafeUninitializedCapacity: 4 * sample.count + 16) { room, count in
      unsafe sample.withUnsafeBufferPointer { count = unsafe decoder.decode($0, isEnd: isWhole, to: room).made }
    }
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
    return text
  }

  /// A trail for one reading of an input.
  package func makeTrail() -> SourceTrail { SourceTrail(coding: makeDecoder()) }

  /// A decoder at the beginning of an input.
  func makeDecoder() -> any TextDecoder {
    switch kind {
    case .utf8, .ascii: preconditionFailure("UTF-8 is read as it is")
    case .utf16(let isBigEndian): return UTF16Decoder(isBigEndian: isBigEndian)
    case .utf32(let isBigEndian): return UTF32Decoder(isBigEndian: isBigEndian)
    case .singleByte(let decoder): return decoder
    case .multiByte(let decoder, let systemName):
      // Each reading is in a state of its own.
      return MultiByteDecoder(name: name, systemName: systemName) ?? decoder
    }
  }
}
