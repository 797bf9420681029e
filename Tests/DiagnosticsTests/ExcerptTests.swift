import Diagnostics
import Testing

@Suite struct Excerpts {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    let limit: Int
    let shown: String

    init(_ testDescription: String, _ bytes: [UInt8], limit: Int = 40, _ shown: String) {
      (self.testDescription, self.bytes, self.limit, self.shown) = (testDescription, bytes, limit, shown)
    }

    init(_ testDescription: String, _ text: String, limit: Int = 40, _ shown: String) {
      self.init(testDescription, Array(text.utf8), limit: limit, shown)
    }
  }

  static let safeCases = [
    Case("nothing", "", ""),
    Case("ASCII with quotes", #"D'Este said "no\yes""#, #"D'Este said "no\yes""#),
    Case("accents, composed and not", "è e\u{301}", "è e\u{301}"),
    Case("an emoji with a variation selector", "\u{2764}\u{FE0F}", "\u{2764}\u{FE0F}"),
    Case("four bytes a character", "😀", "😀"),
    Case("no-break space", "a\u{A0}b", "a\u{A0}b"),
  ]
  static let controlCases = [
    Case("tab, LF and CR", "a\tb\nc\r\nd", #"a\tb\nc\r\nd"#),
    Case("NUL", "a\0b", #"a\x00b"#),
    Case("a noncharacter", [0x61, 0xEF, 0xBF, 0xBE], #"a\u{FFFE}"#),
    Case("ESC", "\u{1B}[2J", #"\x1B[2J"#),
    Case("DEL", "a\u{7F}", #"a\x7F"#),
    Case("the one-character CSI of C1", "\u{9B}31m", #"\u{9B}31m"#),
    Case("the next line of C1", "a\u{85}b", #"a\u{85}b"#),
    Case("bidirectional override", "abc\u{202E}txt.exe", #"abc\u{202E}txt.exe"#),
    Case("bidirectional isolates", "\u{2066}a\u{2069}", #"\u{2066}a\u{2069}"#),
    Case("Arabic letter mark", "\u{61C}a", #"\u{61C}a"#),
    Case("line and paragraph separator", "a\u{2028}b\u{2029}", #"a\u{2028}b\u{2029}"#),
    Case("byte order mark", "\u{FEFF}nome", #"\u{FEFF}nome"#),
    Case("zero width space, soft hyphen, joiner", "a\u{200B}\u{AD}\u{2060}", #"a\u{200B}\u{AD}\u{2060}"#),
    Case("invisible tag characters", "a\u{E0041}", #"a\u{E0041}"#),
    Case("a letter without a picture", "a\u{3164}", #"a\u{3164}"#),
  ]
  static let invalidCases = [
    Case("a byte that never occurs", [0x61, 0xFF, 0x62], #"a\xFFb"#),
    Case("a continuation alone", [0x80, 0x61], #"\x80a"#),
    Case("the beginning of a character, then ASCII", [0xE2, 0x82, 0x61], #"\xE2\x82a"#),
    Case("the beginning of a character at the end", [0x61, 0xF0, 0x9F, 0x98], #"a\xF0\x9F\x98"#),
    Case("an overlong slash", [0xC0, 0xAF], #"\xC0\xAF"#),
    Case("a surrogate", [0xED, 0xA0, 0x80], #"\xED\xA0\x80"#),
    Case("past the last character", [0xF4, 0x90, 0x80, 0x80], #"\xF4\x90\x80\x80"#),
    Case("Latin-1", [0x4E, 0x69, 0x63, 0x6F, 0x6C, 0xF2], #"Nicol\xF2"#),
    Case("valid again after a fault", [0xC3, 0xC3, 0xA8, 0xFF, 0xC3, 0xA8], #"\xC3è\xFFè"#),
  ]
  static let cutCases = [
    Case("as long as the limit", "abcd", limit: 4, "abcd"),
    Case("one byte longer", "abcde", limit: 4, "abcd…"),
    Case("a character would go past it", "abcè", limit: 4, "abc…"),
    Case("four bytes would go past it", "abc😀", limit: 6, "abc…"),
    Case("a character ends with it", "abè", limit: 4, "abè"),
    Case("continuations only", [UInt8](repeating: 0x80, count: 9), limit: 3, #"\x80\x80\x80…"#),
    Case("an escape is never cut", "abc\u{1B}d", limit: 4, #"abc\x1B…"#),
    Case("a broken character at the limit", [0x61, 0xE2, 0x82, 0x62], limit: 2, #"a\xE2…"#),
    Case("no room at all", "a", limit: 0, "…"),
    Case("nothing, and no room", "", limit: 0, ""),
  ]

  @Test(arguments: safeCases + controlCases + invalidCases + cutCases)
  func `input is shown safely and no longer than told`(_ example: Case) {
    #expect(excerpt(of: example.bytes.span, limit: example.limit) == example.shown)
  }

  @Test(arguments: safeCases + controlCases)
  func `a text is shown as its bytes are`(_ example: Case) {
    #expect(excerpt(of: String(decoding: example.bytes, as: UTF8.self)) == example.shown)
  }

  @Test func `bytes are cut at 40 and texts at 200 unless told otherwise`() {
    let long = String(repeating: "x", count: 10_000)
    #expect(excerpt(of: Array(long.utf8).span) == String(repeating: "x", count: 40) + "…")
    #expect(excerpt(of: long) == String(repeating: "x", count: 200) + "…")
    #expect(excerpt(of: long + "\n", limit: .max) == long + #"\n"#)
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `whatever the bytes, nothing dangerous is left and a second excerpt changes nothing`(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(below bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let interesting: [[UInt8]] = [
      [0x1B], [0x0A], [0x0D], [0x00], [0xC2, 0x9B], [0xE2, 0x80, 0xAE], [0xEF, 0xBB, 0xBF], [0xFF], [0xC3], [0x80],
      [0xF0, 0x9F, 0x98, 0x80], [0xC3, 0xA8], [0x61], [0xED, 0xA0], [0xF3, 0xA0, 0x81, 0x81],
    ]
    var bytes: [UInt8] = []
    for _ in 0..<random(below: 30) {
      bytes += random(below: 3) == 0 ? [UInt8(random(below: 256))] : interesting[random(below: interesting.count)]
    }
    let limit = random(below: 60)
    let shown = excerpt(of: bytes.span, limit: limit)
    let isSafe = shown.unicodeScalars.allSatisfy {
      ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
    }
    #expect(isSafe, "\(bytes) came out as \(Array(shown.utf8))")
    #expect(shown.hasSuffix("…") == (bytes.count > limit))
    #expect(excerpt(of: shown, limit: .max) == shown)
    // The longest escape is `\x1B`, four bytes for one; the ellipsis has three.
    #expect(shown.utf8.count <= 4 * limit + 3)
  }
}
