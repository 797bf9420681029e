import EntityModel

/// A rule of one column that a CHECK can carry, in the few forms that are written and read back.
///
/// ```text
/// "c" <> ''          "c" >= LITERAL        length("c") >= N        "c" IN (LITERAL, …)
///                    "c" <= LITERAL        length("c") <= N
/// ```
enum ColumnRule: Hashable {
  case notEmpty
  case minimum(String)
  case maximum(String)
  case minimumLength(Int)
  case maximumLength(Int)
  case allowed([String])
}

extension Attribute {
  /// The rules that SQL can judge as the model means them; the others are kept in `importer_model` alone.
  var columnRules: [ColumnRule] {
    var rules: [ColumnRule] = []
    if isRequired, refusesEmptyText, type.mayBeEmptyText { rules.append(.notEmpty) }
    if let minimum, type.literal(minimum) != nil, type.isOrderedInSQL { rules.append(.minimum(minimum)) }
    if let maximum, type.literal(maximum) != nil, type.isOrderedInSQL { rules.append(.maximum(maximum)) }
    if type.hasLengthInSQL {
      if let minimumLength, minimumLength >= 0 { rules.append(.minimumLength(minimumLength)) }
      if let maximumLength, maximumLength >= 0 { rules.append(.maximumLength(maximumLength)) }
    }
    if let allowedValues, !allowedValues.isEmpty, type.isComparableInSQL,
      allowedValues.allSatisfy({ type.literal($0) != nil })
    {
      rules.append(.allowed(allowedValues))
    }
    return rules
  }

  /// The CHECK that carries a rule.
  func check(_ rule: ColumnRule) -> String {
    let column = SQLText.identifier(name)
    func spelled(_ value: String) -> String { type.literal(value) ?? "NULL" }
    let condition =
      switch rule {
      case .notEmpty: "\(column) <> ''"
      case .minimum(let value): "\(column) >= \(spelled(value))"
      case .maximum(let value): "\(column) <= \(spelled(value))"
      case .minimumLength(let count): "length(\(column)) >= \(count)"
      case .maximumLength(let count): "length(\(column)) <= \(count)"
      case .allowed(let values): "\(column) IN (\(values.map(spelled).joined(separator: ", ")))"
      }
    return "CHECK (\(condition))"
  }
}

extension AttributeType {
  /// Whether the empty string is a value of it that only a rule can refuse.
  var mayBeEmptyText: Bool {
    switch self {
    case .text, .uri, .uuid: true
    default: false
    }
  }

  /// Whether SQLite's `<` on the stored values is the order that the model means.
  ///
  /// Datetimes with offsets and decimals kept as text are ordered otherwise.
  var isOrderedInSQL: Bool {
    switch self {
    case .integer, .double, .date: true
    case .decimal: !isStoredAsText
    default: false
    }
  }

  /// Whether SQLite's `=` on the stored values is the equality that the model means.
  var isComparableInSQL: Bool {
    switch self {
    case .text, .uri: true
    default: isOrderedInSQL
    }
  }

  /// Whether `length()` counts what the model counts.
  var hasLengthInSQL: Bool {
    switch self {
    case .text, .uri, .uuid, .binary: true
    default: false
    }
  }

  /// The SQL literal of a value as a model spells it; nil where there is none that reads back as it stands.
  func literal(_ value: String) -> String? {
    switch self {
    case .text, .uri, .uuid: value.unicodeScalars.contains("\0") ? nil : SQLText.literal(value)
    case .date: isCalendarDate(value) ? SQLText.literal(value) : nil
    case .integer: isNumberLiteral(value, whole: true) ? value : nil
    case .double: isNumberLiteral(value, whole: false) ? value : nil
    case .decimal: isStoredAsText || !isNumberLiteral(value, whole: false) ? nil : value
    case .boolean, .datetime, .binary: nil
    }
  }
}

/// Whether a text is a date as `YYYY-MM-DD`, digit by digit, so that the order of texts is that of dates.
func isCalendarDate(_ text: String) -> Bool {
  let bytes = Array(text.utf8)
  guard bytes.count == 10 else { return false }
  return bytes.enumerated().allSatisfy { position, byte in
    position == 4 || position == 7 ? byte == UInt8(ascii: "-") : (0x30...0x39).contains(byte)
  }
}

/// Whether a text is a number that SQL reads: digits, with a minus, a point and an exponent if it need not be whole.
func isNumberLiteral(_ text: String, whole: Bool) -> Bool {
  let tokens = SQLToken.tokens(of: text)
  let digits = tokens.first?.isSymbol("-") == true ? tokens.dropFirst() : tokens[...]
  guard digits.count == 1, let number = digits.first, number.kind == .number else { return false }
  // Nothing but the number: no spaces, no comments.
  guard text == (tokens.count == 2 ? "-" : "") + number.text else { return false }
  let scalars = number.text.unicodeScalars
  if whole { return scalars.allSatisfy { ("0"..."9").contains($0) } && scalars.count <= 18 }
  return scalars.allSatisfy { ("0"..."9").contains($0) || ".eE+-".unicodeScalars.contains($0) }
}
