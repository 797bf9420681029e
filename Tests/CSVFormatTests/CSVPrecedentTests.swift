import EntityModel
import TestSupport
import Testing

@testable import CSVFormat

@Suite struct CSVPrecedentTests {
  private static let names = ["id", "name", "price"]

  private func detect(_ text: String, isWhole: Bool = true, told: CSVSettings = CSVSettings()) -> CSVDetection {
    CSVDetector.detect(
      sample: Array(text.utf8).span,
      isWholeInput: isWhole,
      told: told,
      knownNames: Self.names,
      defaultDelimiter: ",",
      assumesHeader: true
    )
  }

  private func precedent(_ text: String, told: CSVSettings = CSVSettings()) -> CSVPrecedent? {
    let bytes = Array(text.utf8)
    return CSVPrecedent(detect(text, told: told), sample: bytes.span, told: told, knownNames: Self.names)
  }

  private func like(
    _ precedent: CSVPrecedent?,
    _ text: String,
    isWhole: Bool = true,
    told: CSVSettings = CSVSettings()
  ) -> CSVDetection? {
    let bytes = Array(text.utf8)
    return precedent?.detection(ofSample: bytes.span, isWholeInput: isWhole, told: told, knownNames: Self.names)
  }

  private static let first = "id,name,price\n1,Ada,2.5\n2,\"B, C\",3\n"

  @Test(arguments: [
    "id,name,price\n7,x,1\n", "id,name,price\n7,x,1", "id,name,price\n7,\"a \"\"b\"\"\nc\",1\n8,,\n",
    "id,name,price\n7,it's,#1\n",
  ]) func `an input like the one before has the dialect that it has by itself`(text: String) {
    let found = like(precedent(Self.first), text)
    #expect(found == detect(text))
    #expect(found != nil)
  }

  @Test(arguments: [
    // Another header, or the same one twice.
    "id,name,cost\n7,x,1\n", "id,name,price\r\n7,x,1\r\n", "id,name,price\nid,name,price\n7,x,1\n", "id,name,price\n",
    // Other numbers of cells, other lines.
    "id,name,price\n7,x\n", "id,name,price\n7,x,1,2\n", "id,name,price\n\n7,x,1\n", "id,name,price\n7,x,1\n(1 row)\n",
    "id,name,price\n7,x,1\n\n", "id,name,price\n7,x,1\r\n", "id,name,price\n7,x\r,1\n", "id,name,price\n7,x,1\n8",
    // Quotes, escapes and comments that ask for a second look.
    "id,name,price\n7,x\"y,1\n", "id,name,price\n7,\"x\"y,1\n", "id,name,price\n7,\"x\\\"y\",1\n",
    "id,name,price\n7,\"x,1\n", "id,name,price\n7,'x',1\n", "id,name,price\n#7,x,1\n",
    "id,name,price\n7,\"\(String(repeating: "x", count: 5000))\",1\n",
  ]) func `an input with anything unusual is looked at by itself`(text: String) throws {
    let first: CSVPrecedent = try #require(precedent(Self.first))
    #expect(like(first, text) == nil)
  }

  @Test(arguments: [
    "id;name;price\n1;x;2\n", "id\tname\tprice\n1\tx\t2\n", "id|name|price\n1|x|2\n",
  ]) func `any delimiter will do`(text: String) {
    #expect(like(precedent(text), text + text.split(separator: "\n")[1] + "\n") != nil)
  }

  @Test func `quotes between tabs are looked at by themselves`() {
    let text = "id\tname\tprice\n1\tx\t2\n"
    #expect(like(precedent(text), text + "2\t\"y\"\t3\n") == nil)
  }

  @Test(arguments: [
    "id,name,name\n1,x,2\n", "id,,price\n1,x,2\n", "id, name,price\n1,x,2\n", "1,2,3\n4,5,6\n",
    "Report\nid,name,price\n1,x,2\n",
    "id,name,price\n1,'it''s',2\n2,'b',3\n", "# note\nid,name,price\n1,x,2\n", "id,name,price,\n1,x,2,\n", "name\nx\n",
    "id,name,price\n1,\"a\\\"b\",2\n2,\"c\\\"d\",3\n", "id,name,price\n1,x,2\n\n(1 row)\n",
    "sep=,\nid,name,price\n1,x,2\n",
  ]) func `what is out of the ordinary is no precedent`(text: String) { #expect(precedent(text) == nil) }

  @Test func `what was told must be the same`() {
    var told = CSVSettings()
    told.nullTokens = ["-"]
    #expect(like(precedent(Self.first), Self.first, told: told) == nil)
    #expect(like(precedent(Self.first, told: told), Self.first, told: told)?.dialect.nullTokens == ["-"])
    told.delimiter = ","
    let found = like(precedent(Self.first, told: told), Self.first, told: told)
    #expect(found == detect(Self.first, told: told))
    #expect(found != nil)
  }

  @Test func `a sample may end anywhere`() {
    let text = "id,name,price\r\n1,Ada,2.5\r\n2,\"B\"\"\r\nC\",3\r\n3,z,4\r\n"
    let precedent = precedent(text)
    #expect(precedent != nil)
    for end in 0...text.utf8.count {
      let part = String(decoding: Array(text.utf8)[..<end], as: UTF8.self)
      guard let found = like(precedent, part, isWhole: false) else { continue }
      #expect(found.dialect == detect(part, isWhole: false).dialect, "\(part)")
    }
    #expect(like(precedent, text, isWhole: false) != nil)
  }

  /// Whoever makes files of these pieces gets regular ones and others; those that are taken for like are read alike.
  @Test func `random inputs have the dialect that they have by themselves`() throws {
    let first: CSVPrecedent = try #require(precedent(Self.first))
    let pieces = [
      "x", "1", "2.5", "\"a\"", "\"a,b\"", "\"\"", "\"a\nb\"", "\"q\"\"q\"", "it's", "'x'", "#", "", " ", "a;b", "é",
      "\\",
    ]
    var taken = 0
    for seed in 0..<4000 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var text = "id,name,price\n"
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let width = Int.random(in: 0..<40, using: &random) == 0 ? 2 : 3
        text +=
          (0..<width).map { _ in
            pieces[Int.random(in: 0..<(Int.random(in: 0..<4, using: &random) == 0 ? pieces.count : 9), using: &random)]
          }.joined(separator: ",") + "\n"
      }
      guard let found = like(first, text) else { continue }
      taken += 1
      #expect(found == detect(text), "seed \(seed): \(text)")
    }
    #expect(taken > 1000)
  }
}
