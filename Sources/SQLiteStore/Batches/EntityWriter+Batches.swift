package import Diagnostics
package import EntityModel
package import Records

/// Commits by batches: what the run must remember stands in the database and is committed with the rows, so that a later run
/// of the same load goes on as this one would have.
extension EntityWriter {
  /// Commits what has been written so far.
  ///
  /// - Parameter load: How far it has come.
  /// - Returns: false where it must wait, since rows refer to ones that are not there yet.
  package mutating func commitBatch(_ load: UnfinishedLoad) throws(StoreError) -> Bool {
    guard let batches, !session.connection.hasDeferredFaults else { return false }
    try batches.write(load, writerCounts: writerCounts)
    try session.commitBatch()
    return true
  }

  /// Passes over a batch of records that an earlier run of the load has written: the ones that were refused then are rejected
  /// again, for the same reasons.
  ///
  /// - Parameters:
  ///   - rows: What the records became.
  ///   - batch: The records.
  ///   - format: The input's.
  /// - Returns: The rejected records whose bytes are kept, as of `keepWithinWaiting`.
  package mutating func passOver(
    _ rows: inout ValueBatch,
    of batch: borrowing RecordBatch,
    in format: FileFormat? = nil
  ) throws(StoreError) -> Set<Int> {
    guard !interrupter.isInterrupted else { throw .interrupted }
    guard let batches else { return [] }
    waitingRecords.removeAll(keepingCapacity: true)
    if !rows.ways.isEmpty { ways.names = rows.ways }
    self.format = format
    let file = number(of: batch.file)
    if batches.replay == nil {
      batches.replay = try ReplayedFates(parked: tables.compactMap { $0.parked?.table }, on: session.connection)
    }
    defer { batches.batchNumber += 1 }
    guard let replay = batches.replay else { return [] }
    // Of other records than those that were written then there may be fewer; that is found out once all are passed over.
    rows.rejections += try replay.rejections(ofBatch: batches.batchNumber).filter { $0.record < batch.count }
    rows.rejections.sort { $0.record < $1.record }
    guard let first = batch.records.first?.ordinal else { return [] }
    waitingRecords = try replay.waitingRecords(of: file, records: first..<first + Int64(batch.count))
    try findLines(of: rows, from: batch, file: file, replay)
    return try keepWithinWaiting(of: rows, from: batch, areKept: true)
  }

  /// Ends the passing over.
  package mutating func endPassingOver() { batches?.replay = nil }

  /// Notes anew from which lines the rows came that an earlier run has written.
  private func findLines(
    of rows: borrowing ValueBatch,
    from batch: borrowing RecordBatch,
    file: UInt16,
    _ replay: ReplayedFates
  ) throws(StoreError) {
    guard tables.contains(where: { $0.lines != nil }) else { return }
    var left = waitingRecords
    for rejection in rows.rejections { left.insert(rejection.record) }
    for row in rows.rows.indices {
      let position = Int(rows.rows[row].entity)
      let record = Int(rows.rows[row].record)
      let table = tables[position]
      guard let lines = table.lines, rows.rows[row].way > 0 || !left.contains(record),
        let rowid = try table.rowid(of: row, of: rows, text: batch.text)
      else { continue }
      let isNew = batches?.greatestRowid(at: position).map { rowid > $0 } ?? true
      var isOfLoad = isNew
      if !isOfLoad { isOfLoad = try replay.holds(rowid, at: position) }
      guard isOfLoad, try lines.entry(ofRow: rowid) == nil else { continue }
      let header = batch.records[record]
      try lines.append(LineLog.Entry(rowid: rowid, file: file, line: Int64(header.line), record: header.ordinal))
    }
  }

  /// What has been counted, by names that `restore` knows.
  private var writerCounts: [String: Int64] {
    var counts: [String: Int64] = [
      "unreadable": unreadableCount, "refusedCarriers": hasRefusedCarriers ? 1 : 0,
    ]
    for (position, table) in tables.enumerated() {
      for (name, count) in Self.counted { counts["\(name).\(position)"] = table[keyPath: count] }
    }
    return counts
  }

