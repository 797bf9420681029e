import CXML
import Glibc
import Records
import TestSupport
import Testing

@testable import XMLFormat

/// What a parser says of a document, however its text and its events are cut.
struct Said: Equatable, CustomStringConvertible {
  var events: [String] = []
  /// The kind, the line and the words of a refusal.
  var refusal: String?
  var declaration: Range<Int64> = 0..<0
  /// Whether libxml2 read it, or the end of it; not compared.
  var usesLibXML2 = false

  static func == (one: Said, other: Said) -> Bool {
    // Of a document that is refused some events may be said before.
    one.refusal == other.refusal
      && (one.refusal != nil || one.events == other.events && one.declaration == other.declaration)
  }

  var description: String { "\(refusal ?? "accepted"), \(usesLibXML2 ? "libxml2" : "plain"): \(events)" }
}

/// Parses a document, with our own parser or with libxml2 alone.
func said(_ bytes: [UInt8], chunkSize: Int = 128 << 10, isDecoded: Bool = false, byLibXML2: Bool = false) -> Said {
  let parser = EventParser(isDecoded: isDecoded, usesLibXML2Alone: byLibXML2)
  var said = Said()
  var text = ""
  var isAccepted = true
  func end() {
    if !text.isEmpty { said.events.append("text \(text.debugDescription)") }
    text = ""
  }
  func take() {
    var bytes = TextBuffer()
    parser.appendText(from: 0, to: &bytes)
    for index in 0..<parser.eventCount {
      let event = unsafe parser.events[index]
      let start = Int(event.text)
      let before = Int(event.flags) >> CXML_BEFORE_SHIFT
      let own = bytes.bytes.extracting(start..<start + Int(event.text_count))
      func name() -> String {
        "\(event.name) {\(parser.namespace(event.name))}\(parser.prefix(event.name)):\(parser.name(event.name))"
      }
      switch Int(event.kind) {
      case CXML_START, CXML_LEAF:
        text += string(bytes.bytes.extracting(start - before..<start))
        end()
        said.events.append("start \(name()) at \(event.offset), \(event.tag_count) bytes")
        if Int(event.kind) == CXML_START { continue }
        text += string(own)
        end()
        said.events.append("end at \(event.offset + UInt64(event.element_count))")
      case CXML_ATTRIBUTE:
        said.events.append("\(name()) flags \(event.flags) at \(event.offset) = \(string(own).debugDescription)")
      case CXML_TEXT: text += string(own)
      default:
        text += string(own)
        end()
        said.events.append("end at \(event.offset)")
      }
    }
    parser.forgetEvents()
  }
  var position = 0
  while position < bytes.count, isAccepted {
    let next = min(bytes.count, position + chunkSize)
    isAccepted = parser.feed(bytes.span.extracting(position..<next))
    if isAccepted { take() }
    position = next
  }
  if isAccepted, parser.finish() {
    take()
  } else {
    let failure = parser.failure
    said.refusal = "\(failure.kind) on line \(failure.line): \(failure.message)"
  }
  said.declaration = parser.declaration
  said.usesLibXML2 = parser.usesLibXML2
  return said
}

private func string(_ bytes: Span<UInt8>) -> String {
  unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
}

@Suite struct PlainXML {
  /// Documents that our own parser reads to their end.
  static let plain: [String] = [
    "<root/>", "<root></root>", "<r>text</r>   \n<!-- end --> <?x y?>\n",
    "<?xml version='1.0'?>\n<r><a b='1' c=\"2\">x</a></r>",
    "\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\" ?><r>è</r>",
    "<?xml  version = '1.0'\nencoding='utf8'\tstandalone='no'?><!-- c --><?p i?>\n<r/>",
    "<r>&lt;&gt;&amp;&apos;&quot;&#65;&#x42;&#x1F600;&#13;&#9;</r>", "<r a='&lt;&#10;&#38;&amp;'/>",
    "<r>a\r\nb\rc\n\td</r>", "<r a='a\r\nb\rc\n\td'/>", "<r><![CDATA[<&>]] ]> a\r\nb\rc]]></r>",
    "<r><![CDATA[]]><a>x<!-- c -->y<?p?>z<![CDATA[]]]]></a></r>", "<r>]] ] ]]&gt; ></r>",
    "<r>  <a>1</a>\n\n<b> </b> <c/>\t</r>", "<r >\n<a\nb = '1'\n/ ></r >".replacing("/ >", with: "/>"),
    "<r xmlns='u' xmlns:p='v'><p:a p:b='1' b='2'><a xmlns=''><b/></a></p:a><a xmlns:p='w'><p:a/></a><p:a/></r>",
    "<r xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'><a xsi:nil='true' xml:space='preserve' xml:lang='it'/></r>",
    "<p:r p:a='1'><q:a xsi:nil='1'/></p:r>", "<r><r r='1'><r r='2' s='3' r.='4'/></r></r>",
    "<è日本 ñ='1'><_u x-y.z·='2'/></è日本>",
    "<r><longer-than-eight>1</longer-than-eight><longer-than-eighty>2</longer-than-eighty></r>",
    "<r>" + String(repeating: "x", count: 40_000) + "<a>" + String(repeating: "é\n", count: 20_000) + "</a></r>",
    "<r><![CDATA[" + String(repeating: "a]\r\n", count: 20_000) + "]]></r>",
    "<r a='" + String(repeating: "y&amp;", count: 5_000) + "'>" + String(repeating: " ", count: 10_000) + "<b/></r>",
    "<r><!--" + String(repeating: ">x", count: 30_000) + "--></r>",
    String(repeating: "<a>", count: 256) + String(repeating: "</a>", count: 256),
    "<r " + (0..<1000).map { "a\($0)='\($0)'" }.joined(separator: " ") + "/>",
  ]

