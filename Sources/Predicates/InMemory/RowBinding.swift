import Diagnostics
import EntityModel
import TextFolding

/// Binds predicates to the attributes of an entity.
struct RowBinding {
  let entity: Entity
  let paths: RecordPaths

  func test(_ predicate: Predicate) throws(PredicateError) -> RowTest {
    switch predicate {
    case .constant(let value): return .constant(value)
    case .not(let inner): return .not(try test(inner))
    case .and(let parts): return .and(try tests(parts))
    case .or(let parts): return .or(try tests(parts))
    case .comparison(let comparison): return try test(comparison)
    }
  }

  private func tests(_ parts: [Predicate]) throws(PredicateError) -> [RowTest] {
    var result: [RowTest] = []
    for part in parts { result.append(try test(part)) }
    return result
  }

  private func test(_ comparison: Comparison) throws(PredicateError) -> RowTest {
    guard comparison.quantifier == nil else {
      if (try? paths.position(of: comparison.left)) != nil { throw comparison.quantifierNeedsMany }
      throw PredicateError(
        at: comparison.column,
        "ANY, ALL and NONE ask about rows of another entity, which a record does not know",
        remedy: "load all, and use --where with 'export' or 'delete'"
      )
    }
    let attribute = try paths.position(of: comparison.left)
    let type = entity.attributes[attribute].type
    try comparison.checkOptions(of: type)
    switch comparison.right {
    case .value(let literal):
      if literal.kind == .null { return try nullTest(attribute, comparison, literal) }
      if comparison.operator.isOfTexts { return try textTest(attribute, comparison, literal) }
      return try equality(attribute, type, comparison, comparison.operator, literal)
    case .list(let literals): return try listTest(attribute, type, comparison, literals)
    case .keyPath(let path):
      let other = try paths.position(of: path)
      guard !comparison.operator.isOfTexts else { throw comparison.searchNeedsText(path) }
      let otherType = entity.attributes[other].type
      try comparison.checkTypes(type, otherType)
      let isDecimal = type.isDecimal || otherType.isDecimal
      return .attributes(
        operand(attribute, type, comparison.options, isDecimal: isDecimal),
        comparison.operator,
        operand(other, otherType, comparison.options, isDecimal: isDecimal)
      )
    }
  }

  private func nullTest(
    _ attribute: Int,
    _ comparison: Comparison,
    _ literal: Literal
  ) throws(PredicateError) -> RowTest {
    switch comparison.operator {
    case .equal: .isMissing(attribute)
    case .notEqual: .not(.isMissing(attribute))
    default: throw comparison.cannotAskOfNull(literal)
    }
  }

  private func equality(
    _ attribute: Int,
    _ type: AttributeType,
    _ comparison: Comparison,
    _ sign: Comparison.Operator,
    _ literal: Literal
  ) throws(PredicateError) -> RowTest {
    let value = try literal.value(as: type, options: comparison.options)
    var constant = RowTest.Constant(value: RowTest.Compared(value))
    if type.isDecimal, case .number(let digits) = literal.kind { constant.shortDecimal = Self.shortDecimal(digits) }
    return .comparison(operand(attribute, type, comparison.options), sign, constant)
  }

  /// A decimal number of at most 15 digits; nil for others.
  private static func shortDecimal(_ spelling: String) -> Double? {
    let digits = spelling.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    guard digits.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }) else { return nil }
    return digits.count <= 16 && digits.count { $0 != UInt8(ascii: ".") } <= 15 ? Double(spelling) : nil
  }

  private func listTest(
    _ attribute: Int,
    _ type: AttributeType,
    _ comparison: Comparison,
    _ literals: [Literal]
  ) throws(PredicateError) -> RowTest {
    guard comparison.operator == .isIn else {
      return .and([
        try equality(attribute, type, comparison, .greaterOrEqual, literals[0]),
        try equality(attribute, type, comparison, .lessOrEqual, literals[1]),
      ])
    }
    var choices: [RowTest] = []
    for literal in literals {
      if literal.kind == .null {
        choices.append(.isMissing(attribute))
      } else {
        choices.append(try equality(attribute, type, comparison, .equal, literal))
      }
    }
    return .or(choices)
  }

  private func textTest(
    _ attribute: Int,
    _ comparison: Comparison,
    _ literal: Literal
  ) throws(PredicateError) -> RowTest {
    let text = try literal.searchedText(of: comparison.operator)
    let options = comparison.options
    let subject = RowTest.Operand(attribute: attribute, spelling: .plain(options))
    let wanted = folded(text, options)
    switch comparison.operator {
    case .beginsWith: return .holds(subject, .start, Array(wanted.utf8))
    case .endsWith: return .holds(subject, .end, Array(wanted.utf8))
    case .contains: return .holds(subject, .anywhere, Array(wanted.utf8))
    case .like: return .like(subject, wanted)
    default:
      let expression = try matchingExpression(text, options, at: literal.column)
      let subject = RowTest.Operand(attribute: attribute, spelling: .plain(options.subtracting(.ignoringCase)))
      return .matches(subject, expression)
    }
  }

  private func operand(
    _ attribute: Int,
    _ type: AttributeType,
    _ options: FoldingOptions,
    isDecimal: Bool = false
  ) -> RowTest.Operand {
    let spelling: RowTest.Operand.Spelling =
      switch type {
      case .decimal: .decimal
      case .integer, .double, .boolean: isDecimal ? .decimal : .plain([])
      case .datetime: .instant
      case .date, .binary: .plain([])
      case .text, .uuid, .uri: .plain(options)
      }
    return RowTest.Operand(attribute: attribute, spelling: spelling)
  }
}
