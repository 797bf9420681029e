import CSQLite
import Diagnostics
package import EntityModel
package import Predicates

/// Deletes rows with what their delete rules take along, in one transaction.
package enum RowDeletion {
  /// What became of the rows of one table.
  package struct Count: Sendable, Hashable {
    /// The table's name.
    package var entity: String
    /// How many rows went.
    package var deleted: Int64
    /// How many rows lost what they referred to.
    package var cleared: Int64
  }

  /// Deletes the rows of an entity that fulfil a condition.
  ///
  /// Foreign keys act as they were declared: rows that refer to a deleted one go with it, lose the reference, or keep it
  /// from going; then nothing is deleted at all.
  ///
  /// - Parameters:
  ///   - entity: One of the database's.
  ///   - filter: Which rows to delete.
  ///   - isTrial: Whether everything is taken back in the end.
  ///   - started: When the run began, in seconds since 1970, for the list of loads.
  /// - Returns: The entity's own count, then those of other tables that something became of, in their order.
  /// - Throws: `.missing` without the database; `.undeletable` when a rule keeps a row; `PredicateError`.
  package static func run(
    database: String,
    entity: Entity,
    filter: Predicate,
    isTrial: Bool,
    started: Int64 = 0,
    lockWait: Duration = .seconds(10),
    interrupter: StoreInterrupter = StoreInterrupter()
  ) throws -> [Count] {
    let settings = EntityWriter.Settings(
      database: database,
      model: EntityModel(),
      lockWait: lockWait,
      interrupter: interrupter
    )
    let clock = ContinuousClock.now
    let session = try WriteSession.open(settings)
    // What a rule keeps must stop the statement, not the commit.
    try session.connection.execute("PRAGMA defer_foreign_keys = OFF")
    let counts = try delete(entity, filter, of: session.connection)
    guard !isTrial else {
      session.undo()
      return counts
    }
    var entry = LoadEntry(command: "delete", started: started)
    entry.seconds = clock.duration(to: .now) / .seconds(1)
    entry.counts = counts.filter { $0.deleted > 0 || $0.cleared > 0 }.map { count in
      let numbers = LoadEntry.countNames.map { name -> Int64 in
        name == "deleted" ? count.deleted : name == "updated" ? count.cleared : 0
      }
      return LoadEntry.Count(entity: count.entity, numbers: numbers)
    }
    // A deletion that found nothing is no change worth a line.
    if !entry.counts.isEmpty { try session.remember(entry) }
    try session.finish()
    return counts
  }

  private static func delete(_ entity: Entity, _ filter: Predicate, of connection: Connection) throws -> [Count] {
    let tables = try TableCatalog(of: connection).tables()
    guard let table = tables.first(where: { SQLText.isSameName($0.name, entity.name) }) else {
      throw StoreError.schema(
        path: connection.path,
        message: "it has no table '\(excerpt(of: entity.name))'",
        remedy: "name one of its entities with --entity"
      )
    }
    try connection.addComparisonFunctions()
    let paths = try KeyPathResolver(of: connection)
    let condition = try PredicateSQL(filter, on: entity, alias: "t", paths: paths, connection: connection)
    let before = try tables.map { try counts(of: $0, in: connection) }
    let statement = try Statement(
      "DELETE FROM main.\(SQLText.identifier(table.name)) AS t WHERE \(condition.sql)",
      on: connection
    )
    for (index, parameter) in condition.parameters.enumerated() { try statement.bind(parameter, at: index + 1) }
    do {
      _ = try statement.step()
    } catch let failure {
      guard unsafe sqlite3_errcode(connection.handle) & 0xFF == SQLITE_CONSTRAINT else { throw failure }
      throw StoreError.undeletable(entity: table.name, reason: excerpt(of: connection.message))
    }
    statement.reset()
    let after = try tables.map { try counts(of: $0, in: connection) }
    var result: [Count] = []
    for (position, stored) in tables.enumerated() {
      let deleted = before[position].rows - after[position].rows
      // What went with its row is not cleared.
      let count = Count(
        entity: stored.name,
        deleted: deleted,
        cleared: max(0, after[position].empty - before[position].empty)
      )
      if stored.name == table.name {
        result.insert(count, at: 0)
      } else if count.deleted > 0 || count.cleared > 0 {
        result.append(count)
      }
    }
    return result
  }

  /// How many rows a table has, and how many of its references are NULL.
  private static func counts(
    of table: StoredTable,
    in connection: Connection
  ) throws(StoreError) -> (rows: Int64, empty: Int64) {
    let isEmpty = table.foreignKeys.compactMap(\.columns.first).map { "total(\(SQLText.identifier($0)) IS NULL)" }
    let list = try Statement(
      "SELECT count(*), \((["0"] + isEmpty).joined(separator: " + ")) FROM main.\(SQLText.identifier(table.name))",
      on: connection
    )
    guard try list.step() else { return (0, 0) }
    return (list.integer(0), list.integer(1))
  }
}
