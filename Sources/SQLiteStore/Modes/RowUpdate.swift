import CSQLite
import Diagnostics
import Records

/// Gives rows that are there other values, and touches no column but those that change.
final class RowUpdate {
  /// The most statements that are kept for sets of columns; past it one serves all.
  private static let limit = 64

  private let columns: [WrittenColumn]
  private let table: String
  private let feedName: String
  private let finder: RowFinder
  private let hasRowid: Bool
  private let connection: Connection
  private var statements: [UInt64: Statement] = [:]
  private var general: Statement?

  init(of stored: StoredTable, columns: [WrittenColumn], finder: RowFinder, feed: String, on connection: Connection) {
    self.columns = columns
    table = "main.\(SQLText.identifier(stored.name))"
    feedName = feed
    self.finder = finder
    hasRowid = stored.rowidName != nil
    self.connection = connection
  }

  /// Updates the row that a row of a batch has been found to differ from.
  ///
  /// - Returns: SQLite's extended result code, `SQLITE_DONE` for a success.
  func run(
    _ row: Int,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    standing: RowFinder.Standing,
    feed: RowFeed
  ) throws(StoreError) -> CInt {
    // Lists are no columns.
    let changes = finder.changes[standing.changes].filter { $0 < columns.count }[...]
    guard !changes.isEmpty else { return SQLITE_DONE }
    let values = Int(rows.rows[row].valueStart)
    let statement: Statement
    if let special = try special(changes) {
      statement = special
      for (position, index) in changes.enumerated() {
        guard let attribute = columns[index].attribute else { continue }
        try statement.bindInPlace(rows.values[values + attribute], from: text, at: position + 2)
      }
    } else {
      statement = try makeGeneral()
      for (index, column) in columns.enumerated() {
        let isChanged = changes.contains(index)
        try statement.bind(isChanged ? 1 : 0, at: 2 * index + 2)
        guard let attribute = column.attribute else { continue }
        try statement.bindInPlace(isChanged ? rows.values[values + attribute] : .null, from: text, at: 2 * index + 3)
      }
    }
    if hasRowid { try statement.bind(standing.rowid, at: 1) }
    return feed.run(statement, over: row..<row + 1, of: rows, text: text)
  }

  /// The statement for a set of columns; nil when there are too many sets, or columns.
  private func special(_ changes: ArraySlice<Int>) throws(StoreError) -> Statement? {
    guard columns.count <= 64 else { return nil }
    let mask = changes.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
    if let known = statements[mask] { return known }
    guard statements.count < Self.limit else { return nil }
    let settings = changes.enumerated().map { position, index in
      "\(SQLText.identifier(columns[index].name)) = \(value(of: columns[index], parameter: position + 2))"
    }
    let made = try update(settings)
    statements[mask] = made
    return made
  }

  /// The statement for any set of columns.
  private func makeGeneral() throws(StoreError) -> Statement {
    if let general { return general }
    let settings = columns.enumerated().map { index, column in
      let name = SQLText.identifier(column.name)
      return
        "\(name) = CASE WHEN ?\(2 * index + 2) THEN \(value(of: column, parameter: 2 * index + 3)) ELSE \(name) END"
    }
    let made = try update(settings)
    general = made
    return made
  }

  /// What a column gets: the parameter, or what the feed's row leads to.
  private func value(of column: WrittenColumn, parameter: Int) -> String {
    column.attribute == nil ? "(SELECT \(column.expression) FROM \(feedName) AS f)" : "?\(parameter)"
  }

  private func update(_ settings: [String]) throws(StoreError) -> Statement {
    let names = finder.identity.map { "t.\($0)" }.joined(separator: ", ")
    let condition =
      hasRowid
      ? "\(finder.identity[0]) = ?1"
      : "(\(finder.identity.joined(separator: ", "))) IN (SELECT \(names) FROM \(feedName) AS f CROSS JOIN \(table) AS t "
        + "WHERE \(finder.condition))"
    return try Statement(
      "UPDATE \(table) SET \(settings.joined(separator: ", ")) WHERE \(condition)",
      on: connection
    )
  }
}
