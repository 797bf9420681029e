import CSQLite
package import Diagnostics
import EntityModel
import Records

/// Rows on the way to others: a record names their values behind the relationships that lead to them, and they are found
/// by their keys or made.
extension EntityWriter {
  /// Writes consecutive rows of one entity that are on the way to others; records that cannot have them are rejected.
  mutating func writeWays(
    _ range: Range<Int>,
    of rows: inout ValueBatch,
    from batch: borrowing RecordBatch,
    file: UInt16,
    to position: Int
  ) throws(StoreError) {
    guard let finder = tables[position].finder else {
      throw .withoutKey(entity: tables[position].entity.name, mode: mode.rawValue)
    }
    for copy in tables[position].copies {
      let code = feed.run(copy, over: range, of: rows, text: batch.text)
      guard code == SQLITE_DONE else { throw session.connection.failure(code) }
    }
    let way = try wayRows(of: position, finder: finder)
    let goesSingly = way.goesSingly || finder.mustGoSingly(range, of: rows)
    var start = range.lowerBound
    while start < range.upperBound {
      let wanted = start..<(goesSingly ? start + 1 : range.upperBound)
      let count = try finder.find(wanted, of: rows, text: batch.text, feed: feed, comparesValues: true)
      start = try writeJudgedWays(start..<start + count, of: &rows, from: batch, file: file, to: position, finder, way)
    }
  }

  /// - Returns: The position after the last row that is settled.
  private mutating func writeJudgedWays(
    _ range: Range<Int>,
    of rows: inout ValueBatch,
    from batch: borrowing RecordBatch,
    file: UInt16,
    to position: Int,
    _ finder: RowFinder,
    _ way: WayRows
  ) throws(StoreError) -> Int {
    let standings = finder.standings
    var row = range.lowerBound
    while row < range.upperBound {
      let standing = standings[row - range.lowerBound]
      switch standing.kind {
      case .new where mode == .update, .same: row += 1
      case .new:
        let missing = way.missing(row, of: rows)
        guard missing.isEmpty else {
          refuse(row, of: &rows, from: batch, missing.map { lack(of: $0, row: row, of: rows, at: position) })
          row += 1
          continue
        }
        var end = row + 1
        while !way.goesSingly, end < range.upperBound, standings[end - range.lowerBound].kind == .new,
          way.missing(end, of: rows).isEmpty
        {
          end += 1
        }
        let reached = try make(row..<end, of: &rows, from: batch, file: file, to: position, way)
        // A row of before in the same statement may have the key of the next.
        guard reached == end else {
          if reached > range.lowerBound { return reached }
          try refuseNew(reached, of: &rows, from: batch, at: position)
          return reached + 1
        }
        row = end
      case .keyless:
        refuse(row, of: &rows, from: batch, keylessFaults(of: row, rows, at: position, finder))
        row += 1
      case .different:
        try settle(row, standing, of: &rows, from: batch, to: position, way)
        row += 1
      }
    }
    return range.upperBound
  }

  /// Makes rows.
  ///
  /// - Returns: The position of the first one that was refused, or the end.
  private mutating func make(
    _ range: Range<Int>,
    of rows: inout ValueBatch,
    from batch: borrowing RecordBatch,
    file: UInt16,
    to position: Int,
    _ way: WayRows
  ) throws(StoreError) -> Int {
    let connection = session.connection
    let code = feed.run(way.insert, over: range, of: rows, text: batch.text)
    let isLeftOut = code == SQLITE_DONE && range.count == 1 && connection.changeCount == 0
    let isRefused = code & 0xFF == SQLITE_CONSTRAINT || isLeftOut
    guard code == SQLITE_DONE || isRefused else { throw connection.failure(code) }
    let words = isLeftOut ? WrittenTable.leftOut : connection.message
    let end = !isRefused ? range.upperBound : range.count == 1 ? range.lowerBound : feed.position
    if isRefused {
      try checkTransaction(isLeftOut: isLeftOut, words: words)
      refusedWords = (code, words)
    }
    guard range.lowerBound < end else { return end }
    tables[position].madeCount += Int64(end - range.lowerBound)
    try log(range.lowerBound..<end, of: rows, from: batch, file: file, in: tables[position])
    try way.mark(range.lowerBound..<end, of: rows, text: batch.text, feed: feed, areMade: true)
    return end
  }

