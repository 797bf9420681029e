import Diagnostics

/// Waiting rows that were written, and may have to be taken back.
extension ParkedRows {
  /// What was done with a row that was written.
  enum Fate: Int64 {
    case inserted = 1
    case updated = 2
    case unchanged = 3
    case skipped = 4
  }

  /// A row that was written.
  struct Written {
    let number: Int64
    let fate: Fate
    /// The rowid of the row that was inserted or changed.
    let rowid: Int64?
  }

  /// Makes rows that were written fast to find by their rowid.
  func addIndexOfWritten() throws(StoreError) {
    let name = Connection.unqualified(table)
    try connection.execute(
      """
      CREATE INDEX IF NOT EXISTS \(table)_by_written ON \(name) (written) WHERE written IS NOT NULL;
      CREATE INDEX IF NOT EXISTS \(table)_by_level ON \(name) (level) WHERE level IS NOT NULL
      """
    )
  }

  /// The rows of which something is known and that fulfil a condition.
  ///
  /// - Parameter order: Which come first, and how many.
  func written(where condition: String, order: String = "n") throws(StoreError) -> [Written] {
    let list = try Statement(
      "SELECT n, fate, written FROM \(table) AS f WHERE fate IS NOT NULL AND \(condition) ORDER BY \(order)",
      on: connection
    )
    var result: [Written] = []
    while try list.step() {
      guard let fate = Fate(rawValue: list.integer(1)) else { continue }
      result.append(Written(number: list.integer(0), fate: fate, rowid: list.isNull(2) ? nil : list.integer(2)))
    }
    return result
  }

  /// Notes that a row which was written is rejected after all, because of a reference.
  func takeBack(_ number: Int64, cause: Int, round: Int) throws(StoreError) {
    try connection.execute(
      """
      UPDATE \(table) SET state = 1, cause = \(cause), round = \(round), written = NULL, fate = NULL WHERE n = \(number)
      """
    )
  }
}
