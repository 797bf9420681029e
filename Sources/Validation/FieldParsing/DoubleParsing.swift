/// What a field holds when it is read as a double.
package enum ParsedDouble: Equatable {
  case value(Double)
  case outOfRange
  /// A double would not give the same digits back.
  case notExact
  case malformed(at: Int)
}

/// Reads a number as the nearest double, if that double's shortest spelling is the same number.
///
/// Up to 15 significant digits it always is (IEEE 754: 15 decimal digits survive a binary64); past 17 it never is.
package func parseDouble(_ text: Span<UInt8>, decimalMark: UInt8 = UInt8(ascii: ".")) -> ParsedDouble {
  switch parseNumber(text, decimalMark: decimalMark) {
  case .malformed(let position): return .malformed(at: position)
  case .parts(let parts):
    let exponent = (parts.exponent ?? 0) - parts.fractionDigitCount
    // A mantissa below 2^53 and a power of ten up to 10^22 are both exact, so one operation rounds correctly.
    if let mantissa = parts.mantissa, mantissa < 1 << 53, (-22...22).contains(exponent),
      parts.significantDigitCount <= 15
    {
      let magnitude = exponent < 0 ? Double(mantissa) / exactPower(-exponent) : Double(mantissa) * exactPower(exponent)
      return .value(parts.isNegative ? -magnitude : magnitude)
    }
    return parseDoubleSlowly(text, parts: parts, decimalMark: decimalMark)
  }
}

private func exactPower(_ exponent: Int) -> Double {
  exponent <= 18 ? Double(powersOfTen[exponent]) : Double(powersOfTen[18]) * Double(powersOfTen[exponent - 18])
}

private func parseDoubleSlowly(_ text: Span<UInt8>, parts: NumberParts, decimalMark: UInt8) -> ParsedDouble {
  guard parts.significantDigitCount > 0 else { return .value(parts.isNegative ? -0.0 : 0) }
  guard parts.significantDigitCount <= 17 else { return .notExact }
  var spelling = ""
  for index in text.indices {
    spelling.unicodeScalars.append(text[index] == decimalMark ? "." : Unicode.Scalar(text[index]))
  }
  guard let value = Double(spelling), value.isFinite else { return .outOfRange }
  guard value != 0 else { return .outOfRange }
  // Subnormal numbers have fewer digits, so the count alone does not tell.
  guard significantDigits(of: value.description) == significantDigits(of: spelling) else { return .notExact }
  return .value(value)
}

/// The digits of a number's spelling from the first to the last that is not zero.
private func significantDigits(of spelling: String) -> [UInt8] {
  var digits: [UInt8] = []
  for byte in spelling.utf8 {
    if byte | 0x20 == UInt8(ascii: "e") { break }
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { continue }
    if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte) }
  }
  while digits.last == UInt8(ascii: "0") { digits.removeLast() }
  return digits
}
