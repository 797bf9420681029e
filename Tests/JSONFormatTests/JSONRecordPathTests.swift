import Diagnostics
import EntityModel
import JSONFormat
import Records
import TestSupport
import Testing

@Suite struct JSONRecordPathTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let path: String
    let text: String
    let fields: [[String]]
    var testDescription: String { "\(path) in \(text)" }
  }

  static let cases = [
    Case(path: "items", text: #"{"n":1,"items":[{"a":1},{"a":2}],"z":{"b":[]}}"#, fields: [["a=1"], ["a=2"]]),
    Case(path: "/items", text: #"{"items":[{"a":1}],"x":{"items":[{"a":2}]}}"#, fields: [["a=1"]]),
    Case(path: "items", text: #"{"items":[{"a":1}],"x":{"items":[{"a":2}]}}"#, fields: [["a=1"], ["a=2"]]),
    Case(
      path: "/x/y",
      text: #"[{"x":{"y":[{"a":1},{"a":2}]}},{"x":[{"y":{"a":3}}]}]"#,
      fields: [["a=1"], ["a=2"], ["a=3"]]
    ),
    Case(path: "x/y", text: #"{"d":[[{"x":{"y":{"a":1}},"y":{"a":2}}]]}"#, fields: [["a=1"]]),
    Case(path: "a/a", text: #"{"a":{"a":{"a":{"n":1}}}}"#, fields: [["a.n=1"]]),
    Case(path: "/a/a/a", text: #"{"a":{"a":{"a":{"n":1}}}}"#, fields: [["n=1"]]),
    Case(path: "/", text: #"{"a":{"b":"x"}}"#, fields: [["a.b='x'"]]),
    Case(path: "/", text: #"[{"a":1},{"a":2}]"#, fields: [["a=1"], ["a=2"]]),
    Case(path: "è", text: #"{"\u00e8":[{"a":1}]}"#, fields: [["a=1"]]),
    Case(
      path: "items",
      text: "{\"items\":{\"a\":1}}\n{\"items\":[]}\n{\"items\":[{\"a\":2}]}\n",
      fields: [["a=1"], ["a=2"]]
    ),
    Case(path: "items", text: #"{"items":null,"b":{"items":[{"a":{"items":[7]}}]}}"#, fields: [["a.items='[7]'"]]),
    Case(path: "none", text: #"{"items":[{"a":1}]}"#, fields: []),
    Case(path: String(repeating: "/a", count: 70), text: #"{"a":1}"#, fields: []),
  ]

  @Test(arguments: cases, chunkSizes) func `a path leads to records`(_ example: Case, chunkSize: Int) throws {
    let records = try readJSON(example.text, path: example.path, chunkSize: chunkSize).records
    #expect(records.map(\.fields) == example.fields)
    #expect(records.allSatisfy { $0.faults.isEmpty })
  }

  @Test(arguments: chunkSizes) func `what is no object in the place of a record is rejected with its bytes`(
    chunkSize: Int
  ) throws {
    let text = "{\"skip\":[1,\"]\"],\n\"items\":[{\"a\":1}, 7,\n [{\"a\":2}],null,{\"a\":3}],\"b\":{\"items\":\"x\"}}"
    let records = try readJSON(text, path: "items", chunkSize: chunkSize).records
    #expect(records.map(\.raw) == [#"{"a":1}"#, "7", #"[{"a":2}]"#, "null", #"{"a":3}"#, #""x""#])
    #expect(records.map(\.isUnreadable) == [false, true, true, true, false, true])
    #expect(records.map(\.line) == [2, 2, 3, 3, 3, 3])
    #expect(records.map(\.ordinal) == [1, 2, 3, 4, 5, 6])
  }

  @Test(arguments: chunkSizes) func `many records below many parents do not depend on the chunk size`(chunkSize: Int)
    throws
  {
    let parents = (0..<60).map { parent in
      let records = (0..<parent % 5).map { #"{"n":\#(parent * 10 + $0),"t":"\u00e8 \#($0)"}"# }.joined(separator: ", ")
      return #"{"id":\#(parent),"items":[\#(records)],"tail":{"x":[{}]}}"#
    }
    let text = "[" + parents.joined(separator: ",\n") + "]"
    let whole = try readJSON(text, path: "items")
    #expect(whole.records.count == 120)
    #expect(try readJSON(text, path: "items", chunkSize: chunkSize) == whole)
  }

  @Test func `rejects stand where the path finds them again`() throws {
    let reader = JSONRecordReader(ChunkedSource(""), file: "f", format: .json, recordPath: "/a \"b\"/è")
    let framing = reader.framing
    let text = String(decoding: framing.opening + Array(#"{"n":1}"#.utf8) + framing.closing, as: UTF8.self)
    #expect(text == "{\"a \\\"b\\\"\":{\"è\":[\n{\"n\":1}\n]}}\n")
    #expect(try readJSON(text, path: "/a \"b\"/è").records.map(\.fields) == [["n=1"]])
    #expect(try readJSON(text, path: "è").records.count == 1)
  }

  @Test(arguments: chunkSizes) func `damage anywhere refuses the document`(chunkSize: Int) {
    #expect(
      refusal("{\"items\":[{\"a\":1}],\n\"b\":tru}", path: "items", chunkSize: chunkSize).hasPrefix(
        "2:5 malformed-json the document is not JSON"
      )
    )
    #expect(refusal(#"{"items":[{"a":1}"#, path: "items", chunkSize: chunkSize).contains("malformed-json"))
  }
}
