import EntityModel
import Records

extension RecordValidator {
  /// Checks a value of its type against limits, length, pattern and allowed values; nil if it obeys them.
  func ruleFault(_ value: Value, bytes: Span<UInt8>, rule: Int) -> FieldFault? {
    if let fault = limitFault(value, bytes: bytes, rule: rule) { return fault }
    if rules[rule].attribute.minimumLength != nil || rules[rule].attribute.maximumLength != nil,
      let fault = lengthFault(scalarCount(of: bytes), rule: rule)
    {
      return fault
    }
    return spellingFault(bytes, rule: rule)
  }

  /// Checks a date against limits, pattern and allowed values.
  func dateRuleFault(_ time: CalendarTime, bytes: Span<UInt8>, rule: Int) -> FieldFault? {
    if case .instant(let minimum)? = rules[rule].minimum?.bound, time.secondsSinceEpoch < minimum {
      return .belowMinimum
    }
    if case .instant(let maximum)? = rules[rule].maximum?.bound, time.secondsSinceEpoch > maximum {
      return .aboveMaximum
    }
    return spellingFault(bytes, rule: rule)
  }

  /// Checks a length in the attribute's unit.
  func lengthFault(_ length: Int, rule: Int) -> FieldFault? {
    if let minimum = rules[rule].attribute.minimumLength, length < minimum { return .tooShort }
    if let maximum = rules[rule].attribute.maximumLength, length > maximum { return .tooLong }
    return nil
  }

  private func limitFault(_ value: Value, bytes: Span<UInt8>, rule: Int) -> FieldFault? {
    if let minimum = rules[rule].minimum, order(of: value, bytes: bytes, against: minimum.bound) < 0 {
      return .belowMinimum
    }
    if let maximum = rules[rule].maximum, order(of: value, bytes: bytes, against: maximum.bound) > 0 {
      return .aboveMaximum
    }
    return nil
  }

  private func order(of value: Value, bytes: Span<UInt8>, against bound: AttributeRule.Limit.Bound) -> Int {
    switch (value, bound) {
    case (.integer(let number), .integer(let limit)): number < limit ? -1 : number > limit ? 1 : 0
    case (.real(let number), .double(let limit)): number < limit ? -1 : number > limit ? 1 : 0
    case (_, .text(let limit)): compareBytes(bytes, limit.span)
    case (_, .decimal(let limit)): compareDecimals(bytes, limit.span, decimalMark: plan.decimalMark)
    default: 0
    }
  }

  private func compareBytes(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
    for index in 0..<min(left.count, right.count) where left[index] != right[index] {
      return left[index] < right[index] ? -1 : 1
    }
    return left.count - right.count
  }

  private func spellingFault(_ bytes: Span<UInt8>, rule: Int) -> FieldFault? {
    guard rules[rule].allowedValues != nil || rules[rule].pattern != nil else { return nil }
    var spelling: [UInt8] = []
    spelling.reserveCapacity(bytes.count)
    for index in bytes.indices { spelling.append(bytes[index]) }
    if let allowed = rules[rule].allowedValues, !allowed.contains(spelling) { return .notAllowed }
    guard let pattern = rules[rule].pattern else { return nil }
    let text = String(decoding: spelling, as: UTF8.self)
    return text.wholeMatch(of: pattern) == nil ? .pattern : nil
  }
}
