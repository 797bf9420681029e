import EntityModel
import Records

/// What is still possible for the type of one column.
struct ColumnEvidence: Sendable {
  var candidates = Candidates.all
  var hasValues = false
  /// Whether a value was read in a told date pattern.
  var isPatternDate = false
  /// The decimals of all values so far; -1 before the first.
  var scale = -1
  var mostWholeDigits = 0
  /// Which of the inference's sets of date patterns holds for the column.
  var patternSet = 0

  struct Candidates: OptionSet {
    let rawValue: UInt8
    static let integer = Candidates(rawValue: 1)
    static let decimal = Candidates(rawValue: 2)
    static let double = Candidates(rawValue: 4)
    static let boolean = Candidates(rawValue: 8)
    static let date = Candidates(rawValue: 16)
    static let datetime = Candidates(rawValue: 32)
    /// A date or datetime in one of the told patterns.
    static let patternDate = Candidates(rawValue: 64)
    /// Bytes, marked as such.
    static let binary = Candidates(rawValue: 128)
    static let all: Candidates = [.integer, .decimal, .double, .boolean, .date, .datetime, .patternDate, .binary]
    /// What each is called, the narrowest first.
    static let types: [(Candidates, AttributeType)] = [
      (.boolean, .boolean), (.integer, .integer(bits: 64)), (.decimal, .decimal(precision: nil, scale: nil)),
      (.double, .double), (.date, .date), (.datetime, .datetime), (.patternDate, .date),
    ]
  }

  /// What is possible with the values of both columns.
  static func combine(_ first: ColumnEvidence, _ second: ColumnEvidence) -> ColumnEvidence {
    guard first.hasValues else { return second }
    guard second.hasValues else { return first }
    var both = first
    both.isPatternDate = first.isPatternDate || second.isPatternDate
    both.candidates.formIntersection(second.candidates)
    if first.scale != second.scale { both.candidates.remove(.decimal) }
    both.mostWholeDigits = max(first.mostWholeDigits, second.mostWholeDigits)
    return both
  }

  /// The narrowest type that is left.
  func type(_ datePatterns: [DatePattern]) -> AttributeType {
    guard hasValues else { return .text }
    if candidates.contains(.binary) { return .binary }
    if !datePatterns.isEmpty, candidates.contains(.patternDate) {
      return datePatterns.contains(where: \.hasTimeOfDay) ? .datetime : .date
    }
    if candidates.contains(.integer) { return .integer(bits: 64) }
    if candidates.contains(.decimal) {
      // Room for larger numbers in the next file, as far as numbers stay exact.
      let digits = mostWholeDigits + scale
      return .decimal(precision: digits <= AttributeType.exactDecimalDigits ? 15 : 38, scale: scale)
    }
    if candidates.contains(.double) { return .double }
    if candidates.contains(.boolean) { return .boolean }
    if candidates.contains(.date) { return .date }
    if candidates.contains(.datetime) { return .datetime }
    return .text
  }

  /// Strikes out what a value is not.
  ///
  /// - Returns: Where it stands in the order of a type that is left; nil where none is, or it has no order.
  mutating func weigh(_ text: Span<UInt8>, _ datePatterns: [DatePattern]) -> GrowingEvidence.Key? {
    hasValues = true
    candidates.remove(.binary)
    if candidates == .integer, let value = plainInteger(text) { return .whole(value) }
    if candidates == .date, parseISODate(text) != nil { return .bytes }
    if candidates.contains(.patternDate) {
      for pattern in datePatterns {
        guard let time = pattern.parse(text) else { continue }
        isPatternDate = true
        return .time(time.secondsSinceEpoch, fraction: time.fraction)
      }
      candidates.remove(.patternDate)
      // Values before this one were dates in a pattern, and so nothing else, unless there were none.
      if isPatternDate { candidates = [] }
    }
    guard text.count > 0 else {
      candidates = []
      return nil
    }
    let first = text[0]
    if first &- UInt8(ascii: "0") <= 9 || first == UInt8(ascii: "-") {
      candidates.remove(.boolean)
      let date = candidates.isDisjoint(with: [.date, .datetime]) ? nil : weighDate(text)
      let number = candidates.isDisjoint(with: [.integer, .decimal, .double]) ? nil : weighNumber(text)
      return number ?? date
    }
    candidates = candidates.contains(.boolean) && Self.isBoolean(text) ? .boolean : []
    return nil
  }

