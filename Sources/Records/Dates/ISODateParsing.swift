/// Reads `YYYY-MM-DD` (ISO 8601, extended form); nil for anything else, such as a 31 February.
package func parseISODate(_ text: Span<UInt8>) -> CalendarTime? {
  guard text.count == 10, let time = parseDatePart(text), time.isValid else { return nil }
  return time
}

/// Reads `YYYY-MM-DDThh:mm[:ss[.fraction]][Z|±hh:mm|±hhmm]`, with `T` or one space; nil for anything else.
package func parseISODateTime(_ text: Span<UInt8>) -> CalendarTime? {
  guard text.count >= 16, var time = parseDatePart(text) else { return nil }
  guard text[10] == UInt8(ascii: "T") || text[10] == UInt8(ascii: " "), text[13] == UInt8(ascii: ":"),
    let hour = digits(text, at: 11, count: 2), let minute = digits(text, at: 14, count: 2)
  else { return nil }
  time.hour = hour
  time.minute = minute
  var position = 16
  if position < text.count, text[position] == UInt8(ascii: ":") {
    guard let second = digits(text, at: position + 1, count: 2) else { return nil }
    time.second = second
    position += 3
    if position < text.count, text[position] == UInt8(ascii: ".") {
      let start = position + 1
      position = endOfDigits(text, from: start)
      guard position > start else { return nil }
      time.fraction = start..<position
    }
  }
  if position < text.count {
    guard let (minutes, end) = parseOffset(text, at: position) else { return nil }
    time.offsetMinutes = minutes
    position = end
  }
  return position == text.count && time.isValid ? time : nil
}

/// Reads `Z`, `±hh:mm`, `±hhmm` or `±hh`; returns minutes east of UTC and where it ends.
package func parseOffset(_ text: Span<UInt8>, at position: Int) -> (minutes: Int, end: Int)? {
  guard position < text.count else { return nil }
  if text[position] == UInt8(ascii: "Z") { return (0, position + 1) }
  guard text[position] == UInt8(ascii: "+") || text[position] == UInt8(ascii: "-"),
    let hours = digits(text, at: position + 1, count: 2), hours < 24
  else { return nil }
  var end = position + 3
  var minutes = 0
  if end < text.count {
    if text[end] == UInt8(ascii: ":") {
      guard let after = digits(text, at: end + 1, count: 2) else { return nil }
      minutes = after
      end += 3
    } else if let after = digits(text, at: end, count: 2) {
      minutes = after
      end += 2
    }
  }
  guard minutes < 60 else { return nil }
  let total = hours * 60 + minutes
  return (text[position] == UInt8(ascii: "-") ? -total : total, end)
}

/// Reads exactly `count` digits; nil where there are fewer.
package func digits(_ text: Span<UInt8>, at position: Int, count: Int) -> Int? {
  guard position + count <= text.count else { return nil }
  var value = 0
  for offset in position..<position + count {
    let digit = text[offset] &- UInt8(ascii: "0")
    guard digit <= 9 else { return nil }
    value = value * 10 + Int(digit)
  }
  return value
}

/// The offset of the first byte from `start` on that is no digit.
package func endOfDigits(_ text: Span<UInt8>, from start: Int) -> Int {
  var position = start
  while position < text.count, text[position] &- UInt8(ascii: "0") <= 9 { position += 1 }
  return position
}

private func parseDatePart(_ text: Span<UInt8>) -> CalendarTime? {
  guard text.count >= 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
    let year = digits(text, at: 0, count: 4), let month = digits(text, at: 5, count: 2),
    let day = digits(text, at: 8, count: 2)
  else { return nil }
  var time = CalendarTime()
  time.year = year
  time.month = month
  time.day = day
  return time
}
