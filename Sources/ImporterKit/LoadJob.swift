public import Diagnostics
import Reporting

/// Loads files into a database: reads, validates, writes, keeps what is rejected, reports.
///
/// All inputs go in as one transaction: all accepted records, or none.
public struct LoadJob: Sendable, Hashable {
  /// What becomes of a reference to a record that is neither in the inputs nor in the database.
  public enum Orphans: String, Sendable, Hashable, CaseIterable {
    /// The record is rejected.
    case reject
    /// The reference becomes NULL where the model allows it; otherwise the record is rejected.
    case null
    /// A row with nothing but the key is made where the model allows it; otherwise the record is rejected.
    case stub
  }

  /// What becomes of a record whose key is in the database already, and of one whose key is not.
  public enum Mode: String, Sendable, Hashable, CaseIterable {
    /// A key that exists is a fault of its record.
    case insert
    /// A key that exists is left as it is; its record counts as skipped.
    case skip
    /// A key that exists gets the values that its record gives; identical ones are unchanged.
    case upsert
    /// As `upsert`, but records of keys that do not exist are skipped.
    case update
    /// The entities are emptied first, by their delete rules; then as `insert`.
    case replace
    /// As `upsert`; then the rows go whose keys no record has.
    case sync
  }

  /// How many rows of an entity `sync` may delete.
  public enum DeleteLimit: Sendable, Hashable {
    /// So many rows.
    case rows(Int64)
    /// So many hundredths of the rows that there were, rounded up.
    case percent(Int64)
  }

  /// The inputs: paths, `-` for standard input, a folder, or a `datapackage.json` for all its resources.
  public var inputs: [String]
  /// The database; made when it does not exist.
  public var database: String
  /// Whether everything is done but the writing.
  public var isCheck = false
  /// How the inputs are written.
  public var reading = ReadingOptions()
  /// What is valid.
  public var model = ModelOptions()
  /// What becomes of keys that exist, or do not.
  public var mode = Mode.insert
  /// How many rows of each entity `sync` may delete; more undo the run.
  public var deleteLimit = DeleteLimit.percent(10)
  /// What becomes of references to nothing.
  public var orphans = Orphans.reject
  /// Where rejects go; nil is beside each input.
  public var rejectsFolder: String?
  /// Whether defaults of the model fill absent values.
  public var usesDefaults = true
  /// Whether any reject undoes the run.
  public var isStrict = false
  /// Whether rejects are as good as success for the exit status.
  public var acceptsRejects = false
  /// Whether a load ends at once when the same content is in the database already.
  public var skipsUnchanged = false
  /// How long to wait for another process's lock.
  public var lockWait: Duration = .seconds(10)

  /// Makes a job with default settings.
  public init(inputs: [String], database: String) {
    self.inputs = inputs
    self.database = database
  }

  /// Runs the job.
  ///
  /// - Parameters:
  ///   - diagnostics: Told of every fault and remark as it is found.
  ///   - cancellation: Looked at between batches.
  /// - Returns: What became of every record.
  /// - Throws: A `RunFailure`; the database is as it was before.
  public func run(diagnostics: any DiagnosticSink, cancellation: Cancellation = Cancellation()) throws -> LoadOutcome {
    let clock = ContinuousClock()
    let start = clock.now
    var report: RunReport
    if let unchanged = try unchangedReport(cancellation) {
      report = unchanged
    } else {
      let plan = try RunPlanner.plan(self, diagnostics: diagnostics)
      report =
        try unchangedReport(of: plan.inputs, cancellation)
        ?? LoadRun(self, plan: plan, diagnostics: diagnostics, cancellation: cancellation).run()
    }
    report.elapsed = start.duration(to: clock.now)
    return LoadOutcome(report)
  }

  /// The run report, as one JSON object, of a run that an error stopped: nothing of it was committed.
  ///
  /// - Parameter error: What `run` threw.
  public func report(of error: any Error) -> String {
    var report = RunReport(command: isCheck ? "check" : "load", database: database)
    let failure = error as? any RunFailure
    let message = failure?.description ?? "unexpected: \(error)"
    report.outcome = .undone(because: message)
    report.failure = .init(message: message, remedy: failure?.remedy)
    report.exitStatus = (failure?.kind ?? .software).exitStatus
    if case ReadError.refused(let faults) = error {
      for fault in faults { report.faultCounts[fault.code, default: 0] += 1 }
    }
    return report.json()
  }
}
