import Diagnostics

/// Rows with the key of one that waits: what is written to a row comes in the order of the input.
extension WrittenTable {
  /// Finds the rows of the feed whose keys are those of waiting rows; nil where none waits, or rows have no key.
  func waitingKeys(on connection: Connection) throws(StoreError) -> Statement? {
    guard let finder, let parked else { return nil }
    let same = Self.isSameKey(finder.keyColumns, "w", "f")
    return try Statement(
      "SELECT f.rowid FROM \(feedName) AS f WHERE EXISTS (SELECT 1 FROM \(parked.table) AS w WHERE w.state = 0 AND \(same))",
      on: connection
    )
  }

  /// The condition that no row before a parked row `f` waits with its key; begins with `AND`, or is empty.
  var isFirstOfItsKey: String {
    guard let finder, let parked else { return "" }
    let same = Self.isSameKey(finder.keyColumns, "w", "f")
    return " AND NOT EXISTS (SELECT 1 FROM \(parked.table) AS w WHERE w.state = 0 AND w.n < f.n AND \(same))"
  }

  private static func isSameKey(_ columns: [WrittenColumn], _ first: String, _ second: String) -> String {
    columns.flatMap(\.attributes).map { "\(first).c\($0) IS \(second).c\($0)" }.joined(separator: " AND ")
  }
}
