package import TextFolding

/// A condition on the rows of an entity, in the manner of NSPredicate.
package indirect enum Predicate: Sendable, Hashable {
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case constant(Bool)
  case comparison(Comparison)
  case not(Predicate)
  /// All of them; at least two.
  case and([Predicate])
  /// One of them at least; at least two.
  case or([Predicate])
}

/// One value compared with another, or with several.
package struct Comparison: Sendable, Hashable {
  /// How many of the values behind a to-many relationship must fulfil it.
  package enum Quantifier: Sendable, Hashable {
    case any, all, none
  }

  /// What is compared.
  package enum Operator: String, Sendable, Hashable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    /// Between two values, both included.
    case between = "BETWEEN"
    /// One of several values.
    case isIn = "IN"
    case beginsWith = "BEGINSWITH"
    case contains = "CONTAINS"
    case endsWith = "ENDSWITH"
    /// The whole text, where `*` stands for any characters and `?` for one.
    case like = "LIKE"
    /// The whole text by a regular expression.
    case matches = "MATCHES"

    /// Whether only texts can be compared so.
    package var isOfTexts: Bool {
      switch self {
      case .beginsWith, .contains, .endsWith, .like, .matches: true
      case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .isIn: false
      }
    }
  }

  /// What stands at the operator's right.
  package enum Right: Sendable, Hashable {
    case value(Literal)
    case keyPath(KeyPath)
    /// Of `BETWEEN` two, of `IN` any number.
    case list([Literal])
  }

  /// `ANY`, `ALL` or `NONE` before it; nil without.
  package var quantifier: Quantifier?
  /// Whose value is compared.
  package var left: KeyPath
  package var `operator`: Operator
  /// What does not count: `[c]`, `[d]`.
  package var options: FoldingOptions
  /// What it is compared with.
  package var right: Right
  /// Where the comparison begins in its text, from 1; for messages.
  package var column: Int
}

/// An attribute, or one of a related entity: `artist.label.name`.
package struct KeyPath: Sendable, Hashable {
  /// The names; at least one.
  package var components: [String]
  /// Whether it asks how many there are: `ingredients.@count`.
  package var isCount: Bool
  /// Where it begins in its text, from 1; for messages.
  package var column: Int

  /// The path as it is written.
  package var text: String { components.joined(separator: ".") + (isCount ? ".@count" : "") }
}

/// A value that stands in a predicate.
package struct Literal: Sendable, Hashable {
  /// What it is.
  package enum Kind: Sendable, Hashable {
    case null
    case boolean(Bool)
    /// The number as it is written.
    case number(String)
    case text(String)
  }

  package var kind: Kind
  /// Where it begins in its text, from 1; for messages.
  package var column: Int

  /// The literal as messages show it.
  package var text: String {
    switch kind {
    case .null: "NULL"
    case .boolean(let value): value ? "TRUE" : "FALSE"
    case .number(let spelling): spelling
    case .text(let value): value
    }
  }
}
