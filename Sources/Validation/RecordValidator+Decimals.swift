import EntityModel
import Records

extension RecordValidator {
  /// Reads a decimal: a number where SQLite gives it back exactly, else text with `scale` decimals.
  mutating func readDecimal(
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
      return .value(parseExact(bytes, parts: parts, scale: scale))
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
  private func parseExact(_ bytes: Span<UInt8>, parts: NumberParts, scale: Int) -> Value {
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
    if parts.isNegative { mantissa = -mantissa }
    let unit = powersOfTen[fractionDigits ?? 0]
    return mantissa % unit == 0 ? .integer(mantissa / unit) : .real(Double(mantissa) / Double(unit))
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
}
