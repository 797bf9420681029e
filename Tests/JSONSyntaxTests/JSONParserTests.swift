import JSONSyntax
import Testing

@Suite struct JSONParserTests {
  static func parse(_ text: String) throws(JSONSyntaxError) -> JSONValue { try JSONParser.parse(Array(text.utf8).span) }

  /// `line:column: sentence` of the error, or nothing where there is none.
  static func complaint(_ bytes: [UInt8], depthLimit: Int = 256) -> String {
    do throws(JSONSyntaxError) {
      _ = try JSONParser.parse(bytes.span, depthLimit: depthLimit)
      return ""
    } catch {
      return "\(error.place.line):\(error.place.column): \(error.description)"
    }
  }

  @Test func `every value carries its place`() throws {
    let value = try Self.parse("{\"è\": [1,\r\n  \"x\"],\r \"b\": {}}")
    #expect(value.place == JSONPlace(line: 1, column: 1))
    #expect(value.members?.map(\.place) == [JSONPlace(line: 1, column: 2), JSONPlace(line: 3, column: 2)])
    #expect(value["è"]?.place == JSONPlace(line: 1, column: 7))
    #expect(value["è"]?.elements?.map(\.place) == [JSONPlace(line: 1, column: 8), JSONPlace(line: 2, column: 3)])
    #expect(value["b"]?.place == JSONPlace(line: 3, column: 7))
  }

  @Test func `members keep their order and numbers their spelling`() throws {
    let value = try Self.parse(#" {"z":-0.10E+2,"a":123456789012345678901234567890,"n":null,"t":true,"f":false} "#)
    #expect(value.members?.map(\.name) == ["z", "a", "n", "t", "f"])
    #expect(value["z"]?.content == .number("-0.10E+2"))
    #expect(value["a"]?.content == .number("123456789012345678901234567890"))
    #expect(value["n"]?.isNull == true)
    #expect(value["t"]?.boolean == true)
    #expect(value["f"]?.boolean == false)
  }

  @Test(arguments: [
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    (#""\u00e8\u4E2D""#, "è中"),
    (#""\ud83d\ude00""#, "😀"),
    (#""\u0000""#, "\0"),
    (#""è中😀""#, "è中😀"),
    ("\"\u{7F}\u{2028}\"", "\u{7F}\u{2028}"),
  ])
  func `escapes are undone`(text: String, meaning: String) throws {
    #expect(try Self.parse(text).string == meaning)
  }

  @Test func `a byte order mark is passed over`() throws {
    #expect(try JSONParser.parse(([0xEF, 0xBB, 0xBF] + Array("[]".utf8)).span).elements == [])
  }

  @Test func `names that only look alike are two names`() throws {
    #expect(try Self.parse("{\"\u{E8}\":1,\"e\u{300}\":2}").members?.count == 2)
  }

  static let refused: [(String, String)] = [
    ("", "1:1: expected a value, found the end of the text"),
    (" \n ", "2:2: expected a value, found the end of the text"),
    ("[1,]", "1:4: expected a value, found ']' after a comma"),
    ("{\"a\":1,}", "1:8: expected a name in double quotes, found '}' after a comma"),
    ("[1 2]", "1:4: expected ',' or ']', found '2'"),
    ("{\"a\" 1}", "1:6: expected ':' after the name, found '1'"),
    ("{\"a\":1 \"b\":2}", "1:8: expected ',' or '}', found '\"'"),
    ("{a:1}", "1:2: expected a name in double quotes or '}', found 'a'"),
    ("{'a':1}", "1:2: expected a name in double quotes or '}', found '''"),
    ("[NaN]", "1:2: expected a value or ']', found 'NaN'"),
    ("[-Infinity]", "1:3: expected a digit, found 'Infinity'"),
    ("[+1]", "1:2: expected a value or ']', found '+1'"),
    ("[01]", "1:2: a number begins with a zero that should not be there"),
    ("[1.]", "1:4: expected a digit after the decimal point, found ']'"),
    ("[.5]", "1:2: expected a value or ']', found '.5'"),
    ("[1e]", "1:4: expected a digit in the exponent, found ']'"),
    ("[1e+]", "1:5: expected a digit in the exponent, found ']'"),
    ("-", "1:2: expected a digit, found the end of the text"),
    ("[tru]", "1:2: expected a value or ']', found 'tru'"),
    ("nul", "1:1: expected a value, found 'nul'"),
    ("[truex]", "1:6: expected ',' or ']', found 'x'"),
    ("[1}", "1:3: expected ',' or ']', found '}'"),
    ("{\"a\":1]", "1:7: expected ',' or '}', found ']'"),
    ("[", "1:2: expected a value or ']', found the end of the text"),
    ("[1", "1:3: expected ',' or ']', found the end of the text"),
    ("1 2", "1:3: expected nothing more after the value, found '2'"),
    ("[]]", "1:3: expected nothing more after the value, found ']'"),
    ("[\n \"abc", "2:2: a string is opened here and never closed"),
    ("\"\\", "1:1: a string is opened here and never closed"),
    ("\"a\nb\"", "1:3: a string holds a line end; write it as '\\n'"),
    ("\"a\u{1}\"", "1:3: a string holds the control character U+0001; write it as '\\u0001'"),
    (#""\x41""#, #"1:2: expected one of " \ / b f n r t u after a backslash, found 'x'"#),
    (#""\u12g4""#, #"1:2: expected four hexadecimal digits after '\u', found '\u12g4'"#),
    (#""a\ud800b""#, "1:3: an escape names half a surrogate pair without the other half"),
    (#""\udc00""#, "1:2: an escape names half a surrogate pair without the other half"),
    (#""\ud800\u0041""#, "1:2: an escape names half a surrogate pair without the other half"),
    (#"{"a":1,"\u0061":2}"#, "1:8: the name 'a' stands twice in one object"),
    ("// x\n1", "1:1: expected a value, found '/'"),
  ]
  @Test(arguments: refused) func `what is not JSON is refused where it stops being JSON`(text: String, message: String)
  {
    #expect(Self.complaint(Array(text.utf8)) == message)
  }

  @Test(
    arguments: [
      ([0x22, 0xFF, 0x22], "1:2: expected UTF-8, found the byte 0xFF"),
      ([0x22, 0x61, 0xC0, 0xAF, 0x22], "1:3: expected UTF-8, found the byte 0xC0"),
      ([0x22, 0xED, 0xA0, 0x80, 0x22], "1:2: expected UTF-8, found the byte 0xED"),
      ([0x5B, 0xFF, 0x5D], "1:2: expected a value or ']', found '\\xFF'"),
    ] as [([UInt8], String)]
  )
  func `bytes that are not UTF-8 are refused`(bytes: [UInt8], message: String) {
    #expect(Self.complaint(bytes) == message)
  }

  @Test func `nesting ends at the limit, and a million brackets do no harm`() {
    func nested(_ depth: Int) -> [UInt8] {
      Array(repeating: UInt8(ascii: "["), count: depth) + Array(repeating: UInt8(ascii: "]"), count: depth)
    }
    #expect(Self.complaint(nested(256)) == "")
    #expect(Self.complaint(nested(257)) == "1:257: arrays and objects are nested deeper than 256")
    #expect(Self.complaint(nested(1_000_000)) == "1:257: arrays and objects are nested deeper than 256")
    #expect(Self.complaint(nested(3), depthLimit: 2) == "1:3: arrays and objects are nested deeper than 2")
  }
}
