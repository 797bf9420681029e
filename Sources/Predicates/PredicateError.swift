package import Diagnostics

/// A condition or an order that cannot be understood, or does not fit the entity.
package struct PredicateError: RunFailure, Hashable {
  /// What of the two it is.
  package enum Subject: String, Sendable, Hashable {
    case condition = "--where"
    case order = "--sort-by"
  }

  /// What of the two it is.
  package var subject = Subject.condition
  /// What to do about it.
  package let remedy: String?
  private let column: Int
  private let message: String

  /// Makes an error at a place of the text, from 1.
  package init(at column: Int, _ message: String, remedy: String) {
    self.column = column
    self.message = message
    self.remedy = remedy
  }

  /// The kind, and so the exit status.
  package var kind: FailureKind { .usage }

  /// The failure in one sentence, with its place.
  package var description: String { "\(subject.rawValue), character \(column): \(message)" }

  /// The same error of an order.
  package var inOrder: PredicateError {
    var error = self
    error.subject = .order
    return error
  }
}
