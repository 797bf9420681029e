import Diagnostics
import EntityModel
import Predicates
import Records
import TextFolding

/// A predicate as a condition in SQL, with its values to be bound: nothing of it is ever pasted into the statement.
///
/// Two-valued, as a person reads it: a NULL fulfils no comparison but `!=` and `== NULL`, and NOT turns that round. Two
/// attributes without a value are equal, as `NSPredicate` has it for objects, so that `!=` is always the contrary of `==`.
struct PredicateSQL {
  /// A value to be bound.
  typealias Parameter = ComparedValue

  /// The condition, with one `?` for each parameter.
  private(set) var sql = ""
  private(set) var parameters: [Parameter] = []

  private let paths: KeyPathResolver
  private let table: String
  private let connection: Connection

  /// Translates a predicate on the rows of a table that the statement calls `alias`.
  ///
  /// - Throws: For names that the entity does not have, and values that do not fit an attribute's type.
  init(
    _ predicate: Predicate,
    on entity: Entity,
    alias: String,
    paths: KeyPathResolver,
    connection: Connection
  ) throws(PredicateError) {
    self.paths = paths
    table = alias
    self.connection = connection
    sql = try condition(predicate, on: entity)
  }

  private mutating func condition(_ predicate: Predicate, on entity: Entity) throws(PredicateError) -> String {
    switch predicate {
    case .constant(let value): return value ? "1" : "0"
    case .not(let inner): return "NOT " + (try condition(inner, on: entity))
    case .and(let parts): return try joined(parts, by: " AND ", on: entity)
    case .or(let parts): return try joined(parts, by: " OR ", on: entity)
    case .comparison(let comparison): return try self.comparison(comparison, on: entity)
    }
  }

  private mutating func joined(
    _ parts: [Predicate],
    by word: String,
    on entity: Entity
  ) throws(PredicateError) -> String {
    var conditions: [String] = []
    for part in parts { conditions.append(try condition(part, on: entity)) }
    return "(" + conditions.joined(separator: word) + ")"
  }

  // MARK: Comparisons

  private mutating func comparison(_ comparison: Comparison, on entity: Entity) throws(PredicateError) -> String {
    let left = try paths.resolve(comparison.left, of: entity, alias: table)
    guard left.isToMany else {
      guard comparison.quantifier == nil else { throw comparison.quantifierNeedsMany }
      return try condition(left.value, type: left.type, comparison, on: entity)
    }
    guard let quantifier = comparison.quantifier else {
      throw PredicateError(
        at: comparison.column,
        "'\(excerpt(of: comparison.left.text))' has many values",
        remedy: "put ANY, ALL or NONE before it, or ask for its @count"
      )
    }
    let inner = try condition(left.column, type: left.type, comparison, on: entity)
    return switch quantifier {
    case .any: "EXISTS (SELECT 1 \(left.source) AND \(inner))"
    case .none: "NOT EXISTS (SELECT 1 \(left.source) AND \(inner))"
    case .all: "NOT EXISTS (SELECT 1 \(left.source) AND NOT \(inner))"
    }
  }

  /// A condition on one value, which never is NULL itself.
  private mutating func condition(
    _ value: String,
    type: AttributeType,
    _ comparison: Comparison,
    on entity: Entity
  ) throws(PredicateError) -> String {
    try comparison.checkOptions(of: type)
    switch comparison.right {
    case .value(let literal):
      if literal.kind == .null { return try nullCondition(value, comparison, literal) }
      return try condition(value, type: type, comparison, with: literal)
    case .list(let literals):
      return try listCondition(value, type: type, comparison, literals)
    case .keyPath(let path):
      let right = try paths.resolve(path, of: entity, alias: table)
      guard !right.isToMany else {
        throw PredicateError(
          at: path.column,
          "'\(excerpt(of: path.text))' has many values and stands at the right",
          remedy: "write it first, with ANY, ALL or NONE before it"
        )
      }
      guard !comparison.operator.isOfTexts else { throw comparison.searchNeedsText(path) }
      try comparison.checkTypes(type, right.type)
      // A decimal number is compared digit by digit, and so is what it is compared with.
      let isDecimal = type.isDecimal || right.type.isDecimal
      let first = operand(value, type: type, isDecimal: isDecimal, options: comparison.options)
      let second = operand(right.value, type: right.type, isDecimal: isDecimal, options: comparison.options)
      return compare(first, second, by: comparison.operator)
    }
  }

