public import Diagnostics
import SQLiteStore

/// The database holds the beginning of a load that cannot be completed by this run.
struct UnresumableLoad: RunFailure, Hashable {
  /// What keeps the run from going on with it.
  enum Reason: Hashable {
    /// It is the load of another command.
    case otherCommand
    /// The records that are in the database are not those of the inputs.
    case otherContent
    /// The model, or how the inputs are read, is another.
    case otherPlan
  }

  let load: UnfinishedLoad
  let reason: Reason

  init(_ load: UnfinishedLoad, _ reason: Reason) {
    self.load = load
    self.reason = reason
  }

  var kind: FailureKind { .data }

  var description: String {
    let records = load.recordCount == 1 ? "record is" : "\(load.recordCount) records are"
    let what = "a load of \(load.inputNames), of which the first \(records) committed, is unfinished"
    return switch reason {
    case .otherCommand: "\(what), and this is another command, or its model has changed"
    case .otherContent: "\(what), and these records are not those of the input any more"
    case .otherPlan: "\(what), and the input or the model has changed so that records are read in another way"
    }
  }

  var remedy: String? {
    let again =
      reason == .otherCommand ? "run its command again" : "put back what was changed and run the command again"
    return
      "\(again) to complete it, or forget it with --start-over: then a load begins at the first record, and what is "
      + "committed stays"
  }
}

extension UnfinishedLoad {
  /// The inputs for a message.
  var inputNames: String {
    let first = inputs.first.map { $0 == "-" ? "standard input" : "'\(excerpt(of: $0))'" } ?? "nothing"
    return inputs.count > 1 ? "\(first) and \(inputs.count - 1) more" : first
  }
}

/// A load that commits by batches was stopped, and some of them stay.
public struct StoppedLoad: RunFailure {
  /// What stopped it.
  public let cause: any RunFailure
  /// How many records, from the first on, are decided and committed.
  public let committedCount: Int64

  /// The kind of the cause.
  public var kind: FailureKind { cause.kind }

  /// What stopped it, and what stays.
  public var description: String { "\(cause.description); \(Self.whatStays(committedCount))" }

  /// What to do: first about the cause.
  public var remedy: String? { (cause.remedy.map { $0 + "; then " } ?? "") + Self.howToGoOn }

  /// What stays of a load that was stopped.
  public static func whatStays(_ count: Int64) -> String {
    count == 1 ? "the first record is committed" : "the first \(count) records are committed"
  }

  /// What a user does to complete it.
  public static let howToGoOn = "run the same command again to go on behind them"
}