  /// Documents that libxml2 reads from the beginning, from somewhere within, or refuses.
  static let others: [String] = [
    "", " ", "<", "<r", "<r>", "x<r/>", "<r/>x", "<r/><r/>", "<r><a>\n<b></a></r>", "<r>\n<a\n\n>x</b></r>", "<r></r",
    "<!DOCTYPE r><r/>", "<!DOCTYPE r [<!ATTLIST r a CDATA 'd'>]><r><b/></r>", "<!-- c --><!DOCTYPE r><r/>",
    "<?xml version='1.1'?><r/>", "<?xml version='1.0' encoding='iso-8859-1'?><r>x</r>",
    "<?xml version='1.0' encoding='x'?><r/>",
    "<?xml encoding='utf-8'?><r/>", "<?xml version='1.0' standalone='maybe'?><r/>", " <?xml version='1.0'?><r/>",
    "<!-- c --><?xml version='1.0'?><r/>", "<r/><?xml version='1.0'?>", "<r><?XML x?></r>", "<r><?xml-x y?></r>",
    "<r>&foo;</r>", "<r>\n<a>1</a>\n<a>&foo;</a></r>", "<r a='&foo;'/>", "<r>&#0;</r>", "<r>&#xD800;</r>",
    "<r>&#x110000;</r>",
    "<r>&#xFFFE;</r>", "<r>&#000000000000000000065;</r>", "<r>&#;</r>", "<r>&;</r>", "<r>& </r>", "<r>&lt</r>",
    "<r a='&lt'/>",
    "<r>]]></r>", "<r><!-- a -- b --></r>", "<r><!--->x--></r>", "<r><!-x--></r>", "<r><![CDATX[]]></r>",
    "<r><![CDATA[x</r>",
    "<r a='<'/>", "<r a=1/>", "<r a/>", "<r a='1'b='2'/>", "<r a='1' a='2'/>", "<r><a/ ></r>", "<r><1/></r>",
    "<r><a b='1'<c/></r>",
    "<r xmlns:p='u' xmlns:q='u'><a p:b='1' q:b='2'/></r>", "<r xmlns:p=''/>", "<r xmlns:xml='u'/>",
    "<r xmlns='u' xmlns='v'/>",
    "<r xmlns:p='a&amp;b'><p:x/></r>", "<r><a:b:c/></r>", "<r><:a/></r>", "<r><xmlns:a/></r>",
    "<r><a xmlns:xmlns='u'/></r>",
    "<r>\u{1}</r>", "<r a='\u{1}'/>", "<r>\u{FFFE}</r>", "<r><!--\u{FFFF}--></r>", "<r>\u{7F}\u{85}\u{2028}</r>",
    "<r xmlns:a='u'>\n <b c='1'>\n  <a:d/>\n  <e>\n&foo;</e></b></r>",
    "<r><![CDATA[" + String(repeating: "x", count: 40_000) + "\u{1}]]></r>",
    String(repeating: "<a>", count: 258), "<r " + (0..<1001).map { "a\($0)=''" }.joined(separator: " ") + "/>",
    "<r><a \(String(repeating: "x", count: 2000))='1'>y</a></r>",
    "<r><!--" + String(repeating: ">x", count: 600_000) + "--></r>",
  ]

