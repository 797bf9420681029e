import EntityModel
import JSONFormat
import Testing

@Suite struct JSONDetectorTests {
  static let cases: [(String, FileFormat?)] = [
    ("[{\"a\":1}]", .json),
    ("\u{FEFF} [\n  {", .json),
    ("[]", .json),
    ("[\n", .json),
    ("[{}", .json),
    ("{\"a\":1}\n{\"a\":2}\n", .ndjson),
    ("{\"a\":1}", .ndjson),
    ("{\"a\":1,}\n{\"a\":2}\n", .ndjson),
    ("{\"a\":\"a long line that is cu", .ndjson),
    ("{}\n", .ndjson),
    ("{\n  \"a\": 1\n}\n", .json),
    ("[1,2]", nil),
    ("[[1,2],[3]]", .json),
    (String(repeating: "[", count: 100_000), .json),
    ("[{\"a\":" + String(repeating: "[", count: 100_000), .json),
    ("[section]\nkey=value\n", nil),
    ("{name} writes\n", nil),
    ("{\"a\";\"b\"}\n", nil),
    ("name,age\n", nil),
    ("\"name\",\"age\"\n", nil),
    ("12\n", nil),
    ("", nil),
  ]
  @Test(arguments: cases) func `content tells the format`(text: String, format: FileFormat?) {
    let detected = JSONDetector.detect(sample: Array(text.utf8).span)
    #expect(detected.format == format)
    #expect(!detected.reason.isEmpty)
  }
}
