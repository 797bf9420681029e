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
    let plan = try RunPlanner.plan(self, diagnostics: diagnostics)
    var report = try LoadRun(self, plan: plan, diagnostics: diagnostics, cancellation: cancellation).run()
    report.elapsed = start.duration(to: clock.now)
    return LoadOutcome(report)
  }
}
