import SQLiteStore
import Synchronization

/// Asks a running job to stop; may be asked from any thread, but not from within a signal handler.
public final class Cancellation: Sendable {
  private let signal = Atomic<Int32>(0)
  /// Ends what SQLite is doing at the moment, such as waiting for a lock.
  let interrupter = StoreInterrupter()

  /// Nothing asked yet.
  public init() {}

  /// Asks for the end; the job rolls back and throws.
  public func request(signal number: Int32) {
    signal.store(number, ordering: .relaxed)
    interrupter.interrupt()
  }

  /// The signal that asked, or 0.
  public var requestedSignal: Int32 { signal.load(ordering: .relaxed) }
}

extension Cancellation {
  /// Throws when the end was asked for.
  func check() throws(Interruption) {
    let signal = requestedSignal
    if signal != 0 { throw Interruption(signal: signal) }
  }
}
