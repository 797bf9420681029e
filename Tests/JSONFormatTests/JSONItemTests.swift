import Diagnostics
import EntityModel
import JSONFormat
import Records
import TestSupport
import Testing

/// Lists whose items are objects: their members have a value for each item.
@Suite struct JSONItems {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let input: String
    /// The values of each column, those of one parted by `|`; `-` is NULL.
    var fields: [String] = []
    var faults: [String] = []
  }

  static let cases = [
    Case(
      testDescription: "members that some items lack",
      input: #"[{"tags": [{"name": "a"}, {"name": "b", "colour": "red"}, {"name": "c"}]}]"#,
      fields: ["tags.name=a|b|c", "tags.colour=-|red|-"]
    ),
    Case(
      testDescription: "members in any order, with escapes, null and inner objects",
      input: #"[{"tags": [{"name": "\u0061", "of": {"x": 1}}, {"n": null, "name": "b\n"}], "t": "z"}]"#,
      fields: ["tags.name=a|b\n", "tags.of.x=1|-", "tags.n=-|-", "t=z"]
    ),
    Case(
      testDescription: "an array within an item is text",
      input: #"[{"tags": [{"name": ["a", {"b": 1}]}]}]"#,
      fields: [#"tags.name=["a", {"b": 1}]"#]
    ),
    Case(testDescription: "keys alone", input: #"[{"tags": ["a", "b"]}]"#, fields: ["tags=a|b"]),
    Case(testDescription: "no items", input: #"[{"tags": []}]"#, fields: ["tags="]),
    Case(testDescription: "one object", input: #"[{"tags": {"name": "a"}}]"#, fields: ["tags.name=a"]),
    Case(
      testDescription: "a key among objects",
      input: #"[{"tags": [{"name": "a"}, "b"]}]"#,
      faults: ["an item of the list 'tags' is a string among others that are not"]
    ),
    Case(
      testDescription: "an object among keys",
      input: #"[{"tags": ["b", {"name": "a"}]}]"#,
      faults: ["an item of the list 'tags' is an object among others that are not"]
    ),
    Case(
      testDescription: "an item without members",
      input: #"[{"tags": [{}]}]"#,
      faults: ["an item of the list 'tags' is an empty object"]
    ),
    Case(
      testDescription: "a member twice in one item",
      input: #"[{"tags": [{"name": "a"}, {"name": "b", "name": "c"}]}]"#,
      faults: ["the record gives 'tags.name' twice"]
    ),
    Case(
      testDescription: "a list twice",
      input: #"[{"tags": [{"name": "a"}], "tags": [{"name": "b"}]}]"#,
      faults: ["the record gives 'tags.name' twice"]
    ),
  ]

  @Test(arguments: cases, [1, 2, 3, 7, 64, 4096, 128 << 10])
  func `members have a value for each item`(_ example: Case, chunkSize: Int) throws {
    for format in [FileFormat.json, .ndjson] {
      let text = format == .json ? example.input : String(example.input.dropFirst().dropLast()) + "\n"
      var reader = JSONRecordReader(
        ChunkedSource(Array(text.utf8), chunkSize: chunkSize),
        file: "in.json",
        format: format,
        lists: ["tags"],
        limits: ReadLimits(chunkByteCount: chunkSize)
      )
      try reader.open()
      var batch = RecordBatch()
      var fields: [String] = []
      var faults: [String] = []
      while try reader.fill(&batch) {
        faults += batch.faults.map(\.diagnostic.message)
        guard batch.count == 1, !batch.records[0].isUnreadable else { continue }
        for (column, name) in batch.shapes[0].columns.enumerated() {
          let first = batch.field(column, of: 0)
          guard !first.isAbsent else { continue }
          var values = [spelled(first, in: batch)]
          for item in batch.repeats where item.column == column { values.append(spelled(item.field, in: batch)) }
          fields.append("\(name)=\(values.joined(separator: "|"))")
        }
      }
      #expect(Set(fields) == Set(example.fields))
      #expect(faults == example.faults)
    }
  }

  private func spelled(_ field: Field, in batch: borrowing RecordBatch) -> String {
    guard !field.isNull else { return "-" }
    let bytes = batch.text.bytes(of: field.text)
    return String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
  }
}
