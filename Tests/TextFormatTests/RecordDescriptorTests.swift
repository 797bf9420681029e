import Diagnostics
import EntityModel
import Records
import TestSupport
import TextFormat
import Testing

@Suite struct DescriptorsOfRecords {
  private func declarations(_ input: String, chunkSize: Int = .max) throws -> [Int: RecordDeclaration] {
    var limits = ReadLimits()
    limits.chunkByteCount = min(limits.chunkByteCount, chunkSize)
    var reader = TextRecordsReader(ChunkedSource(input, chunkSize: chunkSize), file: "in.txt", limits: limits)
    var batch = RecordBatch()
    while try reader.fill(&batch) {}
    return reader.declarations
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let type: String
    let attribute: Attribute
    var testDescription: String { type }

    init(_ type: String, _ change: (inout Attribute) -> Void) {
      self.type = type
      var attribute = Attribute(name: "x")
      change(&attribute)
      self.attribute = attribute
    }
  }

  static let types = [
    Case("int") { $0.type = .integer(bits: 64) },
    Case("real") { $0.type = .double },
    Case("date") { $0.type = .date },
    Case("uuid") { $0.type = .uuid },
    Case("bool") {
      $0.type = .boolean
      $0.trueValues = ["yes", "true", "1"]
      $0.falseValues = ["no", "false", "0"]
    },
    Case("range 10") { ($0.type, $0.minimum, $0.maximum) = (.integer(bits: 64), "0", "10") },
    Case("range -3 MAX") { ($0.type, $0.minimum) = (.integer(bits: 64), "-3") },
    Case("range MIN 7") { ($0.type, $0.maximum) = (.integer(bits: 64), "7") },
    Case("size 12") { $0.maximumLength = 12 },
    Case("line") { $0.pattern = #"[^\r\n]*"# },
    Case("email") { $0.pattern = #"[^@\s]+@[^@\s]+"# },
    Case("enum a (the first one) b c (last)") { $0.allowedValues = ["a", "b", "c"] },
    Case("regexp /^[a-z]+$/") { $0.pattern = "(?:[a-z]+)" },
    Case("regexp |a b|") { $0.pattern = #"[\s\S]*(?:a b)[\s\S]*"# },
    Case("Short_t") { $0.maximumLength = 3 },
  ]

  @Test(arguments: types) func `a type has its counterpart`(_ example: Case) throws {
    let found = try declarations(
      "%rec: R\n%typedef: Short_t S\n%typedef: S size 3\n%type: x,y \(example.type)\n\nx: 1\n"
    )
    let declaration = try #require(found[0])
    #expect(declaration.entity.attributes.first == example.attribute)
    #expect(declaration.entity.attributes.map(\.name) == ["x", "y"])
    #expect(declaration.typedNames == ["x", "y"])
    #expect(declaration.remarks == [])
  }

  @Test func `keys, mandatory and singular fields, allowed ones, and words about them`() throws {
    let input = """
      %key: Id
      %mandatory: A
      + B
      %singular: C
      %allowed: Id C B A D
      %rec: R
      %doc: What
      + it is
      %unique: A

      Id: 1
      """
    for size in [1, 2, 7, 4096] {
      let declaration = try #require(try declarations(input, chunkSize: size)[0])
      #expect(declaration.entity.name == "R")
      #expect(declaration.entity.key == ["Id"])
      #expect(declaration.entity.attributes.filter(\.isRequired).map(\.name) == ["Id", "B", "A"])
      #expect(declaration.entity.attributes.filter(\.isUnique).map(\.name) == ["C"])
      #expect(declaration.entity.attributes.map(\.name) == ["Id", "C", "B", "A", "D"])
      #expect(declaration.allowedNames == ["Id", "C", "B", "A", "D"])
      #expect(declaration.entity.documentation == "What  it is")
      #expect(declaration.remarks == [])
    }
  }

  @Test(arguments: [
    ("%auto: Id", "'%auto' is not honoured"), ("%prohibit: x", "'%prohibit' is not honoured"),
    ("%size: < 10", "'%size' is not honoured"), ("%confidential: p", "'%confidential' is not honoured"),
    ("%constraint: a < b", "'%constraint' is not honoured"), ("%type: x rec Other", "the type 'rec' is not honoured"),
    ("%type: x range a b", "'range' needs whole numbers"), ("%type: x regexp /(/", "the pattern '/(/' cannot be read"),
    ("%key: a b", "'%key' names 2 fields, and one is expected"), ("%type: x", "'%type' needs fields and a type"),
    ("%nothing", "a line that begins with '%' has no colon"),
    ("%rec: R http://x", "the external source of '%rec' is not read"),
  ])
  func `what is not honoured is said`(line: String, remark: String) throws {
    let found = try declarations("%rec: R\n\(line)\n\nx: 1\n")
    #expect(found[0]?.remarks.map(\.message) == [remark])
    #expect(found[0]?.remarks.map(\.line) == [line.hasPrefix("%rec") ? 2 : 2])
  }

  @Test func `each kind has its own descriptors, and rejects repeat them`() throws {
    let read = try readRecords(Array("%rec: A\n%key: x\n\nx: 1\n\n%rec: B\n\ny: 1\n\n%rec: A\n%key: x\n\nx: 2\n".utf8))
    #expect(read.framing.opening == [])
    #expect(read.framing.kinds.map(\.name) == ["A", "B"])
    #expect(
      read.framing.kinds.map { String(decoding: $0.opening, as: UTF8.self) } == ["%rec: A\n%key: x\n\n", "%rec: B\n\n"]
    )
  }

  @Test func `a backslash takes the line end away where nothing else can follow`() throws {
    let read = try readRecords(Array("a: one\\\ntwo\\\nthree\nb: c\\\nc: d\n".utf8))
    #expect(read.records.map(\.text) == [["a": "onetwothree", "b": "c\\", "c": "d"]])
    #expect(read.diagnostics == [])
  }
}
