import SQLiteStore

/// Lists the loads that a database has seen.
public struct HistoryJob: Sendable, Hashable {
  /// The database; it is never written to.
  public var database: String
  /// The most runs to list, the last ones; nil is all.
  public var limit: Int? = 30
  /// How long to wait for another process's lock.
  public var lockWait: Duration = .seconds(10)

  /// Makes a job that lists the last 30 runs.
  public init(database: String) { self.database = database }

  /// Runs the job.
  ///
  /// - Throws: A `RunFailure`: no database, or one that importer has not made and that keeps no list.
  public func run(cancellation: Cancellation = Cancellation()) throws -> HistoryOutcome {
    let (entries, count) = try LoadHistory.read(
      ofDatabase: database,
      limit: limit,
      lockWait: lockWait,
      interrupter: cancellation.interrupter
    )
    let unfinished = try UnfinishedLoad.read(
      fromDatabase: database,
      lockWait: lockWait,
      interrupter: cancellation.interrupter
    )
    return HistoryOutcome(database: database, runs: entries.reversed(), count: count, unfinished: unfinished)
  }
}

/// The loads that a database has seen, the newest last.
public struct HistoryOutcome: Sendable {
  let database: String
  let runs: [LoadEntry]
  /// How many runs there are in all.
  let count: Int64
  /// The load that is not complete.
  var unfinished: UnfinishedLoad?
}
