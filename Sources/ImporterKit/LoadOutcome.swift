public import Diagnostics
import Reporting

/// What a load or a check came to.
public struct LoadOutcome: Sendable {
  /// Whether the records are in the database (for a check: whether they would be).
  public let isCommitted: Bool
  /// How many records were rejected.
  public let rejectedCount: Int64
  /// The status that the command ends with: 0, 2 with rejects, 1 when nothing was committed because of them.
  public let exitStatus: Int32
  /// The summary for people, at most 12 lines.
  public let summary: [String]
  /// The run report as one JSON object.
  public let json: String

  /// Why a report could not be written, though the run had come to its end.
  public let reportFailure: WriteError?

  init(_ report: RunReport, reportFailure: WriteError?) {
    self.reportFailure = reportFailure
    switch report.outcome {
    case .committed, .checked, .unchanged: isCommitted = true
    case .undone, .stopped: isCommitted = false
    }
    rejectedCount = report.total.rejected
    exitStatus = report.exitStatus
    summary = report.summaryLines(width: 400)
    json = report.json()
  }
}
