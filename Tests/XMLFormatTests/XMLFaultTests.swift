import Diagnostics
import Records
import Testing

@testable import XMLFormat

@Suite struct XMLFaultsInRecords {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let input: String
    let faults: [String]
  }

  static let cases = [
    Case(
      testDescription: "text in two places between elements",
      input: "<r><p>one<t>3</t>two</p><p a='2'/></r>",
      faults: ["1:4 mixed-content -"]
    ),
    Case(
      testDescription: "text with a tag that has attributes",
      input: "<r><p>\n <t>one <b k='v'>two</b></t><u><w>a<x y=''/></w></u></p><p a='2'/></r>",
      faults: ["2:2 mixed-content t", "2:32 mixed-content w"]
    ),
    Case(
      testDescription: "nil with an element",
      input: "<r xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'><p><t xsi:nil='true'><u/></t></p><p a='2'/></r>",
      faults: ["1:61 mixed-content t"]
    ),
    Case(
      testDescription: "nil with text",
      input: "<r xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'><p><t xsi:nil='1'>3</t></p><p a='2'/></r>",
      faults: ["1:61 mixed-content t"]
    ),
  ]

  @Test(arguments: cases, chunkSizes) func `faults reject their record alone`(_ example: Case, chunkSize: Int) throws {
    let document = try readXML(example.input, chunkSize: chunkSize)
    let faults = document.faults.map { fault in
      "\(fault.location.line):\(fault.location.column ?? 0) \(fault.code.rawValue) \(fault.field ?? "-")"
    }
    #expect(faults == example.faults)
    #expect(document.records.count == 2)
    #expect(document.records.last?.fields == ["a": "2"])
    #expect(document.faults.allSatisfy { $0.location.record == 1 })
  }

  @Test(arguments: [7, 64, 4096]) func `a record past the limit refuses the document`(chunkSize: Int) throws {
    var limits = ReadLimits()
    limits.recordByteCount = 1000
    limits.chunkByteCount = 256
    let long = "<i a='1'>" + String(repeating: "<b>xyz</b>", count: 5000) + "</i>"
    let document = try readXML("<r><i a='0'/>\n\(long)\n<i a='2'/></r>", chunkSize: chunkSize, limits: limits)
    #expect(document.refusal?.code == .recordTooLong)
    #expect(document.refusal?.location.line == 2 && document.refusal?.location.byteOffset == 14)
    let fits = "<i a='1'>" + String(repeating: "x", count: 986) + "</i>"
    #expect(try readXML("<r>\(fits)<i/></r>", chunkSize: chunkSize, limits: limits).refusal == nil)
    #expect(
      try readXML(
        "<r>\(fits) <i a='\(fits)'/></r>".replacing("'1'", with: "'12'"),
        chunkSize: chunkSize,
        limits: limits
      ).refusal != nil
    )
  }

  @Test(arguments: [7, 64, 4096]) func `a field past the limit is rejected with its record`(chunkSize: Int) throws {
    var limits = ReadLimits()
    limits.fieldByteCount = 100
    let long = String(repeating: "é", count: 51)
    let document = try readXML("<r><i><a>\(long)</a><b>1</b></i><i a='2'/></r>", chunkSize: chunkSize, limits: limits)
    #expect(document.faults.map(\.code) == [.fieldTooLong])
    #expect(document.records.map(\.fields) == [["b": "1"], ["a": "2"]])
    #expect(document.records.first?.raw == "<i><a>\(long)</a><b>1</b></i>")
  }

  @Test func `columns past the limit are a fault of their record`() throws {
    var limits = ReadLimits()
    limits.columnCount = 2
    let document = try readXML("<r><i a='' b='' c=''/><i a='2'/></r>", limits: limits)
    #expect(document.faults.map(\.code) == [.extraCell])
    #expect(document.records.count == 2)
  }

  @Test(arguments: [1000, 128 << 10]) func `long records and long texts come whole`(chunkSize: Int) throws {
    let long = String(repeating: "añ&amp;\r\n", count: 40_000)
    let wanted = String(repeating: "añ&\n", count: 40_000)
    let document = try readXML("<r><i><a>\(long)</a></i><i><a><![CDATA[\(wanted)]]></a></i></r>", chunkSize: chunkSize)
    #expect(document.records.map { $0.fields["a"] == wanted } == [true, true])
  }

  @Test(arguments: [1000, 4099, 128 << 10]) func `long CDATA sections come whole`(chunkSize: Int) throws {
    let wanted = String(repeating: "]]é;]&amp\u{1F600}]] >", count: 20_000)
    let input = "<r><i><a><![CDATA[\(wanted)]]></a></i><i><a><![CDATA[]]]]></a></i></r>"
    let document = try readXML(input, chunkSize: chunkSize)
    #expect(document.records.map { $0.fields["a"] } == [wanted, "]]"])
    let wide = "\u{FEFF}\(input)".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    #expect(try readXML(wide, chunkSize: chunkSize).records.map { $0.fields["a"] } == [wanted, "]]"])
  }

  @Test func `many fields make many batches`() throws {
    var input = "<r>\n"
    for index in 0..<3000 { input += "<i a='\(index)'><c\(index % 300)>x</c\(index % 300)></i>\n" }
    let document = try readXML(input + "</r>")
    #expect(document.records.count == 3000)
    #expect(document.records.enumerated().allSatisfy { $1.fields == ["a": "\($0)", "c\($0 % 300)": "x"] })
    #expect(document.records.enumerated().allSatisfy { $1.line == $0 + 2 })
  }
}
