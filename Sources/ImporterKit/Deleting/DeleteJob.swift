public import Diagnostics
import EntityModel
import Glibc
import Predicates
import SQLiteStore

/// Deletes rows of a database, with what their delete rules take along.
public struct DeleteJob: Sendable, Hashable {
  /// Which rows to delete.
  public enum Selection: Sendable, Hashable {
    /// Those that fulfil a condition, in the manner of NSPredicate; `TRUEPREDICATE` is all.
    case condition(String)
    /// Those whose keys stand in a file; `-` is standard input.
    case keys(String)
  }

  /// The database.
  public var database: String
  /// The entity; nil where the database has only one.
  public var entity: String?
  /// Which rows to delete.
  public var selection: Selection
  /// How a file of keys is written.
  public var reading = ReadingOptions()
  /// Which columns of it fill which parts of the key, and how dates and decimals are written; all else is the database's.
  public var model = ModelOptions()
  /// Where rejected keys go; nil is beside their file.
  public var rejectsFolder: String?
  /// Whether any rejected key undoes the run.
  public var isStrict = false
  /// Whether rejected keys are as good as success for the exit status.
  public var acceptsRejects = false
  /// Whether everything is done but the writing.
  public var isTrial = false
  /// How long to wait for another process's lock.
  public var lockWait: Duration = .seconds(10)

  /// Makes a job that deletes what fulfils a condition.
  public init(database: String, filter: String) {
    self.database = database
    selection = .condition(filter)
  }

  /// Makes a job that deletes the rows whose keys stand in a file.
  public init(database: String, keys: String) {
    self.database = database
    selection = .keys(keys)
  }

  /// Runs the job.
  ///
  /// - Parameter diagnostics: Told of every faulty key as it is found.
  /// - Throws: A `RunFailure`; the database is as it was.
  public func run(
    diagnostics: any DiagnosticSink,
    cancellation: Cancellation = Cancellation()
  ) throws -> DeleteOutcome {
    let started = Int64(time(nil))
    let predicate: Predicate
    switch selection {
    case .condition(let text): predicate = try PredicateParser.parse(text)
    case .keys(let path):
      return try KeyedDeleteRun(self, path: path, started: started, cancellation: cancellation).run(diagnostics)
    }
    let model = try SchemaReader.readModel(ofDatabase: database, lockWait: lockWait)
    let counts = try RowDeletion.run(
      database: database,
      entity: try model.chosenEntity(entity, of: database, to: "delete from"),
      filter: predicate,
      isTrial: isTrial,
      started: started,
      lockWait: lockWait,
      interrupter: cancellation.interrupter
    )
    return DeleteOutcome(counts: counts.map(DeleteOutcome.Count.init))
  }
}
