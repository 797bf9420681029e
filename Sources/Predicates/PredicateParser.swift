import Diagnostics
import TextFolding

/// Reads a predicate, in the manner of NSPredicate's format strings.
///
/// ```text
/// predicate   or
/// or          and { (OR | ||) and }
/// and         not { (AND | &&) not }
/// not         (NOT | !) not | "(" or ")" | TRUEPREDICATE | FALSEPREDICATE | comparison
/// comparison  [ANY | SOME | ALL | NONE] operand operator [options] operand
/// operand     key path | literal | "{" literal { "," literal } "}"
/// ```
package struct PredicateParser {
  private let tokens: [PredicateToken]
  private var position = 0
  private var depth = 0

  /// How deep parentheses and NOTs may nest.
  private static let depthLimit = 100

  /// Reads a whole text as one predicate.
  ///
  /// - Throws: Names the place, what was found and what was expected.
  package static func parse(_ text: String) throws(PredicateError) -> Predicate {
    var parser = PredicateParser(tokens: try PredicateTokenizer.tokens(of: text))
    guard parser.peek.kind != .end else {
      throw PredicateError(at: 1, "the condition is empty", remedy: "write one such as name == 'x'")
    }
    let predicate = try parser.or()
    guard parser.peek.kind == .end else { throw parser.unexpected("AND, OR or the end") }
    return predicate
  }

  /// Reads a whole text as an order.
  static func parseOrder(_ text: String) throws(PredicateError) -> [SortTerm] {
    var parser = PredicateParser(tokens: try PredicateTokenizer.tokens(of: text))
    var terms: [SortTerm] = []
    repeat {
      let isDescending = parser.take(sign: "-")
      if !isDescending { _ = parser.take(sign: "+") }
      let path = try parser.keyPath()
      terms.append(SortTerm(path: path, isDescending: isDescending, options: try parser.takeOptions()))
    } while parser.take(sign: ",")
    guard parser.peek.kind == .end else { throw parser.unexpected("',' or the end") }
    return terms
  }

  private init(tokens: [PredicateToken]) { self.tokens = tokens }

  private var peek: PredicateToken { tokens[position] }

  private mutating func take() -> PredicateToken {
    let token = tokens[position]
    if token.kind != .end { position += 1 }
    return token
  }

  private mutating func take(keyword: String) -> Bool {
    guard peek.isKeyword(keyword) else { return false }
    position += 1
    return true
  }

  private mutating func take(sign: String) -> Bool {
    guard peek.isSign(sign) else { return false }
    position += 1
    return true
  }

  private func unexpected(_ wanted: String) -> PredicateError {
    PredicateError(
      at: peek.column,
      "found \(peek.shown), expected \(wanted)",
      remedy: "put texts in quotes; see CONDITIONS in the help of the command for examples"
    )
  }

  // MARK: Conditions

  private mutating func or() throws(PredicateError) -> Predicate {
    var parts = [try and()]
    while take(keyword: "OR") || take(sign: "||") { parts.append(try and()) }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  private mutating func and() throws(PredicateError) -> Predicate {
    var parts = [try not()]
    while take(keyword: "AND") || take(sign: "&&") { parts.append(try not()) }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  private mutating func not() throws(PredicateError) -> Predicate {
    guard depth < Self.depthLimit else {
      throw PredicateError(at: peek.column, "it nests too deep", remedy: "use fewer parentheses")
    }
    depth += 1
    defer { depth -= 1 }
    if take(keyword: "NOT") || take(sign: "!") { return .not(try not()) }
    if take(sign: "(") {
      let inner = try or()
      guard take(sign: ")") else { throw unexpected("')'") }
      return inner
    }
    if take(keyword: "TRUEPREDICATE") { return .constant(true) }
    if take(keyword: "FALSEPREDICATE") { return .constant(false) }
    return try comparison()
  }

  // MARK: Comparisons

  private enum Operand {
    case keyPath(KeyPath)
    case literal(Literal)
  }

  private mutating func comparison() throws(PredicateError) -> Predicate {
    let column = peek.column
    let quantifier = takeQuantifier()
    let left = try operand()
    let (sign, isNegated) = try comparisonOperator()
    let options = try self.options(of: sign)
    let right = try rightSide(of: sign)
    var comparison: Comparison
    switch (left, right) {
    case (.keyPath(let path), let right):
      comparison = Comparison(
        quantifier: quantifier,
        left: path,
        operator: sign,
        options: options,
        right: right,
        column: column
      )
    case (.literal(let literal), .keyPath(let path)):
      guard let mirrored = sign.mirrored else {
        throw PredicateError(
          at: literal.column,
          "a value stands before \(sign.rawValue)",
          remedy: "write the attribute first: \(path.text) \(sign.rawValue) …"
        )
      }
      comparison = Comparison(
        quantifier: quantifier,
        left: path,
        operator: mirrored,
        options: options,
        right: .value(literal),
        column: column
      )
    case (.literal(let literal), _):
      throw PredicateError(
        at: literal.column,
        "two values are compared, and no attribute",
        remedy: "write the attribute's name without quotes"
      )
    }
    return isNegated ? .not(.comparison(comparison)) : .comparison(comparison)
  }

  private mutating func takeQuantifier() -> Comparison.Quantifier? {
    if take(keyword: "ANY") || take(keyword: "SOME") { return .any }
    if take(keyword: "ALL") { return .all }
    return take(keyword: "NONE") ? Comparison.Quantifier.none : nil
  }

  private mutating func comparisonOperator() throws(PredicateError) -> (Comparison.Operator, isNegated: Bool) {
    let isNegated = take(keyword: "NOT")
    let token = peek
    let spelling = token.kind == .word ? token.text.uppercased() : token.text
    let found = Comparison.Operator.allCases.first { $0.rawValue == spelling }
    guard token.kind == .word || token.kind == .sign, let found, !(isNegated && token.kind == .sign) else {
      if token.kind == .word,
        let word = suggestion(for: spelling, among: Comparison.Operator.allCases.map(\.rawValue))
      {
        throw PredicateError(at: token.column, "there is no operator \(token.shown)", remedy: word)
      }
      throw unexpected("an operator such as ==, <, CONTAINS or IN")
    }
    position += 1
    return (found, isNegated)
  }

  private mutating func options(of sign: Comparison.Operator) throws(PredicateError) -> FoldingOptions {
    let column = peek.column
    let options = try takeOptions()
    guard options.isEmpty || sign != .between else {
      throw PredicateError(at: column, "BETWEEN takes no options", remedy: "leave them out")
    }
    return options
  }

  private mutating func takeOptions() throws(PredicateError) -> FoldingOptions {
    guard take(sign: "[") else { return [] }
    let token = take()
    var options: FoldingOptions = []
    for letter in token.text.lowercased() {
      switch letter {
      case "c": options.insert(.ignoringCase)
      case "d": options.insert(.ignoringDiacritics)
      default:
        throw PredicateError(
          at: token.column,
          "there is no option '\(letter)'",
          remedy: "use [c] to ignore case, [d] to ignore diacritics, [cd] for both"
        )
      }
    }
    guard token.kind == .word, take(sign: "]") else { throw unexpected("']'") }
    return options
  }

  private mutating func rightSide(of sign: Comparison.Operator) throws(PredicateError) -> Comparison.Right {
    switch sign {
    case .isIn:
      guard peek.isSign("{") || peek.isSign("(") else { throw unexpected("a list such as {'a', 'b'}") }
      return .list(try list())
    case .between:
      let column = peek.column
      guard peek.isSign("{") || peek.isSign("(") else {
        let low = try literal()
        guard take(keyword: "AND") || take(sign: ",") else { throw unexpected("AND and the greatest value") }
        return .list([low, try literal()])
      }
      let values = try list()
      guard values.count == 2 else {
        throw PredicateError(
          at: column,
          "BETWEEN has \(values.count) values, expected 2",
          remedy: "write BETWEEN {least, greatest}"
        )
      }
      return .list(values)
    default:
      switch try operand() {
      case .keyPath(let path): return .keyPath(path)
      case .literal(let literal): return .value(literal)
      }
    }
  }

  private mutating func list() throws(PredicateError) -> [Literal] {
    let end = take().text == "{" ? "}" : ")"
    var values: [Literal] = []
    guard !take(sign: end) else { return values }
    repeat { values.append(try literal()) } while take(sign: ",")
    guard take(sign: end) else { throw unexpected("',' or '\(end)'") }
    return values
  }

  // MARK: Operands

  private mutating func operand() throws(PredicateError) -> Operand {
    if let literal = try takeLiteral() { return .literal(literal) }
    guard peek.kind == .word || peek.kind == .name else { throw unexpected("an attribute's name or a value") }
    return .keyPath(try keyPath())
  }

  private mutating func literal() throws(PredicateError) -> Literal {
    guard let literal = try takeLiteral() else { throw unexpected("a value: a number, or a text in quotes") }
    return literal
  }

  private mutating func takeLiteral() throws(PredicateError) -> Literal? {
    let token = peek
    let kind: Literal.Kind
    switch token.kind {
    case .text: kind = .text(token.text)
    case .number:
      guard Double(token.text) != nil else {
        throw PredicateError(at: token.column, "\(token.shown) is not a number", remedy: "put a text in quotes")
      }
      kind = .number(token.text)
    case .word:
      switch token.text.uppercased() {
      case "NULL", "NIL": kind = .null
      case "TRUE", "YES": kind = .boolean(true)
      case "FALSE", "NO": kind = .boolean(false)
      default: return nil
      }
    case .name, .sign, .end: return nil
    }
    position += 1
    return Literal(kind: kind, column: token.column)
  }

  private mutating func keyPath() throws(PredicateError) -> KeyPath {
    var path = KeyPath(components: [], isCount: false, column: peek.column)
    repeat {
      guard peek.kind == .word || peek.kind == .name else { throw unexpected("a name") }
      let token = take()
      if token.kind == .word, token.text.hasPrefix("@") {
        guard token.text.lowercased() == "@count", !path.components.isEmpty else {
          throw PredicateError(
            at: token.column,
            "\(token.shown) is not understood here",
            remedy: "of collections, relationship.@count can be asked"
          )
        }
        path.isCount = true
        return path
      }
      path.components.append(token.text)
    } while take(sign: ".")
    return path
  }
}

extension Comparison.Operator {
  /// The operator with its sides exchanged; nil where that cannot be said.
  fileprivate var mirrored: Comparison.Operator? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: nil
    }
  }
}
