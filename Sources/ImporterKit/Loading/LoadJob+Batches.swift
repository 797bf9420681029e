import Diagnostics
import EntityModel
import Glibc
import Reporting
import SQLiteStore
import Validation

/// Loads that commit by batches.
extension LoadJob {
  /// Refuses what cannot be had by batches, and finds out whether an earlier run has begun the same load.
  ///
  /// - Returns: The job, with what it goes on with.
  func takingUpUnfinished(_ diagnostics: any DiagnosticSink, _ cancellation: Cancellation) throws -> LoadJob {
    try refuseWhatBatchesCannot()
    var job = self
    if isCheck { job.commitEvery = nil }
    guard !startsOver,
      let found = try UnfinishedLoad.read(
        fromDatabase: database,
        lockWait: lockWait,
        interrupter: cancellation.interrupter
      )
    else { return job }
    guard job.commitEvery != nil else {
      diagnostics.note(.unfinishedLoad(found, in: database))
      return job
    }
    guard try found.settings == settingsDigest() else { throw UnresumableLoad(found, .otherCommand) }
    job.unfinished = found
    return job
  }

  /// What an unfinished load is known by: all that decides what a load does, but the contents of the inputs.
  private func settingsDigest() throws -> String {
    try LoadFingerprint.of(self, contents: InputExpansion.expand(inputs).map { ($0, $0) })
  }

  /// What the run has to commit by batches; nil if it is one transaction.
  ///
  /// - Parameter plan: Gets the time and the numbers of the run that has begun the load.
  func batchCommits(of plan: inout RunPlan) throws -> BatchCommits? {
    guard let commitEvery else { return nil }
    let paths = plan.inputs.map(\.content.path)
    if let twice = paths.enumerated().first(where: { paths[..<$0].contains($1) })?.element {
      throw UsageFailure(
        "--commit-every: '\(excerpt(of: twice))' is named twice",
        remedy: "name each input once, or load it without --commit-every"
      )
    }
    // How a format was found out says much of records that may have changed behind those that are committed.
    let formats = plan.inputs.flatMap { input in
      [
        stableText(of: input.format.spelling), stableText(of: input.format.widthWithEmptyLastCell ?? 0),
        stableText(of: input.nesting), input.content.encoding.name,
      ]
    }
    var load = UnfinishedLoad(
      settings: try settingsDigest(),
      plan: LoadFingerprint.digest(of: formats + plan.entities.map { stableText(of: $0) }),
      mode: mode.rawValue,
      started: Int64(time(nil)),
      inputs: paths
    )
    load.entities = plan.entities.map(\.name)
    load.rejectNumbers = plan.inputs.map {
      RejectionNames(input: $0.content.path, format: $0.format.format, folder: rejectsFolder).firstFreeNumber
    }
    if let unfinished, unfinished.plan != load.plan { throw UnresumableLoad(unfinished, .otherPlan) }
    let commits = BatchCommits(every: commitEvery, load, goingOnWith: unfinished)
    for index in plan.inputs.indices { plan.inputs[index].validation.now = commits.load.started }
    return commits
  }

  private func refuseWhatBatchesCannot() throws(UsageFailure) {
    guard commitEvery != nil else { return }
    if mode == .replace || mode == .sync {
      throw UsageFailure(
        "--commit-every cannot be had with --mode \(mode.rawValue), which deletes rows by what all records say",
        remedy: "leave one of them out; such a load is one transaction"
      )
    }
    if isStrict {
      throw UsageFailure(
        "--commit-every cannot be had with --strict, which undoes the run at a reject: batches before it are committed",
        remedy: "leave one of them out, or let --reject-limit 0 stop the run at the first reject"
      )
    }
    if case .percent(let share) = rejectLimit {
      throw UsageFailure(
        "--commit-every cannot be had with --reject-limit \(share)%, a share that is known when all is committed",
        remedy: "tell a number, past which the run stops"
      )
    }
  }
}

extension Diagnostic {
  /// The database holds the beginning of another load.
  fileprivate static func unfinishedLoad(_ load: UnfinishedLoad, in database: String) -> Diagnostic {
    let count = load.recordCount
    return Diagnostic(
      severity: .warning,
      code: .modelRemark,
      location: SourceLocation(file: database),
      message: "a load of \(load.inputNames) is unfinished in it: "
        + "\(count == 1 ? "the first record is" : "the first \(count) records are") committed",
      remedy: "run its command again to complete it, or forget it with --start-over"
    )
  }
}
