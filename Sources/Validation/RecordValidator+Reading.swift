import EntityModel
import Records

/// What is wrong with one field's text.
enum FieldFault {
  case text(TextFault)
  case empty
  /// Not of the type; `at` is the offset of the first byte at fault, if one can be named.
  case type(at: Int?)
  /// Base64 that the format marked so, and that is none.
  case base64(at: Int)
  case integerRange
  case notExact
  case wouldRound(scale: Int)
  case tooManyDigits
  case doubleRange
  case belowMinimum
  case aboveMaximum
  case tooShort
  case tooLong
  case pattern
  case notAllowed
}

/// What reading a field came to.
enum FieldReading {
  case value(Value)
  case fault(FieldFault)
}

extension RecordValidator {
  /// Reads a field that is not NULL as its attribute's type, and checks it against the attribute's rules.
  mutating func read(
    _ field: Field,
    as cell: Cell,
    text: borrowing TextBuffer,
    respelledStart: Int
  ) -> FieldReading {
    if field.isBase64 {
      return readBase64(field, as: cell, text: text, respelledStart: respelledStart)
    }
    return read(
      text.bytes(of: field.text),
      slice: field.text,
      type: cell.type,
      refusesEmptyText: cell.refusesEmptyText,
      hasValueRules: cell.hasValueRules,
      rule: cell.rule,
      respelledStart: respelledStart
    )
  }

  /// Reads bytes that stand at `slice`, which a text value keeps.
  mutating func read(
    _ bytes: Span<UInt8>,
    slice: TextSlice,
    type: AttributeType,
    refusesEmptyText: Bool,
    hasValueRules: Bool,
    rule: Int,
    respelledStart: Int
  ) -> FieldReading {
    let value: Value
    switch type {
    case .text:
      if let fault = findTextFault(bytes) { return .fault(.text(fault)) }
      guard bytes.count > 0 || !refusesEmptyText else { return .fault(.empty) }
      value = .text(slice)
    case .integer(let bits):
      switch parseInteger(bytes) {
      case .value(let number):
        guard bits == 64 || number >> (bits - 1) == number >> 63 else { return .fault(.integerRange) }
        value = .integer(number)
      case .outOfRange: return .fault(.integerRange)
      case .notADigit(let position): return .fault(.type(at: position))
      }
    case .double:
      switch parseDouble(bytes, decimalMark: plan.decimalMark) {
      case .value(let number): value = .real(number)
      case .outOfRange: return .fault(.doubleRange)
      case .notExact: return .fault(.notExact)
      case .malformed(let position): return .fault(.type(at: position))
      }
    case .decimal(let precision, let scale):
      switch readDecimal(bytes, slice: slice, precision: precision, scale: scale ?? 0, respelledStart: respelledStart) {
      case .value(let number): value = number
      case .fault(let fault): return .fault(fault)
      }
    case .boolean:
      guard let truth = readBoolean(bytes, rule: rule) else { return .fault(.type(at: nil)) }
      value = .integer(truth ? 1 : 0)
    case .date, .datetime:
      return readDate(bytes, slice: slice, type: type, rule: rule, respelledStart: respelledStart)
    case .binary:
      let start = respelled.count
      if let position = decodeBase64(bytes, into: &respelled) { return .fault(.type(at: position)) }
      value = .blob(TextSlice(respelledStart + start..<respelledStart + respelled.count))
      if hasValueRules, let fault = lengthFault(respelled.count - start, rule: rule) { return .fault(fault) }
      return .value(value)
    case .uuid:
      guard isUUID(bytes) else { return .fault(.type(at: nil)) }
      value = .text(slice)
    case .uri:
      if let fault = findTextFault(bytes) { return .fault(.text(fault)) }
      guard isURI(bytes) else { return .fault(.type(at: nil)) }
      value = .text(slice)
    }
    if hasValueRules, let fault = ruleFault(value, bytes: bytes, rule: rule) { return .fault(fault) }
    return .value(value)
  }

  /// Decodes what the format marked as base64; the result is bytes for a binary attribute, text for others.
  private mutating func readBase64(
    _ field: Field,
    as cell: Cell,
    text: borrowing TextBuffer,
    respelledStart: Int
  ) -> FieldReading {
    if case .binary = cell.type {
      return read(
        text.bytes(of: field.text),
        slice: field.text,
        type: .binary,
        refusesEmptyText: false,
        hasValueRules: cell.hasValueRules,
        rule: cell.rule,
        respelledStart: respelledStart
      )
    }
    var decoded = TextBuffer(capacity: field.count)
    if let position = decodeBase64(text.bytes(of: field.text), into: &decoded) { return .fault(.base64(at: position)) }
    let start = respelledStart + respelled.count
    respelled.append(decoded.bytes)
    return read(
      decoded.bytes,
      slice: TextSlice(start..<start + decoded.count),
      type: cell.type,
      refusesEmptyText: cell.refusesEmptyText,
      hasValueRules: cell.hasValueRules,
      rule: cell.rule,
      respelledStart: respelledStart
    )
  }

