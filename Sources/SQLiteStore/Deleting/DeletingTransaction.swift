import CSQLite
import Diagnostics
import EntityModel
import Predicates

/// One transaction that deletes rows of an entity, with what their delete rules take along.
struct DeletingTransaction {
  let session: WriteSession
  private let start = ContinuousClock.now

  /// Opens a database that is there.
  init(_ database: String, lockWait: Duration, interrupter: StoreInterrupter) throws(StoreError) {
    let settings = EntityWriter.Settings(
      database: database,
      model: EntityModel(),
      lockWait: lockWait,
      interrupter: interrupter
    )
    session = try WriteSession.open(settings)
    // What a rule keeps must stop the statement, not the commit.
    try session.connection.execute("PRAGMA defer_foreign_keys = OFF")
  }

  /// The table of an entity.
  func table(of entity: Entity) throws(StoreError) -> StoredTable {
    guard let table = try TableCatalog(of: session.connection).table(named: entity.name) else {
      throw StoreError.schema(
        path: session.connection.path,
        message: "it has no table '\(excerpt(of: entity.name))'",
        remedy: "name one of its entities with --entity"
      )
    }
    return table
  }

  /// Deletes the rows `t` of an entity that fulfil a condition in SQL.
  ///
  /// - Returns: The entity's own count, then those of other tables that something became of, in their order.
  func delete(
    _ entity: Entity,
    where condition: String,
    parameters: [PredicateSQL.Parameter] = []
  ) throws(StoreError) -> [RowDeletion.Count] {
    let connection = session.connection
    let table = try table(of: entity)
    let tables = try TableCatalog(of: connection).tables()
    let before = try counts(of: tables)
    let statement = try Statement(
      "DELETE FROM main.\(SQLText.identifier(table.name)) AS t WHERE \(condition)",
      on: connection
    )
    for (index, parameter) in parameters.enumerated() { try statement.bind(parameter, at: index + 1) }
    do {
      _ = try statement.step()
    } catch let failure {
      guard unsafe sqlite3_errcode(connection.handle) & 0xFF == SQLITE_CONSTRAINT else { throw failure }
      let reason = excerpt(of: connection.message)
      statement.reset()
      let holders = try Referrers(in: connection).holders(of: table, where: condition) { (seed) throws(StoreError) in
        for (index, parameter) in parameters.enumerated() { try seed.bind(parameter, at: index + 1) }
      }
      throw holders.map { .kept(table, on: connection.path, by: $0) }
        ?? StoreError.undeletable(entity: table.name, reason: reason)
    }
    statement.reset()
    let after = try counts(of: tables)
    var result: [RowDeletion.Count] = []
    for (position, stored) in tables.enumerated() {
      // What went with its row is not cleared.
      let count = RowDeletion.Count(
        entity: stored.name,
        deleted: before[position].rows - after[position].rows,
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

  /// Makes the deletion durable and enters it in the list of loads, or takes it back.
  func end(
    _ counts: [RowDeletion.Count],
    isTrial: Bool,
    started: Int64,
    files: [LoadEntry.File]
  ) throws(StoreError) {
    guard !isTrial else {
      let hasDangling = session.connection.hasDeferredFaults
      let failure = hasDangling ? session.danglingFailure() : nil
      session.undo()
      if let failure { throw Self.told(failure) }
      return
    }
    var entry = LoadEntry(command: "delete", started: started)
    entry.seconds = start.duration(to: .now) / .seconds(1)
    entry.files = files
    for count in counts where count.deleted > 0 || count.cleared > 0 {
      let numbers = LoadEntry.countNames.map { name -> Int64 in
        name == "deleted" ? count.deleted : name == "updated" ? count.cleared : 0
      }
      entry.counts.append(LoadEntry.Count(entity: count.entity, numbers: numbers))
    }
    // A deletion that found nothing is no change worth a line.
    if !entry.counts.isEmpty { try session.remember(entry) }
    do throws(StoreError) { try session.finish() } catch { throw Self.told(error) }
  }

  /// What a failure at the commit means where rows were deleted.
  private static func told(_ failure: StoreError) -> StoreError {
    guard case .dangling(let path, let message) = failure else { return failure }
    return .referredTo(
      path: path,
      message: message,
      remedy: "delete the rows that refer to them first, or give the relationship a delete rule that takes them along "
        + "(cascade) or clears the reference (nullify)"
    )
  }

  private func counts(of tables: [StoredTable]) throws(StoreError) -> [(rows: Int64, empty: Int64)] {
    var result: [(rows: Int64, empty: Int64)] = []
    for table in tables { result.append(try counts(of: table)) }
    return result
  }

  /// How many rows a table has, and how many of its references are NULL.
  private func counts(of table: StoredTable) throws(StoreError) -> (rows: Int64, empty: Int64) {
    let isEmpty = table.foreignKeys.compactMap(\.columns.first).map { "total(\(SQLText.identifier($0)) IS NULL)" }
    let list = try Statement(
      "SELECT count(*), \((["0"] + isEmpty).joined(separator: " + ")) FROM main.\(SQLText.identifier(table.name))",
      on: session.connection
    )
    guard try list.step() else { return (0, 0) }
    return (list.integer(0), list.integer(1))
  }
}