  private func nullCondition(
    _ value: String,
    _ comparison: Comparison,
    _ literal: Literal
  ) throws(PredicateError) -> String {
    switch comparison.operator {
    case .equal: return "\(value) IS NULL"
    case .notEqual: return "\(value) IS NOT NULL"
    default: throw comparison.cannotAskOfNull(literal)
    }
  }

  private mutating func condition(
    _ value: String,
    type: AttributeType,
    _ comparison: Comparison,
    with literal: Literal
  ) throws(PredicateError) -> String {
    if comparison.operator.isOfTexts { return try textCondition(value, comparison, literal) }
    let operand = operand(value, type: type, options: comparison.options)
    let parameter = try bound(literal, as: type, options: comparison.options)
    return compare(operand, parameter, by: comparison.operator)
  }

  private mutating func listCondition(
    _ value: String,
    type: AttributeType,
    _ comparison: Comparison,
    _ literals: [Literal]
  ) throws(PredicateError) -> String {
    let operand = operand(value, type: type, options: comparison.options)
    guard comparison.operator == .isIn else {
      // The first value's parameter stands before the second's, and so does its condition.
      let low = try bound(literals[0], as: type, options: [])
      let first = compare(operand, low, by: .greaterOrEqual)
      let high = try bound(literals[1], as: type, options: [])
      return "(\(first) AND \(compare(operand, high, by: .lessOrEqual)))"
    }
    var choices: [String] = []
    for literal in literals {
      if literal.kind == .null {
        choices.append("\(value) IS NULL")
      } else {
        choices.append(compare(operand, try bound(literal, as: type, options: comparison.options), by: .equal))
      }
    }
    return choices.isEmpty ? "0" : "(" + choices.joined(separator: " OR ") + ")"
  }

  private func compare(_ left: String, _ right: String, by comparison: Comparison.Operator) -> String {
    switch comparison {
    case .equal: "(\(left) IS \(right))"
    case .notEqual: "(\(left) IS NOT \(right))"
    default: "coalesce(\(left) \(comparison.rawValue) \(right), 0)"
    }
  }

  // MARK: Texts

  private mutating func textCondition(
    _ value: String,
    _ comparison: Comparison,
    _ literal: Literal
  ) throws(PredicateError) -> String {
    let text = try literal.searchedText(of: comparison.operator)
    if comparison.operator == .matches {
      let function = try connection.addMatching(text, options: comparison.options, at: literal.column)
      // The expression ignores case itself.
      return "coalesce(\(function)(\(folded(value, comparison.options.subtracting(.ignoringCase)))), 0)"
    }
    parameters.append(.text(TextFolding.folded(text, comparison.options)))
    let number = parameters.count
    let subject = folded(value, comparison.options)
    let condition =
      switch comparison.operator {
      case .contains: "instr(\(subject), ?\(number)) > 0"
      case .beginsWith: "substr(\(subject), 1, length(?\(number))) = ?\(number)"
      case .endsWith:
        "(?\(number) = '' AND \(value) IS NOT NULL OR substr(\(subject), -length(?\(number))) = ?\(number))"
      default: "importer_like(\(subject), ?\(number))"
      }
    return "coalesce(\(condition), 0)"
  }

  private func folded(_ value: String, _ options: FoldingOptions) -> String {
    options.isEmpty ? value : "importer_fold(\(value), \(options.rawValue))"
  }

  // MARK: Values

  /// How a stored value takes part in a comparison.
  private func operand(
    _ value: String,
    type: AttributeType,
    isDecimal: Bool = false,
    options: FoldingOptions
  ) -> String {
    switch type {
    case .integer, .double, .boolean: isDecimal ? "importer_decimal(\(value))" : value
    case .decimal: "importer_decimal(\(value))"
    case .datetime: "importer_instant(\(value))"
    case .date, .binary: value
    case .text, .uuid, .uri: folded(value, options) + " COLLATE BINARY"
    }
  }

  /// Adds a parameter for a literal, spelled as the attribute's values take part in comparisons.
  private mutating func bound(
    _ literal: Literal,
    as type: AttributeType,
    options: FoldingOptions
  ) throws(PredicateError) -> String {
    let parameter = try literal.value(as: type, options: options)
    parameters.append(parameter)
    return "?\(parameters.count)"
  }
}
