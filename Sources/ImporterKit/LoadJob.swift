public import Diagnostics
import EntityModel
import Glibc
package import Reporting
import SQLiteStore

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

  /// How many rows or records something may happen to.
  public enum Limit: Sendable, Hashable {
    /// So many.
    case count(Int64)
    /// So many hundredths of all that there are.
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
  /// Which records are loaded, in the manner of NSPredicate; nil is all.
  public var filter: String?
  /// What becomes of keys that exist, or do not.
  public var mode = Mode.insert
  /// How many rows of each entity `sync` may delete, a share rounded up; more undo the run.
  public var deleteLimit = Limit.percent(10)
  /// What becomes of references to nothing.
  public var orphans = Orphans.reject
  /// Where rejects go; nil is beside each input.
  public var rejectsFolder: String?
  /// Whether defaults of the model fill absent values.
  public var usesDefaults = true
  /// How many records may be rejected; more undo the run, and end it at once where a count is given.
  ///
  /// Nil is no limit.
  public var rejectLimit: Limit?
  /// Where reports of the run go, each in the form that its extension says; older files there are replaced.
  public var reports: [String] = []
  /// What the reports list as settings.
  package var settings: [RunReport.Setting] = []
  /// Whether any reject undoes the run.
  public var isStrict = false
  /// Whether rejects are as good as success for the exit status.
  public var acceptsRejects = false
  /// Whether a load ends at once when the same content is in the database already.
  public var skipsUnchanged = false
  /// After how many records, at least, what has been written is committed; nil makes the run one transaction.
  ///
  /// The same job, run again, goes on behind the last batch that was committed.
  public var commitEvery: Int64?
  /// Whether a load that is unfinished in the database is forgotten; what it has committed stays.
  public var startsOver = false
  /// The load that this one goes on with.
  var unfinished: UnfinishedLoad?
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
  ///   - progress: Called after every batch.
  /// - Returns: What became of every record.
  /// - Throws: A `RunFailure`; the database is as it was before.
  public func run(
    diagnostics: any DiagnosticSink,
    cancellation: Cancellation = Cancellation(),
    progress: ((LoadProgress) -> Void)? = nil
  ) throws -> LoadOutcome {
    let clock = ContinuousClock()
    let start = clock.now
    let startedAt = reports.isEmpty ? nil : Int64(time(nil))
    let files = try ReportFiles(reports, of: self)
    do {
      var (report, model) = try self.report(diagnostics, cancellation, progress)
      report.startedAt = startedAt
      report.settings = settings
      report.elapsed = start.duration(to: clock.now)
      let failure = files.write(report, model: model) {
        let profile = model == nil ? nil : ProfileSection.section(of: self, model: model, cancellation: cancellation)
        return [profile, HistorySection.section(of: database, isListed: report.outcome == .committed)].compactMap { $0 }
      }
      return LoadOutcome(report, reportFailure: failure)
    } catch {
      var report = failureReport(of: error)
      if cancellation.requestedSignal != 0 { report.exitStatus = 128 + cancellation.requestedSignal }
      report.startedAt = startedAt
      report.elapsed = start.duration(to: clock.now)
      _ = files.write(report, model: nil) { [] }
      throw error
    }
  }

  /// Runs the job; the model is nil where there was nothing to do.
  private func report(
    _ diagnostics: any DiagnosticSink,
    _ cancellation: Cancellation,
    _ progress: ((LoadProgress) -> Void)?
  ) throws -> (RunReport, EntityModel?) {
    try tellMissingHistory(diagnostics, cancellation)
    if let unchanged = try unchangedReport(cancellation) { return (unchanged, nil) }
    let job = try takingUpUnfinished(diagnostics, cancellation)
    var plan = try RunPlanner.plan(job, diagnostics: diagnostics)
    let commits = try job.batchCommits(of: &plan)
    if let unchanged = try unchangedReport(of: plan.inputs, cancellation) { return (unchanged, nil) }
    var run = try LoadRun(job, plan: plan, commits: commits, diagnostics: diagnostics, cancellation: cancellation)
    run.progress = progress
    let report = try run.run()
    return (report, EntityModel(entities: plan.entities))
  }

  /// The run report, as one JSON object, of a run that an error stopped: nothing of it was committed.
  ///
  /// - Parameter error: What `run` threw.
  public func report(of error: any Error) -> String { failureReport(of: error).json() }

  private func failureReport(of error: any Error) -> RunReport {
    var report = RunReport(command: isCheck ? "check" : "load", database: database)
    let failure = error as? any RunFailure
    let message = failure?.description ?? "unexpected: \(error)"
    report.outcome = .undone(because: message)
    report.failure = .init(message: message, remedy: failure?.remedy)
    report.settings = settings
    report.inputNames = inputs
    report.exitStatus = (failure?.kind ?? .software).exitStatus
    let cause = (error as? StoppedLoad)?.cause ?? error
    if let stopped = error as? StoppedLoad {
      report.outcome = .stopped(because: stopped.cause.description, committedCount: stopped.committedCount)
    }
    if case ReadError.refused(let faults) = cause {
      for fault in faults {
        report.faultCounts[fault.code, default: 0] += 1
        report.census.add(fault)
      }
    }
    return report
  }
}
