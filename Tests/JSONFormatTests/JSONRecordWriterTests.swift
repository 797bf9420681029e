import Diagnostics
import EntityModel
import JSONFormat
import Records
import TestSupport
import Testing

/// Rows in the making.
struct Rows: ~Copyable {
  var batch = ValueBatch()
  var text = TextBuffer()

  mutating func slice(_ bytes: [UInt8]) -> TextSlice {
    let start = text.count
    text.append(bytes.span)
    return TextSlice(start..<text.count)
  }

  mutating func add(_ values: [Value]) {
    batch.rows.append(.init(entity: 0, record: 0, valueStart: UInt32(batch.values.count)))
    batch.values += values
  }

  func write(_ types: [AttributeType], _ format: FileFormat) throws(WriteError) -> [UInt8] {
    let written = WrittenBytes()
    let columns = types.enumerated().map { WrittenColumn(name: "c\($0.offset)\"è", type: $0.element) }
    var writer = JSONRecordWriter(MemorySink(written), columns: columns, format: format)
    try writer.write(batch, text: text)
    try writer.finish()
    return written.bytes
  }
}

@Suite struct JSONRecordWriterTests {
  @Test func `values are written in JSON's own way`() throws {
    var rows = Rows()
    let text = rows.slice(Array("a\"\n\u{2028}è".utf8))
    let decimal = rows.slice(Array("12345678901234567890.10".utf8))
    let odd = rows.slice(Array("007".utf8))
    let blob = rows.slice([0, 0xFF])
    let types: [AttributeType] = [
      .text, .decimal(precision: nil, scale: nil), .decimal(precision: nil, scale: nil), .binary,
      .decimal(precision: 5, scale: 2), .boolean, .double, .double, .integer(bits: 64),
    ]
    rows.add([
      .text(text), .text(decimal), .text(odd), .blob(blob), .real(1.1), .integer(1), .real(1e300), .integer(3),
      .integer(.min),
    ])
    rows.add(Array(repeating: .null, count: 9))
    let first =
      #"{"c0\"è":"a\"\n\u2028è","c1\"è":12345678901234567890.10,"c2\"è":"007","c3\"è":"AP8=","c4\"è":1.10,"#
      + #""c5\"è":true,"c6\"è":1e+300,"c7\"è":3.0,"c8\"è":-9223372036854775808}"#
    let second = "{" + (0..<9).map { #""c\#($0)\"è":null"# }.joined(separator: ",") + "}"
    #expect(String(decoding: try rows.write(types, .json), as: UTF8.self) == "[\n\(first),\n\(second)\n]\n")
    #expect(String(decoding: try rows.write(types, .ndjson), as: UTF8.self) == "\(first)\n\(second)\n")
  }

  @Test func `no rows are an empty array, or an empty line`() throws {
    let rows = Rows()
    #expect(try rows.write([.text], .json) == Array("[]\n".utf8))
    #expect(try rows.write([.text], .ndjson) == Array("\n".utf8))
  }

  @Test func `what JSON cannot hold is refused with its row and column`() {
    func refusal(_ type: AttributeType, _ value: (inout Rows) -> Value) -> String {
      var rows = Rows()
      rows.add([.null])
      let value = value(&rows)
      rows.add([value])
      do throws(WriteError) {
        _ = try rows.write([type], .json)
        return ""
      } catch {
        return error.description
      }
    }
    let place = "row 2, column 'c0\"è': JSON cannot hold "
    #expect(refusal(.text) { .text($0.slice([0x61, 0xFF])) } == place + "a text that is not UTF-8 from its byte 2 on")
    #expect(refusal(.text) { .blob($0.slice([0x61])) } == place + "bytes in a column of the type 'text'")
    #expect(refusal(.binary) { .text($0.slice([0x61])) } == place + "a text in a column of bytes")
    #expect(refusal(.double) { _ in .real(.infinity) } == place + "the number inf")
  }

  @Test(arguments: 0..<200 as Range<UInt64>, [FileFormat.json, .ndjson])
  func `what is written reads back the same`(seed: UInt64, format: FileFormat) throws {
    var random = SplitMix64(seed: seed)
    let types: [AttributeType] = [.text, .integer(bits: 64), .double, .boolean, .date, .binary]
    var rows = Rows()
    var expected: [[String]] = []
    for _ in 0..<Int.random(in: 0...40, using: &random) {
      var values: [Value] = []
      var fields: [String] = []
      for (column, type) in types.enumerated() {
        let (value, spelling) = Self.randomValue(type, &rows, &random)
        values.append(value)
        fields.append("c\(column)\"è=\(spelling)")
      }
      rows.add(values)
      expected.append(fields)
    }
    let written = try rows.write(types, format)
    for chunkSize in [3, 64, .max] {
      let input = try readJSON(written, format, chunkSize: chunkSize)
      #expect(input.records.map(\.fields) == expected)
      #expect(input.records.allSatisfy { $0.faults.isEmpty && !$0.isUnreadable })
    }
  }

  /// A value and how a reader is to find it.
  static func randomValue(
    _ type: AttributeType,
    _ rows: inout Rows,
    _ random: inout SplitMix64
  ) -> (Value, String) {
    guard Int.random(in: 0..<4, using: &random) > 0 else { return (.null, "-") }
    switch type {
    case .integer:
      let number = Int64.random(in: .min ... .max, using: &random)
      return (.integer(number), String(number))
    case .double:
      let number = Double.random(in: -1e10...1e10, using: &random)
      return (.real(number), number.description)
    case .boolean:
      let flag = Bool.random(using: &random)
      return (.integer(flag ? 1 : 0), String(flag))
    case .binary:
      return (.blob(rows.slice([0xFB, 0xFF])), "'+/8='")
    default:
      let scalars: [Unicode.Scalar] = [
        "a", "\"", "\\", "\n", "\r", "\u{0}", "\u{1F}", "è", "\u{2029}", "😀", "/", "[", "}",
      ]
      var text = ""
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        text.unicodeScalars.append(scalars[Int.random(in: 0..<scalars.count, using: &random)])
      }
      return (.text(rows.slice(Array(text.utf8))), "'\(text)'")
    }
  }
}
