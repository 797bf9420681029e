import Dispatch
import Records
import Synchronization

/// What one stage hands to the next: a batch of records with the rows that they became.
struct Parcel: ~Copyable, Sendable {
  var batch = RecordBatch()
  var rows = ValueBatch()
  /// Position of the input in the run's plan.
  var input = 0
  /// The input's framing for rejects, as far as it is known.
  var framing = RejectFraming()
  /// Positions of the records that are left out of the load.
  var filtered: [Int] = []
  /// The digest of all records so far, where they are committed by batches.
  var content = ""
  /// Whether the input ends with this parcel.
  var endsInput = false
}

/// A small ring of parcels between the thread that reads and the one that writes.
///
/// Each parcel belongs to one side at a time, which two counting semaphores decide; so the locks never wait. Parcels are
/// numbered from 0 on both sides. Either side may end the work: the reader by returning, the writer by `stop`.
final class BatchRing: Sendable {
  private final class Slot: Sendable {
    let parcel = Mutex(Parcel())
  }

  private struct Progress {
    var filledCount = 0
    var isStopped = false
    /// How the reading side ended; nil while it runs.
    var outcome: Result<Void, any Error>?
  }

  private let slots: [Slot]
  /// Made at 0 and then signalled, since a semaphore must not be destroyed below the value that it was made with.
  private let free = DispatchSemaphore(value: 0)
  private let filled = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private let progress = Mutex(Progress())

  /// How often a waiting writer looks whether it was asked to stop.
  private static let patience = DispatchTimeInterval.milliseconds(100)

  /// Makes a ring of `count` empty parcels.
  init(count: Int = 4) {
    slots = (0..<count).map { _ in Slot() }
    for _ in slots { free.signal() }
  }

  /// Runs the reading side on a thread of its own; `body` calls `fill` until it returns false or there is no more.
  func startReading(_ body: @escaping @Sendable (BatchRing) throws -> Void) {
    DispatchQueue.global().async { [self] in
      let outcome = Result { try body(self) }
      progress.withLock { $0.outcome = outcome }
      filled.signal()
      ended.signal()
    }
  }

  /// Lets the reading side fill the next parcel, when one is free.
  ///
  /// - Returns: false when the writer wants no more; nothing was done then.
  func fill(_ body: (inout Parcel) throws -> Void) throws -> Bool {
    free.wait()
    let position = progress.withLock { $0.isStopped ? nil : $0.filledCount }
    guard let position else { return false }
    try slots[position % slots.count].parcel.withLock { try body(&$0) }
    progress.withLock { $0.filledCount += 1 }
    filled.signal()
    return true
  }

  /// Lets the writing side take the parcel of a number, when it is filled.
  ///
  /// - Parameter checkCancellation: Called while waiting and before the parcel is taken; what it throws is thrown.
  /// - Returns: false when there are no more.
  /// - Throws: What the reading side threw, once all parcels before it are taken; what `body` throws.
  func take(_ position: Int, checkCancellation: () throws -> Void, _ body: (inout Parcel) throws -> Void) throws -> Bool
  {
    while filled.wait(timeout: .now() + Self.patience) == .timedOut { try checkCancellation() }
    try checkCancellation()
    // The reading side signals once more than it has filled parcels, at its end.
    let outcome = progress.withLock { $0.filledCount > position ? nil : $0.outcome }
    if let outcome {
      try outcome.get()
      return false
    }
    try slots[position % slots.count].parcel.withLock { try body(&$0) }
    free.signal()
    return true
  }

  /// Asks the reading side to end.
  ///
  /// - Parameter isPatient: Whether to wait until it has ended; not wise when it may hang on a pipe that says nothing.
  func stop(isPatient: Bool) {
    progress.withLock { $0.isStopped = true }
    for _ in slots { free.signal() }
    if isPatient { ended.wait() }
  }
}
