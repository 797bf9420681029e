import EntityModel
import Records
import TestSupport
import Testing
import Validation

private func infer(_ values: [Cell], nullTokens: [String] = []) -> String {
  var inference = TypeInference(nullTokens: nullTokens)
  for value in values { inference.observe(makeBatch(columns: ["v"], [[value]])) }
  return inference.attributes(ofShape: 0)[0].type.name
}

@Suite struct InferringTypes {
  static let cases: [([Cell], String)] = [
    (["1", "-2", "9223372036854775807"], "integer"), (["0", ""], "integer"), (["007"], "text"), (["+39"], "text"),
    (["1e5"], "text"), (["9223372036854775808"], "text"), (["-0"], "text"), (["1", "x"], "text"),
    (["1.10", "1.90"], "decimal(15,2)"), (["1.10", "1.9"], "text"), (["10.0", "15.0"], "decimal(15,1)"),
    (["1.5", "2.25"], "double"), (["1", "1.5"], "text"), (["0.0001", "0.5"], "double"), (["0.00001", "0.5"], "text"),
    (["0.1234567890123456", "1.5"], "text"), (["1234567890123.45"], "decimal(15,2)"),
    (["12345678901234.56"], "decimal(38,2)"),
    (["-0.00", "1.00"], "text"), (["-0.0", "1.55"], "text"), (["1."], "text"), ([".5"], "text"), (["00.5"], "text"),
    (["true", "false"], "boolean"),
    (["True"], "text"), (["true", "1"], "text"), (["2024-02-29"], "date"), (["2023-02-29"], "text"),
    (["2024-02-29T10:00", "2024-02-29T10:00:00.5+01:00"], "datetime"), (["2024-02-29", "2024-02-29T10:00"], "text"),
    ([""], "text"), ([.quoted(""), "1"], "text"), ([.quoted("1"), "2"], "integer"), (["1", "NA"], "text"),
    (["nan"], "text"),
    ([.base64("MQ==")], "text"), (["1,5"], "text"), (["--1"], "text"), (["-"], "text"),
    (["99999999999999999999999999999999999999.5"], "text"),
  ]

  @Test(arguments: cases) func `a type is inferred only if every value prints back the same`(
    _ values: [Cell],
    _ expected: String
  ) {
    #expect(infer(values) == expected)
  }

  @Test func `dates in a told pattern are dates, and with a time of day datetimes`() throws {
    func infer(_ values: [Cell], _ patterns: [String]) throws -> String {
      var inference = TypeInference(datePatterns: try patterns.map { try DatePattern($0) })
      for value in values { inference.observe(makeBatch(columns: ["v"], [[value]])) }
      return inference.attributes(ofShape: 0)[0].type.name
    }
    #expect(try infer(["31/12/2024", "", "01/02/2024"], ["%d/%m/%Y"]) == "date")
    #expect(try infer(["31/12/2024 10:30"], ["%d/%m/%Y %H:%M"]) == "datetime")
    #expect(try infer(["31/12/2024", "31/13/2024"], ["%d/%m/%Y"]) == "text")
    #expect(try infer(["31/12/2024", "2024-12-31"], ["%d/%m/%Y"]) == "text")
    #expect(try infer(["7", "8"], ["%d/%m/%Y"]) == "integer")
  }

  @Test func `a quoted value is text where the format says so`() {
    var inference = TypeInference(quotedIsText: true)
    inference.observe(makeBatch(columns: ["a", "b"], [[.quoted("12345"), "12345"]]))
    #expect(inference.attributes(ofShape: 0).map(\.type) == [.text, .integer(bits: 64)])
  }

  @Test func `null tokens are no values`() {
    #expect(infer(["1", "NA"], nullTokens: ["NA"]) == "integer")
    #expect(infer([.quoted("NA"), "1"], nullTokens: ["NA"]) == "text")
  }

  /// The rule itself as a test: whatever is inferred, loading and spelling every value gives the same characters.
  @Test(arguments: 0..<200 as Range<UInt64>) func `values come back as they were from the type that was inferred`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let alphabet = ["0", "1", "9", "5", "-", ".", "00", "12", "e", "+", "true"]
    let values = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      (0..<Int.random(in: 1...6, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "" }.joined()
    }
    var inference = TypeInference()
    inference.observe(makeBatch(columns: ["v"], values.map { [.plain($0)] }))
    let attribute = inference.attributes(ofShape: 0)[0]
    var validator = try RecordValidator.compiling(
      ValidationPlan(entities: [Entity(name: "T", attributes: [attribute])])
    )
    var batch = makeBatch(columns: ["v"], values.map { [.plain($0)] })
    var rows = ValueBatch()
    validator.validate(&batch, into: &rows)
    #expect(rows.rejections.isEmpty)
    var spelled: [String] = []
    for value in rows.values {
      var output = TextBuffer()
      ValueSpelling.append(value, as: attribute.type, from: batch.text, to: &output)
      let bytes = output.bytes
      spelled.append(String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self))
    }
    #expect(spelled == values, "\(attribute.type.name)")
  }
}
