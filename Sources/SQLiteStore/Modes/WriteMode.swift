/// What becomes of a row whose key is in the database already, and of one whose key is not.
package enum WriteMode: String, Sendable, Hashable, CaseIterable {
  /// A key that exists is refused.
  case insert
  /// A key that exists is left as it is, and the record counts as skipped.
  case skip
  /// A key that exists gets the given values.
  case upsert
  /// As `upsert`, but a key that does not exist is skipped.
  case update
  /// The entities are emptied first, then as `insert`.
  case replace
  /// As `upsert`; then the rows go whose keys no record has.
  case sync

  /// Whether rows are looked for by their key before they are written.
  package var findsRows: Bool {
    switch self {
    case .insert, .replace: false
    case .skip, .upsert, .update, .sync: true
    }
  }

  /// Whether rows that are there get new values, so that what a record lacks differs from what it says to be NULL.
  package var updatesRows: Bool {
    switch self {
    case .insert, .replace, .skip: false
    case .upsert, .update, .sync: true
    }
  }

  /// Whether rows of the database may go.
  package var deletesRows: Bool { self == .replace || self == .sync }
}