  @Test(arguments: 0..<plain.count, chunkSizes)
  func `a plain document is read without libxml2, and as libxml2 reads it`(index: Int, chunkSize: Int) {
    let bytes = Array(Self.plain[index].utf8)
    let own = said(bytes, chunkSize: chunkSize)
    #expect(!own.usesLibXML2)
    #expect(own.refusal == nil)
    #expect(own == said(bytes, byLibXML2: true))
  }

  @Test(arguments: 0..<others.count, chunkSizes)
  func `what is not plain or not well-formed is judged by libxml2`(index: Int, chunkSize: Int) {
    let bytes = Array(Self.others[index].utf8)
    // In steps of a byte a comment that is too long takes libxml2's guard a while.
    if bytes.count > 1 << 20, chunkSize < 4096 { return }
    #expect(said(bytes, chunkSize: chunkSize) == said(bytes, chunkSize: chunkSize, byLibXML2: true))
    #expect(
      said(bytes, chunkSize: chunkSize, isDecoded: true)
        == said(bytes, chunkSize: chunkSize, isDecoded: true, byLibXML2: true)
    )
  }

  @Test(
    arguments: [
      [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
      [0x80],
      [0xC3], [0xC3, 0x41], [0xE2, 0x82], [0xE2, 0x82, 0x41], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98],
      [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xEF, 0xBF, 0xBE], [0xEF, 0xBF, 0xBF],
    ] as [[UInt8]]
  )
  func `bytes that are no character are left to libxml2`(bytes: [UInt8]) {
    let places = [
      ("<r><i>a", "b</i></r>"), ("<r><i a='", "c'/></r>"), ("<r><![CDATA[", "x]]></r>"), ("<r><!--", "--></r>"),
      ("<r><a", "x/></r>"),
    ]
    for (before, after) in places {
      let document = Array(before.utf8) + bytes + Array(after.utf8)
      #expect(said(document).usesLibXML2)
      #expect(said(document) == said(document, byLibXML2: true), "\(before)")
    }
  }

  @Test(arguments: [false, true], chunkSizes)
  func `line ends are LF in CDATA sections too, however long`(byLibXML2: Bool, chunkSize: Int) {
    for count in [1, 200, 9000] {
      let lines = String(repeating: "a\r\nb\rc", count: count)
      let text = Array("<r><![CDATA[\(lines)\r]]>\n<![CDATA[\n\r]]>\r</r>".utf8)
      let expected = lines.replacing("\r\n", with: "\n").replacing("\r", with: "\n") + "\n\n\n\n\n"
      let said = said(text, chunkSize: chunkSize, byLibXML2: byLibXML2)
      #expect(said.events.dropFirst().first == "text \(expected.debugDescription)")
    }
  }

  @Test func `the fixtures are read as libxml2 reads them`() throws {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/fixtures"
    var count = 0
    for path in files(below: root)
    where path.hasSuffix(".xml") || path.hasSuffix(".plist") || path.hasSuffix("contents") {
      let bytes = try #require(contents(of: path))
      count += 1
      for chunkSize in [7, 64, 4096, 128 << 10] {
        #expect(said(bytes, chunkSize: chunkSize) == said(bytes, chunkSize: chunkSize, byLibXML2: true), "\(path)")
      }
    }
    #expect(count > 15)
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `random documents, sound and damaged, are read as libxml2 reads them`(seed: UInt64) {
    var maker = RandomDocument(seed: seed)
    let bytes = maker.make()
    for chunkSize in [1, 3, 7, 64, 128 << 10] {
      let own = said(bytes, chunkSize: chunkSize, isDecoded: seed % 5 == 0)
      let other = said(bytes, chunkSize: chunkSize, isDecoded: seed % 5 == 0, byLibXML2: true)
      // Where libxml2 meets such bytes, its words depend on how many follow them in the piece that it has got.
      if [own, other].contains(where: { $0.refusal?.contains("not proper UTF-8") == true }) {
        #expect(own.refusal != nil && other.refusal != nil)
      } else {
        #expect(own == other, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
      }
    }
  }

  private func files(below folder: String) -> [String] {
    guard let handle = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(handle) }
    var paths: [String] = []
    while let entry = unsafe readdir(handle) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard !name.hasPrefix(".") else { continue }
      let path = "\(folder)/\(name)"
      paths += unsafe Int32(entry.pointee.d_type) == Int32(DT_DIR) ? files(below: path) : [path]
    }
    return paths.sorted()
  }

  private func contents(of path: String) -> [UInt8]? {
    guard let file = unsafe fopen(path, "r") else { return nil }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }
}
