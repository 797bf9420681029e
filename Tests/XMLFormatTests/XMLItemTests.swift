import Records
import Testing

@testable import XMLFormat

/// Elements that are items of a list and have parts of their own: each part has a value for each item.
@Suite struct XMLItems {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let input: String
    /// The first value of each column.
    let fields: [String: String]
    /// The further ones.
    let repeats: [String]
  }

  static let cases = [
    Case(
      testDescription: "attributes that some items lack",
      input: #"<a><tag name="x"/><tag name="y" colour="red"/><tag name="z"/></a>"#,
      fields: ["tag.name": "x", "tag.colour": "NULL"],
      repeats: ["tag.name=y", "tag.colour=red", "tag.name=z", "tag.colour="]
    ),
    Case(
      testDescription: "child elements",
      input: "<a><tag><colour>red</colour><name>x</name></tag><tag>\n<name>y</name> </tag></a>",
      fields: ["tag.name": "x", "tag.colour": "red"],
      repeats: ["tag.name=y", "tag.colour="]
    ),
    Case(
      testDescription: "items within an element",
      input: #"<a><tags><tag name="x"/><tag colour="red" name="y"/></tags></a>"#,
      fields: ["tags.tag.name": "x", "tags.tag.colour": "NULL"],
      repeats: ["tags.tag.colour=red", "tags.tag.name=y"]
    ),
    Case(
      testDescription: "text alone",
      input: "<a><tag>x</tag><tag>y</tag></a>",
      fields: ["tag": "x"],
      repeats: ["tag=y"]
    ),
    Case(
      testDescription: "elements that are no list",
      input: #"<a><other name="x"/><other name="y" colour="red"/></a>"#,
      fields: ["other.name": "x", "other.colour": "red"],
      repeats: ["other.name=y"]
    ),
  ]

  @Test(arguments: cases, chunkSizes) func `parts have a value for each item`(_ example: Case, chunkSize: Int) throws {
    let text = "<r>\(example.input)\(example.input)</r>"
    let document = try readXML(
      Array(text.utf8),
      chunkSize: chunkSize,
      knownNames: ["a"],
      lists: ["tags", "tag", "tags.tag"]
    )
    #expect(document.faults.isEmpty)
    #expect(document.records.count == 2)
    for record in document.records {
      #expect(record.fields == example.fields)
      #expect(record.repeats.sorted() == example.repeats.sorted())
    }
  }
}
