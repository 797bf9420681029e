import ByteStreams
import Diagnostics
import Records
import TestSupport
import Testing

@Suite struct Transcoding {
  @Test(arguments: Encoder.all, [1, 2, 3, 7, 64, 4096, 128 << 10])
  func `text comes out as it was, however the input is split`(encoder: Encoder, size: Int) throws {
    var random = SplitMix64(seed: UInt64(size))
    let text = encoder.randomText(using: &random, count: size > 1000 ? 5000 : 200)
    let bytes = encoder.encode(text)
    #expect(try transcode(bytes, encoding(encoder.name), chunkSize: size).text == Array(text.utf8))
    #expect(try transcode(bytes, encoding(encoder.name), pieceSize: size).text == Array(text.utf8))
  }

  @Test(arguments: Encoder.all, 0..<3 as Range<UInt64>)
  func `every place of the text leads back to its character`(encoder: Encoder, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let text = encoder.randomText(using: &random, count: seed < 2 ? 120 : 4000)
    let (_, trail) = try transcode(encoder.encode(text), encoding(encoder.name))
    let source = trail.current
    var textOffset: Int64 = 0
    var offset = 0
    for (index, scalar) in text.unicodeScalars.enumerated() {
      let count = String(scalar).utf8.count
      if text.unicodeScalars.count < 1000 || index % 97 == 0 {
        for byte in 0..<count {
          let found = source.position(ofText: textOffset + Int64(byte))
          #expect(found == offset, "byte \(byte) of character \(index), \(scalar.escaped(asASCII: true))")
        }
      }
      textOffset += Int64(count)
      offset += encoder.encode(scalar)?.count ?? 0
    }
    #expect(source.position(ofText: textOffset) == offset)
  }

