public import Diagnostics

/// A setting that does not fit the data, such as a type for a column that no input has.
public struct UsageFailure: RunFailure, Hashable {
  /// What is wrong, in lower case.
  public let description: String
  /// What to do about it.
  public let remedy: String?

  /// Makes a failure.
  public init(_ description: String, remedy: String? = nil) {
    self.description = description
    self.remedy = remedy
  }

  /// The kind, and so the exit status.
  public var kind: FailureKind { .usage }
}

/// A run that was asked to stop; everything was rolled back.
public struct Interruption: RunFailure, Hashable {
  /// The signal that asked.
  public let signal: Int32

  /// The kind, and so the exit status.
  public var kind: FailureKind { .interrupted(signal: signal) }

  /// The failure in one sentence.
  public var description: String { "interrupted: nothing was changed" }

  /// What to do about it.
  public var remedy: String? { nil }
}
