/// The parts of a decimal number as it is written: `[+-] digits [mark digits] [e [+-] digits]`.
///
/// The value is `mantissa · 10^exponent` where `mantissa` is exact; past 18 significant digits it is not kept.
package struct NumberParts: Equatable {
  package var isNegative = false
  /// The digits before the mark, without leading zeros.
  package var wholeDigitCount = 0
  /// The digits after the mark, as written.
  package var fractionDigitCount = 0
  /// The digits after the mark up to the last that is not zero.
  package var neededFractionDigitCount = 0
  /// From the first digit that is not zero to the last that is not zero.
  package var significantDigitCount = 0
  /// All digits without the mark, when they are at most 18 after leading zeros.
  package var mantissa: Int64?
  /// What is written after `e`; nil without one.
  package var exponent: Int?
  /// Whether a digit stands before the mark.
  package var hasWholeDigits = false
  /// Whether a needless zero leads, as in `007` or `00.5`.
  package var hasLeadingZero = false
  /// Whether a plus sign leads.
  package var hasPlus = false
}

/// What a field holds when it is read as a decimal number.
package enum ParsedNumber: Equatable {
  case parts(NumberParts)
  /// Offset in the field of the first byte that does not belong there; the field's count when it ends too early.
  case malformed(at: Int)
}

/// Reads a number by the grammar of `NumberParts`; no spaces, no grouping, neither NaN nor infinity.
package func parseNumber(_ text: Span<UInt8>, decimalMark: UInt8 = UInt8(ascii: ".")) -> ParsedNumber {
  var parts = NumberParts()
  var position = 0
  if text.count > 0, text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+") {
    parts.isNegative = text[0] == UInt8(ascii: "-")
    parts.hasPlus = !parts.isNegative
    position = 1
  }
  var mantissa: Int64 = 0
  var digitCount = 0  // From the first digit that is not zero.
  var trailingZeros = 0
  let wholeStart = position
  while position < text.count {
    let digit = text[position] &- UInt8(ascii: "0")
    guard digit <= 9 else { break }
    if digitCount > 0 || digit != 0 {
      digitCount += 1
      parts.wholeDigitCount += 1
      if digitCount <= 18 { mantissa = mantissa &* 10 &+ Int64(digit) }
      trailingZeros = digit == 0 ? trailingZeros + 1 : 0
    }
    position += 1
  }
  let written = position - wholeStart
  parts.hasWholeDigits = written > 0
  parts.hasLeadingZero = written > 1 && text[wholeStart] == UInt8(ascii: "0")
  if position < text.count, text[position] == decimalMark {
    position += 1
    while position < text.count {
      let digit = text[position] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      parts.fractionDigitCount += 1
      if digit != 0 { parts.neededFractionDigitCount = parts.fractionDigitCount }
      if digitCount > 0 || digit != 0 {
        digitCount += 1
        if digitCount <= 18 { mantissa = mantissa &* 10 &+ Int64(digit) }
        trailingZeros = digit == 0 ? trailingZeros + 1 : 0
      }
      position += 1
    }
  }
  guard written + parts.fractionDigitCount > 0 else { return .malformed(at: position) }
  if position < text.count, text[position] | 0x20 == UInt8(ascii: "e") {
    var start = position + 1
    let isNegative = start < text.count && text[start] == UInt8(ascii: "-")
    if start < text.count, isNegative || text[start] == UInt8(ascii: "+") { start += 1 }
    guard start < text.count else { return .malformed(at: start) }
    var exponent = 0
    position = start
    while position < text.count {
      let digit = text[position] &- UInt8(ascii: "0")
      guard digit <= 9 else { return .malformed(at: position) }
      exponent = min(exponent * 10 + Int(digit), 100_000)
      position += 1
    }
    parts.exponent = isNegative ? -exponent : exponent
  }
  guard position == text.count else { return .malformed(at: position) }
  parts.significantDigitCount = digitCount - trailingZeros
  parts.mantissa = digitCount <= 18 ? mantissa : nil
  return .parts(parts)
}

/// The powers of ten that an `Int64` holds, from 10^0 to 10^18.
package let powersOfTen: [Int64] = {
  var powers: [Int64] = [1]
  for _ in 1...18 { powers.append(powers[powers.count - 1] * 10) }
  return powers
}()
