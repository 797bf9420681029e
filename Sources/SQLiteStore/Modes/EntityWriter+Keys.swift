import CSQLite
import Diagnostics
import EntityModel
import Records

/// Writes rows by their keys: new ones are inserted, those that are there are updated or left, as the mode asks.
extension EntityWriter {
  /// How many rows got other values, by entity.
  package var updatedCounts: [Int64] { tables.map(\.updatedCount) }

  /// How many records had no other values than the rows that were there, by entity.
  package var unchangedCounts: [Int64] { tables.map(\.unchangedCount) }

  /// How many records the mode left out, by entity.
  package var skippedCounts: [Int64] { tables.map(\.skippedCount) }

  /// How many rows of before the run went, by entity.
  package var deletedCounts: [Int64] { tables.map(\.deletedCount) }

  /// Writes consecutive rows in their order, as if each were looked for and written alone.
  ///
  /// A run of rows is judged at once. It ends before a row that has the key of another in it, and is shorter the next
  /// time, so that files full of repeated keys are not judged over and over.
  mutating func writeByKey(
    _ range: Range<Int>,
    of rows: inout ValueBatch,
    from batch: borrowing RecordBatch,
    file: UInt16,
    to position: Int,
    finder: RowFinder
  ) throws(StoreError) {
    let goesSingly = tables[position].goesSingly || finder.mustGoSingly(range, of: rows)
    // A row that a record names is not there for others alone.
    if let way = ways.tables[position] { try way.forget(range, of: rows, text: batch.text, feed: feed) }
    var limit = goesSingly ? 1 : range.count
    var start = range.lowerBound
    while start < range.upperBound {
      let wanted = start..<min(start + limit, range.upperBound)
      let count = try finder.find(
        wanted,
        of: rows,
        text: batch.text,
        feed: feed,
        comparesValues: mode.updatesRows
      )
      let end = try writeJudged(start..<start + count, of: &rows, from: batch, file: file, to: position, finder: finder)
      if !goesSingly { limit = max(1, 2 * (end - start)) }
      start = end
    }
  }

  /// Writes rows that have been judged.
  ///
  /// - Returns: The position after the last one; earlier than the range's end if another row with the key of a new one
  ///   comes, which must be judged again.
  private mutating func writeJudged(
    _ range: Range<Int>,
    of rows: inout ValueBatch,
    from batch: borrowing RecordBatch,
    file: UInt16,
    to position: Int,
    finder: RowFinder
  ) throws(StoreError) -> Int {
    var row = range.lowerBound
    while row < range.upperBound {
      let standing = finder.standings[row - range.lowerBound]
      changedRowid = standing.rowid
      switch standing.kind {
      case .new where mode != .update:
        var end = row + 1
        while end < range.upperBound, finder.standings[end - range.lowerBound].kind == .new { end += 1 }
        let reached = try insert(
          row..<end,
          of: &rows,
          from: batch,
          file: file,
          to: position,
          judgedStart: range.lowerBound
        )
        guard reached == end else { return reached }
        row = end
        continue
      case .new: tables[position].skippedCount += 1
      case .keyless:
        try refuseWithoutNumbers(tables[position])
        // It may mean any row, so none is known to be unseen.
        unreadableCount += 1
        rows.rejections.append(keyless(row, of: rows, from: batch, in: tables[position], finder: finder))
      case .same where mode == .skip: tables[position].skippedCount += 1
      case .same:
        tables[position].unchangedCount += 1
        try noteLists(of: row..<row + 1, of: rows, text: batch.text, at: position)
      case .different:
        try update(row, of: &rows, from: batch, to: position, standing: standing, finder: finder)
      }
      row += 1
    }
    return range.upperBound
  }

  /// Where not even the first record gives the number that stands for its key, none will.
  private func refuseWithoutNumbers(_ table: WrittenTable) throws(StoreError) {
    guard table.entity.numbersRows, table.tally.allSatisfy({ $0 == 0 }), unreadableCount == 0 else { return }
    let own = Set(table.entity.relationships.filter { $0.target == table.entity.name }.map(\.name))
    throw .withoutNumber(
      entity: table.entity.name,
      mode: mode.rawValue,
      number: table.entity.key.first ?? "",
      key: table.entity.uniqueSets.first { !own.isDisjoint(with: $0) } ?? []
    )
  }

