import Diagnostics
import Records
import Reporting
import SQLiteStore

/// Commits by batches, and goes on with what an earlier run has committed.
extension LoadRun {
  /// Passes over a parcel's rows, which an earlier run has written.
  ///
  /// - Returns: The rejected records whose bytes the writer keeps.
  mutating func passOver(_ parcel: inout Parcel) throws -> Set<Int> {
    try writer?.passOver(&parcel.rows, of: parcel.batch, in: plan.inputs[parcel.input].format.format) ?? []
  }

  /// Commits what has been written so far, if it is time.
  mutating func endBatch(_ parcel: borrowing Parcel) throws {
    guard let wasPassingOver = commits?.isPassingOver else { return }
    commits?.count(parcel)
    let counted = countsSoFar
    commits?.load.counts = counted
    if wasPassingOver {
      guard commits?.isPassingOver == false else { return }
      try commits?.checkPassedOver()
      try log.release(forAll: true)
      writer?.endPassingOver()
    }
    // What is left at the end is committed with the end itself.
    let isLast = parcel.endsInput && parcel.input == plan.inputs.count - 1
    guard !isLast, commits?.isDue == true, !isPastRejectLimit else { return }
    for (index, input) in plan.inputs.enumerated() {
      if let number = log.numbers[input.content.path] { commits?.load.rejectNumbers[index] = number }
    }
    guard let load = commits?.load, try writer?.commitBatch(load) == true else { return }
    commits?.noteCommit()
  }

  /// What has been counted of the records, by name.
  private var countsSoFar: [String: Int64] {
    var counted: [String: Int64] = [:]
    for (index, count) in counts.enumerated() {
      counted["read.\(index)"] = count.read
      counted["rejected.\(index)"] = count.rejected
      counted["filtered.\(index)"] = count.filtered
    }
    for index in recordCounts.indices {
      counted["records.\(index)"] = recordCounts[index]
      counted["rejectedOf.\(index)"] = rejectedCounts[index]
      counted["filteredOf.\(index)"] = filteredCounts[index]
    }
    counted["strangers"] = strangers.values.reduce(0) { $0 + $1.read }
    return counted
  }

  /// What stopped the run, with what stays of it.
  func stopped(by error: any Error) -> any Error {
    Self.stopped(by: error, committedCount: commits?.committedCount ?? 0)
  }

  static func stopped(by error: any Error, committedCount: Int64) -> any Error {
    guard committedCount > 0, let failure = error as? any RunFailure, !(failure is UnresumableLoad) else {
      return error
    }
    return StoppedLoad(cause: failure, committedCount: committedCount)
  }
}
