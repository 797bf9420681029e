import Records
import Testing
import Validation

private func fault(in bytes: [UInt8]) -> TextFault? { findTextFault(bytes.span) }

private func decode(_ text: String, into output: inout TextBuffer) -> Int? {
  decodeBase64(Array(text.utf8).span, into: &output)
}

private func copy(_ buffer: borrowing TextBuffer) -> [UInt8] {
  let bytes = buffer.bytes
  return bytes.indices.map { bytes[$0] }
}

@Suite struct TextChecking {
  /// Every class of ill-formed UTF-8 (Unicode 15, table 3-7), with the offset of its first byte.
  static let faults: [([UInt8], TextFault)] = [
    ([0x61, 0x80], .invalidUTF8(at: 1)), ([0xC0, 0xAF], .invalidUTF8(at: 0)), ([0xC1, 0xBF], .invalidUTF8(at: 0)),
    ([0xC3], .invalidUTF8(at: 0)), ([0xC3, 0x28], .invalidUTF8(at: 0)), ([0xE0, 0x9F, 0xBF], .invalidUTF8(at: 0)),
    ([0xED, 0xA0, 0x80], .invalidUTF8(at: 0)), ([0xE2, 0x82], .invalidUTF8(at: 0)),
    ([0xF0, 0x8F, 0xBF, 0xBF], .invalidUTF8(at: 0)),
    ([0xF4, 0x90, 0x80, 0x80], .invalidUTF8(at: 0)), ([0xF5, 0x80, 0x80, 0x80], .invalidUTF8(at: 0)),
    ([0xFF], .invalidUTF8(at: 0)),
    ([0xE2, 0x82, 0x41], .invalidUTF8(at: 0)), ([0x00], .nul(at: 0)), (Array("12345678".utf8) + [0], .nul(at: 8)),
    (Array("1234567".utf8) + [0xFF], .invalidUTF8(at: 7)), (Array("1234".utf8) + [0] + Array("678".utf8), .nul(at: 4)),
  ]

  @Test(arguments: faults) func `a byte that text cannot hold is found where it stands`(
    _ bytes: [UInt8],
    _ expected: TextFault
  ) {
    #expect(fault(in: bytes) == expected)
  }

  @Test(arguments: [
    "", "a", "12345678", "123456789", "Zoë", "日本語のメモ", "🎉 ok", "\u{7F}\u{1}", "e\u{301}", "\u{10FFFF}\u{FFFF}",
  ])
  func `valid text passes`(_ text: String) {
    #expect(fault(in: Array(text.utf8)) == nil)
  }

  @Test func `it agrees with the standard library on every short run of bytes`() {
    for first in UInt8.min...UInt8.max {
      for second in stride(from: UInt8(1), through: 0xFE, by: 1) {
        for third in [0x28, 0x7F, 0x80, 0xBF, 0xC0] as [UInt8] where first != 0 {
          let bytes = [first, second, third]
          #expect((fault(in: bytes) == nil) == (String(validating: bytes, as: UTF8.self) != nil))
        }
      }
    }
  }
}

@Suite struct Base64Decoding {
  static let readable: [(String, [UInt8])] = [
    ("", []), ("Zg==", [0x66]), ("Zm8=", [0x66, 0x6F]), ("Zm9v", [0x66, 0x6F, 0x6F]),
    ("Zm9v\r\n YmFy", Array("foobar".utf8)),
    ("//8=", [0xFF, 0xFF]),
  ]

  @Test(arguments: readable) func `padded base64 is decoded`(_ text: String, _ expected: [UInt8]) {
    var output = TextBuffer()
    #expect(decode(text, into: &output) == nil)
    #expect(copy(output) == expected)
  }

  static let faults: [(String, Int)] = [
    ("Zg=", 3), ("Zg", 2), ("Z", 1), ("Zm9v!", 4), ("Zg==Zg==", 4), ("=", 0), ("Zh==", 4), ("Zm9=v", 4), ("Zm-_", 2),
  ]

  @Test(arguments: faults) func `a fault is told where it stands and leaves nothing behind`(
    _ text: String,
    _ position: Int
  ) {
    var output = TextBuffer()
    output.append("x")
    #expect(decode(text, into: &output) == position)
    #expect(copy(output) == [UInt8(ascii: "x")])
  }
}

private func uuid(_ text: String) -> Bool { isUUID(Array(text.utf8).span) }

private func uri(_ text: String) -> Bool { isURI(Array(text.utf8).span) }

@Suite struct Identifiers {
  @Test func `UUIDs are recognised in either case`() {
    #expect(uuid("f81d4fae-7dec-11d0-A765-00a0c91e6bf6"))
    for text in ["f81d4fae7dec11d0a76500a0c91e6bf6", "f81d4fae-7dec-11d0-a765-00a0c91e6bfg", ""] {
      #expect(!uuid(text))
    }
  }

  @Test(arguments: [
    "https://example.org/a?b=c#d", "mailto:a@example.org", "urn:isbn:0451450523", "x:", "http://é.example/%20",
  ])
  func `URIs have a scheme`(_ text: String) {
    #expect(uri(text))
  }

  @Test(arguments: ["example.org", "http://a b", "1x:a", "http://a/%2", "http://a/%zz", ":a", "", "a<b:c", "x:<y>"])
  func `other texts are no URIs`(_ text: String) {
    #expect(!uri(text))
  }
}
