import TestSupport

/// Documents at random: mostly sound, with all that text, tags and attributes may hold, and with what damages them.
struct RandomDocument {
  private var random: SplitMix64
  private var text = ""

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private static let texts = [
    "x", " ", "a b", "&amp;", "&lt;", "&#65;", "&#x1F600;", "]]", "'", "\"", ">", "\n", "\r\n", "\r", "\t", "é", "日本",
    "<![CDATA[<&>]]>", "<![CDATA[a\r\nb\rc]] ]]>", "<![CDATA[]]>", "<!-- c -->", "<?p i?>", "<?xml-x y?>", "&#13;",
    "&#32;", "a text of more than sixteen bytes", "   \n   ",
  ]
  private static let names = [
    "a", "b", "c", "x-y", "é", "n.m", "_u", "longelementname", "p:a", "q:b", "xml:space", "xsi:nil",
  ]
  private static let values = [
    "x", " ", "&amp;", "&lt;", "é", ">", "&#10;", "\n", "\t", "\r\n", "\r", "&#38;",
    "a value of more than sixteen bytes",
  ]
  private static let heads = [
    "", "<?xml version='1.0'?>", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", "\u{FEFF}", "<!-- h -->\n", "<?pi?>",
    "\u{FEFF}<?xml version='1.0' encoding='utf-8' standalone='yes' ?>", "<?xml version='1.1'?>",
    "<?xml version='1.0' encoding='iso-8859-1'?>", "<!DOCTYPE root>",
  ]
  private static let damage: [String] = [
    "<", ">", "&", "\"", "'", "/", "=", "]]>", "<!", "<?", "--", "\u{1}", "&#0;", "&x;", "</a>", "<a>", " xmlns:p='u'",
    " xmlns=''", "p:", "!", "<!DOCTYPE r>", "<?xml version='1.0'?>", "\u{FFFE}", " ", "&#xD800;", "\u{FEFF}", "&;",
    "&#;",
    "<![CDATA[", "]]", "-->", " a='1' a='1'", " xmlns:xml='u'",
  ]

  private mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
  private mutating func upTo(_ bound: Int) -> Int { Int.random(in: 0...bound, using: &random) }
  private mutating func pick(_ choices: [String]) -> String { choices[upTo(choices.count - 1)] }

  private mutating func addAttributes() {
    for name in Self.names.shuffled(using: &random).prefix(oneIn(4) ? upTo(3) : upTo(1)) {
      let quote = oneIn(2) ? "'" : "\""
      text += (oneIn(8) ? "\n " : " ") + name + (oneIn(10) ? " = " : "=") + quote
      for _ in 0..<upTo(3) { text += pick(Self.values) }
      text += quote
    }
    if oneIn(12) { text += " xmlns:p='\(oneIn(2) ? "u" : "w")'" }
    if oneIn(14) { text += " xmlns='d'" }
    if oneIn(20) { text += " xmlns:q='u' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'" }
  }

  private mutating func addElement(depth: Int) {
    let name = pick(Self.names)
    text += "<\(name)"
    addAttributes()
    if oneIn(8) { text += " " }
    guard !oneIn(6) else { return text += "/>" }
    text += ">"
    for _ in 0..<upTo(2) { text += pick(Self.texts) }
    for _ in 0..<(depth > 4 || oneIn(3) ? 0 : upTo(3)) {
      addElement(depth: depth + 1)
      if oneIn(2) { text += oneIn(2) ? "\n  " : pick(Self.texts) }
    }
    text += "</\(name)\(oneIn(10) ? " " : "")>"
  }

  /// Makes the document.
  mutating func make() -> [UInt8] {
    text = oneIn(2) ? Self.heads[upTo(2)] : pick(Self.heads)
    text += "<root"
    addAttributes()
    text += ">"
    for _ in 0..<upTo(5) {
      if oneIn(2) { text += "\n" }
      addElement(depth: 1)
    }
    text += "</root>" + (oneIn(4) ? "\n<!-- end --> <?x?>" : "")
    var bytes = Array(text.utf8)
    guard oneIn(2) else { return bytes }
    for _ in 0...upTo(1) {
      let place = upTo(bytes.count)
      switch upTo(4) {
      case 0, 1: bytes.insert(contentsOf: Array(pick(Self.damage).utf8), at: place)
      case 2 where place < bytes.count: bytes.remove(at: place)
      case 3 where oneIn(3): bytes.removeSubrange(place...)
      default: if place < bytes.count { bytes[place] = UInt8(upTo(255)) }
      }
    }
    return bytes
  }
}
