import Diagnostics
import EntityModel

/// What rows of a table held before records of a run changed them, so that those can be rejected after all.
///
/// They stand in temporary tables of SQLite's, on disk once they are many, by the numbers of the waiting rows.
final class EarlierValues {
  /// A row's pairs in one join table.
  private struct Pairs {
    let link: ListLink
    /// The temporary table.
    let kept: String
    let keep: Statement
    let remove: Statement
    let restore: Statement
    /// How many pairs the row has that it had not, and the other way round.
    let made: Statement
    let deleted: Statement
  }

  /// The table's name in SQL: `n`, the `row` that was changed, and its columns.
  let table: String
  private let keepRow: Statement
  private let restoreRow: Statement
  private let forgetRow: Statement
  private var pairs: [Pairs] = []
  private let connection: Connection

  /// Where the pairs of a list are kept: `n`, and the columns of the join table.
  func pairs(ofList position: Int) -> String { pairs[position].kept }

  init(_ position: Int, of stored: StoredTable, lists: [ListLink], on connection: Connection) throws(StoreError) {
    let rowid = stored.rowidName ?? "rowid"
    let table = "temp.importer_earlier_\(position)"
    self.table = table
    self.connection = connection
    let source = "main.\(SQLText.identifier(stored.name))"
    let columns = SQLText.list(stored.columns.map(\.name))
    try connection.execute(
      """
      CREATE TABLE \(table) AS SELECT CAST(0 AS INTEGER) AS importer_n, CAST(0 AS INTEGER) AS importer_row, \(columns) FROM \(source) LIMIT 0;
      CREATE UNIQUE INDEX temp.importer_earlier_\(position)_by_n ON importer_earlier_\(position) (importer_n)
      """
    )
    keepRow = try Statement(
      "INSERT OR REPLACE INTO \(table) SELECT ?1, \(rowid), \(columns) FROM \(source) WHERE \(rowid) = ?2",
      on: connection
    )
    restoreRow = try Statement(
      "UPDATE \(source) SET (\(columns)) = (SELECT \(columns) FROM \(table) WHERE importer_n = ?1) WHERE \(rowid) = ?2",
      on: connection
    )
    forgetRow = try Statement("DELETE FROM \(table) WHERE importer_n = ?1", on: connection)
    for (number, link) in lists.enumerated() {
      let kept = "temp.importer_earlier_\(position)_\(number)"
      let near = SQLText.identifier(link.ends.near.name)
      let far = SQLText.identifier(link.ends.far.name)
      let own =
        "j.\(near) = (SELECT t.\(SQLText.identifier(link.nearColumn)) FROM \(source) AS t WHERE t.\(rowid) = ?2)"
      let columns = SQLText.list([link.ends.near.name, link.ends.far.name] + link.placeColumns)
      try connection.execute(
        """
        CREATE TABLE \(kept) AS SELECT CAST(0 AS INTEGER) AS importer_n, \(columns) FROM \(link.table) LIMIT 0;
        CREATE INDEX temp.importer_earlier_\(position)_\(number)_by_n ON importer_earlier_\(position)_\(number) (importer_n)
        """
      )
      let isKept = "\(kept) AS k WHERE k.importer_n = ?1"
      pairs.append(
        Pairs(
          link: link,
          kept: kept,
          keep: try Statement(
            "INSERT INTO \(kept) SELECT ?1, \(columns) FROM \(link.table) AS j WHERE \(own)",
            on: connection
          ),
          remove: try Statement("DELETE FROM \(link.table) AS j WHERE \(own)", on: connection),
          restore: try Statement(
            "INSERT INTO \(link.table) (\(columns)) SELECT \(columns) FROM \(isKept)",
            on: connection
          ),
          made: try Statement(
            """
            SELECT count(*) FROM \(link.table) AS j WHERE \(own)
            AND NOT EXISTS (SELECT 1 FROM \(isKept) AND k.\(far) = j.\(far))
            """,
            on: connection
          ),
          deleted: try Statement(
            """
            SELECT count(*) FROM \(isKept) AND NOT EXISTS
            (SELECT 1 FROM \(link.table) AS j WHERE \(own) AND j.\(far) = k.\(far))
            """,
            on: connection
          )
        )
      )
    }
  }

  /// Makes rows fast to find by what they held in some columns.
  func addIndex(on columns: [String]) throws(StoreError) {
    try addIndex(on: columns, of: table)
  }

  /// The same of the pairs of a list.
  func addIndex(on columns: [String], ofList position: Int) throws(StoreError) {
    try addIndex(on: columns, of: pairs[position].kept)
  }

  private func addIndex(on columns: [String], of table: String) throws(StoreError) {
    let name = table.dropFirst("temp.".count)
    let index = SQLText.identifier("\(name)_by_\(columns.joined(separator: "_"))")
    try connection.execute("CREATE INDEX IF NOT EXISTS temp.\(index) ON \(name) (\(SQLText.list(columns)))")
  }

  /// Keeps what a row holds before a waiting row changes it.
  func keep(_ rowid: Int64, for number: Int64) throws(StoreError) {
    for statement in [keepRow] + pairs.map(\.keep) { try run(statement, number, rowid) }
  }

  /// Gives a row what it held before a waiting row changed it.
  ///
  /// - Parameter counted: Told for each list the join table's position, and the pairs that were made and deleted.
  func restore(
    _ rowid: Int64,
    from number: Int64,
    counted: (Int, _ made: Int64, _ deleted: Int64) -> Void
  ) throws(StoreError) {
    for pairs in pairs {
      counted(pairs.link.join, try count(pairs.made, number, rowid), try count(pairs.deleted, number, rowid))
      try run(pairs.remove, number, rowid)
    }
    try run(restoreRow, number, rowid)
    for pairs in pairs { try run(pairs.restore, number, nil) }
    try run(forgetRow, number, nil)
  }

  private func count(_ statement: Statement, _ number: Int64, _ rowid: Int64) throws(StoreError) -> Int64 {
    defer { statement.reset() }
    try statement.bind(number, at: 1)
    try statement.bind(rowid, at: 2)
    return try statement.step() ? statement.integer(0) : 0
  }

  private func run(_ statement: Statement, _ number: Int64, _ rowid: Int64?) throws(StoreError) {
    defer { statement.reset() }
    try statement.bind(number, at: 1)
    if let rowid { try statement.bind(rowid, at: 2) }
    _ = try statement.step()
  }
}
