import Records
import Testing

@testable import XMLFormat

@Suite struct XMLLongFirstRecords {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// A record with some others within.
    let record: @Sendable (Int) -> String
    let description: String
    var closing = ""
  }

  private static func many(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }

  static let cases = [
    Case(
      testDescription: "a parent with attributes",
      record: { "<label name='x'>" + many($0, "<artist name='y'><album title='z'/></artist>") + "</label>" },
      description: "records are <label> elements, the children of <labels>"
    ),
    Case(
      testDescription: "a parent with a value of its own",
      record: { "<label><name>x</name>" + many($0, "<artist><name>y</name></artist>\n") + "</label>" },
      description: "records are <label> elements, the children of <labels>"
    ),
    Case(
      testDescription: "a parent whose others stand in a wrapper",
      record: { "<label name='x'><artists>" + many($0, "<artist name='y'/>") + "</artists></label>" },
      description: "records are <label> elements, the children of <labels>"
    ),
    Case(
      testDescription: "a list with attributes, of which there is one",
      record: { "<rows count='many'>" + many($0 + 2, "<row a='1'/>") + "</rows>" },
      description: "records are <row> elements, the children of <rows>",
      closing: "one"
    ),
  ]

  private static func document(_ example: Case, first count: Int) -> String {
    let others = example.closing.isEmpty ? "\n" + example.record(1) + "\n" + example.record(2) : ""
    return "<labels>\n" + example.record(count) + others + "</labels>"
  }

  @Test(arguments: cases, [1000, 4096, 60_000, 128 << 10])
  func `the first record is found however long it is`(_ example: Case, chunkSize: Int) throws {
    let short = try readXML(Self.document(example, first: 2))
    #expect(short.description == example.description)
    for count in [1500, 4000, 20_000] {
      let long = try readXML(Self.document(example, first: count), chunkSize: chunkSize)
      #expect(long.description == example.description, "\(count)")
      #expect(long.refusal == nil)
    }
  }

  @Test(arguments: 0..<120)
  func `what is found does not depend on how the beginning was cut`(padding: Int) throws {
    let head = "<labels><!--" + String(repeating: "-x", count: (64 << 10) / 2 - 100)
    let document =
      head + String(repeating: "y", count: padding) + "--><label name='x'><name>a</name><artist name='y'/>"
      + "<artist name='z'/></label>\n<label><name>long long text</name></label><label name='q'/></labels>"
    let whole = try readXML(document, chunkSize: 1 << 20)
    for chunkSize in [4096, (64 << 10) - 3, 64 << 10, (64 << 10) + 5] {
      #expect(try readXML(document, chunkSize: chunkSize).description == whole.description)
    }
  }

  @Test func `looking for a second record ends where a record may not be longer`() throws {
    var limits = ReadLimits()
    limits.recordByteCount = 100_000
    let rows = "<data><rows kind='a'>" + String(repeating: "<row a='1'/>", count: 30_000) + "</rows></data>"
    let document = try readXML(rows, limits: limits)
    #expect(document.description == "records are <row> elements, the children of <rows>")
    #expect(document.records.count == 30_000)
  }
}
