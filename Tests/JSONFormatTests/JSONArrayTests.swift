import Diagnostics
import EntityModel
import JSONFormat
import Records
import TestSupport
import Testing

@Suite struct JSONArrayTests {
  static func fields(_ text: String) throws -> [[String]] { try readJSON(text).records.map(\.fields) }

  static let cases: [(String, [[String]])] = [
    ("[]", []),
    (" [ \n ] \n", []),
    ("\u{FEFF}[{\"a\":1}]", [["a=1"]]),
    (#"[{}]"#, [[]]),
    (#"[{"a":"x","b":1.50,"c":true,"d":null,"e":""}]"#, [["a='x'", "b=1.50", "c=true", "d=-", "e=''"]]),
    (#"[{"a":1,"b":2},{"b":3},{"c":4,"a":5}]"#, [["a=1", "b=2"], ["b=3"], ["a=5", "c=4"]]),
    (#"[{"a":"\u00e8\n\"\\"}]"#, [["a='è\n\"\\'"]]),
    (#"[{"\u0061":1},{"a":2}]"#, [["a=1"], ["a=2"]]),
    (#"[{"a":[1, "x\t",null]}]"#, [[#"a='[1, "x\t",null]'"#]]),
    (#"[{"a":[],"b":["x"],"c":[{"d":[1]}]}]"#, [["a='[]'", #"b='["x"]'"#, #"c='[{"d":[1]}]'"#]]),
    (
      #"[{"a":{"b":1,"c":{"d":"x","e":{ }}},"f":2},{"a":{},"a.b":3}]"#,
      [["a.b=1", "a.c.d='x'", "a.c.e='{ }'", "f=2"], ["a.b=3", "a='{}'"]]
    ),
    (#"[{"n":9007199254740993,"e":1e400,"d":1.10}]"#, [["n=9007199254740993", "e=1e400", "d=1.10"]]),
    (#"[{"a":"null"},{"a":"\ud83d\ude00"}]"#, [["a='null'"], ["a='😀'"]]),
    (#"[{"":1}]"#, [["=1"]]),
  ]
  @Test(arguments: cases) func `members become fields`(text: String, fields: [[String]]) throws {
    #expect(try Self.fields(text) == fields)
  }

  @Test func `null is given, an absent member is not`() throws {
    var reader = JSONRecordReader(ChunkedSource(#"[{"a":1,"b":2,"c":3},{"b":null,"c":4}]"#), file: "f", format: .json)
    var batch = RecordBatch()
    #expect(try reader.fill(&batch))
    let (absent, null) = (batch.field(0, of: 1), batch.field(1, of: 1))
    #expect(absent.isAbsent && absent.isNull)
    #expect(!null.isAbsent && null.isNull)
  }

  @Test func `names are known once the reader is open, and more may follow`() throws {
    var reader = JSONRecordReader(ChunkedSource(#"[{"a":1,"b":2},{"c":3}]"#, chunkSize: 16), file: "f", format: .json)
    try reader.open()
    #expect(reader.shapes == [RecordShape(columns: ["a", "b"])])
    var batch = RecordBatch()
    while try reader.fill(&batch) {}
    #expect(reader.shapes[0].columns == ["a", "b", "c"])
  }

  static let text =
    "[\r\n {\"a\": \"è\\u00e8\", \"b\" : [1, \"\\n\", null]},\n{\"b\":-0.5e3,\"new\":{\"x\":[1,{}]}},\r 7, [\"]\", {}],\n"
    + "\"s\\\"{\", {\"a\":1,\"a\":2}, {\"a\":\"x\\ud800y\"},\n\n{\"a\": \"last\" ,\"c\":true} ]\n"

  @Test func `records keep their bytes, lines and places`() throws {
    let records = try readJSON(Self.text).records
    #expect(
      records == [
        ReadRecord(
          ordinal: 1,
          line: 2,
          raw: "{\"a\": \"è\\u00e8\", \"b\" : [1, \"\\n\", null]}",
          fields: ["a='èè'", "b='[1, \"\\n\", null]'"],
          offsets: [11, 28]
        ),
        ReadRecord(
          ordinal: 2,
          line: 3,
          raw: "{\"b\":-0.5e3,\"new\":{\"x\":[1,{}]}}",
          fields: ["b=-0.5e3", "new.x='[1,{}]'"],
          offsets: [51, 69]
        ),
        ReadRecord(
          ordinal: 3,
          line: 4,
          raw: "7",
          fields: [],
          isUnreadable: true,
          faults: ["4:2 unreadable-line a record must be an object, found a number"]
        ),
        ReadRecord(
          ordinal: 4,
          line: 4,
          raw: "[\"]\", {}]",
          fields: [],
          isUnreadable: true,
          faults: ["4:5 unreadable-line a record must be an object, found an array"]
        ),
        ReadRecord(
          ordinal: 5,
          line: 5,
          raw: "\"s\\\"{\"",
          fields: [],
          isUnreadable: true,
          faults: ["5:1 unreadable-line a record must be an object, found a string"]
        ),
        ReadRecord(
          ordinal: 6,
          line: 5,
          raw: "{\"a\":1,\"a\":2}",
          fields: [],
          isUnreadable: true,
          faults: ["5:17 extra-cell the record gives 'a' twice"]
        ),
        ReadRecord(
          ordinal: 7,
          line: 5,
          raw: "{\"a\":\"x\\ud800y\"}",
          fields: [],
          isUnreadable: true,
          faults: ["5:31 encoding-error the escape '\\ud800' is half a surrogate pair without the other half"]
        ),
        ReadRecord(
          ordinal: 8,
          line: 7,
          raw: "{\"a\": \"last\" ,\"c\":true}",
          fields: ["a='last'", "c=true"],
          offsets: [143, 154]
        ),
      ]
    )
  }

  @Test(arguments: chunkSizes, [1, 5, 64, 128 << 10])
  func `records do not depend on how the bytes arrive`(chunkSize: Int, asked: Int) throws {
    let whole = try readJSON(Self.text)
    #expect(try readJSON(Self.text, chunkSize: chunkSize, limits: ReadLimits(chunkByteCount: asked)) == whole)
  }

  static let refused: [(String, String)] = [
    ("", "1:1 malformed-json the document is not an array of records: expected a value, found the end of the text"),
    ("{\"a\":1}", "1:1 malformed-json the document is not an array of records: expected an array, found an object"),
    (
      "[{\"a\":1},]",
      "1:10 malformed-json the document is not an array of records: expected a value, found ']' after a comma"
    ),
    (
      "[{\"a\":1}\n{\"a\":2}]",
      "2:1 malformed-json the document is not an array of records: expected ',' or ']', found '{'"
    ),
    (
      "[{\"a\":1}]\n x",
      "2:2 malformed-json the document is not an array of records: expected nothing more after the value, found 'x'"
    ),
    (
      "[{\"a\":1",
      "1:8 malformed-json the document is cut off, it ends within a record or before the array does: "
        + "expected ',' or '}', found the end of the text"
    ),
    (
      "[{\"a\":1},{\"a\":2}",
      "1:17 malformed-json the document is cut off, it ends within a record or before the array does: "
        + "expected ',' or ']', found the end of the text"
    ),
    (
      "[{\"a\":\"x\ny\"}]",
      "1:9 malformed-json the document is not an array of records: a string holds a line end; write it as '\\n'"
    ),
    ("[{\"a\":NaN}]", "1:7 malformed-json the document is not an array of records: expected a value, found 'NaN'"),
  ]
  @Test(arguments: refused, chunkSizes)
  func `a malformed array is refused where it is malformed`(example: (String, String), chunkSize: Int) {
    #expect(refusal(example.0, chunkSize: chunkSize) == example.1)
  }

  @Test func `a hostile depth is refused`() {
    let text = "[{\"a\":" + String(repeating: "[", count: 100_000)
    #expect(refusal(text).hasSuffix("arrays and objects are nested deeper than 256"))
  }

  @Test(arguments: chunkSizes) func `limits hold at every chunk size`(chunkSize: Int) throws {
    let limits = ReadLimits(chunkByteCount: 16, recordByteCount: 30, fieldByteCount: 6, columnCount: 2)
    let text = "[" + String(repeating: " ", count: 200) + #"{"a":"1234567","b":[1,"1234567"]},{"a":"123456"},{"c":1}]"#
    let records = try readJSON(text.replacing(#","b":[1,"1234567"]"#, with: ""), chunkSize: chunkSize, limits: limits)
      .records
    #expect(records.map(\.fields) == [[], ["a='123456'"], ["c=1"]])
    #expect(records[0].faults == ["1:208 field-too-long the value has 7 bytes, more than 6"])
    #expect(
      refusal(text, chunkSize: chunkSize, limits: limits) == "1:202 record-too-long a record is longer than 30 bytes"
    )
    let many = try readJSON(#"[{"a":1,"b":2},{"c":3},{"a":4}]"#, chunkSize: chunkSize, limits: limits).records
    #expect(many[1].faults == ["1:18 extra-cell the record brings a name past the limit of 2 columns"])
    #expect(many[2].fields == ["a=4"])
  }

  @Test func `strings that are not UTF-8 are left to the validator, names are not`() throws {
    let bytes = Array(#"[{"a":""#.utf8) + [0xFF] + Array(#""},{""#.utf8) + [0xFF] + Array(#"":1}]"#.utf8)
    let records = try readJSON(bytes).records
    #expect(records[0].faults == [])
    #expect(records[1].faults == ["1:14 encoding-error the name '\\xFF' is not valid Unicode"])
  }

  @Test(arguments: [FileFormat.json, .ndjson]) func `rejected records make a file that is read like the input`(
    format: FileFormat
  ) throws {
    let text = format == .json ? "[{\"a\":1},{\"a\":2}]" : "{\"a\":1}\n{\"a\":2}"
    let reader = JSONRecordReader(ChunkedSource(text), file: "f", format: format)
    let framing = reader.framing
    let records = try readJSON(text, format).records
    var file = framing.opening
    for (index, record) in records.enumerated() {
      if index > 0, !file.reversed().starts(with: framing.separator.reversed()) { file += framing.separator }
      file += Array(record.raw.utf8)
    }
    #expect(try readJSON(file + framing.closing, format).records.map(\.fields) == [["a=1"], ["a=2"]])
  }

  @Test(arguments: 0..<200 as Range<UInt64>) func `damaged input is read or refused, alike at every chunk size`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    for format in [FileFormat.json, .ndjson] {
      var bytes = Array(Self.text.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: index)
        }
      }
      func outcome(_ chunkSize: Int) -> String {
        do throws(ReadError) { return "\(try readJSON(bytes, format, chunkSize: chunkSize))" } catch {
          return "\(error)"
        }
      }
      let whole = outcome(.max)
      for chunkSize in [1, 3, 64] { #expect(outcome(chunkSize) == whole) }
    }
  }
}
