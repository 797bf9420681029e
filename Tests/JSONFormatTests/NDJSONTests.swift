import Diagnostics
import EntityModel
import JSONFormat
import Records
import Testing

@Suite struct NDJSONTests {
  static let text =
    "\u{FEFF}{\"a\":1,\"b\":\"\\u00e8\"}\n\r\n  \n{\"a\":2,}\n{\"b\":\"x\"} trailing\r\n[1]\nnull\n{\"a\":\"\n{\"a\":{\"b\":1}}\n {\"c\":[1,2]} "

  @Test func `a line is a record, and a broken one is a reject`() throws {
    let input = try readJSON(Self.text, .ndjson)
    #expect(input.columns == ["a", "b", "a.b", "c"])
    #expect(input.records.map(\.ordinal) == Array(1...8))
    #expect(input.records.map(\.line) == [1, 4, 5, 6, 7, 8, 9, 10])
    #expect(input.records.map(\.fields) == [["a=1", "b='è'"], [], [], [], [], [], ["a.b=1"], ["c='[1,2]'"]])
    #expect(
      input.records.map(\.faults) == [
        [],
        ["4:8 malformed-json the line is not JSON: expected a name in double quotes, found '}' after a comma"],
        ["5:11 malformed-json the line is not JSON: expected nothing more after the value, found 'trailing'"],
        ["6:1 unreadable-line a record must be an object, found an array"],
        ["7:1 unreadable-line a record must be an object, found null"],
        ["8:7 malformed-json the line is not JSON: a string holds a line end; write it as '\\n'"],
        [],
        [],
      ]
    )
    #expect(input.records[2].raw == "{\"b\":\"x\"} trailing\r\n")
    #expect(input.records[7].raw == " {\"c\":[1,2]} ")
    let bytes = Array(Self.text.utf8)
    #expect(input.records[0].offsets == [8, 15])
    #expect(bytes[8] == UInt8(ascii: "1") && bytes[15] == UInt8(ascii: "\\"))
  }

  @Test(arguments: chunkSizes, [1, 5, 64, 128 << 10])
  func `records do not depend on how the bytes arrive`(chunkSize: Int, asked: Int) throws {
    let whole = try readJSON(Self.text, .ndjson)
    #expect(try readJSON(Self.text, .ndjson, chunkSize: chunkSize, limits: ReadLimits(chunkByteCount: asked)) == whole)
  }

  @Test(arguments: ["", "\n", " \r\n\n"]) func `blank lines are no records`(text: String) throws {
    #expect(try readJSON(text, .ndjson).records.isEmpty)
  }

  @Test(arguments: chunkSizes) func `a line past the limit refuses the document`(chunkSize: Int) {
    let limits = ReadLimits(chunkByteCount: 16, recordByteCount: 20)
    let text = "{\"a\":1}\n{\"a\":\"" + String(repeating: "x", count: 100) + "\"}\n"
    #expect(
      refusal(text, .ndjson, chunkSize: chunkSize, limits: limits)
        == "2:1 record-too-long a record is longer than 20 bytes"
    )
  }
}
