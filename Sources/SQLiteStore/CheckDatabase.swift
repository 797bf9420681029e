import CSQLite
import Diagnostics

extension StoredTable {
  /// Whether a check can work with a copy of the table that holds only the rows which new ones collide with.
  ///
  /// Triggers and indexes over expressions may look at any other row, and rows that go at all of them. A row that is
  /// updated may collide by a unique set of which its record gives only some columns.
  func canBeOverlaid(in mode: WriteMode) -> Bool {
    guard !needsSingleRows, !hasOtherUniqueness, isWithoutRowid || rowidName != nil, !mode.deletesRows else {
      return false
    }
    return !mode.updatesRows || uniqueSets.count < 2 || uniqueSets.allSatisfy { $0.columns.count == 1 }
  }

  /// The columns that a copied row carries, the rowid among them.
  private var copiedColumns: [String] {
    let names = columns.map { SQLText.identifier($0.name) }
    guard rowidColumn == nil, let rowidName else { return names }
    return [rowidName] + names
  }

  private func copy(from source: String) -> String {
    """
    INSERT OR IGNORE INTO main.\(SQLText.identifier(name)) (\(copiedColumns.joined(separator: ", ")))
    SELECT \(copiedColumns.map { "t." + $0 }.joined(separator: ", ")) FROM \(source)
    """
  }

  /// Copies the last row, so that new rows get the same rowids in a check as in a load.
  var copyOfLastRow: String? {
    guard let rowidName else { return nil }
    return copy(from: "target.\(SQLText.identifier(name)) AS t ORDER BY t.\(rowidName) DESC LIMIT 1")
  }

  /// Copies the rows that collide in a unique set with the rows of a feed.
  ///
  /// - Parameters:
  ///   - set: One of the table's.
  ///   - feed: The feed's name.
  ///   - values: The SQL of what the feed's rows give each column.
  func copyOfCollisions(in set: UniqueSet, with feed: String, values: [String]) -> String {
    let terms = zip(zip(set.columns, set.collations), values).map { column, value in
      "t.\(Self.compared(column.0, by: column.1)) = \(value)"
    }
    // A cross join keeps its order: the feed outside, a look-up for each of its rows inside.
    return copy(
      from: "\(feed) AS f CROSS JOIN target.\(SQLText.identifier(name)) AS t WHERE \(terms.joined(separator: " AND "))"
    )
  }

  /// A column as its unique index compares it.
  static func compared(_ column: String, by collation: String) -> String {
    let name = SQLText.identifier(column)
    return SQLText.isSameName(collation, "BINARY") ? name : name + " COLLATE " + SQLText.identifier(collation)
  }
}

extension Connection {
  /// Makes a table of the attached database again, with its unique indexes and its last row.
  func copyTable(_ table: StoredTable) throws(StoreError) {
    try execute(table.sql)
    let indexes = try Statement(
      """
      SELECT sql FROM target.sqlite_schema
      WHERE type = 'index' AND tbl_name = \(SQLText.literal(table.name)) AND sql LIKE 'CREATE UNIQUE %'
      """,
      on: self
    )
    var definitions: [String] = []
    while try indexes.step() { definitions.append(indexes.text(0) ?? "") }
    for definition in definitions { try execute(definition) }
    if !table.uniqueSets.isEmpty, let copy = table.copyOfLastRow { try execute(copy) }
  }

  /// Copies a whole database over this one.
  func copyAll(of source: Connection) throws(StoreError) {
    source.restartWaiting()
    guard let backup = unsafe sqlite3_backup_init(handle, "main", source.handle, "main") else {
      throw failure(unsafe sqlite3_errcode(handle))
    }
    let code = unsafe sqlite3_backup_step(backup, -1)
    let finished = unsafe sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else { throw source.failure(code) }
    guard finished == SQLITE_OK else { throw failure(finished) }
  }
}