  private mutating func update(
    _ row: Int,
    of rows: inout ValueBatch,
    from batch: borrowing RecordBatch,
    to position: Int,
    standing: RowFinder.Standing,
    finder: RowFinder
  ) throws(StoreError) {
    let table = tables[position]
    let connection = session.connection
    guard let update = table.update else { return }
    if let rejection = table.rejectionOfUpdate(row: row, of: rows, from: batch) {
      rows.rejections.append(rejection)
      return
    }
    if let heldNumber, let earlier = table.earlier {
      try earlier.keep(standing.rowid, for: heldNumber)
    }
    let lists = standing.lists(in: finder)
    guard standing.changes.count > lists.count else {
      try replacePairs(of: row, lists, of: rows, text: batch.text, at: position)
      try noteLists(of: row..<row + 1, of: rows, text: batch.text, at: position)
      tables[position].updatedCount += 1
      return
    }
    let code = try update.run(row, of: rows, text: batch.text, standing: standing, feed: feed)
    let isLeftOut = code == SQLITE_DONE && table.goesSingly && connection.changeCount == 0
    let isRefused = code & 0xFF == SQLITE_CONSTRAINT || isLeftOut
    guard code == SQLITE_DONE || isRefused else { throw connection.failure(code) }
    guard isRefused else {
      try replacePairs(of: row, lists, of: rows, text: batch.text, at: position)
      try noteLists(of: row..<row + 1, of: rows, text: batch.text, at: position)
      tables[position].updatedCount += 1
      return
    }
    let words = isLeftOut ? WrittenTable.leftOut : connection.message
    try checkTransaction(isLeftOut: isLeftOut, words: words)
    let refusal = try refusal(of: row, of: rows, from: batch, in: table, code: code, words: words)
    rows.rejections.append(Rejection(record: Int(rows.rows[row].record), diagnostics: [refusal]))
  }

  /// A record without a value for its key, by which alone its row could be found.
  private func keyless(
    _ row: Int,
    of rows: borrowing ValueBatch,
    from batch: borrowing RecordBatch,
    in table: WrittenTable,
    finder: RowFinder
  ) -> Rejection {
    let record = Int(rows.rows[row].record)
    let start = Int(rows.rows[row].valueStart)
    let missing = finder.neededAttributes.filter { rows.values[start + $0].isMissing }
    let location = batch.location(of: record)
    return Rejection(
      record: record,
      diagnostics: missing.map { attribute in
        var diagnostic = table.lack(of: attribute, at: location)
        diagnostic.message = "the key has no value, and --mode \(mode.rawValue) finds rows by it"
        diagnostic.remedy = "give '\(excerpt(of: table.entity.attributes[attribute].name))' a value"
        return diagnostic
      }
    )
  }

  /// Whether the row that has the key of a row which may be there already has all its given values.
  ///
  /// - Parameter row: One that `ValueBatch.Row.holdsOthers`; else the answer is no.
  func isThereAlready(
    _ row: Int,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    in table: WrittenTable
  ) throws(StoreError) -> Bool {
    guard rows.rows[row].holdsOthers, let finder = table.finder else { return false }
    _ = try finder.find(row..<row + 1, of: rows, text: text, feed: feed, comparesValues: true)
    return finder.standings.first?.kind == .same
  }
}

extension WrittenTable {
  /// Why a row may not change the one that is there; nil if it may.
  fileprivate func rejectionOfUpdate(
    row: Int,
    of rows: borrowing ValueBatch,
    from batch: borrowing RecordBatch
  ) -> Rejection? {
    if wouldChange(row: row, of: rows, text: batch.text) != nil {
      return rejectionOfNumber(row: row, of: rows, from: batch)
    }
    let start = Int(rows.rows[row].valueStart)
    let record = Int(rows.rows[row].record)
    let cleared = entity.attributes.indices.filter {
      entity.attributes[$0].isRequired && rows.values[start + $0] == .null
    }
    guard !cleared.isEmpty else { return nil }
    return Rejection(record: record, diagnostics: cleared.map { lack(of: $0, at: batch.location(of: record)) })
  }
}
