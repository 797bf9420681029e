import Diagnostics
import Records
import Testing

@testable import XMLFormat

@Suite struct XMLReading {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let input: String
    let records: [[String: String]]
    var path: String?
    var known: [String] = []
  }

  static let cases = [
    Case(
      testDescription: "attributes and elements",
      input: """
        <rubrica>
          <contatto nick="adab"><nome>Ada</nome><cognome>Brambilla</cognome></contatto>
          <contatto><nome>Nicol&#242;</nome><cognome>D&apos;Este</cognome><nick>nico</nick></contatto>
          <contatto nick="x"><nome/><cognome>Greco</cognome></contatto>
        </rubrica>
        """,
      records: [
        ["nick": "adab", "nome": "Ada", "cognome": "Brambilla"],
        ["nome": "Nicolò", "cognome": "D'Este", "nick": "nico"],
        ["nick": "x", "nome": "", "cognome": "Greco"],
      ]
    ),
    Case(
      testDescription: "attributes alone",
      input:
        "<Products>\r\n  <Product name=\"Cloth &amp; Co\" price='10.0' />\r\n  <Product name='a>b' price=\"\"/>\r\n</Products>",
      records: [["name": "Cloth & Co", "price": "10.0"], ["name": "a>b", "price": ""]]
    ),
    Case(
      testDescription: "one level deeper",
      input: "<export date='x'><contacts><c><a>1</a></c><c><a>2</a></c></contacts></export>",
      records: [["a": "1"], ["a": "2"]]
    ),
    Case(
      testDescription: "a single record below the root",
      input: "<r><c><a>1</a></c></r>",
      records: [["a": "1"]]
    ),
    Case(
      testDescription: "the root is the record",
      input: "<p id='7'><name>Ada</name><age>36</age></p>",
      records: [
        ["id": "7", "name": "Ada", "age": "36"]
      ]
    ),
    Case(testDescription: "an empty root", input: "<records/>", records: []),
    Case(testDescription: "a root with white space", input: "<records>\n</records>\n", records: []),
    Case(testDescription: "rows without fields", input: "<records>\n  <E/>\n  <E/>\n</records>", records: [[:], [:]]),
    Case(testDescription: "one row without fields", input: "<records><E/></records>", records: [[:]]),
    Case(
      testDescription: "repeated leaves",
      input: "<v><i>1</i><i> </i><i>2</i></v>",
      records: [
        ["#text": "1"], [:], ["#text": "2"],
      ]
    ),
    Case(
      testDescription: "text exactly as it is",
      input:
        "<r><i><t>\n a  b\t\n</t></i><i><t><![CDATA[<b>&amp;]]]]><![CDATA[>]]></t></i><i><t>x<!-- c -->y<?p z?>z</t></i></r>",
      records: [["t": "\n a  b\t\n"], ["t": "<b>&amp;]]>"], ["t": "xyz"]]
    ),
    Case(
      testDescription: "line ends become LF, but not the references",
      input: "<r><i><t>a\r\nb\rc&#13;d</t></i></r>",
      records: [["t": "a\nb\nc\rd"]]
    ),
    Case(
      testDescription: "ampersands in attributes",
      input: "<r><i a='&amp;#38;&#38;&lt;&gt;&quot;&apos;&amp;amp;'/></r>",
      records: [["a": "&#38;&<>\"'&amp;"]]
    ),
    Case(
      testDescription: "namespaces",
      input:
        "<d:rows xmlns:d=\"urn:d\" xmlns=\"urn:o\"><d:row><d:a>1</d:a><b>2</b></d:row><x:row xmlns:x=\"urn:d\" x:c='5'><x:a>3</x:a></x:row></d:rows>",
      records: [["a": "1", "b": "2"], ["c": "5", "a": "3"]]
    ),
    Case(
      testDescription: "names of other namespaces",
      input: """
        <r xmlns:dc='urn:dc'><i><title>1</title><dc:title>2</dc:title></i>
        <i xmlns:x='urn:dc'><x:title>3</x:title><title>4</title></i><i><title xmlns='urn:dc'>5</title></i></r>
        """,
      records: [["title": "1", "dc:title": "2"], ["dc:title": "3", "title": "4"], ["dc:title": "5"]]
    ),
    Case(
      testDescription: "a prefix that means two namespaces",
      input: """
        <r><i xmlns:p='urn:1'><p:a>1</p:a></i><i xmlns:p='urn:2'><p:a>2</p:a></i>
        <i><a xmlns='urn:3'>3</a><a>4</a></i></r>
        """,
      records: [["p:a": "1"], ["{urn:2}a": "2"], ["a": "3", "a (4)": "4"]]
    ),
    Case(
      testDescription: "records of two namespaces with one name",
      input: "<r><i xmlns='urn:1' a='1'/><p:i xmlns:p='urn:2' a='2'/><i xmlns='urn:1' a='3'/></r>",
      records: [["a": "1"], ["a": "2"], ["a": "3"]]
    ),
    Case(
      testDescription: "children with attributes and elements of their own",
      input: """
        <r><p id='1'><price currency='EUR'>10</price><address><city>Roma</city><geo lat='1'><alt/></geo></address>
        <link href='x'/></p><p id='2'><price>11</price><address/></p></r>
        """,
      records: [
        [
          "id": "1", "price": "10", "price.currency": "EUR", "address.city": "Roma", "address.geo.lat": "1",
          "address.geo.alt": "", "link.href": "x",
        ],
        ["id": "2", "price": "11", "address": ""],
      ]
    ),
    Case(
      testDescription: "own text beside children",
      input: "<r><i k='1'>\n Title <!-- --><b>2</b>\n</i><i k='2'><b>3</b> <c>4</c>tail</i></r>",
      records: [["k": "1", "#text": "\n Title ", "b": "2"], ["k": "2", "b": "3", "c": "4", "#text": "tail"]]
    ),
    Case(
      testDescription: "a name with a dot and a path are one column",
      input: "<r><i><a.b>1</a.b></i><i><a><b>2</b></a></i></r>",
      records: [["a.b": "1"], ["a.b": "2"]]
    ),
    Case(
      testDescription: "xsi:nil beside attributes",
      input:
        "<r xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'><i><a xsi:nil='1' u='m'/></i><i><a u='k'>2</a></i></r>",
      records: [["a.u": "m", "a": "NULL"], ["a.u": "k", "a": "2"]]
    ),
    Case(
      testDescription: "a feed with a single item",
      input:
        "<rss version='2.0'><channel><item><title>A</title><guid isPermaLink='false'>g</guid></item></channel></rss>",
      records: [["title": "A", "guid": "g", "guid.isPermaLink": "false"]]
    ),
    Case(
      testDescription: "points of a track in their segments",
      input: """
        <gpx xmlns='http://www.topografix.com/GPX/1/1'><trk><trkseg><trkpt lat='1' lon='2'><ele>3</ele></trkpt></trkseg>
        <trkseg><trkpt lat='4' lon='5'/></trkseg></trk></gpx>
        """,
      records: [["lat": "1", "lon": "2", "ele": "3"], ["lat": "4", "lon": "5"]]
    ),
    Case(
      testDescription: "a told name with a prefix",
      input: "<r xmlns:m='urn:m'><i><a>1</a></i><m:i><a>2</a></m:i></r>",
      records: [["a": "2"]],
      path: "m:i"
    ),
    Case(
      testDescription: "xsi:nil is a NULL that is given",
      input:
        "<r xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'><i xsi:type='x'><a xsi:nil='true'/><b xsi:nil='false'/><c xsi:type='s' xml:space='preserve'> </c></i></r>",
      records: [["a": "NULL", "b": "", "c": " "]]
    ),
    Case(
      testDescription: "escaped names",
      input: "<r><i First_x0020_name='1'><_x0023_text>2</_x0023_text><a_x005F_x0041_>3</a_x005F_x0041_></i></r>",
      records: [["First name": "1", "#text": "2", "a_x0041_": "3"]]
    ),
    Case(
      testDescription: "own text",
      input: "<r><i k='1'> x <!-- --> y </i><i k='2'>\n</i></r>",
      records: [
        ["k": "1", "#text": " x  y "], ["k": "2"],
      ]
    ),
    Case(
      testDescription: "a told name",
      input: "<r><a><x>1</x></a><b><c><x>2</x></c></b></r>",
      records: [["x": "2"]],
      path: "c"
    ),
    Case(
      testDescription: "a told path",
      input: "<r><c><x>1</x></c><b><c><x>2</x></c></b></r>",
      records: [["x": "2"]],
      path: "/r/b/c"
    ),
    Case(
      testDescription: "a told end of a path",
      input: "<r><c><x>1</x></c><b><c><x>2</x></c></b></r>",
      records: [["x": "2"]],
      path: "b/c"
    ),
    Case(
      testDescription: "a known name, in any case, wherever it is",
      input: "<CONTATTO><m v='1'/><m v='2'/><z><contatto n='1'/></z></CONTATTO>",
      records: [["n": "1"]],
      known: ["Contatto"]
    ),
    Case(
      testDescription: "known names that do not occur",
      input: "<rows><row n='1'/><row n='2'/></rows>",
      records: [["n": "1"], ["n": "2"]],
      known: ["Contatto", "rows"]
    ),
    Case(
      testDescription: "an internal subset without entities",
      input:
        "<!DOCTYPE r SYSTEM 'no.dtd' [<!ELEMENT r ANY><!-- ]> ' --><?p ]>?><!ATTLIST i d CDATA 'z' e CDATA #IMPLIED>]><r><i a='1'/></r>",
      records: [["a": "1", "d": "z"]]
    ),
    Case(testDescription: "a byte order mark", input: "\u{FEFF}<r><i a='é'/></r>", records: [["a": "é"]]),
  ]

  @Test(arguments: cases, chunkSizes)
  func `records do not depend on chunk size`(_ example: Case, chunkSize: Int) throws {
    let document = try readXML(
      example.input,
      chunkSize: chunkSize,
      recordPath: example.path,
      knownNames: example.known
    )
    #expect(document.refusal == nil)
    #expect(document.faults == [])
    #expect(document.records.map(\.fields) == example.records)
    #expect(document == (try readXML(example.input, recordPath: example.path, knownNames: example.known)))
    for record in document.records {
      #expect(example.input.utf8.starts(with: record.raw.utf8) || example.input.contains(record.raw))
      #expect(record.raw.hasPrefix("<") && record.raw.hasSuffix(">"))
    }
  }

  @Test(arguments: chunkSizes) func `text with tags in it is kept whole`(chunkSize: Int) throws {
    let document = try readXML(
      """
      <r><p><t>one <b>two</b> three</t></p><p><t>a<i/>b</t></p><p><t><b> x</b> <i>y <u> z</u> </i> end </t></p>
      <p><n><t>a<b>b</b></t><u>c</u></n></p></r>
      """,
      chunkSize: chunkSize
    )
    #expect(
      document.records.map(\.fields) == [
        ["t": "one two three"], ["t": "ab"], ["t": " x y  z  end "], ["n.t": "ab", "n.u": "c"],
      ]
    )
    #expect(document.columns == ["p": ["t", "n.t", "n.u"]])
    #expect(document.notes.map(\.code) == [.mixedContent, .mixedContent, .mixedContent])
  }

  @Test func `kinds of records whose names differ in namespace alone are kept apart`() throws {
    let document = try readXML(
      "<r><i xmlns='urn:1' a='1'/><p:i xmlns:p='urn:2' a='2'/><q:i xmlns:q='urn:2' a='3'/></r>"
    )
    #expect(document.records.map(\.kind) == ["i", "p:i", "p:i"])
  }

  @Test(arguments: chunkSizes) func `raw bytes, lines and places lead back to the input`(chunkSize: Int) throws {
    let input = """
      <?xml version="1.0"?>
      <r>
        <!-- <i> -->
        <i a = "x>y"
           b='2'><c
        >3</c></i>

        <i/><i xmlns:q="urn" q:a="9" ><c>&lt;</c></i >
      </r>
      """
    let document = try readXML(input, chunkSize: chunkSize)
    #expect(
      document.records.map(\.raw) == [
        "<i a = \"x>y\"\n     b='2'><c\n  >3</c></i>", "<i/>", "<i xmlns:q=\"urn\" q:a=\"9\" ><c>&lt;</c></i >",
      ]
    )
    #expect(document.records.map(\.line) == [4, 8, 8])
    let bytes = Array(input.utf8)
    let begins = document.places.map { String(decoding: bytes[Int($0)..<Int($0) + 3], as: UTF8.self) }
    #expect(begins == ["x>y", "2'>", "3</", "&lt", "9\" "])
  }

  @Test(arguments: chunkSizes) func `lines end with CRLF and CR as well`(chunkSize: Int) throws {
    let document = try readXML("<r>\r\n<i a='1'/>\r<i a='2'/>\n\r<i a='3'/></r>", chunkSize: chunkSize)
    #expect(document.records.map(\.line) == [2, 3, 5])
  }

  @Test(arguments: chunkSizes) func `several kinds of records have shapes of their own`(chunkSize: Int) throws {
    let document = try readXML("<r><p a='1'/><q b='2'/><p c='3'/></r>", chunkSize: chunkSize)
    #expect(document.records.map(\.kind) == ["p", "q", "p"])
    #expect(document.columns == ["p": ["a", "c"], "q": ["b"]])
  }

  @Test(arguments: chunkSizes) func `a second value goes to the repeats`(chunkSize: Int) throws {
    let document = try readXML("<r><i a='1'><a>2</a><b>3</b><a/></i><i a='4'/></r>", chunkSize: chunkSize)
    #expect(document.records.map(\.fields) == [["a": "1", "b": "3"], ["a": "4"]])
    #expect(document.records.map(\.repeats) == [["a=2", "a="], []])
  }

  @Test(arguments: chunkSizes) func `base64 is marked and left alone`(chunkSize: Int) throws {
    let document = try readXML("<r><i><a encoding='base64'>AA==</a><b>AA==</b></i></r>", chunkSize: chunkSize)
    #expect(document.records.map(\.base64) == [["a"]])
    #expect(document.records.first?.fields == ["a": "AA==", "b": "AA=="])
  }

  @Test(arguments: chunkSizes) func `other encodings are read, and their raw bytes kept`(chunkSize: Int) throws {
    var latin = Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<r><i><n>Zo".utf8)
    latin += [0xEB] + Array("</n></i></r>".utf8)
    let document = try readXML(latin, chunkSize: chunkSize)
    #expect(document.records.map(\.fields) == [["n": "Zoë"]])
    for isBig in [false, true] {
      for mark in ["\u{FEFF}", ""] {
        let text =
          mark + "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\r\n<r>\r\n<i a='1'>\u{65E5}\u{1F600}</i>\r\n<i/></r>"
        let bytes = text.utf16.flatMap {
          isBig ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
        }
        let wide = try readXML(bytes, chunkSize: chunkSize)
        #expect(wide.refusal == nil)
        #expect(wide.records.map(\.fields) == [["a": "1", "#text": "\u{65E5}\u{1F600}"], [:]])
        #expect(wide.records.map(\.line) == [3, 4])
        #expect(wide.records.map { $0.raw.utf8.count }.first ?? 0 > 30)
        #expect(wide.framing.separator == (isBig ? [0, 10] : [10, 0]))
      }
    }
  }

  @Test func `encodings in which offsets would be lost are refused`() throws {
    for name in ["Shift_JIS", "UTF-7", "GB18030", "UTF-32"] {
      let document = try readXML("<?xml version='1.0' encoding='\(name)'?><r><i a='1'/></r>")
      #expect(document.refusal?.code == .malformedXML)
      #expect(document.refusal?.message.contains(name) == true)
    }
    #expect(try readXML([0xFF, 0xFE, 0, 0, 0x3C, 0, 0, 0]).refusal?.message.contains("UTF-32") == true)
  }

  @Test(arguments: chunkSizes) func `what is beside the records is said`(chunkSize: Int) throws {
    let document = try readXML(
      "<r>\n<date>2020</date>junk\n<i a='1'/><i a='2'/><date>x</date><e/></r>",
      chunkSize: chunkSize
    )
    #expect(document.records.count == 2)
    #expect(document.notes.map(\.location.line) == [2, 1])
    #expect(document.notes.allSatisfy { $0.severity == .warning && $0.code == .extraLabel })
  }

  @Test func `a path that matches nothing is said`() throws {
    let document = try readXML("<r><i a='1'/></r>", recordPath: "/r/j")
    #expect(document.records.isEmpty)
    #expect(document.notes.map(\.message) == ["no element matches the record path '/r/j'"])
  }

  @Test func `the summary says what the records are`() throws {
    #expect(
      try readXML("<rubrica><contatto n='1'/></rubrica>").description
        == "records are <contatto> elements, the children of <rubrica>"
    )
    #expect(try readXML("<r><i n='1'/></r>", recordPath: "i").description == "records are the elements 'i', as told")
    #expect(try readXML("<r/>").description == "no records: the root element is empty")
  }

  @Test(arguments: chunkSizes) func `rejected records make a document that is read alike`(chunkSize: Int) throws {
    let input =
      "<?xml version='1.0' encoding='UTF-8'?>\n<d:export xmlns:d='urn' v='1'>\n <d:list>\n  <d:c a='1'/>\n  <d:c><a>2</a></d:c>\n </d:list></d:export>"
    let document = try readXML(input, chunkSize: chunkSize)
    #expect(
      String(decoding: document.framing.opening, as: UTF8.self)
        == "<?xml version='1.0' encoding='UTF-8'?>\n<d:export xmlns:d='urn' v='1'>\n<d:list>\n"
    )
    #expect(String(decoding: document.framing.closing, as: UTF8.self) == "</d:list>\n</d:export>\n")
    let again =
      document.framing.opening + Array(document.records[1].raw.utf8) + document.framing.separator
      + document.framing.closing
    #expect(try readXML(again).records.map(\.fields) == [["a": "2"]])
  }
}
