import JSONFormat
import JSONSyntax
import Records
import TestSupport

/// The readers of JSON arrays and of an object a line, and the parser of whole documents.
enum JSONTarget {
  static func run(_ bytes: [UInt8]) throws(LawBreach) {
    var input = FuzzInput(bytes)
    let settings = input.byte()
    let format = settings & 1 == 0 ? ReadableFormat.json : .ndjson
    let limits =
      settings & 6 == 6 ? ReadLimits(recordByteCount: 200, fieldByteCount: 30, columnCount: 5) : ReadLimits()
    let text = input.bytes
    _ = JSONDetector.detect(sample: text.span)
    var random = SplitMix64(seed: bytes.seed)
    try format.check(text, limits: limits, using: &random)
    try checkDocument(text)
  }

  /// Checks that a document written and parsed again is the same.
  static func checkDocument(_ text: [UInt8]) throws(LawBreach) {
    guard let value = try? JSONParser.parse(text.span) else { return }
    var writer = JSONWriter(layout: .pretty)
    writer.value(value)
    let written = writer.bytes
    do throws(JSONSyntaxError) {
      let again = try JSONParser.parse(written.span)
      try expectSame(again, value, written)
    } catch {
      throw LawBreach("the written document \(shown(written)) is refused: \(error)")
    }
  }

  private static func expectSame(_ one: JSONValue, _ other: JSONValue, _ written: [UInt8]) throws(JSONSyntaxError) {
    var again = JSONWriter(layout: .pretty)
    again.value(one)
    if again.bytes != written { throw JSONSyntaxError(place: JSONPlace(), byteOffset: 0, found: "another document") }
  }
}
