import Diagnostics
import Records
import Testing

@testable import XMLFormat

@Suite struct XMLMalformed {
  static let documents: [(name: String, text: String, line: Int)] = [
    ("not closed", "<r>\n<i a='1'/>\n", 2),
    ("cut in a tag", "<r><i a='1'/><i a", 1),
    ("cut in a text", "<r><i a='1'/><i>tex", 1),
    ("cut in a comment", "<r><i a='1'/></r><!-- ", 1),
    ("crossed tags", "<r>\n<a><b></a></b></r>", 2),
    ("two roots", "<r/>\n<r/>", 2),
    ("text behind the root", "<r/>x", 1),
    ("text before the root", "x<r/>", 1),
    ("text behind a document type", "<!DOCTYPE r>[]>\n<r/>", 1),
    ("attribute twice", "<r>\n<i a='1' a='2'/></r>", 2),
    ("no quotes", "<r><i a=1/></r>", 1),
    ("'<' in an attribute", "<r><i a='<'/></r>", 1),
    ("a bare ampersand", "<r><i>a & b</i></r>", 1),
    ("']]>' in text", "<r><i>a ]]> b</i></r>", 1),
    ("a control character", "<r><i>\u{1}</i></r>", 1),
    ("NUL", "<r><i>\u{0}</i></r>", 1),
    ("a reference to ESC", "<r><i>&#27;</i></r>", 1),
    ("a reference to U+FFFF", "<r><i a='&#xFFFF;'/></r>", 1),
    ("no such construct", "<r><!WHAT></r>", 1),
    ("a double hyphen", "<r><!-- a -- b --></r>", 1),
    ("a late declaration", "<r/><?xml version='1.0'?>", 1),
    ("nothing but white space", " \n ", 1),
    ("plain text", "a;b;c\n1;2;3\n", 1),
    ("an undeclared entity", "<r><i>&foo;</i></r>", 1),
  ]

  @Test(arguments: 0..<documents.count, chunkSizes)
  func `a malformed document is refused with its line`(index: Int, chunkSize: Int) throws {
    let (name, text, line) = Self.documents[index]
    let refusal = try #require(try readXML(text, chunkSize: chunkSize).refusal, "\(name)")
    #expect(refusal.code == (name == "an undeclared entity" ? .entityRefused : .malformedXML), "\(name)")
    #expect(refusal.location.line == line, "\(name): \(refusal.message)")
    #expect(!refusal.message.contains("\n") && !refusal.remedy.isEmpty)
  }

  @Test(
    arguments: [
      [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0x80], [0xC3],
      [0xFF], [0xF4, 0x90, 0x80, 0x80], [0xEF, 0xBF, 0xBF],
    ] as [[UInt8]],
    [1, 128 << 10]
  )
  func `bytes that are no UTF-8 are refused`(bytes: [UInt8], chunkSize: Int) throws {
    for (before, after) in [("<r><i>a", "</i></r>"), ("<r><i a='", "'/></r>"), ("<r><i><![CDATA[", "]]></i></r>")] {
      let document = try readXML(Array(before.utf8) + bytes + Array(after.utf8), chunkSize: chunkSize)
      #expect(document.refusal?.code == .malformedXML, "\(before) \(bytes)")
    }
  }
}

