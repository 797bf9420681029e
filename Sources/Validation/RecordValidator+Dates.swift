import EntityModel
import Records

extension RecordValidator {
  /// Reads a date: ISO 8601 as it is written, a declared pattern respelled in ISO 8601.
  mutating func readDate(
    _ bytes: Span<UInt8>,
    slice: TextSlice,
    type: AttributeType,
    rule: Int,
    respelledStart: Int
  ) -> FieldReading {
    let isISOAllowed = rules[rule].allowsISODates
    let iso = !isISOAllowed ? nil : type == .date ? parseISODate(bytes) : parseISODateTime(bytes)
    if let time = iso {
      if rules[rule].hasValueRules, let fault = dateRuleFault(time, bytes: bytes, rule: rule) { return .fault(fault) }
      return .value(.text(slice))
    }
    for index in rules[rule].datePatterns.indices {
      guard let time = rules[rule].datePatterns[index].parse(bytes) else { continue }
      if rules[rule].hasValueRules, let fault = dateRuleFault(time, bytes: bytes, rule: rule) { return .fault(fault) }
      let start = respelled.count
      appendISO(time, isDateOnly: type == .date, fractionOf: bytes)
      return .value(.text(TextSlice(respelledStart + start..<respelledStart + respelled.count)))
    }
    return .fault(.type(at: nil))
  }

  /// Appends `YYYY-MM-DD`, and for a datetime `Thh:mm:ss[.fraction][offset]`.
  mutating func appendISO(_ time: CalendarTime, isDateOnly: Bool, fractionOf bytes: Span<UInt8>) {
    func appendPadded(_ number: Int, _ width: Int, to buffer: inout TextBuffer) {
      var unit = width == 4 ? 1000 : 10
      while unit > 0 {
        buffer.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / unit % 10))
        unit /= 10
      }
    }
    appendPadded(time.year, 4, to: &respelled)
    respelled.append(UInt8(ascii: "-"))
    appendPadded(time.month, 2, to: &respelled)
    respelled.append(UInt8(ascii: "-"))
    appendPadded(time.day, 2, to: &respelled)
    guard !isDateOnly else { return }
    respelled.append(UInt8(ascii: "T"))
    appendPadded(time.hour, 2, to: &respelled)
    respelled.append(UInt8(ascii: ":"))
    appendPadded(time.minute, 2, to: &respelled)
    respelled.append(UInt8(ascii: ":"))
    appendPadded(time.second, 2, to: &respelled)
    if let fraction = time.fraction {
      respelled.append(UInt8(ascii: "."))
      respelled.append(bytes.extracting(fraction))
    }
    guard let offset = time.offsetMinutes else { return }
    guard offset != 0 else {
      respelled.append(UInt8(ascii: "Z"))
      return
    }
    respelled.append(UInt8(ascii: offset < 0 ? "-" : "+"))
    appendPadded(abs(offset) / 60, 2, to: &respelled)
    respelled.append(UInt8(ascii: ":"))
    appendPadded(abs(offset) % 60, 2, to: &respelled)
  }
}
