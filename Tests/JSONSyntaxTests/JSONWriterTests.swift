import JSONSyntax
import TestSupport
import Testing

@Suite struct JSONWriterTests {
  @Test func `a pretty text has a line for each member`() {
    var json = JSONWriter()
    json.beginObject()
    json.member("file", "a\"b.csv")
    json.member("records", 12)
    json.member("none", nil as String?)
    json.member("keys", ["x"])
    json.name("empty")
    json.beginArray()
    json.endArray()
    json.name("ratio")
    json.double(0.1)
    json.endObject()
    #expect(
      json.text == """
        {
          "file": "a\\"b.csv",
          "records": 12,
          "keys": [
            "x"
          ],
          "empty": [],
          "ratio": 0.1
        }
        """
    )
  }

  @Test func `a compact text has no white space`() {
    var json = JSONWriter(layout: .compact)
    json.beginArray()
    json.integer(.min)
    json.beginObject()
    json.member("a", true)
    json.endObject()
    json.null()
    json.number(spelled: "1.50")
    json.double(.infinity)
    json.endArray()
    #expect(json.text == #"[-9223372036854775808,{"a":true},null,1.50,null]"#)
  }

  @Test func `control characters and line separators are escaped`() {
    var json = JSONWriter()
    json.string("\u{0}\u{8}\u{9}\u{A}\u{C}\u{D}\u{1F}\"\\/\u{7F}\u{2028}\u{2029}\u{2027}\u{202A}è😀")
    #expect(
      json.text == #""\u0000\b\t\n\f\r\u001f\"\\/\u007f\u2028\u2029"# + "\u{2027}\u{202A}è😀\""
    )
  }

  @Test func `bytes that are not UTF-8 are named and nothing is written`() {
    var output: [UInt8] = [1]
    #expect(JSONString.appendEscaped(([0x61, 0xFF] as [UInt8]).span, to: &output) == 1)
    #expect(output == [1])
  }

  @Test(arguments: [
    ("0", true), ("-0", true), ("12.50", true), ("1e+16", true), ("-1.5E-7", true), ("", false), ("007", false),
    ("+1", false), (".5", false), ("5.", false), ("1 ", false), (" 1", false), ("nan", false), ("0x10", false),
    ("--1", false), ("1,2", false), ("true", false),
  ])
  func `only JSON's own spellings of numbers are valid`(spelling: String, isValid: Bool) {
    #expect(JSONNumber.isValid(Array(spelling.utf8).span) == isValid)
  }

  static func randomText(using random: inout SplitMix64) -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "\"", "\\", "\n", "\u{0}", "\u{1F}", "è", "\u{2028}", "中", "😀", "/", "\u{7F}",
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0...8, using: &random) {
      text.unicodeScalars.append(scalars[Int.random(in: 0..<scalars.count, using: &random)])
    }
    return text
  }

  static func randomValue(depth: Int, using random: inout SplitMix64) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
    case 0: JSONValue(.null)
    case 1: JSONValue(.boolean(Bool.random(using: &random)))
    case 2: JSONValue(.number(String(Int64.random(in: .min ... .max, using: &random))))
    case 3: JSONValue(.number(Double.random(in: -1e30...1e30, using: &random).description))
    case 4: JSONValue(.string(randomText(using: &random)))
    case 5:
      JSONValue(
        .array((0..<Int.random(in: 0...4, using: &random)).map { _ in randomValue(depth: depth - 1, using: &random) })
      )
    default:
      JSONValue(
        .object(
          (0..<Int.random(in: 0...4, using: &random)).map {
            .init(name: "\($0)" + randomText(using: &random), value: randomValue(depth: depth - 1, using: &random))
          }
        )
      )
    }
  }

  /// The tree without its places.
  static func placeless(_ value: JSONValue) -> JSONValue {
    switch value.content {
    case .object(let members): JSONValue(.object(members.map { .init(name: $0.name, value: placeless($0.value)) }))
    case .array(let elements): JSONValue(.array(elements.map(placeless)))
    default: JSONValue(value.content)
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>, [JSONWriter.Layout.compact, .pretty])
  func `what is written reads back the same`(seed: UInt64, layout: JSONWriter.Layout) throws {
    var random = SplitMix64(seed: seed)
    let value = Self.randomValue(depth: 4, using: &random)
    var json = JSONWriter(layout: layout)
    json.value(value)
    #expect(Self.placeless(try JSONParser.parse(json.bytes.span)) == value)
  }
}
