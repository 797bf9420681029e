import EntityModel
package import TestSupport
import TextFormat

/// Files of every format at random: mostly sound, with what damages them.
package struct RandomInput: Sendable, Hashable, CustomStringConvertible {
  /// What the file is.
  package var format: ReadableFormat
  /// Its bytes.
  package var bytes: [UInt8]
  /// For a failing test.
  package var description: String { shown(bytes) }

  /// The formats to choose from, by the names that people know.
  package enum Kind: String, Sendable, CaseIterable {
    case csv, tsv, records, fixed, lines, labels, cells, xml, plist, json, ndjson
  }

  /// Makes a file.
  package init(_ kind: Kind, using random: inout SplitMix64) {
    var maker = Maker(random: random)
    switch kind {
    case .csv: (format, bytes) = maker.delimited(by: nil)
    case .tsv: (format, bytes) = maker.delimited(by: "\t")
    case .records: (format, bytes) = (.records, maker.records())
    case .fixed: (format, bytes) = maker.fixed()
    case .lines: (format, bytes) = (.fixed(.lines(named: nil)), maker.lines())
    case .labels: (format, bytes) = maker.labels()
    case .cells: (format, bytes) = maker.cells()
    case .plist: (format, bytes) = (.plist(recordPath: nil), maker.plist())
    case .xml: (format, bytes) = (.xml(recordPath: nil, knownNames: []), maker.xml())
    case .json: (format, bytes) = (.json, maker.json())
    case .ndjson: (format, bytes) = (.ndjson, maker.ndjson())
    }
    maker.damage(&bytes)
    if bytes.isEmpty { bytes = [0x0A] }
    random = maker.random
  }
}

private struct Maker {
  var random: SplitMix64

