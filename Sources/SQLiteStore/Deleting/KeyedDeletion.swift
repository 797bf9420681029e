import CSQLite
package import Diagnostics
package import EntityModel
package import Records

/// Deletes the rows whose keys come in batches, with what their delete rules take along, in one transaction.
///
/// The rows that are found stand in a temporary table of SQLite's, on disk once they are many, and go at the end, so that
/// no rule is asked before all are known.
package struct KeyedDeletion: ~Copyable {
  /// How many records named a row that is there.
  package private(set) var foundCount: Int64 = 0
  /// How many named none.
  package private(set) var missingCount: Int64 = 0

  private let transaction: DeletingTransaction
  private let entity: Entity
  private let feed: RowFeed
  private let mark: Statement
  private let countFound: Statement
  private let condition: String

  private static let marked = "temp.importer_marked"

  /// Opens a database that is there.
  ///
  /// - Parameters:
  ///   - entity: One of the database's, with a key.
  ///   - model: The database's entities.
  package init(
    database: String,
    entity: Entity,
    model: EntityModel,
    lockWait: Duration = .seconds(10),
    interrupter: StoreInterrupter = StoreInterrupter()
  ) throws(StoreError) {
    let transaction = try DeletingTransaction(database, lockWait: lockWait, interrupter: interrupter)
    let connection = transaction.session.connection
    guard let feed = RowFeed() else { throw .unexpected(path: database, reason: "out of memory") }
    connection.feed = feed
    let table = try transaction.table(of: entity)
    let keys = try KeySQL(model, in: connection)
    let partCount = keys.partCount(of: entity)
    try feed.register(as: "importer_feed_0", columnCount: partCount, on: connection)
    let match = keys.matches(entity, alias: "t", parts: (0..<partCount).map { "f.c\($0)" })
    let identity = table.rowidName.map { [$0] } ?? table.primaryKey.map(SQLText.identifier)
    let columns = identity.indices.map { "i\($0)" }.joined(separator: ", ")
    let source = "main.\(SQLText.identifier(table.name)) AS t"
    try connection.execute(
      table.rowidName != nil
        ? "CREATE TABLE \(Self.marked) (i0 INTEGER PRIMARY KEY)"
        : "CREATE TABLE \(Self.marked) (\(columns), PRIMARY KEY (\(columns))) WITHOUT ROWID"
    )
    let mark = try Statement(
      """
      INSERT OR IGNORE INTO \(Self.marked) SELECT \(identity.map { "t.\($0)" }.joined(separator: ", "))
      FROM importer_feed_0 AS f CROSS JOIN \(source) WHERE \(match)
      """,
      on: connection
    )
    let countFound = try Statement(
      "SELECT count(*) FROM importer_feed_0 AS f WHERE EXISTS (SELECT 1 FROM \(source) WHERE \(match))",
      on: connection
    )
    self.transaction = transaction
    self.entity = entity
    self.feed = feed
    self.mark = mark
    self.countFound = countFound
    condition = "(\(identity.map { "t.\($0)" }.joined(separator: ", "))) IN (SELECT \(columns) FROM \(Self.marked))"
  }

  /// Notes the rows that a batch's keys name.
  ///
  /// - Parameters:
  ///   - rows: Their values are the parts of the entity's key, in the order of `EntityModel.keyPaths(of:)`.
  ///   - text: What slices of the values point into.
  package mutating func note(_ rows: borrowing ValueBatch, text: borrowing TextBuffer) throws(StoreError) {
    let connection = transaction.session.connection
    guard !connection.interrupter.isInterrupted else { throw .interrupted }
    let range = 0..<rows.rows.count
    guard !range.isEmpty else { return }
    var found: Int64 = 0
    for statement in [mark, countFound] {
      let code = feed.run(statement, over: range, of: rows, text: text, answer: { found = $0 })
      guard code == SQLITE_DONE else { throw connection.failure(code) }
    }
    foundCount += found
    missingCount += Int64(range.count) - found
  }

  /// Deletes the rows.
  ///
  /// - Parameters:
  ///   - isTrial: Whether everything is taken back in the end.
  ///   - started: When the run began, in seconds since 1970, for the list of loads.
  ///   - files: Where the keys came from, for the same.
  /// - Returns: As `RowDeletion.run` does.
  /// - Throws: `.undeletable` when a rule keeps a row.
  package consuming func finish(
    isTrial: Bool,
    started: Int64,
    files: [LoadEntry.File]
  ) throws(StoreError) -> [RowDeletion.Count] {
    let counts = try transaction.delete(entity, where: condition)
    try transaction.end(counts, isTrial: isTrial, started: started, files: files)
    return counts
  }
}
