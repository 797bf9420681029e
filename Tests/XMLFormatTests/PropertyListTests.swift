import Diagnostics
import Records
import Testing

@testable import XMLFormat

@Suite struct PropertyLists {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let input: String
    let records: [[String: String]]
    var kinds: [String] = []
    var path: String?
  }

  private static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://127.0.0.1:9/PropertyList-1.0.dtd">
    <plist version="1.0">

    """

  static let cases = [
    Case(
      testDescription: "an array of dictionaries, with values of every type",
      input: head + """
        <array>
          <dict><key>s</key><string>A &amp; B</string><key>i</key><integer>-7</integer><key>r</key><real>1.50</real>
          <key>y</key><true/><key>n</key><false></false><key>d</key><date>2024-02-29T00:00:00Z</date>
          <key>b</key><data>
          AAE=
          </data></dict>
          <dict><key>s</key><string/><key>c&lt;</key><string><![CDATA[<x>]]>y<!-- --></string></dict>
        </array></plist>
        """,
      records: [
        [
          "s": "A & B", "i": "-7", "r": "1.50", "y": "true", "n": "false", "d": "2024-02-29T00:00:00Z",
          "b": "\n  AAE=\n  ",
        ], ["s": "", "c<": "<x>y"],
      ]
    ),
    Case(
      testDescription: "a dictionary of dictionaries",
      input: "<plist><dict><key>it</key><dict><key>n</key><string>Italia</string></dict>"
        + "<key>fr</key> <dict><key>n</key><string>France</string></dict></dict></plist>",
      records: [["#key": "it", "n": "Italia"], ["#key": "fr", "n": "France"]]
    ),
    Case(
      testDescription: "dictionaries and arrays within",
      input: "<plist><array><dict><key>a</key><dict><key>b</key><dict><key>c</key><string>1</string></dict>"
        + "<key>e</key><dict/></dict><key>t</key><array><string>x\"</string><integer>1</integer><real>nan</real><true/>"
        + "</array><key>z</key><array/></dict></array></plist>",
      records: [["a.b.c": "1", "a.e": "{}", "t": #"["x\"", 1, "nan", true]"#, "z": "[]"]]
    ),
    Case(
      testDescription: "several arrays under keys",
      input: "<plist><dict><key>artists</key><array><dict><key>n</key><string>A</string></dict>"
        + "<dict><key>n</key><string>B</string></dict></array><key>albums</key>"
        + "<dict><key>7</key><dict><key>t</key><string>X</string></dict></dict></dict></plist>",
      records: [["n": "A"], ["n": "B"], ["#key": "7", "t": "X"]],
      kinds: ["artists", "artists", "albums"]
    ),
    Case(
      testDescription: "one dictionary is one record",
      input: "<plist><dict><key>CFBundleName</key><string>X</string><key>CFBundleTypes</key><array>"
        + "<string>a</string></array></dict></plist>",
      records: [["CFBundleName": "X", "CFBundleTypes": "[\"a\"]"]]
    ),
    Case(
      testDescription: "told keys",
      input: "<plist><dict><key>a</key><integer>1</integer><key>b</key><dict><key>items</key><array>"
        + "<dict><key>n</key><string>A</string></dict></array></dict></dict></plist>",
      records: [["n": "A"]],
      kinds: ["items"],
      path: "items"
    ),
    Case(
      testDescription: "plain values in an array",
      input: "<plist><array><string>a</string><integer>2</integer><dict/></array></plist>",
      records: [["#text": "a"], ["#text": "2"], [:]]
    ),
    Case(testDescription: "nothing", input: "<plist/>", records: []),
    Case(testDescription: "an empty array", input: "<plist><array/></plist>", records: []),
  ]

  @Test(arguments: cases, chunkSizes)
  func `dictionaries are records at every chunk size`(_ example: Case, chunkSize: Int) throws {
    let document = try readXML(
      example.input,
      chunkSize: chunkSize,
      recordPath: example.path,
      isPropertyList: true
    )
    #expect(document.refusal == nil)
    #expect(document.faults == [])
    #expect(document.records.map(\.fields) == example.records)
    if !example.kinds.isEmpty { #expect(document.records.map(\.kind) == example.kinds) }
    #expect(document == (try readXML(example.input, recordPath: example.path, isPropertyList: true)))
    for record in document.records { #expect(example.input.contains(record.raw)) }
  }

  @Test func `only strings and empty values are text, and data is base64`() throws {
    let record = try #require(try readXML(Self.cases[0].input, isPropertyList: true).records.first)
    #expect(record.bare == ["i", "r", "y", "n", "d"])
    #expect(record.base64 == ["b"])
    let empty = try readXML("<plist><array><dict><key>i</key><integer/></dict></array></plist>", isPropertyList: true)
    #expect(empty.records.first?.bare == [])
  }

  @Test(arguments: cases) func `a rejected record alone is a property list that is read alike`(_ example: Case) throws {
    for record in try readXML(example.input, recordPath: example.path, isPropertyList: true).records {
      let again = try readXML(record.document, recordPath: example.path, isPropertyList: true)
      #expect(again.records.map(\.fields) == [record.fields], "\(record.document)")
      #expect(again.records.map(\.raw) == [record.raw])
    }
  }

  static let damaged: [(input: String, faults: [String])] = [
    ("<dict><key>a</key></dict>", ["malformed-plist"]),
    ("<dict><string>a</string></dict>", ["malformed-plist"]),
    ("<dict><key>a</key><key>b</key><string/></dict>", ["malformed-plist"]),
    ("<dict><key>a</key><string>x<b/></string></dict>", ["malformed-plist"]),
    ("<dict><key>a</key><what/></dict>", ["malformed-plist"]),
    ("<dict>text<key>a</key><string/></dict>", ["malformed-plist"]),
    ("<dict><key>a</key><string q='1'>x</string></dict>", ["malformed-plist"]),
    ("<dict><key>a</key><true>x</true></dict>", ["malformed-plist"]),
    ("<dict><key>a</key><array><dict/></array></dict>", ["nested-record"]),
    ("<array><string/></array>", ["nested-record"]),
  ]

  @Test(arguments: 0..<damaged.count, chunkSizes)
  func `what no property list may have rejects its record alone`(index: Int, chunkSize: Int) throws {
    let (input, faults) = Self.damaged[index]
    let document = try readXML(
      "<plist><array><dict><key>a</key><string>1</string></dict>\(input)<dict><key>a</key><string>2</string></dict></array></plist>",
      chunkSize: chunkSize,
      isPropertyList: true
    )
    #expect(document.faults.map(\.code.rawValue) == faults)
    #expect(document.faults.allSatisfy { $0.location.record == 2 })
    #expect(document.records.map { $0.fields["a"] }.first == "1" && document.records.last?.fields["a"] == "2")
    #expect(document.records.count == 3)
  }

  @Test(arguments: chunkSizes) func `a key without a value ends its record`(chunkSize: Int) throws {
    let document = try readXML(
      "<plist><dict><key>x</key><dict><key>a</key><string>1</string></dict><key>y</key></dict></plist>",
      chunkSize: chunkSize,
      isPropertyList: true
    )
    #expect(document.faults.map(\.code) == [.malformedPropertyList])
    #expect(document.records.map(\.raw).last == "<key>y</key>")
  }

  @Test func `values beside the records are said`() throws {
    let document = try readXML(
      "<plist><dict><key>v</key><integer>3</integer><key>a</key><array><dict><key>n</key><string/></dict><dict/></array></dict></plist>",
      isPropertyList: true
    )
    #expect(document.notes.map(\.message) == ["the value of 'v' beside the records is not read"])
  }
}
