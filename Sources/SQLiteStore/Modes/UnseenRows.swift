import CSQLite
import Diagnostics
import EntityModel
import Records

/// The rows of a table that were there before the run and that no record has named yet.
///
/// They stand in a temporary table of SQLite's, on disk once they are many. A row that this run makes, whatever for, is
/// not among them.
final class UnseenRows {
  /// How many rows there were before the run.
  let totalCount: Int64
  private let table: String
  private let columns: [String]
  private let identity: [String]
  private let mark: Statement
  private let finder: RowFinder
  private let connection: Connection

  init(_ position: Int, of stored: StoredTable, finder: RowFinder, feed: String, on connection: Connection)
    throws(StoreError)
  {
    table = "temp.importer_unseen_\(position)"
    self.finder = finder
    self.connection = connection
    identity = finder.identity
    columns = identity.indices.map { "i\($0)" }
    let source = "main.\(SQLText.identifier(stored.name))"
    let list = columns.joined(separator: ", ")
    let definition =
      stored.rowidName != nil ? "i0 INTEGER PRIMARY KEY" : "\(list), PRIMARY KEY (\(list))) WITHOUT ROWID"
    try connection.execute("CREATE TABLE \(table) (\(definition)\(stored.rowidName != nil ? ")" : "")")
    try connection.execute("INSERT INTO \(table) SELECT \(identity.joined(separator: ", ")) FROM \(source)")
    totalCount = connection.changeCount
    let named = identity.map { "t.\($0)" }.joined(separator: ", ")
    mark = try Statement(
      """
      DELETE FROM \(table) WHERE (\(list)) IN
      (SELECT \(named) FROM \(feed) AS f CROSS JOIN \(source) AS t WHERE \(finder.condition))
      """,
      on: connection
    )
  }

  /// Notes that records have named the rows with their keys.
  ///
  /// - Parameters:
  ///   - range: Positions in `rows.rows`, or in `rows.lost` if `areLost`.
  ///   - rows: Where the values stand.
  ///   - text: What slices of the values point into.
  ///   - feed: The run's.
  ///   - areLost: Which of the two it is.
  func see(
    _ range: Range<Int>,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    feed: RowFeed,
    areLost: Bool = false
  ) throws(StoreError) {
    let code = feed.run(mark, over: range, of: rows, text: text, areLost: areLost)
    guard code == SQLITE_DONE else { throw connection.failure(code) }
  }

  /// Whether a row has values for all of its key, so that `see` can tell what it names.
  ///
  /// Of a link to a numbered row all parts of its key are needed, or none: some of them may mean any of several rows.
  func canSee(_ row: ValueBatch.Row, of rows: borrowing ValueBatch) -> Bool {
    let start = Int(row.valueStart)
    guard finder.neededAttributes.allSatisfy({ !rows.values[start + $0].isMissing }) else { return false }
    return finder.keyColumns.allSatisfy { column in
      let missingCount = column.attributes.count { rows.values[start + $0].isMissing }
      return column.attribute != nil || missingCount == 0 || missingCount == column.attributes.count
    }
  }

  /// How many have not been named.
  func count() throws(StoreError) -> Int64 { try connection.integer(of: "SELECT count(*) FROM \(table)") }

  /// The condition that a row of the table, under a name, is one of them.
  func contains(_ alias: String) -> String {
    let list = identity.map { "\(alias).\($0)" }.joined(separator: ", ")
    return "(\(list)) IN (SELECT \(columns.joined(separator: ", ")) FROM \(table))"
  }
}
