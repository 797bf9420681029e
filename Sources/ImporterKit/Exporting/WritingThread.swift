import Dispatch
import Records
import Synchronization

/// Checks, spells and writes rows on a thread of its own, while the caller reads the next ones from the database.
///
/// A few batches go round; each belongs to one side at a time, which two counting semaphores decide, so the locks never
/// wait. Whoever makes one ends it by `finish` or `abandon`, so that nothing of the output is open afterwards.
final class WritingThread: Sendable {
  private struct Parcel: ~Copyable, Sendable {
    var rows = ValueBatch()
    var text = TextBuffer(capacity: 256 << 10)
  }

  private final class Slot: Sendable {
    let parcel = Mutex(Parcel())
  }

  private struct Work: ~Copyable, Sendable {
    var checks: ExportChecks
    var writer: any RecordWriter & ~Copyable
  }

  private struct Progress {
    var filledCount = 0
    var isAbandoned = false
    /// What ended the writing before its time.
    var failure: (any Error)?
  }

  private let slots = (0..<4).map { _ in Slot() }
  /// Nil once the output is finished or given up.
  private let work: Mutex<Work?>
  /// Made at 0 and then signalled, since a semaphore must not be destroyed below the value that it was made with.
  private let free = DispatchSemaphore(value: 0)
  private let filled = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private let progress = Mutex(Progress())

  /// How often a waiting reader looks whether it was asked to stop.
  private static let patience = DispatchTimeInterval.milliseconds(100)

  /// Begins to wait for rows.
  init(_ writer: consuming any RecordWriter & ~Copyable, checks: ExportChecks) {
    work = Mutex(Work(checks: checks, writer: writer))
    for _ in slots { free.signal() }
    DispatchQueue.global().async { [self] in
      do { try writeAll() } catch { progress.withLock { $0.failure = error } }
      ended.signal()
      // A reader may wait for a batch that is not given back any more.
      free.signal()
    }
  }

  /// Lets the caller fill the next batch, when one is free.
  ///
  /// - Parameters:
  ///   - checkCancellation: Called while waiting and before the batch is filled; what it throws is thrown.
  ///   - body: Fills the batch; false if there was nothing to fill it with.
  /// - Returns: false when there is nothing more to do: no row is left, or one could not be written; `finish` says which.
  func fill(
    checkCancellation: () throws -> Void,
    _ body: (inout ValueBatch, inout TextBuffer) throws -> Bool
  ) throws -> Bool {
    while free.wait(timeout: .now() + Self.patience) == .timedOut { try checkCancellation() }
    try checkCancellation()
    let position = progress.withLock { $0.failure == nil ? $0.filledCount : nil }
    guard let position else { return false }
    let hasRows = try slots[position % slots.count].parcel.withLock { try body(&$0.rows, &$0.text) }
    guard hasRows else { return false }
    progress.withLock { $0.filledCount += 1 }
    filled.signal()
    return true
  }

  /// Writes what was filled, and finishes the output.
  ///
  /// - Returns: How many rows were written.
  func finish() throws -> Int64 {
    defer { work.withLock { $0 = nil } }
    try end()
    return try work.withLock { work in
      try work?.writer.finish()
      return work?.checks.count ?? 0
    }
  }

  /// Gives the output up, after a failure to read or a request to stop.
  ///
  /// - Parameter writesFilled: Whether what was filled is written before: standard output has what was read then.
  /// - Throws: What kept a row before the failure from being written.
  func abandon(writesFilled: Bool) throws {
    defer { work.withLock { $0 = nil } }
    progress.withLock { $0.isAbandoned = !writesFilled }
    try end()
  }

  /// Waits until all that was filled is written, or writing has failed.
  private func end() throws {
    filled.signal()
    ended.wait()
    if let failure = progress.withLock({ $0.failure }) { throw failure }
  }

  private func writeAll() throws {
    var position = 0
    while true {
      filled.wait()
      // There is one signal more than filled batches, at the end.
      guard progress.withLock({ !$0.isAbandoned && $0.filledCount > position }) else { return }
      try slots[position % slots.count].parcel.withLock { parcel in
        try work.withLock { work in
          try work?.checks.check(&parcel.rows, &parcel.text)
          try work?.writer.write(parcel.rows, text: parcel.text)
        }
      }
      position += 1
      free.signal()
    }
  }
}
