package import EntityModel
package import Records

/// Finds types for columns from all their values.
///
/// A type is inferred only if every value of the column, printed back from it, gives the same characters: `007`, `+39`,
/// `1e5`, `1.10` beside `1.9` and integers past 64 bits stay text.
package struct TypeInference {
  /// What is still possible for one column.
  private struct Evidence {
    var candidates = Candidates.all
    var hasValues = false
    /// Whether a value was read in a told date pattern.
    var isPatternDate = false
    /// The decimals of all values so far; -1 before the first.
    var scale = -1
    var mostWholeDigits = 0
  }

  private struct Candidates: OptionSet {
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
  }

  private var evidence: [[Evidence]] = []
  private var shapes: [RecordShape] = []
  private let nullTokens: [[UInt8]]
  private let quotesProtect: Bool
  private let quotedIsText: Bool
  private let base64IsBinary: Bool
  private let datePatterns: [DatePattern]

  /// Starts without evidence.
  ///
  /// - Parameters:
  ///   - nullTokens: See `ValidationPlan`.
  ///   - quotesProtect: See `ValidationPlan`.
  ///   - quotedIsText: Whether a quoted value is text whatever it looks like, as in JSON.
  ///   - base64IsBinary: Whether what is marked as base64 is bytes, as in a property list, rather than text.
  ///   - datePatterns: Ways of writing dates, besides ISO 8601, that make dates of a column.
  package init(
    nullTokens: [String] = [],
    quotesProtect: Bool = true,
    quotedIsText: Bool = false,
    base64IsBinary: Bool = false,
    datePatterns: [DatePattern] = []
  ) {
    self.nullTokens = nullTokens.map { Array($0.utf8) }
    self.quotesProtect = quotesProtect
    self.quotedIsText = quotedIsText
    self.base64IsBinary = base64IsBinary
    self.datePatterns = datePatterns
  }

  /// Takes the values of a batch into account; broken records count for nothing.
  package mutating func observe(_ batch: borrowing RecordBatch) {
    complete(batch.shapes)
    let bytes = batch.text.bytes
    for record in batch.records where !record.isUnreadable {
      let kind = Int(record.kind)
      let width = min(Int(record.fieldCount), evidence[kind].count)
      for column in 0..<width {
        let field = batch.fields[Int(record.fieldStart) + column]
        guard !field.isNull, !evidence[kind][column].candidates.isEmpty else { continue }
        let text = bytes.extracting(field.text.range)
        if !nullTokens.isEmpty, isNullToken(text, field: field) { continue }
        if field.isBase64 || (quotedIsText && field.isQuoted) {
          evidence[kind][column].candidates.formIntersection(field.isBase64 && base64IsBinary ? .binary : [])
          evidence[kind][column].hasValues = true
        } else {
          evidence[kind][column].candidates.remove(.binary)
          weigh(text, &evidence[kind][column])
        }
      }
    }
  }

  /// Starts anew with another input, keeping what was found: the types must hold for all inputs of an entity.
  package mutating func merge(_ other: TypeInference, shape: Int, into own: Int) {
    while evidence.count <= own {
      evidence.append([])
      shapes.append(RecordShape())
    }
    for (column, name) in other.shapes[shape].columns.enumerated() {
      let found = other.evidence[shape][column]
      if let known = shapes[own].columns.firstIndex(of: name) {
        evidence[own][known] = Self.combine(evidence[own][known], found)
      } else {
        shapes[own].columns.append(name)
        evidence[own].append(found)
      }
    }
  }

  /// Takes columns into account that no record had a value for.
  package mutating func complete(_ shapes: [RecordShape]) {
    self.shapes = shapes
    while evidence.count < shapes.count { evidence.append([]) }
    for kind in shapes.indices {
      let missing = shapes[kind].columns.count - evidence[kind].count
      if missing > 0 { evidence[kind] += Array(repeating: Evidence(), count: missing) }
    }
  }

  /// The columns of a shape as attributes without rules, in the order of the file.
  package func attributes(ofShape kind: Int) -> [Attribute] {
    zip(shapes[kind].columns, evidence[kind]).map { Attribute(name: $0, type: type(of: $1)) }
  }

  private func isNullToken(_ text: Span<UInt8>, field: Field) -> Bool {
    guard !(field.isQuoted && quotesProtect) else { return false }
    return nullTokens.contains { token in
      token.count == text.count && token.indices.allSatisfy { token[$0] == text[$0] }
    }
  }

  private static func combine(_ first: Evidence, _ second: Evidence) -> Evidence {
    guard first.hasValues else { return second }
    guard second.hasValues else { return first }
    var both = first
    both.isPatternDate = first.isPatternDate || second.isPatternDate
    both.candidates.formIntersection(second.candidates)
    if first.scale != second.scale { both.candidates.remove(.decimal) }
    both.mostWholeDigits = max(first.mostWholeDigits, second.mostWholeDigits)
    return both
  }

  private func type(of evidence: Evidence) -> AttributeType {
    guard evidence.hasValues else { return .text }
    if evidence.candidates.contains(.binary) { return .binary }
    if !datePatterns.isEmpty, evidence.candidates.contains(.patternDate) {
      return datePatterns.contains(where: \.hasTimeOfDay) ? .datetime : .date
    }
    if evidence.candidates.contains(.integer) { return .integer(bits: 64) }
    if evidence.candidates.contains(.decimal) {
      // Room for larger numbers in the next file, as far as numbers stay exact.
      let digits = evidence.mostWholeDigits + evidence.scale
      return .decimal(precision: digits <= AttributeType.exactDecimalDigits ? 15 : 38, scale: evidence.scale)
    }
    if evidence.candidates.contains(.double) { return .double }
    if evidence.candidates.contains(.boolean) { return .boolean }
    if evidence.candidates.contains(.date) { return .date }
    if evidence.candidates.contains(.datetime) { return .datetime }
    return .text
  }

  /// Strikes out what a value is not.
  private func weigh(_ text: Span<UInt8>, _ evidence: inout Evidence) {
    evidence.hasValues = true
    if evidence.candidates.contains(.patternDate) {
      let isDate = datePatterns.contains { $0.parse(text) != nil }
      guard !isDate else {
        evidence.isPatternDate = true
        return
      }
      evidence.candidates.remove(.patternDate)
      // Values before this one were dates in a pattern, and so nothing else, unless there were none.
      if evidence.isPatternDate { evidence.candidates = [] }
    }
    guard text.count > 0 else {
      evidence.candidates = []
      return
    }
    let first = text[0]
    if first &- UInt8(ascii: "0") <= 9 || first == UInt8(ascii: "-") {
      evidence.candidates.remove(.boolean)
      if !evidence.candidates.isDisjoint(with: [.date, .datetime]) { Self.weighDate(text, &evidence) }
      if !evidence.candidates.isDisjoint(with: [.integer, .decimal, .double]) { Self.weighNumber(text, &evidence) }
    } else if evidence.candidates.contains(.boolean), Self.isBoolean(text) {
      evidence.candidates = .boolean
    } else {
      evidence.candidates = []
    }
  }

  private static func weighDate(_ text: Span<UInt8>, _ evidence: inout Evidence) {
    guard text.count >= 10 else {
      evidence.candidates.subtract([.date, .datetime])
      return
    }
    if evidence.candidates.contains(.date), parseISODate(text) == nil { evidence.candidates.remove(.date) }
    if evidence.candidates.contains(.datetime), parseISODateTime(text) == nil { evidence.candidates.remove(.datetime) }
  }

  private static func weighNumber(_ text: Span<UInt8>, _ evidence: inout Evidence) {
    guard case .parts(let parts) = parseNumber(text), parts.exponent == nil, !parts.hasLeadingZero, parts.hasWholeDigits
    else {
      evidence.candidates.subtract([.integer, .decimal, .double])
      return
    }
    let isZero = parts.significantDigitCount == 0
    let hasMark = text.count > parts.fractionDigitCount && parts.fractionDigitCount > 0
    let isBareMark = text[text.count - 1] == UInt8(ascii: ".")
    if isBareMark {
      evidence.candidates.subtract([.integer, .decimal, .double])
      return
    }
    if hasMark || (parts.isNegative && isZero) {
      evidence.candidates.remove(.integer)
    } else if case .value = parseInteger(text) {
    } else {
      evidence.candidates.remove(.integer)
    }
    guard hasMark else {
      evidence.candidates.subtract([.decimal, .double])
      return
    }
    weighDecimal(parts, isZero: isZero, &evidence)
    // Swift prints the shortest digits, in plain notation from 10^-4 to below 2^53.
    let isShortest =
      parts.fractionDigitCount == parts.neededFractionDigitCount
      || (parts.fractionDigitCount == 1 && parts.neededFractionDigitCount == 0)
    let leadingZeros = parts.wholeDigitCount > 0 ? 0 : parts.neededFractionDigitCount - parts.significantDigitCount
    let isPlain = isZero || leadingZeros < 4
    let isExact = parts.wholeDigitCount + parts.neededFractionDigitCount - leadingZeros <= 15
    // SQLite keeps no sign of zero.
    if !isShortest || !isPlain || !isExact || (parts.isNegative && isZero) { evidence.candidates.remove(.double) }
  }

  private static func weighDecimal(_ parts: NumberParts, isZero: Bool, _ evidence: inout Evidence) {
    if evidence.scale < 0 { evidence.scale = parts.fractionDigitCount }
    evidence.mostWholeDigits = max(evidence.mostWholeDigits, parts.wholeDigitCount)
    if parts.fractionDigitCount != evidence.scale || (parts.isNegative && isZero)
      || evidence.mostWholeDigits + evidence.scale > 38
    {
      evidence.candidates.remove(.decimal)
    }
  }

  private static func isBoolean(_ text: Span<UInt8>) -> Bool {
    let spelling: StaticString = text.count == 4 ? "true" : "false"
    guard text.count == spelling.utf8CodeUnitCount else { return false }
    for index in text.indices where unsafe text[index] != spelling.utf8Start[index] { return false }
    return true
  }
}
