import CSQLite
import Diagnostics
import EntityModel
import Records

/// Rows on the way to others that must wait for what they refer to; the rows of the records that lead to them wait too.
extension EntityWriter {
  /// Writes consecutive rows on the way to others; those whose targets are missing wait, once for each record that leads to
  /// them.
  mutating func writeOrParkWays(
    _ range: Range<Int>,
    of rows: inout ValueBatch,
    from batch: borrowing RecordBatch,
    file: UInt16,
    to position: Int
  ) throws(StoreError) {
    let missing = try rowsWithoutTarget(in: range, of: rows, text: batch.text, table: tables[position])
    guard !missing.isEmpty else { return try writeWays(range, of: &rows, from: batch, file: file, to: position) }
    let parked = try parking(for: position)
    for row in missing {
      let start = Int(rows.rows[row].valueStart)
      for carrier in rows.carriers where carrier.valueStart == start {
        heldRecords.insert(carrier.record)
        let carried = Int(rows.rows[row].record)
        // The row's own record is the first that leads to it; its copies belong to the others.
        rows.rows[row].record = UInt32(truncatingIfNeeded: carrier.record)
        try parked.park(
          row: row,
          as: parked.reserve(1),
          of: rows,
          from: batch,
          file: file,
          feed: feed,
          raw: []
        )
        rows.rows[row].record = UInt32(truncatingIfNeeded: carried)
      }
    }
    ways.haveWaiting = true
    var start = range.lowerBound
    for other in missing + [range.upperBound] {
      if start < other { try writeWays(start..<other, of: &rows, from: batch, file: file, to: position) }
      start = other + 1
    }
  }

  /// The rows of a range whose records lead to rows that wait.
  func heldRows(in range: Range<Int>, of rows: borrowing ValueBatch) -> [Int] {
    heldRecords.isEmpty ? [] : range.filter { heldRecords.contains(Int(rows.rows[$0].record)) }
  }

  /// Writes a batch of rows that have waited, those on the way to others and records' own by turns.
  mutating func writeSettled(
    _ rows: inout ValueBatch,
    from batch: borrowing RecordBatch,
    to position: Int
  ) throws(StoreError) {
    let file = number(of: batch.file)
    guard ways.haveWaiting else {
      return try write(rows.rows.indices, of: &rows, from: batch, file: file, to: position)
    }
    var start = 0
    while start < rows.rows.count {
      let isOnWay = rows.rows[start].way > 0
      var end = start + 1
      while end < rows.rows.count, (rows.rows[end].way > 0) == isOnWay { end += 1 }
      if isOnWay {
        try writeWays(start..<end, of: &rows, from: batch, file: file, to: position)
      } else {
        try write(start..<end, of: &rows, from: batch, file: file, to: position)
      }
      start = end
    }
  }

  /// Rejects the records that led to rows on the way which have been rejected, if theirs still wait.
  ///
  /// - Returns: How many there were.
  mutating func rejectCarriers(ofRound round: Int) throws(StoreError) -> Int64 {
    guard ways.haveWaiting else { return 0 }
    var count: Int64 = 0
    for table in tables {
      guard let onWay = table.parked else { continue }
      for other in tables {
        guard let parked = other.parked, parked.waitingCount > 0 else { continue }
        count += try parked.reject(
          where: """
            f.holds < 2 AND (f.file, f.record) IN
            (SELECT w.file, w.record FROM \(onWay.table) AS w WHERE w.holds > 1 AND w.state = 1 AND w.round = \(round))
            """,
          cause: Self.carrierCause,
          round: round
        )
      }
    }
    return count
  }

  /// Stands for a reference where a row is rejected for another one on the way of its record.
  static var carrierCause: Int { -1 }

  /// What is wrong with the rows on the way of a waiting record that were rejected for what they refer to.
  func faultsOnWays(of number: Int64, in parked: ParkedRows) throws(StoreError) -> [Diagnostic] {
    guard ways.haveWaiting else { return [] }
    var faults: [Diagnostic] = []
    for (position, table) in tables.enumerated() {
      guard let onWay = table.parked else { continue }
      let list = try Statement(
        """
        SELECT w.n, w.cause, w.holds FROM \(onWay.table) AS w CROSS JOIN \(parked.table) AS f
        WHERE f.n = \(number) AND w.file = f.file AND w.record = f.record AND w.holds > 1 AND w.state = 1 AND w.cause >= 0
        """,
        on: session.connection
      )
      while try list.step() {
        let way = Int(list.integer(2) / 2)
        var found = try orphanFaults(of: list.integer(0), in: onWay, at: position, broken: [Int(list.integer(1))])
        for index in found.indices where way <= ways.names.count {
          found[index].field = found[index].field.map { "\(ways.names[way - 1]).\($0)" }
        }
        faults += found
      }
    }
    return faults
  }

  /// Tells that a row on the way of a record was refused, when it was written after it had waited: the record is rejected.
  mutating func tellRefusedCarrier(
    of number: Int64,
    in onWay: ParkedRows,
    _ faults: [Diagnostic],
    round: Int,
    _ reject: (ParkedRejection) throws -> Void
  ) throws {
    hasRefusedCarriers = true
    for position in tables.indices {
      guard let parked = tables[position].parked, parked.waitingCount > 0 else { continue }
      let list = try Statement(
        """
        SELECT f.n FROM \(parked.table) AS f CROSS JOIN \(onWay.table) AS w
        WHERE w.n = \(number) AND w.file = f.file AND w.record = f.record AND f.holds < 2 AND f.state = 0
        """,
        on: session.connection
      )
      var found: [Int64] = []
      while try list.step() { found.append(list.integer(0)) }
      for own in found {
        try parked.settleRefused(own, round: round)
        try tellRefused(own, of: parked, faults, reject)
      }
    }
  }
}
