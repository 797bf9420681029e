import Diagnostics
import EntityModel
import Glibc
import Predicates
import SQLiteStore

/// Deletes rows of a database, with what their delete rules take along.
public struct DeleteJob: Sendable, Hashable {
  /// What became of the rows of one entity.
  public struct Count: Sendable, Hashable {
    /// The entity's name.
    public var entity: String
    /// How many rows went.
    public var deleted: Int64
    /// How many references became NULL.
    public var cleared: Int64
  }

  /// The database.
  public var database: String
  /// The entity; nil where the database has only one.
  public var entity: String?
  /// Which rows to delete, in the manner of NSPredicate.
  public var filter: String
  /// Whether everything is done but the writing.
  public var isTrial = false
  /// How long to wait for another process's lock.
  public var lockWait: Duration = .seconds(10)

  /// Makes a job; `TRUEPREDICATE` deletes all rows.
  public init(database: String, filter: String) {
    self.database = database
    self.filter = filter
  }

  /// Runs the job.
  ///
  /// - Returns: The entity's own count, then those of others that something became of.
  /// - Throws: A `RunFailure`; the database is as it was.
  public func run(cancellation: Cancellation = Cancellation()) throws -> [Count] {
    let predicate = try PredicateParser.parse(filter)
    let model = try SchemaReader.readModel(ofDatabase: database, lockWait: lockWait)
    let counts = try RowDeletion.run(
      database: database,
      entity: try model.chosenEntity(entity, of: database, to: "delete from"),
      filter: predicate,
      isTrial: isTrial,
      started: Int64(time(nil)),
      lockWait: lockWait,
      interrupter: cancellation.interrupter
    )
    return counts.map { Count(entity: $0.entity, deleted: $0.deleted, cleared: $0.cleared) }
  }
}

extension EntityModel {
  /// The entity of a database that a command is for: the one that was told, or the only one.
  ///
  /// - Parameter purpose: What the command does with it, in a word or two.
  func chosenEntity(_ name: String?, of database: String, to purpose: String) throws(UsageFailure) -> Entity {
    let names = entities.map(\.name)
    let list = names.prefix(12).map { "'\(excerpt(of: $0, limit: 60))'" }.joined(separator: ", ")
    guard let name else {
      guard let only = entities.first else {
        throw UsageFailure(
          "'\(excerpt(of: database))' has no entities to \(purpose)",
          remedy: "load something into it first"
        )
      }
      guard names.count == 1 else {
        throw UsageFailure(
          "'\(excerpt(of: database))' has \(names.count) entities",
          remedy: "tell --entity with one of \(list)"
        )
      }
      return only
    }
    guard let found = entity(named: name) else {
      throw UsageFailure(
        "'\(excerpt(of: database))' has no entity '\(excerpt(of: name))'",
        remedy: suggestion(for: name, among: names) ?? (names.isEmpty ? "it has none at all" : "it has \(list)")
      )
    }
    return found
  }
}
