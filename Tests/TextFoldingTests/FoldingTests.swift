import Testing
import TextFolding

@Suite struct Folding {
  private static let both: FoldingOptions = [.ignoringCase, .ignoringDiacritics]

  @Test(
    arguments: [
      ("Perché", both, "perche"), ("PERCHE", both, "perche"), ("Perche\u{301}", both, "perche"),
      ("Perché", .ignoringCase, "perché"), ("Perché", .ignoringDiacritics, "Perche"), ("Perché", [], "Perché"),
      ("Straße", .ignoringCase, "strasse"), ("ΣΊΣΥΦΟΣ", both, "σισυφοσ"), ("σίσυφος", both, "σισυφοσ"),
      ("İstanbul", both, "istanbul"), ("ısı", both, "ısı"), ("Ǻ", both, "a"), ("ﬀ", .ignoringCase, "ff"),
      ("한", .ignoringDiacritics, "\u{1112}\u{1161}\u{11AB}"), ("\u{301}", .ignoringDiacritics, ""),
      ("Đorđe", both, "đorđe"), ("K\u{212A}", .ignoringCase, "kk"), ("Å\u{212B}", both, "aa"),
      ("naïve café ÀÉÎÕÜ", both, "naive cafe aeiou"), ("日本語 🎉", both, "日本語 🎉"), ("", both, ""),
    ] as [(String, FoldingOptions, String)]
  )
  func `only what counts is left`(text: String, options: FoldingOptions, expected: String) {
    let result = folded(text, options)
    // Compared scalar by scalar: to `==` a composed letter is equal to a decomposed one.
    #expect(Array(result.unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test(arguments: [[0xFF], [0x41, 0xC3], [0xC3, 0x28, 0x41], [0xED, 0xA0, 0x80], [0xE0, 0x80, 0x80]] as [[UInt8]])
  func `bytes that are not text stay as they are`(bytes: [UInt8]) {
    let expected = bytes.map { $0 == 0x41 ? UInt8(0x61) : $0 }
    #expect(folded(bytes.span, Self.both) == expected)
  }

  @Test func `folding twice is folding once, for every character`() {
    for value in 0..<0x11_0000 as Range<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let bytes = Array(String(Character(scalar)).utf8)
      for options in [FoldingOptions.ignoringCase, .ignoringDiacritics, Self.both] {
        let once = folded(bytes.span, options)
        #expect(folded(once.span, options) == once, "U+\(String(value, radix: 16))")
      }
    }
  }
}
