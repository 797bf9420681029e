import Diagnostics
import Glibc
import ImporterKit
import Reporting

extension CommandRun {
  /// Deletes rows, and says how many.
  func delete(_ job: DeleteJob, _ presentation: Presentation, _ settings: [Setting]) throws -> Int32 {
    if job.selection == .keys("-"), isatty(STDIN_FILENO) == 1 {
      throw UsageError(
        "standard input is a terminal",
        remedy: "pipe something into it, or write '< FILE' after the command",
        command: "delete"
      )
    }
    list(settings, presentation)
    let diagnostics = console.diagnosticSink(presentation)
    let outcome: DeleteOutcome
    do {
      outcome = try job.run(diagnostics: diagnostics, cancellation: cancellation)
    } catch {
      diagnostics.finish(after: error)
      if presentation.isJSON { try? StandardStreams.write(job.report(of: error), to: STDOUT_FILENO) }
      throw error
    }
    diagnostics.finish(isSuccess: outcome.exitStatus == 0)
    guard !presentation.isJSON else {
      try StandardStreams.write(outcome.json(of: job), to: STDOUT_FILENO)
      return outcome.exitStatus
    }
    // Rejects are no success.
    if !presentation.isQuiet || outcome.exitStatus != 0 { say(outcome, of: job) }
    return outcome.exitStatus
  }

  /// Says what became of the keys, then what was deleted, a line for each entity.
  private func say(_ outcome: DeleteOutcome, of job: DeleteJob) {
    if let keys = outcome.keys {
      let counts = [(keys.found, "found"), (keys.missing, "not found"), (keys.rejected, "rejected")]
      let sum = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " + ")
      let name = keys.path == "-" ? "standard input" : excerpt(of: keys.path)
      console.say("\(name): \(keys.read) \(keys.read == 1 ? "key" : "keys") read" + (sum.isEmpty ? "" : " = " + sum))
      if let files = keys.rejectionFiles {
        console.say("  kept in \(excerpt(of: files.rejected)), reasons in \(excerpt(of: files.faults))")
      }
    }
    let isTrial = job.isTrial || outcome.isUndone
    for count in outcome.counts {
      var parts = ["\(count.deleted) \(isTrial ? "would be deleted" : "deleted")"]
      if count.cleared > 0 {
        parts.append("\(count.cleared) \(count.cleared == 1 ? "reference" : "references") set to NULL")
      }
      console.say("\(excerpt(of: count.entity)): \(parts.joined(separator: ", "))")
    }
    if outcome.isUndone {
      console.say("\(excerpt(of: job.database)): nothing was deleted, --strict allows no rejected keys")
    } else if job.isTrial {
      console.say("\(excerpt(of: job.database)): nothing was written, this was a check")
    } else {
      console.say("\(excerpt(of: job.database)): committed")
    }
  }
}