  private mutating func refuseNew(
    _ row: Int,
    of rows: inout ValueBatch,
    from batch: borrowing RecordBatch,
    at position: Int
  ) throws(StoreError) {
    let table = tables[position]
    let fault = try refusal(
      of: row,
      of: rows,
      from: batch,
      in: table,
      code: refusedWords.code,
      words: refusedWords.words
    )
    refuse(row, of: &rows, from: batch, [fault])
  }

  /// Gives a row that is there what it lacks, or, where the mode says so, other values.
  private mutating func settle(
    _ row: Int,
    _ standing: RowFinder.Standing,
    of rows: inout ValueBatch,
    from batch: borrowing RecordBatch,
    to position: Int,
    _ way: WayRows
  ) throws(StoreError) {
    let isKnown = try way.isKnown(row, of: rows, text: batch.text, feed: feed)
    if !isKnown, mode == .skip { return }
    if isKnown || !mode.updatesRows {
      let others = try way.contradictions(of: row, standing, of: rows, text: batch.text, feed: feed)
      // Only what this run has made may still be filled.
      guard others.isEmpty, isKnown else {
        let gaps = others.isEmpty ? changedAttributes(standing, at: position).map { ($0, "nothing") } : others
        let faults = gaps.map { attribute, stored in
          contradiction(attribute, stored: stored, row: row, of: rows, text: batch.text, at: position, isOfRun: isKnown)
        }
        return refuse(row, of: &rows, from: batch, faults)
      }
    }
    guard let update = tables[position].update else { return }
    let code = try update.run(row, of: rows, text: batch.text, standing: standing, feed: feed)
    guard code & 0xFF == SQLITE_CONSTRAINT else {
      guard code == SQLITE_DONE else { throw session.connection.failure(code) }
      if !isKnown { try way.mark(row..<row + 1, of: rows, text: batch.text, feed: feed, areMade: false) }
      return
    }
    refusedWords = (code, session.connection.message)
    try checkTransaction(isLeftOut: false, words: refusedWords.words)
    try refuseNew(row, of: &rows, from: batch, at: position)
  }

  private func changedAttributes(_ standing: RowFinder.Standing, at position: Int) -> [Int] {
    guard let finder = tables[position].finder else { return [] }
    let columns = tables[position].columns
    return finder.changes[standing.changes].filter { $0 < columns.count }.compactMap { columns[$0].attributes.last }
  }

  /// Rejects the records that lead to a row, once each, with the faults at their own places.
  mutating func refuse(
    _ row: Int,
    of rows: inout ValueBatch,
    from batch: borrowing RecordBatch,
    _ faults: [Diagnostic]
  ) {
    hasRefusedCarriers = true
    let start = Int(rows.rows[row].valueStart)
    let refused = Set(rows.rejections.map(\.record))
    for carrier in rows.carriers where carrier.valueStart == start && !refused.contains(carrier.record) {
      var faults = faults
      for index in faults.indices { faults[index].location = batch.location(of: carrier.record) }
      rows.rejections.append(Rejection(record: carrier.record, diagnostics: faults))
    }
  }

  /// Takes out the rows of records that have been refused, and those on the way that no other record leads to.
  ///
  /// - Returns: How many of the range there were.
  mutating func takeOutRowsOfRefused(
    _ range: Range<Int>,
    of rows: inout ValueBatch,
    from batch: borrowing RecordBatch,
    file: UInt16
  ) throws(StoreError) -> Int {
    guard !rows.carriers.isEmpty else { return 0 }
    let refused = Set(rows.rejections.map(\.record))
    var wanted: Set<Int> = []
    for carrier in rows.carriers where !refused.contains(carrier.record) { wanted.insert(carrier.valueStart) }
    var kept: [ValueBatch.Row] = []
    for position in range {
      let row = rows.rows[position]
      if row.way > 0 ? wanted.contains(Int(row.valueStart)) : !refused.contains(Int(row.record)) {
        kept.append(row)
      } else if row.way == 0 {
        let table = tables[Int(row.entity)]
        try table.lost?.add(row: position, of: rows, from: batch, file: file, feed: feed, isLost: false)
      }
    }
    let count = range.count - kept.count
    if count > 0 { rows.rows.replaceSubrange(range, with: kept) }
    return count
  }

