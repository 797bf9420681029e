import Diagnostics
package import EntityModel
import Records
package import TextFolding

/// A literal as values of an attribute's type are compared with it.
package enum ComparedValue: Sendable, Hashable {
  case integer(Int64)
  case real(Double)
  /// Spelled so that the order of bytes is the order of values.
  case text(String)
}

extension Literal {
  /// The literal as values of a type are compared with it.
  ///
  /// - Throws: For NULL, and for one that is none of the type's.
  package func value(as type: AttributeType, options: FoldingOptions) throws(PredicateError) -> ComparedValue {
    let value: ComparedValue?
    switch (type, kind) {
    case (_, .null): value = nil
    case (.text, .text(let text)), (.uuid, .text(let text)), (.uri, .text(let text)):
      value = .text(folded(text, options))
    case (.integer, .number(let digits)), (.double, .number(let digits)):
      value = Int64(digits).map(ComparedValue.integer) ?? Double(digits).map(ComparedValue.real)
    case (.decimal, .number(let digits)): value = sortableDecimal(Array(digits.utf8).span).map(ComparedValue.text)
    case (.boolean, .boolean(let truth)): value = .integer(truth ? 1 : 0)
    case (.boolean, .number("0")): value = .integer(0)
    case (.boolean, .number("1")): value = .integer(1)
    case (.date, .text(let text)): value = parseISODate(Array(text.utf8).span).map { _ in .text(text) }
    case (.datetime, .text(let text)): value = sortableInstant(Array(text.utf8).span).map(ComparedValue.text)
    default: value = nil
    }
    guard let value else {
      throw PredicateError(
        at: column,
        "'\(excerpt(of: text))' cannot be compared with the type '\(type.name)'",
        remedy: type.remedy(for: self)
      )
    }
    return value
  }

  /// The literal as the text that a search takes.
  package func searchedText(of sign: Comparison.Operator) throws(PredicateError) -> String {
    if case .text(let text) = kind { return text }
    throw PredicateError(
      at: column,
      "\(sign.rawValue) takes a text, and \(text) is none",
      remedy: "put it in quotes: '\(excerpt(of: text))'"
    )
  }
}

extension Comparison {
  /// Refuses a search in what are no letters, and options that mean nothing to a type.
  package func checkOptions(of type: AttributeType) throws(PredicateError) {
    let isText: Bool
    switch type {
    case .text, .uuid, .uri: isText = true
    case .integer, .decimal, .double, .boolean, .date, .datetime, .binary: isText = false
    }
    guard !isText else { return }
    if self.operator.isOfTexts, !type.canBeSearched {
      throw PredicateError(
        at: column,
        "\(self.operator.rawValue) searches texts, and '\(excerpt(of: left.text))' is of the type '\(type.name)'",
        remedy: "compare it with ==, <, BETWEEN or IN"
      )
    }
    guard options.isEmpty else {
      throw PredicateError(
        at: column,
        "case and diacritics mean nothing to '\(type.name)'",
        remedy: "leave [c] and [d] out"
      )
    }
  }

  /// Refuses to compare two attributes whose types have nothing in common.
  package func checkTypes(_ left: AttributeType, _ right: AttributeType) throws(PredicateError) {
    guard left.isNumber != right.isNumber else { return }
    throw PredicateError(
      at: column,
      "'\(left.name)' and '\(right.name)' cannot be compared",
      remedy: "compare attributes of one kind"
    )
  }

  /// What is said of an attribute at the right of a search.
  package func searchNeedsText(_ path: KeyPath) -> PredicateError {
    PredicateError(
      at: path.column,
      "\(self.operator.rawValue) takes a text in quotes, and '\(excerpt(of: path.text))' is an attribute",
      remedy: "put a text in quotes"
    )
  }

  /// What is said of `ANY`, `ALL` and `NONE` before what has one value.
  package var quantifierNeedsMany: PredicateError {
    PredicateError(
      at: column,
      "ANY, ALL and NONE ask about a to-many relationship, and '\(excerpt(of: left.text))' is none",
      remedy: "leave the word out"
    )
  }

  /// What is said of an order asked of NULL.
  package func cannotAskOfNull(_ literal: Literal) -> PredicateError {
    PredicateError(
      at: literal.column,
      "\(self.operator.rawValue) cannot be asked of NULL",
      remedy: "use == NULL or != NULL"
    )
  }
}

extension AttributeType {
  /// Whether it is a decimal number.
  package var isDecimal: Bool { if case .decimal = self { true } else { false } }

  /// Whether its values are compared as numbers.
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .double, .boolean, .decimal: true
    case .text, .uuid, .uri, .date, .datetime, .binary: false
    }
  }

  /// Whether its stored texts can be searched by their letters.
  fileprivate var canBeSearched: Bool {
    switch self {
    case .date, .datetime: true
    default: false
    }
  }

  /// How a value of the type is written in a predicate.
  fileprivate func remedy(for literal: Literal) -> String {
    switch self {
    case .text, .uuid, .uri: "put a text in quotes: '\(excerpt(of: literal.text))'"
    case .integer, .decimal, .double: "write a number without quotes, such as 12"
    case .boolean: "write TRUE or FALSE"
    case .date: "write a date in quotes, such as '2026-01-31'"
    case .datetime: "write a date or a time in quotes, such as '2026-01-31T09:30:00Z'"
    case .binary: "bytes can only be compared with NULL"
    }
  }
}