  /// The value of an integer that is printed as it is written, for the columns that are most frequent; nil leaves it to
  /// `weighNumber`.
  private func plainInteger(_ text: Span<UInt8>) -> Int64? {
    let start = text.count > 0 && text[0] == UInt8(ascii: "-") ? 1 : 0
    guard text.count > start, text.count <= 18, text[start] &- UInt8(ascii: "1") <= 8,
      case .value(let value) = parseInteger(text)
    else { return nil }
    return value
  }

  private mutating func weighDate(_ text: Span<UInt8>) -> GrowingEvidence.Key? {
    guard text.count >= 10 else {
      candidates.subtract([.date, .datetime])
      return nil
    }
    var key: GrowingEvidence.Key?
    if candidates.contains(.date) {
      if parseISODate(text) == nil { candidates.remove(.date) } else { key = .bytes }
    }
    if candidates.contains(.datetime) {
      if let time = parseISODateTime(text) {
        key = .time(time.secondsSinceEpoch, fraction: time.fraction)
      } else {
        candidates.remove(.datetime)
      }
    }
    return key
  }

  private mutating func weighNumber(_ text: Span<UInt8>) -> GrowingEvidence.Key? {
    guard case .parts(let parts) = parseNumber(text), parts.exponent == nil, !parts.hasLeadingZero, parts.hasWholeDigits
    else {
      candidates.subtract([.integer, .decimal, .double])
      return nil
    }
    let isZero = parts.significantDigitCount == 0
    let hasMark = text.count > parts.fractionDigitCount && parts.fractionDigitCount > 0
    let isBareMark = text[text.count - 1] == UInt8(ascii: ".")
    if isBareMark {
      candidates.subtract([.integer, .decimal, .double])
      return nil
    }
    guard hasMark else {
      candidates.subtract([.decimal, .double])
      if !(parts.isNegative && isZero), case .value(let value) = parseInteger(text) { return .whole(value) }
      candidates.remove(.integer)
      return nil
    }
    candidates.remove(.integer)
    weighDecimal(parts, isZero: isZero)
    // Swift prints the shortest digits, in plain notation from 10^-4 to below 2^53.
    let isShortest =
      parts.fractionDigitCount == parts.neededFractionDigitCount
      || (parts.fractionDigitCount == 1 && parts.neededFractionDigitCount == 0)
    let leadingZeros = parts.wholeDigitCount > 0 ? 0 : parts.neededFractionDigitCount - parts.significantDigitCount
    let isPlain = isZero || leadingZeros < 4
    let isExact = parts.wholeDigitCount + parts.neededFractionDigitCount - leadingZeros <= 15
    // SQLite keeps no sign of zero.
    if !isShortest || !isPlain || !isExact || (parts.isNegative && isZero) { candidates.remove(.double) }
    return candidates.isDisjoint(with: [.decimal, .double]) ? nil : .number(Self.double(text, parts))
  }

  /// The nearest double, or one next to it.
  private static func double(_ text: Span<UInt8>, _ parts: NumberParts) -> Double {
    if let mantissa = parts.mantissa, parts.fractionDigitCount <= 18 {
      let magnitude = Double(mantissa) / Double(powersOfTen[parts.fractionDigitCount])
      return parts.isNegative ? -magnitude : magnitude
    }
    var spelling = ""
    for index in text.indices { spelling.unicodeScalars.append(Unicode.Scalar(text[index])) }
    return Double(spelling) ?? 0
  }

  private mutating func weighDecimal(_ parts: NumberParts, isZero: Bool) {
    if scale < 0 { scale = parts.fractionDigitCount }
    mostWholeDigits = max(mostWholeDigits, parts.wholeDigitCount)
    if parts.fractionDigitCount != scale || (parts.isNegative && isZero)
      || mostWholeDigits + scale > 38
    {
      candidates.remove(.decimal)
    }
  }

  private static func isBoolean(_ text: Span<UInt8>) -> Bool {
    let spelling: StaticString = text.count == 4 ? "true" : "false"
    guard text.count == spelling.utf8CodeUnitCount else { return false }
    for index in text.indices where unsafe text[index] != spelling.utf8Start[index] { return false }
    return true
  }
}