  /// Lets a record of its own have a row that was made on the way to others before it, if it contradicts nothing that the
  /// row has.
  mutating func takeOver(
    _ row: Int,
    of rows: borrowing ValueBatch,
    from batch: borrowing RecordBatch,
    file: UInt16,
    at position: Int
  ) throws(StoreError) -> Bool {
    guard let way = ways.tables[position], let finder = tables[position].finder, let update = tables[position].update,
      try way.isKnown(row, of: rows, text: batch.text, feed: feed)
    else { return false }
    _ = try finder.find(row..<row + 1, of: rows, text: batch.text, feed: feed, comparesValues: true)
    guard let standing = finder.standings.first, standing.kind == .same || standing.kind == .different else {
      return false
    }
    if standing.kind == .different {
      let others = try way.contradictions(of: row, standing, of: rows, text: batch.text, feed: feed)
      // What it leaves empty is no contradiction, and nothing to write.
      let start = Int(rows.rows[row].valueStart)
      guard others.allSatisfy({ rows.values[start + $0.attribute].isMissing }) else { return false }
      guard others.isEmpty else {
        return false
      }
      let code = try update.run(row, of: rows, text: batch.text, standing: standing, feed: feed)
      guard code == SQLITE_DONE else { return false }
    }
    try way.forget(row..<row + 1, of: rows, text: batch.text, feed: feed)
    tables[position].insertedCount += 1
    tables[position].madeCount -= 1
    changedRowid = standing.rowid
    if !tables[position].lists.isEmpty { try addPairs(of: row..<row + 1, of: rows, text: batch.text, at: position) }
    return true
  }

  /// The rows of a table that are on the way to others.
  func wayRows(of position: Int, finder: RowFinder) throws(StoreError) -> WayRows {
    if let known = ways.tables[position] { return known }
    let made = try WayRows(
      tables[position],
      at: position,
      finder: finder,
      keys: keys,
      defaults: position < wayDefaults.count ? wayDefaults[position] : [],
      session: session
    )
    ways.tables[position] = made
    return made
  }

  /// Deletes the rows made on the way to records that were all rejected in the end, so that nothing leads to them.
  package mutating func dropUnusedWays() throws(StoreError) {
    guard hasRefusedCarriers else { return }
    // What is only counted leads nowhere.
    guard tables.allSatisfy({ $0.insert != nil }) else { return }
    for position in StoredTable.childrenFirst(tables.map(\.stored)) {
      let made = conditionsOfMade(at: position)
      guard !made.isEmpty else { continue }
      let stored = tables[position].stored
      var conditions = ["(\(made.joined(separator: " OR ")))"]
      for child in tables {
        for key in child.stored.foreignKeys where SQLText.isSameName(key.target, stored.name) {
          let columns = key.targetColumns.isEmpty ? stored.primaryKey : key.targetColumns
          let own = columns.map { "t.\(SQLText.identifier($0))" }.joined(separator: ", ")
          let given = key.columns.map { "\(SQLText.identifier($0)) IS NOT NULL" }.joined(separator: " AND ")
          let list = key.columns.map { SQLText.identifier($0) }.joined(separator: ", ")
          let source = "main.\(SQLText.identifier(child.stored.name))"
          conditions.append("(\(own)) NOT IN (SELECT \(list) FROM \(source) WHERE \(given))")
        }
      }
      try session.connection.execute(
        "DELETE FROM main.\(SQLText.identifier(stored.name)) AS t WHERE \(conditions.joined(separator: " AND "))"
      )
      tables[position].madeCount -= session.connection.changeCount
    }
  }
}

/// What a run knows of the rows on the ways of its records.
final class KnownWays {
  /// By the entity's position among the run's.
  var tables: [Int: WayRows] = [:]
  /// Whether some rows of them have waited.
  var haveWaiting = false
  /// The names of the ways, by their numbers from 1 on.
  var names: [String] = []
}
