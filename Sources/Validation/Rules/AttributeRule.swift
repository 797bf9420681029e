import Diagnostics
import EntityModel
import Records

/// An attribute made ready for checking values: patterns compiled, limits parsed.
///
/// Holds a regular expression, so it stays on the thread that made it.
struct AttributeRule {
  let attribute: Attribute
  /// The patterns in which dates may be written, besides ISO 8601.
  let datePatterns: [DatePattern]
  /// Whether ISO 8601, the spelling of exports, is read besides the patterns: unless a pattern could mean another day by it.
  let allowsISODates: Bool
  let minimum: Limit?
  let maximum: Limit?
  let allowedValues: Set<[UInt8]>?
  let pattern: Regex<AnyRegexOutput>?
  let trueValues: Set<[UInt8]>
  let falseValues: Set<[UInt8]>
  /// The default's bytes, checked like a field's; nil without one, or when defaults are not wanted.
  let defaultBytes: [UInt8]?
  /// How files give the bytes of a binary attribute.
  let binarySpelling: BinarySpelling
  /// Whether values have rules beyond their type.
  let hasValueRules: Bool

  /// A least or greatest value, with its spelling for messages.
  struct Limit {
    enum Bound {
      case integer(Int64)
      case double(Double)
      case decimal([UInt8])
      case instant(Int64)
      /// Compared byte by byte, as years and times written as text are.
      case text([UInt8])
    }
    let bound: Bound
    let spelling: String
  }

  /// Compiles the rules of an attribute.
  ///
  /// - Throws: `ModelError` for a limit, pattern or date format that makes no sense for the type.
  init(
    _ attribute: Attribute,
    entity: String,
    usesDefaults: Bool,
    binarySpelling: BinarySpelling = .base64
  ) throws(ModelError) {
    self.attribute = attribute
    self.binarySpelling = binarySpelling
    var patterns: [DatePattern] = []
    for spelling in attribute.dateFormats { patterns.append(try DatePattern(spelling)) }
    if attribute.type == .date, let timed = patterns.first(where: \.hasTimeOfDay) {
      throw ModelError(
        source: entity,
        message: "the pattern '\(excerpt(of: timed.spelling))' of '\(excerpt(of: attribute.name))' has a time of day, "
          + "which a date would lose",
        remedy: "give the attribute the type 'datetime'"
      )
    }
    datePatterns = patterns
    allowsISODates = !patterns.contains(where: \.isConfusableWithISO)
    let minimum = try Self.limit(attribute.minimum, of: attribute, entity: entity)
    let maximum = try Self.limit(attribute.maximum, of: attribute, entity: entity)
    self.minimum = minimum
    self.maximum = maximum
    allowedValues = attribute.allowedValues.map { values in Set(values.map { Array($0.utf8) }) }
    if let spelling = attribute.pattern {
      do {
        pattern = try Regex(spelling)
      } catch {
        throw ModelError(
          source: entity,
          message:
            "the pattern '\(excerpt(of: spelling))' of '\(excerpt(of: attribute.name))' is no regular expression",
          remedy: "correct the pattern in the model"
        )
      }
    } else {
      pattern = nil
    }
    let spellings = attribute.trueValues.isEmpty && attribute.falseValues.isEmpty
    var trues = Set((spellings ? ["true", "True", "TRUE", "1"] : attribute.trueValues).map { Array($0.utf8) })
    var falses = Set((spellings ? ["false", "False", "FALSE", "0"] : attribute.falseValues).map { Array($0.utf8) })
    // As exports and JSON spell them, whatever else a model tells, unless it tells these otherwise.
    if !falses.contains(Array("true".utf8)) { trues.insert(Array("true".utf8)) }
    if !trues.contains(Array("false".utf8)) { falses.insert(Array("false".utf8)) }
    (trueValues, falseValues) = (trues, falses)
    defaultBytes = usesDefaults ? attribute.defaultValue.map { Array($0.utf8) } : nil
    hasValueRules =
      minimum != nil || maximum != nil || attribute.minimumLength != nil || attribute.maximumLength != nil
      || attribute.allowedValues != nil || attribute.pattern != nil
  }

  private static func limit(_ spelling: String?, of attribute: Attribute, entity: String) throws(ModelError) -> Limit? {
    guard let spelling else { return nil }
    let bytes = Array(spelling.utf8)
    let bound: Limit.Bound? =
      switch attribute.type {
      case .integer:
        switch parseInteger(bytes.span) {
        case .value(let value): .integer(value)
        case .outOfRange, .notADigit: nil
        }
      case .double:
        switch parseNumber(bytes.span) {
        case .parts: Double(spelling).map { .double($0) }
        case .malformed: nil
        }
      case .decimal:
        switch parseNumber(bytes.span) {
        case .parts(let parts) where parts.exponent == nil: .decimal(bytes)
        case .parts, .malformed: nil
        }
      case .date: parseISODate(bytes.span).map { .instant($0.secondsSinceEpoch) }
      case .datetime:
        (parseISODateTime(bytes.span) ?? parseISODate(bytes.span)).map { .instant($0.secondsSinceEpoch) }
      case .text, .uuid, .uri: .text(bytes)
      case .boolean, .binary: nil
      }
    guard let bound else {
      throw ModelError(
        source: entity,
        message:
          "the limit '\(excerpt(of: spelling))' of '\(excerpt(of: attribute.name))' is no \(attribute.type.name)",
        remedy: "give a limit of the attribute's own type, or a length for text"
      )
    }
    return Limit(bound: bound, spelling: spelling)
  }
}
