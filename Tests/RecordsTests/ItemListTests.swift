import Records
import TestSupport
import Testing

@Suite struct ItemLists {
  /// The items of a list as values, texts by themselves.
  private func items(of list: borrowing TextBuffer) -> [String] {
    var text = TextBuffer()
    var position = 0
    var items: [String] = []
    while let item = ItemList.next(in: list.bytes, at: &position) {
      switch ItemList.value(of: list.bytes.extracting(item), into: &text) {
      case .text(let slice):
        let bytes = text.bytes(of: slice)
        items.append("'\(String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self))'")
      case .integer(let number): items.append("\(number)")
      case .real(let number): items.append("real \(number)")
      case .null, .absent, .blob: items.append("null")
      }
    }
    return items
  }

  private func append(_ text: String, isFirst: Bool, to list: inout TextBuffer) {
    let bytes = Array(text.utf8)
    ItemList.append(.text(TextSlice(0..<0)), bytes: bytes.span, isFirst: isFirst, to: &list)
  }

  @Test func `texts with signs of their own, numbers and NULL come back`() {
    var list = TextBuffer()
    let texts = ["rock", "", "a \"b\" \\", "\u{1}\n\t\u{1F}", "été, [x]", "null", "12"]
    for (index, text) in texts.enumerated() { append(text, isFirst: index == 0, to: &list) }
    let none: [UInt8] = []
    ItemList.append(.integer(.min), bytes: none.span, isFirst: false, to: &list)
    ItemList.append(.null, bytes: none.span, isFirst: false, to: &list)
    ItemList.end(&list)
    #expect(items(of: list) == texts.map { "'\($0)'" } + ["-9223372036854775808", "null"])
  }

  @Test func `what SQLite writes is read`() {
    var list = TextBuffer()
    list.append(#"["a\"b","\u0007\n\b\f\r\t\\",-5,0.10000000000000001,null,""]"#)
    #expect(
      items(of: list) == ["'a\"b'", "'\u{7}\n\u{8}\u{C}\r\t\\'", "-5", "real 0.1", "null", "''"]
    )
    var empty = TextBuffer()
    empty.append("[]")
    #expect(items(of: empty) == [])
  }

  @Test(arguments: 0..<100 as Range<UInt64>) func `any list comes back`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let signs: [Character] = ["a", "\"", "\\", ",", "[", "]", "\n", "\u{0}", "é", " "]
    let texts = (0..<Int.random(in: 1...6, using: &random)).map { _ in
      String((0..<Int.random(in: 0...5, using: &random)).map { _ in signs.randomElement(using: &random) ?? "a" })
    }
    var list = TextBuffer()
    for (index, text) in texts.enumerated() { append(text, isFirst: index == 0, to: &list) }
    ItemList.end(&list)
    #expect(items(of: list) == texts.map { "'\($0)'" })
  }

  @Test func `a list that breaks off ends`() {
    for text in ["", "[", "[\"a", "[\"a\\", "[1,", "[12", "[\"\\u00"] {
      var list = TextBuffer()
      list.append(text)
      #expect(items(of: list).count <= 1)
    }
  }
}
