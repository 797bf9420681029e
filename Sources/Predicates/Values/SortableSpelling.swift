import Records

/// A text that sorts, byte by byte, as the decimal number sorts by value; nil for what is no number.
///
/// ```text
/// zero       5
/// positive   6 eeeeeee ddd      0.ddd × 10^e, e + 5,000,000, digits without trailing zeros
/// negative   4 eeeeeee ddd ~    5,000,000 − e, each digit's complement to 9, an end above all digits
/// ```
package func sortableDecimal(_ text: Span<UInt8>) -> String? {
  var digits: [UInt8] = []
  var position = 0
  var scale = 0
  var exponent = 0
  var hasDigits = false
  var isInFraction = false
  let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
  if text.count > 0, isNegative || text[0] == UInt8(ascii: "+") { position = 1 }
  while position < text.count {
    let byte = text[position]
    position += 1
    if byte &- UInt8(ascii: "0") <= 9 {
      hasDigits = true
      if isInFraction { scale += 1 }
      if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte &- UInt8(ascii: "0")) }
    } else if byte == UInt8(ascii: "."), !isInFraction {
      isInFraction = true
    } else if byte | 0x20 == UInt8(ascii: "e"), let value = parseExponent(text, from: position) {
      exponent = value
      position = text.count
    } else {
      return nil
    }
  }
  guard hasDigits else { return nil }
  let magnitude = digits.count - scale + exponent
  while digits.last == 0 { digits.removeLast() }
  guard !digits.isEmpty else { return "5" }
  let bias = 5_000_000
  let order = isNegative ? bias - magnitude : bias + magnitude
  guard (0..<10_000_000).contains(order) else { return nil }
  let spelled = String(10_000_000 + order).dropFirst()
  let shown = digits.map { UInt8(ascii: "0") + (isNegative ? 9 - $0 : $0) }
  return (isNegative ? "4" : "6") + spelled + String(decoding: shown, as: UTF8.self) + (isNegative ? "~" : "")
}

private func parseExponent(_ text: Span<UInt8>, from start: Int) -> Int? {
  var spelled = ""
  for position in start..<text.count { spelled.unicodeScalars.append(Unicode.Scalar(text[position])) }
  guard let value = Int(spelled), abs(value) < 1_000_000 else { return nil }
  return value
}

/// A text that sorts, byte by byte, as the instant sorts in time; nil for what is no ISO 8601 date or time.
///
/// In UTC, which a time without offset counts as, with as many decimals of the second as count.
package func sortableInstant(_ text: Span<UInt8>) -> String? {
  guard let written = parseISODateTime(text) ?? parseISODate(text) else { return nil }
  // The offset may lead a day past either end of the calendar, which still sorts right by its seconds.
  let seconds = written.secondsSinceEpoch + 100_000_000_000
  var fraction = ""
  if let digits = written.fraction {
    for position in digits { fraction.unicodeScalars.append(Unicode.Scalar(text[position])) }
    while fraction.last == "0" { fraction.removeLast() }
  }
  return String(1_000_000_000_000 + seconds).dropFirst() + (fraction.isEmpty ? "" : "." + fraction)
}