  /// The value of an absent field from the model's default; `now` is the run's instant for dates.
  mutating func defaultValue(
    _ spelling: [UInt8],
    rule: Int,
    respelledStart: Int
  ) -> Value {
    let type = rules[rule].attribute.type
    let start = respelled.count
    if type == .date || type == .datetime, spelling == Array("now".utf8),
      let now = CalendarTime(secondsSinceEpoch: plan.now)
    {
      appendISO(now, isDateOnly: type == .date, fractionOf: spelling.span)
      return .text(TextSlice(respelledStart + start..<respelledStart + respelled.count))
    }
    respelled.append(spelling.span)
    let slice = TextSlice(respelledStart + start..<respelledStart + respelled.count)
    let reading = read(
      spelling.span,
      slice: slice,
      type: type,
      refusesEmptyText: false,
      hasValueRules: false,
      rule: rule,
      respelledStart: respelledStart
    )
    // A default that does not fit its own type was refused when the plan was made.
    if case .value(let value) = reading { return value }
    return .null
  }

  private func readBoolean(_ bytes: Span<UInt8>, rule: Int) -> Bool? {
    var spelling: [UInt8] = []
    for index in bytes.indices { spelling.append(bytes[index]) }
    if rules[rule].trueValues.contains(spelling) { return true }
    return rules[rule].falseValues.contains(spelling) ? false : nil
  }

  /// Reads a decimal: a number where SQLite gives it back exactly, else text with `scale` decimals.
  private mutating func readDecimal(
    _ bytes: Span<UInt8>,
    slice: TextSlice,
    precision: Int?,
    scale: Int,
    respelledStart: Int
  ) -> FieldReading {
    guard case .parts(let parts) = parseNumber(bytes, decimalMark: plan.decimalMark) else {
      guard case .malformed(let position) = parseNumber(bytes, decimalMark: plan.decimalMark) else {
        return .fault(.type(at: nil))
      }
      return .fault(.type(at: position))
    }
    guard parts.exponent == nil else { return .fault(.type(at: nil)) }
    guard let precision else {
      // Any decimal number: kept as it is written, with a point.
      guard plan.decimalMark != UInt8(ascii: ".") else { return .value(.text(slice)) }
      return .value(respell(bytes, parts: parts, scale: parts.fractionDigitCount, respelledStart: respelledStart))
    }
    guard parts.neededFractionDigitCount <= scale else { return .fault(.wouldRound(scale: scale)) }
    guard parts.wholeDigitCount <= precision - scale else { return .fault(.tooManyDigits) }
    guard precision <= AttributeType.exactDecimalDigits else {
      return .value(respell(bytes, parts: parts, scale: scale, respelledStart: respelledStart))
    }
    guard let mantissa = parts.mantissa else {
      // More than 18 digits within a precision of 15: needless zeros behind the scale.
      return .value(.real(parseExact(bytes, parts: parts, scale: scale)))
    }
    let magnitude: Value
    if parts.neededFractionDigitCount == 0 {
      let whole = mantissa / powersOfTen[min(parts.fractionDigitCount, 18)]
      magnitude = .integer(parts.isNegative ? -whole : whole)
    } else {
      let number = Double(mantissa) / Double(powersOfTen[parts.fractionDigitCount])
      magnitude = .real(parts.isNegative ? -number : number)
    }
    return .value(magnitude)
  }

  /// The value of a number with more digits than a mantissa holds, all past the scale being zeros.
  private func parseExact(_ bytes: Span<UInt8>, parts: NumberParts, scale: Int) -> Double {
    var mantissa: Int64 = 0
    var fractionDigits: Int?
    for index in bytes.indices {
      if bytes[index] == plan.decimalMark {
        fractionDigits = 0
      } else if bytes[index] &- UInt8(ascii: "0") <= 9, fractionDigits ?? 0 < scale {
        mantissa = mantissa * 10 + Int64(bytes[index] - UInt8(ascii: "0"))
        if let count = fractionDigits { fractionDigits = count + 1 }
      }
    }
    let number = Double(mantissa) / Double(powersOfTen[fractionDigits ?? 0])
    return parts.isNegative ? -number : number
  }

  /// Spells a decimal with exactly `scale` decimals, a point, and no needless sign or zeros before it.
  private mutating func respell(_ bytes: Span<UInt8>, parts: NumberParts, scale: Int, respelledStart: Int) -> Value {
    let start = respelled.count
    if parts.isNegative, parts.significantDigitCount > 0 { respelled.append(UInt8(ascii: "-")) }
    var hasWhole = false
    var decimals: Int?
    for index in bytes.indices {
      let byte = bytes[index]
      if byte == plan.decimalMark {
        if !hasWhole { respelled.append(UInt8(ascii: "0")) }
        hasWhole = true
        decimals = 0
        if scale > 0 { respelled.append(UInt8(ascii: ".")) }
      } else if byte &- UInt8(ascii: "0") <= 9 {
        if let count = decimals {
          guard count < scale else { continue }
          respelled.append(byte)
          decimals = count + 1
        } else if byte != UInt8(ascii: "0") || hasWhole {
          respelled.append(byte)
          hasWhole = true
        }
      }
    }
    if !hasWhole { respelled.append(UInt8(ascii: "0")) }
    if scale > 0, decimals == nil { respelled.append(UInt8(ascii: ".")) }
    for _ in 0..<max(0, scale - (decimals ?? 0)) { respelled.append(UInt8(ascii: "0")) }
    return .text(TextSlice(respelledStart + start..<respelledStart + respelled.count))
  }

  private mutating func readDate(
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
  private mutating func appendISO(_ time: CalendarTime, isDateOnly: Bool, fractionOf bytes: Span<UInt8>) {
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
