import CSQLite
import Diagnostics
import EntityModel
import Records

/// Parts the rows that can be written from those that must wait for what they refer to.
extension EntityWriter {
  /// Writes consecutive rows of one entity; those whose targets are missing wait.
  mutating func writeOrPark(
    _ range: Range<Int>,
    of rows: inout ValueBatch,
    from batch: borrowing RecordBatch,
    file: UInt16,
    to position: Int
  ) throws(StoreError) {
    guard !tables[position].isHeld else {
      let parked = try parking(for: position)
      _ = rowsOfLists(in: range, of: rows, at: position)
      for row in range { try park(row, as: parked.reserve(1), in: parked, of: rows, from: batch, file: file) }
      return
    }
    let held = heldRows(in: range, of: rows) + rowsOfLists(in: range, of: rows, at: position)
    var missing = try rowsWithoutTarget(in: range, of: rows, text: batch.text, table: tables[position])
    if !held.isEmpty { missing = Set(missing + held).sorted() }
    if mode.findsRows, !missing.isEmpty || (tables[position].parked?.waitingCount ?? 0) > 0 {
      return try writeOrPark(range, missing, of: &rows, from: batch, file: file, to: position)
    }
    guard !missing.isEmpty else { return try write(range, of: &rows, from: batch, file: file, to: position) }
    try writeAll(of: range, but: missing, of: &rows, from: batch, file: file, to: position)
    // The target of a row may stand after it in the same batch.
    while tables[position].references.contains(where: { $0.targetPosition == position }) {
      let found = missing
      let span = found[0]..<found[found.count - 1] + 1
      let still = Set(try rowsWithoutTarget(in: span, of: rows, text: batch.text, table: tables[position]) + held)
      missing = found.filter(still.contains)
      let resolved = found.filter { !still.contains($0) }
      for row in resolved { try write(row..<row + 1, of: &rows, from: batch, file: file, to: position) }
      if missing.isEmpty || resolved.isEmpty { break }
    }
    guard !missing.isEmpty else { return }
    let parked = try parking(for: position)
    for row in missing {
      try park(row, as: parked.reserve(1), in: parked, of: rows, from: batch, file: file)
    }
  }

  /// Writes consecutive rows in a mode that finds rows by their keys: a row whose key waits must wait behind it.
  private mutating func writeOrPark(
    _ range: Range<Int>,
    _ missing: [Int],
    of rows: inout ValueBatch,
    from batch: borrowing RecordBatch,
    file: UInt16,
    to position: Int
  ) throws(StoreError) {
    let parked = try parking(for: position)
    let first = parked.reserve(range.count)
    func park(_ row: Int) throws(StoreError) {
      let number = first + Int64(row - range.lowerBound)
      try self.park(row, as: number, in: parked, of: rows, from: batch, file: file)
    }
    for row in missing { try park(row) }
    var waiting = Set(missing)
    if let behind = try tables[position].waitingKeys(on: session.connection) {
      var found: [Int] = []
      let code = feed.run(behind, over: range, of: rows, text: batch.text) { found.append(Int($0)) }
      guard code == SQLITE_DONE else { throw session.connection.failure(code) }
      for row in found where waiting.insert(row).inserted { try park(row) }
    }
    try writeAll(of: range, but: waiting.sorted(), of: &rows, from: batch, file: file, to: position)
  }

  private mutating func park(
    _ row: Int,
    as number: Int64,
    in parked: ParkedRows,
    of rows: borrowing ValueBatch,
    from batch: borrowing RecordBatch,
    file: UInt16
  ) throws(StoreError) {
    waitingRecords.insert(Int(rows.rows[row].record))
    let raw = keptBytes(of: Int(rows.rows[row].record), rows, batch)
    try parked.park(
      row: row,
      as: number,
      of: rows,
      from: batch,
      file: file,
      feed: feed,
      raw: raw
    )
  }

  mutating func parking(for position: Int) throws(StoreError) -> ParkedRows {
    if let known = tables[position].parked { return known }
    let parked = try ParkedRows(
      position,
      width: tables[position].entity.attributes.count,
      feed: "importer_feed_\(position)",
      on: session.connection
    )
    tables[position].parked = parked
    if tables[position].isHeld { try parked.addIndexOfWritten() }
    if mode.findsRows, let finder = tables[position].finder {
      try parked.addIndex(on: finder.keyColumns.flatMap(\.attributes))
    }
    return parked
  }

  /// The rows whose targets are neither in the database nor among the rows written so far, in ascending order.
  func rowsWithoutTarget(
    in range: Range<Int>,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    table: WrittenTable
  ) throws(StoreError) -> [Int] {
    guard let dangling = table.dangling else { return [] }
    var found: [Int] = []
    let code = feed.run(dangling, over: range, of: rows, text: text) { found.append(Int($0)) }
    guard code == SQLITE_DONE else { throw session.connection.failure(code) }
    return found
  }

  /// Writes the rows of a range that are not among some others.
  private mutating func writeAll(
    of range: Range<Int>,
    but others: [Int],
    of rows: inout ValueBatch,
    from batch: borrowing RecordBatch,
    file: UInt16,
    to position: Int
  ) throws(StoreError) {
    var start = range.lowerBound
    for other in others + [range.upperBound] {
      if start < other { try write(start..<other, of: &rows, from: batch, file: file, to: position) }
      start = other + 1
    }
  }
}
