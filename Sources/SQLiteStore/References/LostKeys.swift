import CSQLite
import Diagnostics
import Records

/// The values of rejected records that others may refer to, so that those can be told why their target is missing.
final class LostKeys {
  /// The table's name in SQL.
  let table: String
  private let insert: Statement
  private let name: String

  /// - Parameter attributes: The attributes that something refers to.
  init(_ position: Int, attributes: [Int], feed: String, on connection: Connection) throws(StoreError) {
    name = "importer_lost_\(position)"
    table = "\(connection.workSchema).\(name)"
    let columns = attributes.map { "c\($0)" }.joined(separator: ", ")
    try connection.execute("CREATE TABLE IF NOT EXISTS \(table) (file, line, \(columns))")
    insert = try Statement("INSERT INTO \(table) SELECT ?1, ?2, \(columns) FROM \(feed)", on: connection)
  }

  /// Makes look-ups by some attributes fast.
  func addIndex(on attributes: [Int]) throws(StoreError) {
    let columns = attributes.map { "c\($0)" }
    try insert.connection.execute(
      """
      CREATE INDEX IF NOT EXISTS \(table)_by_\(columns.joined(separator: "_"))
      ON \(name) (\(columns.joined(separator: ", ")))
      """
    )
  }

  /// Keeps the values of a row, a position in `rows.lost` or in `rows.rows`, that will not be written.
  func add(
    row: Int,
    of rows: borrowing ValueBatch,
    from batch: borrowing RecordBatch,
    file: UInt16,
    feed: RowFeed,
    isLost: Bool
  ) throws(StoreError) {
    let line = batch.records[Int((isLost ? rows.lost : rows.rows)[row].record)].line
    try insert.bind(.integer(Int64(file)), from: batch.text, at: 1)
    try insert.bind(.integer(Int64(line)), from: batch.text, at: 2)
    let code = feed.run(insert, over: row..<row + 1, of: rows, text: batch.text, areLost: isLost)
    guard code == SQLITE_DONE else { throw insert.connection.failure(code) }
  }
}
