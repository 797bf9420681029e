import CSQLite
import Diagnostics
import EntityModel
import Records

/// The rows without a key that were there before a run, for records which stand within others: one that has the values of
/// such a row is that row, so that a tree can be loaded twice.
///
/// Each row is met once; two records of the same values are two rows.
final class EarlierTwins {
  /// The greatest rowid before the run.
  private let greatest: Int64
  private let place: String
  private let rowid: String
  private let columns: [WrittenColumn]
  private let placeColumns: Set<String>
  private let links: [WrittenColumn]
  private let table: String
  private let feedName: String
  private let connection: Connection
  private var isFilled = false
  private var finders: [Bool: Statement] = [:]
  private var removal: Statement?

  /// - Returns: Nil where the entity has a key, or there was no row.
  init?(
    _ position: Int,
    _ written: WrittenTable,
    greatest known: Int64?,
    session: WriteSession
  ) throws(StoreError) {
    guard written.entity.key.isEmpty, written.finder == nil, let rowid = written.stored.rowidName else { return nil }
    connection = session.connection
    let catalog = TableCatalog(of: connection, schema: session.isTransaction ? "main" : "target")
    guard try catalog.hasTable(named: written.stored.name) else { return nil }
    place = "\(session.isTransaction ? "main" : "target").\(SQLText.identifier(written.stored.name))"
    let last = try connection.integer(of: "SELECT coalesce(max(\(rowid)), 0) FROM \(place)")
    greatest = known ?? last
    guard last > 0 else { return nil }
    let names = written.entity.relationships.filter(\.isHeldHere).flatMap { link in
      link.attributes.isEmpty ? [link.name] : link.attributes
    }
    links = written.columns.filter { column in names.contains { SQLText.isSameName($0, column.name) } }
    guard !links.isEmpty else { return nil }
    self.rowid = rowid
    columns = written.columns
    placeColumns = Set(written.placeAttributes.map { written.entity.attributes[$0].name })
    table = "\(connection.workSchema).importer_twins_\(position)"
    feedName = written.feedName
  }

  /// Looks for the row that has the values of a row of the feed, and meets it.
  ///
  /// - Parameter isUnplaced: Whether the row gives no place among others, which any place fits then.
  func meet(
    _ row: Int,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    feed: RowFeed,
    isUnplaced: Bool
  ) throws(StoreError) -> Bool {
    if !isFilled { try fill() }
    if finders[isUnplaced] == nil { finders[isUnplaced] = try finder(isUnplaced: isUnplaced) }
    guard let finder = finders[isUnplaced], let removal else { return false }
    var found: Int64?
    let code = feed.run(finder, over: row..<row + 1, of: rows, text: text) { found = $0 }
    guard code == SQLITE_DONE else { throw connection.failure(code) }
    guard let found else { return false }
    defer { removal.reset() }
    try removal.bind(found, at: 1)
    _ = try removal.step()
    return true
  }

  private func fill() throws(StoreError) {
    isFilled = true
    let names = links.indices.map { "l\($0)" }
    let values = links.map { "t.\(SQLText.identifier($0.name))" }
    removal = try makeTable(names, values)
  }

  /// Makes the table of the rows that have not been met; an earlier run of the same load may have done it.
  private func makeTable(_ names: [String], _ values: [String]) throws(StoreError) -> Statement {
    let name = Connection.unqualified(table)
    let isThere = try connection.integer(
      of: """
        SELECT count(*) FROM \(connection.workSchema).sqlite_schema WHERE name = \(SQLText.literal(String(name)))
        """
    )
    guard isThere == 0 else { return try Statement("DELETE FROM \(table) WHERE id = ?1", on: connection) }
    try connection.execute(
      """
      CREATE TABLE \(table) (id INTEGER PRIMARY KEY, \(names.joined(separator: ", ")));
      INSERT INTO \(table) SELECT t.\(rowid), \(values.joined(separator: ", ")) FROM \(place) AS t WHERE t.\(rowid) <= \(greatest);
      CREATE INDEX \(table)_by_link ON \(name) (\(names.joined(separator: ", ")))
      """
    )
    return try Statement("DELETE FROM \(table) WHERE id = ?1", on: connection)
  }

  private func finder(isUnplaced: Bool) throws(StoreError) -> Statement {
    let led = links.enumerated().map { "w.l\($0) IS \($1.expression)" }
    let same = columns.filter { !isUnplaced || !placeColumns.contains($0.name) }
      .map { "t.\(SQLText.identifier($0.name)) IS \($0.expression)" }
    return try Statement(
      """
      SELECT w.id FROM \(feedName) AS f CROSS JOIN \(table) AS w CROSS JOIN \(place) AS t
      WHERE \(led.joined(separator: " AND ")) AND t.\(rowid) = w.id AND \(same.joined(separator: " AND ")) ORDER BY w.id LIMIT 1
      """,
      on: connection
    )
  }
}