  private static var counted: [(String, WritableKeyPath<WrittenTable, Int64>)] {
    [
      ("inserted", \.insertedCount), ("updated", \.updatedCount), ("unchanged", \.unchangedCount),
      ("skipped", \.skippedCount), ("deleted", \.deletedCount), ("made", \.madeCount),
    ]
  }

  /// Begins a load that commits by batches, or takes up what an earlier run of it has left; before anything is written.
  package mutating func beginBatches() throws(StoreError) {
    guard let batches else { return }
    guard !batches.isResumed else { return try takeUp(batches.load) }
    var greatest: [Int64?] = []
    for table in tables {
      guard let rowid = table.stored.rowidName else {
        greatest.append(nil)
        continue
      }
      let name = SQLText.identifier(table.stored.name)
      let found = try Statement("SELECT max(\(rowid)) FROM main.\(name)", on: session.connection)
      greatest.append(try found.step() && !found.isNull(0) ? found.integer(0) : nil)
    }
    batches.begin(madeTables: newTables, greatestRowids: greatest)
  }

  private mutating func takeUp(_ load: UnfinishedLoad) throws(StoreError) {
    let connection = session.connection
    func exists(_ name: String) throws(StoreError) -> Bool {
      try connection.integer(of: "SELECT count(*) FROM main.sqlite_schema WHERE name = \(SQLText.literal(name))") != 0
    }
    for position in tables.indices {
      for (name, count) in Self.counted {
        tables[position][keyPath: count] = load.writerCounts["\(name).\(position)"] ?? 0
      }
      if try exists("importer_parked_\(position)") {
        let parked = try parking(for: position)
        try parked.takeUp()
        if try parked.hasRowsOnWays() { ways.haveWaiting = true }
      }
      if try exists("importer_way_\(position)"), let finder = tables[position].finder {
        _ = try wayRows(of: position, finder: finder)
      }
    }
    unreadableCount = load.writerCounts["unreadable"] ?? 0
    hasRefusedCarriers = load.writerCounts["refusedCarriers"] == 1
    for keys in linkKeys { try keys.takeUp() }
    if try exists(KeptRecords.name) { kept = try KeptRecords(on: connection) }
  }
}

extension ParkedRows {
  /// Counts the rows that an earlier run has parked.
  fileprivate func takeUp() throws(StoreError) {
    waitingCount = try connection.integer(of: "SELECT count(*) FROM \(table) WHERE state = 0")
    nextNumber = try connection.integer(of: "SELECT coalesce(max(n), 0) + 1 FROM \(table)")
  }

  fileprivate func hasRowsOnWays() throws(StoreError) -> Bool {
    try connection.integer(of: "SELECT 1 FROM \(table) WHERE holds > 1 LIMIT 1") != 0
  }
}

extension WrittenTable {
  /// The rowid of the row that has a unique value of a row of the feed; nil where there is none, or nothing unique.
  fileprivate func rowid(
    of row: Int,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer
  ) throws(StoreError) -> Int64? {
    let start = Int(rows.rows[row].valueStart)
    if let rowidAttribute, case .integer(let number) = rows.values[start + rowidAttribute] { return number }
    for uniqueness in uniquenesses {
      let attributes = uniqueness.attributes.flatMap { $0 ?? [] }
      guard let lookup = uniqueness.lookup, !attributes.isEmpty,
        attributes.allSatisfy({ !rows.values[start + $0].isMissing })
      else { continue }
      defer { lookup.reset() }
      for (index, attribute) in attributes.enumerated() {
        try lookup.bind(rows.values[start + attribute], from: text, at: index + 1)
      }
      if try lookup.step() { return lookup.integer(0) }
    }
    return nil
  }
}