  private mutating func upTo(_ bound: Int) -> Int { Int.random(in: 0...bound, using: &random) }
  private mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }
  private mutating func lineEnd(mixed: Bool) -> String { mixed ? pick(["\n", "\r\n", "\r"]) : "\n" }

  private mutating func word() -> String {
    pick([
      "a", "", "12", "-3.50", "true", "perché", "2020-02-29", "x y", "😀", "\u{FEFF}", "\t", "long ", "0", "null", "'",
    ])
      + (oneIn(40) ? String(repeating: "z", count: upTo(200)) : "")
  }

  mutating func delimited(by told: String?) -> (ReadableFormat, [UInt8]) {
    var dialect = CSVDialect(delimiter: told ?? pick([",", ";", "|", "::"]))
    if oneIn(4) { dialect.quote = pick(["'", "“"]) }
    if oneIn(4) { dialect.escape = "\\" }
    if oneIn(3) { dialect.comment = "#" }
    if oneIn(3) { dialect.badRows = .repair }
    dialect.header = oneIn(3) ? .none : .lines(1 + upTo(1))
    dialect.skippedLines = oneIn(4) ? upTo(2) : 0
    dialect.skippedFooterLines = oneIn(5) ? upTo(2) : 0
    let quote = dialect.quote ?? ""
    let width = 1 + upTo(4)
    let mixed = oneIn(3)
    var text = oneIn(4) ? "\u{FEFF}" : ""
    for row in 0..<upTo(30) {
      if oneIn(12) { text += pick(["# note", "", "#", " "]) + lineEnd(mixed: mixed) }
      let cells = (0..<(oneIn(20) ? width + upTo(2) - 1 : width)).map { column -> String in
        if row == 0 { return "c\(column)" }
        guard oneIn(3) else { return oneIn(25) ? word() + quote + word() : word() }
        let escaped = (dialect.escape ?? quote) + quote
        let content = (0..<upTo(3)).map { _ in pick([word(), dialect.delimiter, lineEnd(mixed: mixed), escaped, "#"]) }
        return quote + content.joined() + (oneIn(30) ? "" : quote) + (oneIn(30) ? word() : "")
      }
      text += cells.joined(separator: dialect.delimiter) + lineEnd(mixed: mixed)
    }
    return (.csv(dialect), Array(text.utf8))
  }

  mutating func records() -> [UInt8] {
    let mixed = oneIn(3)
    var text = oneIn(4) ? "\u{FEFF}" : ""
    if oneIn(3) { text += "%rec: Note\n%key: a\n\n" }
    for _ in 0..<upTo(20) {
      for _ in 0..<1 + upTo(3) {
        text += pick(["a", "b", "c d", "è", "a"]) + pick([": ", ":", ":\t", " : "]) + word() + lineEnd(mixed: mixed)
        while oneIn(4) { text += pick(["+ ", "+", "  ", "\t", "# "]) + word() + lineEnd(mixed: mixed) }
      }
      if oneIn(15) { text += pick(["no colon", ": no key", "%null:", "%rec: Other", "+"]) + lineEnd(mixed: mixed) }
      text += pick(["", " ", "\t"]) + lineEnd(mixed: mixed)
      while oneIn(4) { text += pick(["", "# between"]) + lineEnd(mixed: mixed) }
    }
    return Array(text.utf8)
  }

  mutating func fixed() -> (ReadableFormat, [UInt8]) {
    let widths = (0..<1 + upTo(3)).map { _ in 1 + upTo(7) }
    var first = 1
    var layout = FixedWidthLayout(
      columns: widths.map { width in
        defer { first += width }
        return CharacterRange(first: first, last: first + width - 1)
      }
    )
    layout.isRepairing = oneIn(4)
    layout.isCutShort = oneIn(2)
    layout.headerLineCount = oneIn(4) ? 1 : 0
    layout.skippedLineCount = oneIn(6) ? 1 : 0
    if oneIn(3) { layout.comment = "#" }
    let mixed = oneIn(3)
    var text = oneIn(4) ? "\u{FEFF}" : ""
    for _ in 0..<upTo(30) {
      if oneIn(12) { text += pick(["", "# note", "   "]) + lineEnd(mixed: mixed) }
      for width in widths {
        let value = String(
          word().unicodeScalars.filter { $0 != "\u{FEFF}" }.prefix(oneIn(40) ? width + 1 : width).map(Character.init)
        )
        let padding = String(repeating: " ", count: max(0, width - value.unicodeScalars.count))
        text += oneIn(3) ? padding + value : value + padding
      }
      text += (oneIn(30) ? "more" : "") + lineEnd(mixed: mixed)
    }
    return (.fixed(layout), Array(text.utf8))
  }

  mutating func lines() -> [UInt8] {
    let mixed = oneIn(3)
    return Array((0..<upTo(30)).map { _ in word() + (oneIn(3) ? word() : "") + lineEnd(mixed: mixed) }.joined().utf8)
  }

  mutating func labels() -> (ReadableFormat, [UInt8]) {
    var layout = OutlineLayout(style: .labels)
    if oneIn(3) { layout.comment = "#" }
    if oneIn(3) { layout.kinds = ["Artist", "Album"] }
    return (
      .outline(layout),
      outline { maker in
        maker.pick(["Label", "Artist", "Album", "genre"]) + ": " + maker.word()
      } attributes: { maker in
        maker.pick(["a", "b", "c d", "è"]) + ":" + maker.pick([" ", "", "  "]) + maker.word()
      }
    )
  }

  mutating func cells() -> (ReadableFormat, [UInt8]) {
    var layout = OutlineLayout(style: .cells(delimiter: oneIn(4) ? nil : pick(["|", "::"])))
    if oneIn(3) { layout.comment = "#" }
    if oneIn(3) { layout.levels = ["Label", "Artist"] }
    return (
      .outline(layout),
      outline { maker in
        (0...maker.upTo(2)).map { _ in maker.word() }.joined(separator: maker.pick(["|", " | ", "::"]))
      } attributes: { maker in
        maker.word()
      }
    )
  }

  private mutating func outline(
    record: (inout Maker) -> String,
    attributes: (inout Maker) -> String
  ) -> [UInt8] {
    let mixed = oneIn(3)
    let unit = pick(["  ", "\t", "   "])
    var depth = 0
    var text = oneIn(4) ? "\u{FEFF}" : ""
    for _ in 0..<upTo(30) {
      if oneIn(12) { text += pick(["", "# note", "   ", "  # note"]) + lineEnd(mixed: mixed) }
      let indentation = String(repeating: unit, count: depth)
      text += indentation + (oneIn(40) ? pick(["no label", " ", ":"]) : "") + record(&self) + lineEnd(mixed: mixed)
      for _ in 0..<upTo(2) where !oneIn(3) {
        text += indentation + unit + attributes(&self) + lineEnd(mixed: mixed)
      }
      depth = oneIn(30) ? upTo(4) : min(upTo(depth + 1), 4)
    }
    return Array(text.utf8)
  }

  mutating func plist() -> [UInt8] {
    let mixed = oneIn(3)
    func escaped(_ word: String) -> String { word.filter { $0 != "\u{FEFF}" } }
    func value(_ maker: inout Maker, _ depth: Int) -> String {
      switch maker.upTo(depth == 0 ? 9 : 6) {
      case 0: return "<integer>\(maker.upTo(999))</integer>"
      case 1: return maker.pick(["<true/>", "<false/>", "<true></true>"])
      case 2: return "<real>\(maker.pick(["1.5", "nan", "-0"]))</real>"
      case 3: return "<date>2020-02-29T12:00:00Z</date>"
      case 4: return "<data>\(maker.pick(["aGVsbG8=", "aGVs\n bG8=", "a"]))</data>"
      case 5, 6: return "<string>\(maker.pick([escaped(maker.word()), "&lt;", "<![CDATA[<]]>"]))</string>"
      case 7: return "<array>" + (0..<maker.upTo(3)).map { _ in value(&maker, 1) }.joined() + "</array>"
      default: return object(&maker, 1)
      }
    }
    func object(_ maker: inout Maker, _ depth: Int) -> String {
      let members = (0..<maker.upTo(4)).map { _ in
        (maker.oneIn(60) ? "" : "<key>\(maker.pick(["a", "b", "c d", "è"]))</key>")
          + (maker.oneIn(3) ? maker.lineEnd(mixed: mixed) : "") + value(&maker, depth)
      }
      return "<dict>" + members.joined() + "</dict>"
    }
    let objects = (0..<upTo(15)).map { _ in
      (oneIn(40) ? pick(["<string>s</string>", "<!-- c -->", "x"]) : object(&self, 0)) + lineEnd(mixed: mixed)
    }
    let head = pick(["", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"])
    return Array((head + "<plist version=\"1.0\"><array>" + objects.joined() + "</array></plist>\n").utf8)
  }

  mutating func xml() -> [UInt8] {
    let mixed = oneIn(3)
    var text = pick(["", "\u{FEFF}", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]) + "<r>"
    func escaped(_ word: String) -> String { word.filter { $0 != "\u{FEFF}" } }
    for _ in 0..<upTo(20) {
      let name = oneIn(6) ? "other" : "item"
      text += lineEnd(mixed: mixed) + "<\(name) id='\(upTo(99))' n=\"\(pick(["x", "&amp;", "&#233;", "è"]))\">"
      for _ in 0..<upTo(3) {
        let leaf = pick(["a", "b", "p:c", "a"])
        let value = pick([
          escaped(word()), "&lt;&#10;", "<![CDATA[<x>&]]>", "<!-- c -->", "<?pi?>", "<deep><er>1</er></deep>",
        ])
        text +=
          "<\(leaf)\(leaf == "p:c" ? " xmlns:p='u'" : "")>\(value)</\(leaf)>" + (oneIn(3) ? lineEnd(mixed: mixed) : "")
      }
      text += oneIn(8) ? "mixed" : ""
      text += "</\(name)>"
    }
    return Array((text + "</r>" + lineEnd(mixed: mixed)).utf8)
  }

  private mutating func object(lineEnds: Bool) -> String {
    func quoted(_ text: String) -> String { "\"" + text.filter { $0 != "\t" && $0 != "\"" } + "\"" }
    let gap = lineEnds ? lineEnd(mixed: true) : " "
    let members = (0..<upTo(4)).map { _ in
      let value = pick([
        quoted(word()), "\(upTo(999))", "-1.50e3", "null", "true", "[1,\"x\",null]", "\"\\u00e9\\n\\\"\"",
        "\"\\ud83d\\ude00\"",
        oneIn(5) ? "{\"x\":1}" : "[]",
      ])
      return quoted(pick(["a", "b", "c d", "è", "\\u0061"])) + ":" + (oneIn(3) ? gap : "") + value
    }
    return "{" + members.joined(separator: "," + (oneIn(3) ? gap : "")) + "}"
  }

  mutating func json() -> [UInt8] {
    let objects = (0..<upTo(15)).map { _ in oneIn(20) ? pick(["1", "\"s\"", "[]"]) : object(lineEnds: true) }
    return Array(
      ((oneIn(4) ? "\u{FEFF}" : "") + "[" + objects.joined(separator: "," + lineEnd(mixed: true)) + "]\n").utf8
    )
  }

  mutating func ndjson() -> [UInt8] {
    let lines = (0..<upTo(15)).map { _ in
      oneIn(12) ? pick(["{bad}", "", "1", "{\"a\":1}}", " "]) : object(lineEnds: false)
    }
    return Array(lines.map { $0 + pick(["\n", "\r\n"]) }.joined().utf8)
  }

  /// Cuts, changes or doubles something in every third file.
  mutating func damage(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty, oneIn(3) else { return }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    switch upTo(3) {
    case 0: bytes.removeSubrange(place...)
    case 1: bytes[place] = pick([0x00, 0xFF, 0x22, 0x0A, 0x0D, 0x2C, 0x3C, 0x7B, 0xC3])
    case 2: bytes.remove(at: place)
    default: bytes.insert(contentsOf: bytes[place...].prefix(1 + upTo(20)), at: place)
    }
  }
}
