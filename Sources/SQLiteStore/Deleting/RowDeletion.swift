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
    let transaction = try DeletingTransaction(database, lockWait: lockWait, interrupter: interrupter)
    let connection = transaction.session.connection
    try connection.addComparisonFunctions()
    let paths = try KeyPathResolver(of: connection)
    let condition = try PredicateSQL(filter, on: entity, alias: "t", paths: paths, connection: connection)
    let counts = try transaction.delete(entity, where: condition.sql, parameters: condition.parameters)
    try transaction.end(counts, isTrial: isTrial, started: started, files: [])
    return counts
  }
}
