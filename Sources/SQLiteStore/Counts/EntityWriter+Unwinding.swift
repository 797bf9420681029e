import CSQLite
import Diagnostics
import EntityModel

/// Takes rows back that were written, with all that depends on them.
extension EntityWriter {
  /// Takes the rows back that are marked with the level 0, and what refers to them; those wait again.
  mutating func unwind() throws(StoreError) {
    try markDependants()
    var postponed: Int64 = 0
    while true {
      guard !interrupter.isInterrupted else { throw .interrupted }
      var count = 0
      var stuck: (written: ParkedRows.Written, position: Int)?
      // What was changed is restored first, the last change before the one before it; then no delete rule can take along
      // what was there before the run.
      for (isUpdate, sign) in [("=", ""), ("<>", "level DESC, ")] {
        for position in tables.indices.reversed() {
          guard let parked = tables[position].parked, tables[position].isHeld || givesChildren else { continue }
          let condition = "level IS NOT NULL AND fate \(isUpdate) \(ParkedRows.Fate.updated.rawValue)"
          for written in try parked.written(where: condition, order: "\(sign)n DESC LIMIT 1000") {
            count += 1
            if try takeBack(written, of: position) {
              try parked.forget(written.number)
              postponed = 0
            } else {
              stuck = (written, position)
              try parked.postpone(written.number)
              postponed += 1
            }
          }
        }
      }
      guard count > 0 else { return }
      // A row that a delete rule keeps may go when others have gone.
      if let stuck, try postponed >= waitingToGo(), let parked = tables[stuck.position].parked {
        throw irrevocable(stuck.written, of: parked)
      }
    }
  }

  /// Marks what refers to marked rows, level by level, and what later records did to the same rows.
  private mutating func markDependants() throws(StoreError) {
    var level = 0
    var count: Int64 = 1
    while count > 0 {
      guard !interrupter.isInterrupted else { throw .interrupted }
      count = 0
      for position in tables.indices {
        guard let parked = tables[position].parked, tables[position].isHeld || givesChildren else { continue }
        // By the row that was written: by its level there may be all of them.
        count += try parked.mark(
          """
          fate <> \(ParkedRows.Fate.inserted.rawValue) AND EXISTS (SELECT 1 FROM \(parked.table) AS t \
          WHERE t.written = f.written AND t.n < f.n AND +t.level = \(level))
          """,
          level: level + 1
        )
        for reference in tables[position].references {
          guard let target = reference.targetPosition, let others = tables[target].parked,
            let columns = reference.targetFeedColumns
          else { continue }
          let attributes = reference.attributes.compactMap { $0 }
          if reference.items == nil, attributes.count == reference.values.count {
            try parked.addIndex(on: attributes)
          }
          let source =
            reference.items == nil
            ? "\(others.table) AS t CROSS JOIN \(parked.table) AS f"
            : "\(reference.source(parked.table)) CROSS JOIN \(others.table) AS t"
          count += try parked.mark(
            "n IN (SELECT f.n FROM \(source) WHERE t.level = \(level) AND \(reference.isSame(columns)))",
            level: level + 1
          )
        }
      }
      level += 1
    }
  }

  private func waitingToGo() throws(StoreError) -> Int64 {
    var count: Int64 = 0
    for table in tables where table.isHeld || givesChildren {
      guard let parked = table.parked else { continue }
      count += try session.connection.integer(
        of: "SELECT count(*) FROM \(parked.table) WHERE level IS NOT NULL AND fate IS NOT NULL"
      )
    }
    return count
  }

