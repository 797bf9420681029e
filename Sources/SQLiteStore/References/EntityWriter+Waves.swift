import Diagnostics
import Records

/// Writes rows that have waited.
extension EntityWriter {
  /// Writes the waiting rows whose targets are there.
  ///
  /// - Parameter round: The last round of rejections; refused rows belong to it.
  /// - Returns: How many do not wait any more.
  mutating func writeWave(_ round: Int, _ reject: (ParkedRejection) throws -> Void) throws -> Int64 {
    let before = parkedCount
    for position in tables.indices {
      guard let parked = tables[position].parked, parked.waitingCount > 0 else { continue }
      let missing = (["0"] + tables[position].references.map { $0.isDangling() }).joined(separator: " OR ")
      let mayGo = "NOT (\(missing))" + (mode.findsRows ? tables[position].isFirstOfItsKey : "")
      guard !tables[position].isHeld, !givesChildren, mode != .update else {
        try writeSingly(position, where: mayGo, round: round, reject)
        continue
      }
      try visitWaiting(of: position, where: mayGo) { writer, parked, rows, batch, numbers in
        let ways = rows.rows.map(\.way)
        try writer.writeSettled(&rows, from: batch, to: position)
        let refused = Dictionary(rows.rejections.map { ($0.record, $0.diagnostics) }) { $0 + $1 }
        try parked.settleWritten(numbers.indices.lazy.filter { refused[$0] == nil }.map { numbers[$0] })
        for (record, number) in numbers.enumerated() {
          guard let faults = refused[record] else { continue }
          try parked.settleRefused(number, round: round)
          guard ways[record] == 0 else {
            try writer.tellRefusedCarrier(of: number, in: parked, faults, round: round, reject)
            continue
          }
          try writer.tellRefused(number, of: parked, faults, reject)
        }
      }
    }
    return before - parkedCount
  }

  /// Writes waiting rows of an entity that fulfil a condition, one by one, and notes what was done with each.
  mutating func writeSingly(
    _ position: Int,
    where condition: String,
    round: Int,
    _ reject: (ParkedRejection) throws -> Void
  ) throws {
    try visitWaiting(of: position, where: condition) { writer, parked, rows, batch, numbers in
      let file = writer.number(of: batch.file)
      for (record, number) in numbers.enumerated() {
        let refusedCount = rows.rejections.count
        guard rows.rows[record].way == 0 else {
          try writer.writeWays(record..<record + 1, of: &rows, from: batch, file: file, to: position)
          guard rows.rejections.count == refusedCount else {
            let faults = rows.rejections[refusedCount...].flatMap(\.diagnostics)
            try parked.settleRefused(number, round: round)
            try writer.tellRefusedCarrier(of: number, in: parked, faults, round: round, reject)
            continue
          }
          try parked.settleWritten([number])
          continue
        }
        let before = writer.tables[position].tally
        writer.heldNumber = number
        writer.changedRowid = nil
        defer { writer.heldNumber = nil }
        try writer.write(record..<record + 1, of: &rows, from: batch, file: file, to: position)
        guard rows.rejections.count == refusedCount else {
          try parked.settleRefused(number, round: round)
          try writer.tellRefused(number, of: parked, rows.rejections[refusedCount...].flatMap(\.diagnostics), reject)
          continue
        }
        let fate = writer.tables[position].fate(since: before)
        // What an update skips is not there: whoever refers to it is looked at again.
        let isMissing = fate == .skipped && writer.mode == .update
        try parked.settle(number, as: fate, rowid: writer.changedRowid, round: isMissing ? round : nil)
      }
    }
  }

  /// Goes over the waiting rows of an entity that fulfil a condition, batch by batch in the order of the input.
  ///
  /// - Parameter visit: Writes the rows of a batch, whose numbers it gets, and settles each.
  private mutating func visitWaiting(
    of position: Int,
    where condition: String,
    _ visit: (inout EntityWriter, ParkedRows, inout ValueBatch, borrowing RecordBatch, [Int64]) throws -> Void
  ) throws {
    guard let parked = tables[position].parked, parked.waitingCount > 0 else { return }
    var rows = ValueBatch()
    var batch = RecordBatch()
    var last: Int64 = 0
    while true {
      guard !interrupter.isInterrupted else { throw StoreError.interrupted }
      let numbers = try parked.fill(
        &rows,
        of: &batch,
        after: last,
        where: condition,
        entity: UInt16(position),
        files: files
      )
      guard let end = numbers.last else { return }
      last = end
      // What they refer to may not have been known when they came.
      try tables[position].unseen?.see(rows.rows.indices, of: rows, text: batch.text, feed: feed)
      try visit(&self, parked, &rows, batch, numbers)
    }
  }

  /// Tells a waiting row that was refused when it was written.
  func tellRefused(
    _ number: Int64,
    of parked: ParkedRows,
    _ faults: [Diagnostic],
    _ reject: (ParkedRejection) throws -> Void
  ) throws {
    let origin = try parked.origin(of: number, files: files)
    var faults = faults
    for index in faults.indices { faults[index].location = origin.location }
    try reject(ParkedRejection(entity: parked.position, raw: bytesToKeep(of: origin), diagnostics: faults))
  }
}
