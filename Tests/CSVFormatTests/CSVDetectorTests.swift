import CSVFormat
import EntityModel
import TestSupport
import Testing

private func detect(
  _ text: String,
  known: [String] = [],
  assumesHeader: Bool = true,
  isWhole: Bool = true,
  told: CSVSettings = CSVSettings()
) -> CSVDetection {
  CSVDetector.detect(
    sample: Array(text.utf8).span,
    isWholeInput: isWhole,
    told: told,
    knownNames: known,
    defaultDelimiter: ",",
    assumesHeader: assumesHeader
  )
}

@Suite struct DetectingDialects {
  static let delimiters: [(String, String)] = [
    ("a,b\n1,2\n", ","), ("a;b\n1,5;2,5\n", ";"), ("a\tb\n1\t2\n", "\t"), ("a|b|c\n1|2|3\n", "|"),
    ("a,b\n\"x;y;z\",1\n\"x;y\",2\n", ","), ("name\nAda\n", ","), ("a;b\n\"x;y\";2\n\"p,q\";3\n", ";"),
    ("\u{FEFF}a;b\n1;2\n", ";"), ("a;b\r\n1;2\r\n", ";"), ("a;b\r1;2\r", ";"),
  ]

  @Test(arguments: delimiters) func `the delimiter is the one that makes even rows`(_ text: String, _ expected: String)
  {
    #expect(detect(text).dialect.delimiter == expected)
  }

  @Test func `names of the model decide, whatever the cells hold`() {
    let text = "b c,a\nx;y|z,\"1\n2\"\np;q|r,3\n"
    #expect(detect(text, known: ["a", "b c"]).dialect.delimiter == ",")
    #expect(detect("n\n1;2\n3;4\n", known: ["n"]).dialect.delimiter == ",")
  }

  static let headers: [(text: String, known: [String], assumes: Bool, isHeader: Bool)] = [
    ("id,n\n1,x\n2,y\n", [], false, true), ("a,b\nx,y\n", [], true, true), ("Ada;x\nBob;y\nAda;z\n", [], false, false),
    ("nome,nick\nAda,a\n", ["nome", "nick"], false, true), ("Ada,a\nBob,b\n", ["nome", "nick"], true, true),
    ("Ada;a\nBob;b\n", ["nome", "nick"], false, false), ("foo;bar\n1;2\n", ["id", "name"], false, true),
    ("1,2\n3,4\n", [], true, false), ("born,n\n2020-01-01,1\n", [], false, true), ("a,b\n", [], true, true),
  ]

  @Test(arguments: headers) func `the first line is a header where names or types say so`(
    _ example: (text: String, known: [String], assumes: Bool, isHeader: Bool)
  ) {
    let header = detect(example.text, known: example.known, assumesHeader: example.assumes).dialect.header
    #expect((header != .none) == example.isHeader, "\(example)")
  }

  @Test func `quotes between tabs are text where one stands within a cell and none is needed`() {
    #expect(detect("id\tn\tc\n1\tpipe 5\"\t\"as is\"\n").dialect.quote == nil)
    #expect(detect("id\tn\tc\n1\tpipe\t\"as is\"\n").dialect.quote == "\"")
    #expect(detect("id\tn\tc\n1\tpipe 5\"\t\"a\tb\"\n").dialect.quote == "\"")
    #expect(detect("id\tn\tc\n1\tpipe 5\"\t\"5\"\" x\"\n").dialect.quote == "\"")
    #expect(detect("id,n,c\n1,pipe 5\",\"as is\"\n").dialect.quote == "\"")
  }

  @Test func `lines with a hash are comments if they are no records`() {
    #expect(detect("# people\nAda;x;1\nBob;y;2\n", assumesHeader: false).dialect.comment == "#")
    #expect(detect("#1,x\n#2,y\n3,z\n").dialect.comment == nil)
    #expect(detect("# one\n# two\nthree\n").dialect.comment == nil)
    #expect(detect("a,b\n# x,y\n1,2\n").dialect.comment == nil)
  }

  @Test func `a sample that is cut within its last line is read without it`() {
    #expect(detect("a;b\n1;2\n3,4,5,6,7", isWhole: false).dialect.delimiter == ";")
  }

  @Test func `what was told always holds`() {
    var told = CSVSettings()
    told.delimiter = "x"
    told.quote = CSVSettings.Told.none
    told.comment = .text("%")
    told.header = .lines(2)
    let dialect = detect("a;b\n1;2\n", told: told).dialect
    #expect(dialect.delimiter == "x" && dialect.quote == nil && dialect.comment == "%" && dialect.header == .lines(2))
  }

  @Test(arguments: 0..<100 as Range<UInt64>) func `no bytes make it fail`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let alphabet: [UInt8] = [0x22, 0x27, 0x2C, 0x3B, 0x09, 0x0A, 0x0D, 0x23, 0x5C, 0x00, 0xFF, 0x61, 0x31]
    let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
    let detection = CSVDetector.detect(
      sample: bytes.span,
      isWholeInput: seed % 2 == 0,
      told: CSVSettings(),
      knownNames: [],
      defaultDelimiter: ",",
      assumesHeader: seed % 3 == 0
    )
    #expect(detection.dialect.contradiction == nil)
  }
}