@Suite struct XMLHostileInput {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let code: DiagnosticCode
    let make: @Sendable () -> String
  }

  private static func times(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  static let cases = [
    Case(testDescription: "billion laughs", code: .entityRefused) {
      var text = "<!DOCTYPE r [<!ENTITY a0 'lol'>"
      for level in 1..<10 { text += "<!ENTITY a\(level) '\(times("&a\(level - 1);", 10))'>" }
      return text + "]><r><i>&a9;</i></r>"
    },
    Case(testDescription: "billion laughs in an attribute", code: .entityRefused) {
      "<!DOCTYPE r [<!ENTITY a 'x'><!ENTITY b '&a;&a;'>]><r><i n='&b;'/></r>"
    },
    Case(testDescription: "quadratic blow-up", code: .entityRefused) {
      "<!DOCTYPE r [<!ENTITY a '\(times("x", 50_000))'>]><r><i>\(times("&a;", 50_000))</i></r>"
    },
    Case(testDescription: "external entity, file", code: .entityRefused) {
      "<!DOCTYPE r [<!ENTITY x SYSTEM '/etc/hostname'>]><r><i>&x;</i></r>"
    },
    Case(testDescription: "external entity, http", code: .entityRefused) {
      "<!DOCTYPE r [<!ENTITY x SYSTEM 'http://127.0.0.1:9/x'>]><r><i>&x;</i></r>"
    },
    Case(testDescription: "parameter entity", code: .entityRefused) {
      "<!DOCTYPE r [<!ENTITY % p SYSTEM 'http://127.0.0.1:9/x'> %p;]><r><i n='1'/></r>"
    },
    Case(testDescription: "undeclared parameter entity", code: .entityRefused) {
      "<!DOCTYPE r [%p;]><r><i n='1'/></r>"
    },
    Case(testDescription: "entity of an external DTD", code: .entityRefused) {
      "<!DOCTYPE r SYSTEM 'http://127.0.0.1:9/x.dtd'><r><i>&stolen;</i></r>"
    },
    Case(testDescription: "unparsed entity", code: .entityRefused) {
      "<!DOCTYPE r [<!NOTATION n SYSTEM 'n'><!ENTITY x SYSTEM 'y' NDATA n>]><r><i n='1'/></r>"
    },
    Case(testDescription: "entity in a default value", code: .entityRefused) {
      "<!DOCTYPE r [<!ATTLIST r a CDATA '&x;'>]><r/>"
    },
    Case(testDescription: "large default values", code: .malformedXML) {
      "<!DOCTYPE r [<!ATTLIST i a CDATA '\(times("x", 2000))'>]><r>\(times("<i/>", 30_000))</r>"
    },
    Case(testDescription: "1,000 deep", code: .malformedXML) { times("<a>", 1000) + times("</a>", 1000) },
    Case(testDescription: "1,000,000 deep", code: .malformedXML) { times("<a>", 1_000_000) },
    Case(testDescription: "deep within a record", code: .malformedXML) {
      "<r><i>" + times("<a>", 300) + times("</a>", 300) + "</i></r>"
    },
    Case(testDescription: "a comment of 20 MB", code: .malformedXML) { "<r><!--" + times("x", 20_000_000) + "--></r>" },
    Case(testDescription: "an instruction of 20 MB", code: .malformedXML) {
      "<r><?x " + times("x", 20_000_000) + "?></r>"
    },
    Case(testDescription: "a tag of 20 MB", code: .malformedXML) { "<r><i a='" + times("x", 20_000_000) + "'/></r>" },
    Case(testDescription: "an end tag of 20 MB", code: .malformedXML) { "<r></r" + times(" ", 20_000_000) + "></r>" },
    Case(testDescription: "a document type of 20 MB", code: .malformedXML) {
      "<!DOCTYPE r [" + times(" ", 20_000_000) + "]><r/>"
    },
    Case(testDescription: "100,000 attributes", code: .malformedXML) {
      "<r><i " + (0..<100_000).map { "a\($0)=''" }.joined(separator: " ") + "/></r>"
    },
    Case(testDescription: "many namespaces", code: .malformedXML) {
      let some = (0..<500).map { "xmlns:n\($0)='u\($0)'" }.joined(separator: " ")
      return times("<a \(some)>", 200)
    },
    Case(testDescription: "a name of 60,000 bytes", code: .malformedXML) { "<r><\(times("n", 60_000))/></r>" },
    Case(testDescription: "70,000 names", code: .malformedXML) {
      "<r><i k='1'><x>" + (0..<70_000).map { "<a\($0)/>" }.joined() + "</x></i></r>"
    },
    Case(testDescription: "5,000 kinds of records", code: .malformedXML) {
      "<r>" + (0..<5_000).map { "<a\($0) x='1'/><a\($0) x='2'/>" }.joined() + "</r>"
    },
  ]

  @Test(arguments: cases, [4096, 128 << 10])
  func `hostile documents are refused at once`(_ example: Case, chunkSize: Int) throws {
    let text = Array(example.make().utf8)
    let clock = ContinuousClock()
    var document = ReadDocument()
    let duration = try clock.measure { document = try readXML(text, chunkSize: chunkSize) }
    #expect(document.refusal?.code == example.code)
    // Not a measurement: it tells a parser that hangs or is quadratic from one that is busy, under a sanitizer too.
    #expect(duration < .seconds(120))
  }

  @Test func `a message names what was refused`() throws {
    let document = try readXML("<!DOCTYPE r [\n<!ENTITY co 'x'>]><r/>")
    #expect(document.refusal?.message.contains("'co'") == true)
    #expect(document.refusal?.location.line == 2)
    let many = try readXML("<r><i " + (0..<1001).map { "a\($0)=''" }.joined(separator: " ") + "/></r>")
    #expect(many.refusal?.message.contains("more than 1,000 attributes") == true)
  }

  @Test func `what is large but within the limits is read`() throws {
    let attributes = (0..<1000).map { "a\($0)='='" }.joined(separator: " ")
    #expect(try readXML("<r><i \(attributes)/></r>").records.first?.fields.count == 1000)
    let deep = String(repeating: "<a>", count: 255) + "<i k='1'/><i k='2'/>" + String(repeating: "</a>", count: 255)
    #expect(try readXML(deep, recordPath: "i").records.count == 2)
    let text = String(repeating: "x", count: 9_000_000)
    #expect(try readXML("<r><i><t>\(text)</t></i><i/></r>").records.first?.fields["t"]?.utf8.count == 9_000_000)
    let tooLong = try readXML("<r><i k='1'><![CDATA[\(text)\(text)]]></i><i/></r>")
    #expect(tooLong.refusal?.code == .recordTooLong)
  }

  @Test func `inclusions and schema locations are not followed`() throws {
    let document = try readXML(
      """
      <r xmlns:xi="http://www.w3.org/2001/XInclude" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
       xsi:noNamespaceSchemaLocation="http://127.0.0.1:9/x.xsd"><i><n><xi:include href="/etc/hostname" parse="text"/></n></i></r>
      """
    )
    #expect(document.records.map(\.fields) == [["xi:include.href": "/etc/hostname", "xi:include.parse": "text"]])
  }
}
