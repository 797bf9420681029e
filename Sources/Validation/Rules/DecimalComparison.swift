/// Compares two decimal numbers without exponent, of any length, by value.
///
/// - Returns: A number below, at or above zero as `left` is less than, equal to or greater than `right`.
func compareDecimals(_ left: Span<UInt8>, _ right: Span<UInt8>, decimalMark: UInt8 = UInt8(ascii: ".")) -> Int {
  let first = DecimalDigits(left, mark: decimalMark)
  let second = DecimalDigits(right, mark: UInt8(ascii: "."))
  guard first.isNegative == second.isNegative else { return first.isNegative ? -1 : 1 }
  let order = first.compareMagnitude(second)
  return first.isNegative ? -order : order
}

/// The digits of a decimal number before and after its mark, without needless zeros.
private struct DecimalDigits {
  var isNegative = false
  var whole: [UInt8] = []
  var fraction: [UInt8] = []

  init(_ text: Span<UInt8>, mark: UInt8) {
    var isInFraction = false
    for index in text.indices {
      let byte = text[index]
      if byte == mark {
        isInFraction = true
      } else if byte == UInt8(ascii: "-") {
        isNegative = true
      } else if byte &- UInt8(ascii: "0") <= 9 {
        if isInFraction {
          fraction.append(byte)
        } else if byte != UInt8(ascii: "0") || !whole.isEmpty {
          whole.append(byte)
        }
      }
    }
    while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
    if whole.isEmpty, fraction.isEmpty { isNegative = false }
  }

  func compareMagnitude(_ other: DecimalDigits) -> Int {
    if whole.count != other.whole.count { return whole.count < other.whole.count ? -1 : 1 }
    if whole != other.whole { return whole.lexicographicallyPrecedes(other.whole) ? -1 : 1 }
    if fraction != other.fraction { return fraction.lexicographicallyPrecedes(other.fraction) ? -1 : 1 }
    return 0
  }
}
