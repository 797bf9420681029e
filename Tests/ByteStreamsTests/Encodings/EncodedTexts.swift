import ByteStreams
import Records
import TestSupport
import Testing

/// Text in an encoding, spelled by other means than those under test.
struct Encoder: CustomTestStringConvertible, Sendable {
  let name: String
  /// The bytes of a scalar; nil for one that the encoding does not have.
  let encode: @Sendable (Unicode.Scalar) -> [UInt8]?
  var testDescription: String { name }

  func encode(_ text: String) -> [UInt8] { text.unicodeScalars.flatMap { encode($0) ?? [] } }

  private static func units16(_ scalar: Unicode.Scalar) -> [UInt16] { Array(String(scalar).utf16) }

  private static func table(_ name: String, _ pairs: [Unicode.Scalar: [UInt8]]) -> Encoder {
    Encoder(name: name) { scalar in scalar.isASCII ? [UInt8(scalar.value)] : pairs[scalar] }
  }

  static let all: [Encoder] = [
    Encoder(name: "UTF-16LE") { units16($0).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } },
    Encoder(name: "UTF-16BE") { units16($0).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } },
    Encoder(name: "UTF-32LE") { scalar in [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: scalar.value >> $0) } },
    Encoder(name: "UTF-32BE") { scalar in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: scalar.value >> $0) } },
    Encoder(name: "ISO-8859-1") { $0.value < 0x100 ? [UInt8($0.value)] : nil },
    table("windows-1252", ["é": [0xE9], "ì": [0xEC], "€": [0x80], "’": [0x92], "ß": [0xDF]]),
    table("windows-1258", ["é": [0xE9], "€": [0x80], "\u{301}": [0xEC], "\u{300}": [0xCC], "ê": [0xEA]]),
    table("KOI8-R", ["п": [0xD0], "Р": [0xF2], "я": [0xD1]]),
    table("Shift_JIS", ["表": [0x95, 0x5C], "ソ": [0x83, 0x5C], "ｱ": [0xB1], "花": [0x89, 0xD4]]),
    table("EUC-KR", ["한": [0xC7, 0xD1], "글": [0xB1, 0xDB]]),
    table("GB18030", ["漢": [0x9D, 0x68], "字": [0xD7, 0xD6], "é": [0xA8, 0xA6], "😀": [0x94, 0x39, 0xFC, 0x36]]),
    table("BIG5-HKSCS", ["一": [0xA4, 0x40], "功": [0xA5, 0x5C], "ê": [0x88, 0xA7]]),
  ]

  /// Characters to make texts of.
  static let pieces: [Unicode.Scalar] =
    Array("abc,;\"\n\n\r\t x1".unicodeScalars)
    + Array("éì€’ßпРя表ソｱ花한글漢字😀一功ê\u{301}\u{300}\u{FEFF}\u{1}\u{7F}\u{2028}".unicodeScalars)

  /// A text of characters that the encoding has; it does not begin with a byte order mark.
  func randomText(using random: inout SplitMix64, count: Int) -> String {
    var text = String.UnicodeScalarView()
    text.append("n")
    while text.count < count {
      if let scalar = Self.pieces.randomElement(using: &random), encode(scalar) != nil { text.append(scalar) }
    }
    return String(text)
  }
}

/// An encoding by its name, which must be one.
func encoding(_ name: String) throws -> TextEncoding {
  guard case .exact(let encoding) = try ToldEncoding.named(name) else { throw NoEncoding() }
  return encoding
}

struct NoEncoding: Error {}

/// What a source in an encoding gives, and its trail.
func transcode(
  _ bytes: [UInt8],
  _ encoding: TextEncoding,
  chunkSize: Int = .max,
  pieceSize: Int = 4096
) throws -> (text: [UInt8], trail: SourceTrail) {
  let trail = encoding.makeTrail()
  let source = TranscodingByteSource(ChunkedSource(bytes, chunkSize: chunkSize), encoding: encoding, trail: trail)
  return (try readAll(source, pieceSize: pieceSize), trail)
}
