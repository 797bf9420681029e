import Diagnostics
import EntityModel
import Profiling
import Validation

extension InspectedColumn {
  /// Joins what a column holds with the type of its values.
  init(_ profile: ColumnProfile, position: Int, type: AttributeType, evidence: TypeEvidence) {
    name = profile.name
    self.position = position
    self.type = type
    ruledOut = evidence.ruledOut.map { ruledOut in
      RuledOut(
        type: ruledOut.type,
        value: Value(ruledOut.witness),
        reason: TypeObstacle.reason(why: ruledOut.witness.value, isNo: ruledOut.type)
      )
    }
    valueCount = profile.valueCount
    nullCount = profile.nullCount
    absentCount = profile.absentCount
    nullTokenCount = profile.nullTokenCount
    emptyCount = profile.emptyCount
    repeatedCount = profile.repeatedCount
    distinct = Distinct(
      count: profile.distinct.count,
      isExact: profile.distinct.isExact,
      relativeError: profile.distinct.relativeError
    )
    isUnique = profile.isUnique
    minimum = evidence.least.map { Value($0) } ?? profile.least.map { Value($0) }
    maximum = evidence.greatest.map { Value($0) } ?? profile.greatest.map { Value($0) }
    mean = evidence.mean
    shortest = profile.shortest.map { Measured(value: Value($0.value), characters: $0.characters) }
    longest = profile.longest.map { Measured(value: Value($0.value), characters: $0.characters) }
    top = profile.top.map { Counted(value: Value($0.value), count: $0.count) }
    isTopExact = profile.isTopExact
    sample = profile.sample.map { Value($0) }
    kinds = profile.kinds.map { Kind(name: $0.kind.name, count: $0.count, first: Value($0.first)) }
    remarks = []
    remarks = ColumnRemarks(self, profile).remarks
  }
}

extension InspectedColumn.Value {
  init(_ value: KeptValue) {
    self.init(bytes: value.bytes, isCut: value.isCut, line: value.line)
  }

  init(_ witness: TypeEvidence.Witness) {
    self.init(bytes: witness.value, isCut: witness.isCut, line: witness.line)
  }
}

extension ValueKind {
  /// What reports call it.
  var name: String {
    switch self {
    case .text: "text"
    case .integer: "integer"
    case .decimal: "decimal"
    case .otherNumber: "other-number"
    case .commaNumber: "comma-number"
    case .pointGroupedNumber: "point-grouped-number"
    case .groupedNumber: "grouped-number"
    case .isoDate: "date"
    case .isoDatetime: "datetime"
    case .dayFirstDate: "day-first-date"
    case .monthFirstDate: "month-first-date"
    case .ambiguousDate: "ambiguous-date"
    case .yearFirstDate: "year-first-date"
    case .impossibleDate: "impossible-date"
    case .boolean: "boolean"
    case .booleanWord: "boolean-word"
    case .nullWord: "null-word"
    case .blank: "blank"
    }
  }
}

/// Says why a value is none of a type, although it may look like one.
enum TypeObstacle {
  /// The reason, as the end of a sentence that begins with the value.
  static func reason(why value: [UInt8], isNo type: AttributeType) -> String {
    guard !value.isEmpty else { return "is the empty string" }
    switch (ValueKind(of: value.span), type) {
    case (.otherNumber, .integer), (.otherNumber, .decimal), (.otherNumber, .double): return number(value)
    case (.integer, .integer): return "was quoted as text"
    case (.decimal, .integer): return "has decimals"
    case (.integer, .decimal), (.integer, .double): return "has no decimals"
    case (.decimal, .decimal): return "has more or fewer decimals than the values before it"
    case (.decimal, .double): return "would lose a digit as a double"
    case (.commaNumber, _): return "has a decimal comma"
    case (.pointGroupedNumber, _): return "has points between thousands"
    case (.groupedNumber, _): return "has a comma"
    case (.impossibleDate, _): return "is no day of the calendar"
    case (.dayFirstDate, .date), (.monthFirstDate, .date), (.ambiguousDate, .date), (.yearFirstDate, .date),
      (.dayFirstDate, .datetime), (.monthFirstDate, .datetime), (.ambiguousDate, .datetime),
      (.yearFirstDate, .datetime):
      return "is not written as YYYY-MM-DD"
    case (.isoDatetime, .date): return "has a time of day"
    case (.isoDate, .datetime): return "has no time of day"
    default: return "is \(article(for: type)) \(type.name == "decimal" ? "decimal number" : type.name)"
    }
  }

  private static func article(for type: AttributeType) -> String { type == .integer(bits: 64) ? "not an" : "not a" }

  private static func number(_ value: [UInt8]) -> String {
    if value[0] == UInt8(ascii: "+") { return "would lose its plus sign as a number" }
    if value.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) { return "would lose its exponent as a number" }
    let digits = value[0] == UInt8(ascii: "-") ? value.dropFirst() : value[...]
    if digits.first == UInt8(ascii: "0"), digits.count > 1, digits.dropFirst().first != UInt8(ascii: ".") {
      return "would lose its leading zeros as a number"
    }
    if value.first == UInt8(ascii: "-"), digits.allSatisfy({ $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }) {
      return "would lose its sign as a number"
    }
    return digits.count > 18 ? "is past 64 bits" : "would be printed otherwise as a number"
  }
}