  /// Undoes what was done with a row, and its count.
  ///
  /// - Returns: Whether it could be; a delete rule may keep it.
  mutating func takeBack(_ written: ParkedRows.Written, of position: Int) throws(StoreError) -> Bool {
    let connection = session.connection
    if let rowid = written.rowid { try forgetLists(ofRow: rowid, at: position) }
    try partChildren(of: written.number, at: position)
    switch written.fate {
    case .unchanged: tables[position].unchangedCount -= 1
    case .skipped: tables[position].skippedCount -= 1
    case .updated:
      guard let earlier = tables[position].earlier, let rowid = written.rowid else { return false }
      var counted: [(join: Int, made: Int64, deleted: Int64)] = []
      try earlier.restore(rowid, from: written.number) { counted.append(($0, $1, $2)) }
      for count in counted {
        tables[count.join].madeCount -= count.made
        tables[count.join].deletedCount -= count.deleted
      }
      tables[position].updatedCount -= 1
    case .inserted:
      // A check that only counts has kept no row.
      if tables[position].insert != nil {
        guard let rowid = written.rowid, let name = tables[position].stored.rowidName else { return false }
        for list in tables[position].lists {
          tables[list.join].madeCount -= try list.removePairs(ofRow: rowid, in: tables[position].stored)
        }
        let table = "main.\(SQLText.identifier(tables[position].stored.name))"
        let code = unsafe sqlite3_exec(
          connection.handle,
          "DELETE FROM \(table) WHERE \(name) = \(rowid)",
          nil,
          nil,
          nil
        )
        if code & 0xFF == SQLITE_CONSTRAINT { return false }
        guard code == SQLITE_OK else { throw connection.failure(code) }
      }
      tables[position].insertedCount -= 1
    }
    return true
  }

  /// Why a run must be undone whose record cannot be rejected alone.
  func irrevocable(_ written: ParkedRows.Written, of parked: ParkedRows) -> StoreError {
    let entity = excerpt(of: tables[parked.position].entity.name)
    guard let place = try? parked.origin(of: written.number, files: files).location else {
      return .dangling(path: session.connection.path, message: "a row of '\(entity)' cannot be taken back")
    }
    return .dangling(
      path: session.connection.path,
      message: "the row of '\(entity)' from \(excerpt(of: place.file)):\(place.line) depends on a rejected record and "
        + "cannot be taken back, since a delete rule of the database keeps it"
    )
  }
}

extension ListLink {
  /// Deletes the pairs of a row.
  ///
  /// - Returns: How many there were.
  fileprivate func removePairs(ofRow rowid: Int64, in stored: StoredTable) throws(StoreError) -> Int64 {
    let own = """
      SELECT t.\(SQLText.identifier(nearColumn)) FROM main.\(SQLText.identifier(stored.name)) AS t
      WHERE t.\(stored.rowidName ?? "rowid") = \(rowid)
      """
    try connection.execute("DELETE FROM \(table) AS j WHERE j.\(SQLText.identifier(ends.near.name)) = (\(own))")
    return connection.changeCount
  }
}

extension WrittenTable {
  /// How many records met which fate.
  var tally: [Int64] { [insertedCount, updatedCount, unchangedCount, skippedCount] }

  /// What was done with the record that was written since a tally was taken.
  func fate(since earlier: [Int64]) -> ParkedRows.Fate {
    let fates: [ParkedRows.Fate] = [.inserted, .updated, .unchanged, .skipped]
    return zip(zip(earlier, tally), fates).first { $0.0.0 < $0.0.1 }?.1 ?? .unchanged
  }
}

extension ParkedRows {
  /// Marks rows that were written and fulfil a condition as ones that must be taken back, and wait again.
  ///
  /// - Returns: How many.
  fileprivate func mark(_ condition: String, level: Int) throws(StoreError) -> Int64 {
    try connection.execute(
      """
      UPDATE \(table) AS f SET level = \(level), state = 0
      WHERE state = 2 AND fate IS NOT NULL AND level IS NULL AND \(condition)
      """
    )
    waitingCount += connection.changeCount
    return connection.changeCount
  }

  /// Notes that a row was taken back.
  fileprivate func forget(_ number: Int64) throws(StoreError) {
    try connection.execute("UPDATE \(table) SET level = NULL, fate = NULL, written = NULL WHERE n = \(number)")
  }

  /// Lets others be taken back before a row.
  fileprivate func postpone(_ number: Int64) throws(StoreError) {
    try connection.execute("UPDATE \(table) SET level = level - 1000000 WHERE n = \(number)")
  }
}
