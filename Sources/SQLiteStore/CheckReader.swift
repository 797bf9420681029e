import EntityModel

/// Finds the CHECKs of a `CREATE TABLE` and reads those that have the form of a `ColumnRule`.
struct CheckReader {
  /// A rule and the column that it names.
  struct NamedRule: Hashable {
    let column: String
    let rule: ColumnRule
    /// The literals' kind, which must suit the column's type.
    let literals: Set<SQLToken.Kind>
  }

  /// The conditions of all CHECKs, as tokens.
  static func conditions(inTable sql: String) -> [[SQLToken]] {
    let tokens = SQLToken.tokens(of: sql)
    var result: [[SQLToken]] = []
    var depth = 0
    var position = 0
    while position < tokens.count {
      let token = tokens[position]
      position += 1
      if token.isSymbol("(") {
        depth += 1
      } else if token.isSymbol(")") {
        depth -= 1
      } else if depth == 1, token.isKeyword("CHECK"), position < tokens.count, tokens[position].isSymbol("(") {
        let start = position + 1
        var inner = 1
        position += 1
        while position < tokens.count, inner > 0 {
          if tokens[position].isSymbol("(") { inner += 1 }
          if tokens[position].isSymbol(")") { inner -= 1 }
          position += 1
        }
        result.append(Array(tokens[start..<max(start, position - 1)]))
      }
    }
    return result
  }

  /// The rules that a condition is made of; nil when it says anything else.
  static func rules(of condition: [SQLToken]) -> [NamedRule]? {
    var reader = CheckReader(tokens: condition[...])
    if let rules = reader.between() { return rules }
    var rules: [NamedRule] = []
    reader = CheckReader(tokens: condition[...])
    while true {
      guard let rule = reader.comparison() else { return nil }
      rules.append(rule)
      if reader.tokens.isEmpty { return rules }
      guard reader.take(keyword: "AND") else { return nil }
    }
  }

  private var tokens: ArraySlice<SQLToken>

  private mutating func take(keyword: String) -> Bool {
    guard tokens.first?.isKeyword(keyword) == true else { return false }
    tokens.removeFirst()
    return true
  }

  private mutating func take(symbol: String) -> Bool {
    guard tokens.first?.isSymbol(symbol) == true else { return false }
    tokens.removeFirst()
    return true
  }

  private mutating func takeName() -> String? {
    guard let name = tokens.first?.name else { return nil }
    tokens.removeFirst()
    return name
  }

  private mutating func takeLiteral() -> SQLToken? {
    let isNegative = take(symbol: "-")
    guard let token = tokens.first else { return nil }
    switch token.kind {
    case .number:
      tokens.removeFirst()
      return isNegative ? SQLToken(kind: .number, text: "-" + token.text) : token
    case .string where !isNegative:
      tokens.removeFirst()
      return token
    default: return nil
    }
  }

  /// Reads `c BETWEEN a AND b`.
  private mutating func between() -> [NamedRule]? {
    guard let column = takeName(), take(keyword: "BETWEEN"), let low = takeLiteral(), take(keyword: "AND"),
      let high = takeLiteral(), tokens.isEmpty
    else { return nil }
    return [
      NamedRule(column: column, rule: .minimum(low.text), literals: [low.kind]),
      NamedRule(column: column, rule: .maximum(high.text), literals: [high.kind]),
    ]
  }

  private mutating func comparison() -> NamedRule? {
    guard let first = tokens.first else { return nil }
    if first.isKeyword("LENGTH"), tokens.dropFirst().first?.isSymbol("(") == true { return length() }
    guard let column = takeName() else { return nil }
    if take(keyword: "IN") { return list(column) }
    guard let sign = tokens.popFirst(), sign.kind == .symbol, let literal = takeLiteral() else { return nil }
    switch sign.text {
    case ">=": return NamedRule(column: column, rule: .minimum(literal.text), literals: [literal.kind])
    case "<=": return NamedRule(column: column, rule: .maximum(literal.text), literals: [literal.kind])
    case "<>", "!=":
      guard literal.kind == .string, literal.text.isEmpty else { return nil }
      return NamedRule(column: column, rule: .notEmpty, literals: [.string])
    default: return nil
    }
  }

  private mutating func length() -> NamedRule? {
    tokens.removeFirst(2)
    guard let column = takeName(), take(symbol: ")"), let sign = tokens.popFirst(), let literal = takeLiteral(),
      literal.kind == .number, let count = Int(literal.text), count >= 0
    else { return nil }
    switch sign.text {
    case ">=": return NamedRule(column: column, rule: .minimumLength(count), literals: [])
    case "<=": return NamedRule(column: column, rule: .maximumLength(count), literals: [])
    default: return nil
    }
  }

  private mutating func list(_ column: String) -> NamedRule? {
    guard take(symbol: "(") else { return nil }
    var values: [SQLToken] = []
    repeat {
      guard let literal = takeLiteral() else { return nil }
      values.append(literal)
    } while take(symbol: ",")
    guard take(symbol: ")") else { return nil }
    return NamedRule(column: column, rule: .allowed(values.map(\.text)), literals: Set(values.map(\.kind)))
  }
}
