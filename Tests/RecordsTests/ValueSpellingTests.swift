import EntityModel
import Records
import TestSupport
import Testing

private func spell(_ value: Value, as type: AttributeType, text: String = "") -> String {
  var source = TextBuffer()
  source.append(text)
  var output = TextBuffer()
  ValueSpelling.append(value, as: type, from: source, to: &output)
  let bytes = output.bytes
  return String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
}

@Suite struct SpellingValues {
  static let integers: [Int64] = [
    0, 1, -1, 9, 10, -10, 99, 100, 999_999_999_999_999_999, 1_000_000_000_000_000_000, .max, .min,
  ]

  @Test(arguments: integers) func `integers are digits`(_ number: Int64) {
    #expect(spell(.integer(number), as: .integer(bits: 64)) == "\(number)")
  }

  static let others: [(Value, AttributeType, String)] = [
    (.integer(1), .boolean, "true"), (.integer(0), .boolean, "false"), (.integer(2), .boolean, "2"),
    (.integer(12), .decimal(precision: 10, scale: 2), "12.00"),
    (.real(12.5), .decimal(precision: 10, scale: 2), "12.50"),
    (.real(-0.05), .decimal(precision: 10, scale: 2), "-0.05"),
    (.real(0.005), .decimal(precision: 10, scale: 3), "0.005"),
    (.real(99_999_999.99), .decimal(precision: 10, scale: 2), "99999999.99"),
    (.integer(-3), .decimal(precision: 5, scale: 0), "-3"),
    (.real(1.105), .decimal(precision: 10, scale: 2), "1.105"), (.real(0.1 + 0.2), .double, "0.30000000000000004"),
    (.integer(3), .double, "3.0"),
    (.real(1e300), .double, "1e+300"), (.real(-0.0), .double, "-0.0"), (.real(0), .double, "0.0"),
    (.real(9_999_999_999_999.99), .double, "9999999999999.99"), (.real(0.01), .double, "0.01"),
    (.real(-0.004), .double, "-0.004"), (.real(2e15), .double, "2000000000000000.0"),
    (.integer(-1), .decimal(precision: 40, scale: 22), "-1.0000000000000000000000"),
    (.real(-0.0), .decimal(precision: 10, scale: 2), "0.00"),
    (.real(.leastNonzeroMagnitude), .double, "5e-324"), (.null, .text, ""),
  ]

  @Test(arguments: others) func `every type has one spelling`(_ value: Value, _ type: AttributeType, _ expected: String)
  {
    #expect(spell(value, as: type) == expected)
  }

  @Test(arguments: 0..<50 as Range<UInt64>) func `doubles are spelled as shortly as Swift describes them`(seed: UInt64)
  {
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let power = Int.random(in: -6...18, using: &random)
      let whole = Double(Int64.random(in: -1_000_000_000_000...1_000_000_000_000, using: &random))
      for number in [
        whole / 100, whole / 1000, whole * 100, whole, Double(bitPattern: random.next()),
        (whole / 100).nextUp, Double(Int.random(in: -99...99, using: &random)) / 100,
        Double.random(in: -1...1, using: &random)
          * (0..<abs(power)).reduce(1) { value, _ in power < 0 ? value / 10 : value * 10 },
      ] where number.isFinite {
        #expect(spell(.real(number), as: .double) == number.description)
      }
    }
  }

  @Test func `text is itself and bytes are base64`() {
    #expect(spell(.text(TextSlice(1..<3)), as: .integer(bits: 64), text: "abcd") == "bc")
    for (text, expected) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")] {
      #expect(spell(.blob(TextSlice(0..<text.utf8.count)), as: .binary, text: text) == expected)
    }
  }

  @Test(arguments: 0..<100 as Range<UInt64>) func `decimals of up to fifteen digits print back exactly`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
      let scale = Int.random(in: 0...15, using: &random)
      let digits = String(Int64.random(in: 0..<1_000_000_000_000_000, using: &random))
      let padded = String(repeating: "0", count: max(0, scale + 1 - digits.count)) + digits
      let whole = padded.dropLast(scale)
      let spelling =
        (digits == "0" ? "" : Bool.random(using: &random) ? "-" : "") + whole + (scale > 0 ? "." : "")
        + padded.suffix(scale)
      guard let number = Double(String(spelling)) else { continue }
      #expect(spell(.real(number), as: .decimal(precision: 15, scale: scale)) == String(spelling))
    }
  }
}