  @Test(arguments: Encoder.all, 0..<8 as Range<UInt64>)
  func `invalid bytes anywhere give the same text at any split, and nothing of the rest is lost`(
    encoder: Encoder,
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    var bytes = encoder.encode(encoder.randomText(using: &random, count: 300))
    for _ in 0..<20 {
      bytes[Int.random(in: 8..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    let encoding = try encoding(encoder.name)
    let (whole, trail) = try transcode(bytes, encoding)
    for size in [1, 2, 3, 5, 7, 64] {
      #expect(try transcode(bytes, encoding, chunkSize: size, pieceSize: 11).text == whole)
    }
    // Decoding in one go is the same; the places of the text's ends are the ends of the source.
    #expect(trail.coding.text(of: bytes.span) == whole)
    #expect(trail.current.position(ofText: Int64(whole.count)) == bytes.count)
  }

  @Test(arguments: Encoder.all, [1, 3, 4096])
  func `parts taken one after the other hold all the bytes`(encoder: Encoder, size: Int) throws {
    var random = SplitMix64(seed: 7)
    let text = encoder.randomText(using: &random, count: 6000)
    let bytes = encoder.encode(text)
    let (whole, trail) = try transcode(bytes, encoding(encoder.name), chunkSize: size)
    // Cuts where a character begins, as readers make them.
    let cuts = stride(from: 0, to: whole.count, by: 700).map { start in
      (start..<whole.count).first { whole[$0] & 0xC0 != 0x80 } ?? whole.count
    }
    var gathered: [UInt8] = []
    for (start, end) in zip(cuts, cuts.dropFirst() + [whole.count]) {
      let part = trail.take(Int64(start)..<Int64(end))
      gathered += part.bytes[part.position(ofText: Int64(start))..<part.position(ofText: Int64(end))]
    }
    #expect(gathered == bytes)
  }

  struct IllFormed: CustomTestStringConvertible, Sendable {
    let encoding: String
    let bytes: [UInt8]
    /// The text, with `?` for each invalid sequence.
    let text: String
    let byteCount: Int
    let reason: String?
    var testDescription: String { "\(encoding) \(bytes)" }

    init(_ encoding: String, _ bytes: [UInt8], _ text: String, _ byteCount: Int, _ reason: String?) {
      (self.encoding, self.bytes, self.text) = (encoding, bytes, text)
      (self.byteCount, self.reason) = (byteCount, reason)
    }
  }

  static let illFormed: [IllFormed] = [
    IllFormed("UTF-16LE", [0x61, 0, 0x00, 0xD8, 0x62, 0], "a?b", 2, "half of a surrogate pair"),
    IllFormed("UTF-16LE", [0x61, 0, 0x00, 0xDC, 0x62, 0], "a?b", 2, "half of a surrogate pair"),
    IllFormed("UTF-16LE", [0x61, 0, 0x00, 0xDC, 0x00, 0xD8], "a??", 2, "half of a surrogate pair"),
    IllFormed("UTF-16BE", [0, 0x61, 0xD8, 0x00, 0xD8, 0x3D, 0xDE, 0x00], "a?\u{1F600}", 2, "half of a surrogate pair"),
    IllFormed("UTF-16BE", [0, 0x61, 0xDB, 0xFF, 0xDF, 0xFF, 0xDF], "a\u{10FFFF}?", 1, "half of a code unit"),
    IllFormed("UTF-16LE", [0x61, 0, 0x3D, 0xD8], "a?", 2, "half of a surrogate pair"),
    IllFormed("UTF-16LE", [0x61, 0, 0x3D, 0xD8, 0x00], "a??", 2, "half of a surrogate pair"),
    IllFormed("UTF-32LE", [0x61, 0, 0, 0, 0, 0xD8, 0, 0, 0x62, 0, 0, 0], "a?b", 4, "half of a surrogate pair"),
    IllFormed("UTF-32BE", [0, 0, 0, 0x61, 0, 0x11, 0, 0], "a?", 4, "past the last code point, U+10FFFF"),
    IllFormed("UTF-32BE", [0, 0, 0, 0x61, 0xFF, 0xFF, 0xFF, 0xFF], "a?", 4, "past the last code point, U+10FFFF"),
    IllFormed("UTF-32BE", [0, 0, 0, 0x61, 0, 0x10, 0xFF], "a?", 3, "a part of a code unit"),
    IllFormed("windows-1252", [0x61, 0x81, 0x62], "a?b", 1, nil),
    IllFormed("Shift_JIS", [0x61, 0x95], "a?", 1, "a part of a character"),
    IllFormed("Shift_JIS", [0x61, 0xA0, 0x62], "a?b", 1, nil),
    IllFormed("EUC-KR", [0x61, 0xC7, 0x0A, 0x62], "a?\nb", 1, nil),
    IllFormed("GB18030", [0x61, 0x94, 0x39, 0xFC], "a?", 3, "a part of a character"),
  ]

  @Test(arguments: illFormed, [1, 2, 3, 64])
  func `each ill-formed sequence is one invalid byte, and is told`(example: IllFormed, size: Int) throws {
    let (text, trail) = try transcode(example.bytes, encoding(example.encoding), chunkSize: size)
    #expect(text == example.text.utf8.map { $0 == UInt8(ascii: "?") ? invalidByte : $0 })
    let first = try #require(text.firstIndex(of: invalidByte))
    let source = trail.current
    let start = source.position(ofText: Int64(first))
    let fault = source.coding.fault(in: source.bytes.span.extracting(start...))
    #expect(fault == SourceFault(byteCount: example.byteCount, reason: example.reason))
  }

  @Test(arguments: Encoder.all.prefix(4) + [Encoder.all[10]], [1, 2, 64])
  func `a byte order mark is no part of the text, and stays with the source`(encoder: Encoder, size: Int) throws {
    let mark = encoder.name == "GB18030" ? [0x84, 0x31, 0x95, 0x33] : encoder.encode("\u{FEFF}")
    let (text, trail) = try transcode(mark + encoder.encode("a\u{FEFF}b"), encoding(encoder.name), chunkSize: size)
    // One in the middle is a character.
    #expect(text == Array((encoder.name == "GB18030" ? "ab" : "a\u{FEFF}b").utf8))
    #expect(trail.byteOrderMark == mark)
    #expect(trail.current.place(ofText: 0, count: 1).offset == Int64(mark.count))
  }

  @Test(arguments: Encoder.all) func `what is encoded is decoded again`(encoder: Encoder) throws {
    var random = SplitMix64(seed: 3)
    let text = encoder.randomText(using: &random, count: 200)
    let coding = try encoding(encoder.name).makeTrail().coding
    #expect(coding.text(of: coding.encode(Array(text.utf8).span).span) == Array(text.utf8))
  }

  @Test func `input without bytes is text without bytes`() throws {
    for encoder in Encoder.all { #expect(try transcode([], encoding(encoder.name)).text.isEmpty) }
  }

  @Test func `memory does not grow with the input`() throws {
    let encoding = try encoding("windows-1252")
    let trail = encoding.makeTrail()
    let line = Array("caf\u{E9},1\n".unicodeScalars.map { UInt8($0.value) })
    let input = [UInt8]((0..<200_000).map { _ in line }.joined())
    var source = TranscodingByteSource(ChunkedSource(input), encoding: encoding, trail: trail)
    var offset: Int64 = 0
    var text = TextBuffer()
    while case let count = try source.read(64 << 10, into: &text), count > 0 {
      let part = trail.take(offset..<offset + Int64(count))
      #expect(part.bytes.count < 256 << 10)
      offset += Int64(count)
      text.truncate(to: 0)
    }
    #expect(offset == Int64(input.count + 200_000))
  }
}
