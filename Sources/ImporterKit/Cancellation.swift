import Synchronization

/// Asks a running job to stop; may be asked from a signal handler or another thread.
public final class Cancellation: Sendable {
  private let signal = Atomic<Int32>(0)

  /// Nothing asked yet.
  public init() {}

  /// Asks for the end; the job rolls back and throws.
  public func request(signal number: Int32) {
    signal.store(number, ordering: .relaxed)
  }

  /// The signal that asked, or 0.
  public var requestedSignal: Int32 { signal.load(ordering: .relaxed) }
}
