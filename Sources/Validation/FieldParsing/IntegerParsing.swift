/// What a field holds when it is read as a decimal integer.
package enum ParsedInteger: Equatable {
  case value(Int64), outOfRange
  /// Offset in the field of the first byte that is no digit; the field's count when it ends too early.
  case notADigit(at: Int)
}

/// Reads ASCII digits with an optional sign; no spaces, no grouping.
package func parseInteger(_ digits: Span<UInt8>) -> ParsedInteger {
  guard digits.count > 0 else { return .notADigit(at: 0) }
  let isNegative = digits[0] == UInt8(ascii: "-")
  let start = isNegative || digits[0] == UInt8(ascii: "+") ? 1 : 0
  guard start < digits.count else { return .notADigit(at: start) }
  // Eighteen digits cannot overflow; only longer ones pay for the check.
  if digits.count - start <= 18 {
    var value: Int64 = 0
    for position in start..<digits.count {
      let digit = Int64(digits[position] &- UInt8(ascii: "0"))
      guard digit <= 9 else { return .notADigit(at: position) }
      value = value &* 10 &+ digit
    }
    return .value(isNegative ? 0 &- value : value)
  }
  return parseLongInteger(digits, from: start, isNegative: isNegative)
}

private func parseLongInteger(_ digits: Span<UInt8>, from start: Int, isNegative: Bool) -> ParsedInteger {
  var value: Int64 = 0
  var isOutOfRange = false
  for position in start..<digits.count {
    let digit = Int64(digits[position] &- UInt8(ascii: "0"))
    guard digit <= 9 else { return .notADigit(at: position) }
    let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
    let (sum, carried) = product.addingReportingOverflow(isNegative ? -digit : digit)
    isOutOfRange = isOutOfRange || overflowed || carried
    value = sum
  }
  return isOutOfRange ? .outOfRange : .value(value)
}
