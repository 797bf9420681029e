import TestSupport
import Testing
import Validation

private func integer(_ text: String) -> ParsedInteger { parseInteger(Array(text.utf8).span) }

private func double(_ text: String, mark: Character = ".") -> ParsedDouble {
  parseDouble(Array(text.utf8).span, decimalMark: mark.asciiValue ?? 0)
}

@Suite struct IntegerParsing {
  static let cases: [(String, ParsedInteger)] = [
    ("0", .value(0)), ("-1", .value(-1)), ("+7", .value(7)), ("007", .value(7)),
    ("9223372036854775807", .value(.max)), ("-9223372036854775808", .value(.min)),
    ("9223372036854775808", .outOfRange), ("-9223372036854775809", .outOfRange),
    ("999999999999999999", .value(999_999_999_999_999_999)), ("99999999999999999999999", .outOfRange),
    ("", .notADigit(at: 0)), ("-", .notADigit(at: 1)), ("1 ", .notADigit(at: 1)), (" 1", .notADigit(at: 0)),
    ("12a4", .notADigit(at: 2)), ("1.0", .notADigit(at: 1)), ("1e5", .notADigit(at: 1)), ("٣", .notADigit(at: 0)),
    ("9999999999999999999x", .notADigit(at: 19)), ("--1", .notADigit(at: 1)),
  ]

  @Test(arguments: cases) func `digits become the number they spell or say where they end`(
    _ text: String,
    _ expected: ParsedInteger
  ) {
    #expect(integer(text) == expected)
  }
}

@Suite struct DoubleParsing {
  static let exact: [(String, Double)] = [
    ("0", 0), ("-0", -0.0), ("1.5", 1.5), (".5", 0.5), ("5.", 5), ("1e3", 1000), ("-2.5E-3", -0.0025),
    ("0.1", 0.1), ("0.30000000000000004", 0.30000000000000004), ("1e22", 1e22), ("1e23", 1e23),
    ("123456789012345", 123456789012345),
    ("1.7976931348623157e308", 1.7976931348623157e308), ("5e-324", .leastNonzeroMagnitude),
    ("0000000000000000000000001.5", 1.5), ("1.50000000000000000000000", 1.5),
  ]

  @Test(arguments: exact) func `a number that a double gives back is that double`(
    _ text: String,
    _ expected: Double
  ) {
    #expect(double(text) == .value(expected))
  }

  static let faults: [(String, ParsedDouble)] = [
    ("9007199254740993", .notExact), ("0.1234567890123456789", .notExact), ("1e309", .outOfRange),
    ("1e-400", .outOfRange),
    ("1e999999999999", .outOfRange), ("nan", .malformed(at: 0)), ("inf", .malformed(at: 0)),
    ("0x1p3", .malformed(at: 1)),
    ("1,5", .malformed(at: 1)), ("", .malformed(at: 0)), (".", .malformed(at: 1)), ("-", .malformed(at: 1)),
    ("1e", .malformed(at: 2)), ("1 ", .malformed(at: 1)), ("1e+", .malformed(at: 3)),
    ("4.9406564584124654e-324", .notExact),
  ]

  @Test(arguments: faults) func `other numbers are refused with the reason`(_ text: String, _ expected: ParsedDouble) {
    #expect(double(text) == expected)
  }

  @Test func `another decimal mark is taken instead of the point`() {
    #expect(double("1,5", mark: ",") == .value(1.5))
    #expect(double("1.5", mark: ",") == .malformed(at: 1))
    #expect(double("0,30000000000000004", mark: ",") == .value(0.30000000000000004))
  }

  @Test(arguments: 0..<200 as Range<UInt64>) func `what a double prints is read back as the same double`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<50 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      #expect(double(value.description) == .value(value), "\(value)")
    }
  }
}
