import CSQLite
import Diagnostics
import EntityModel
import Records

/// Writes rows by one statement a run of them, and goes on after those that are refused.
extension EntityWriter {
  /// Writes consecutive rows of one entity whose targets are there, or will be.
  mutating func write(
    _ range: Range<Int>,
    of rows: inout ValueBatch,
    from batch: borrowing RecordBatch,
    file: UInt16,
    to position: Int
  ) throws(StoreError) {
    for copy in tables[position].copies {
      let code = feed.run(copy, over: range, of: rows, text: batch.text)
      guard code == SQLITE_DONE else { throw session.connection.failure(code) }
    }
    if mode.findsRows {
      guard let finder = tables[position].finder else {
        throw .withoutKey(entity: tables[position].entity.name, mode: mode.rawValue)
      }
      try writeByKey(range, of: &rows, from: batch, file: file, to: position, finder: finder)
      if !childLists.isEmpty { try noteLeads(range, of: rows, text: batch.text, at: position) }
    } else {
      var start = range.lowerBound
      for met in try rowsThatAreThere(in: range, of: rows, text: batch.text, at: position) + [range.upperBound] {
        if start < met { _ = try insert(start..<met, of: &rows, from: batch, file: file, to: position) }
        start = met + 1
      }
    }
  }

  /// The rows of a range without a key whose records stand within others, and which were there before the run.
  private mutating func rowsThatAreThere(
    in range: Range<Int>,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    at position: Int
  ) throws(StoreError) -> [Int] {
    guard mode == .insert, tables[position].finder == nil, range.contains(where: { rows.rows[$0].isEnclosed }) else {
      return []
    }
    if twins[position] == nil {
      let greatest = batches?.greatestRowid(at: position)
      twins[position] = .some(
        try EarlierTwins(position, tables[position], greatest: greatest, session: session)
      )
    }
    guard let earlier = twins[position] ?? nil else { return [] }
    var found: [Int] = []
    for row in range where rows.rows[row].isEnclosed {
      let isUnplaced = tables[position].isUnplaced(row: row, of: rows)
      guard try earlier.meet(row, of: rows, text: text, feed: feed, isUnplaced: isUnplaced) else { continue }
      tables[position].unchangedCount += 1
      found.append(row)
    }
    return found
  }

  /// Inserts consecutive rows of one entity.
  ///
  /// - Parameter judgedStart: Since which row they have been judged to be new: one after it that cannot be inserted may
  ///   have its key from another of them, so the insertion ends before it.
  /// - Returns: The position after the last row that was inserted or refused.
  mutating func insert(
    _ range: Range<Int>,
    of rows: inout ValueBatch,
    from batch: borrowing RecordBatch,
    file: UInt16,
    to position: Int,
    judgedStart: Int? = nil
  ) throws(StoreError) -> Int {
    let table = tables[position]
    let connection = session.connection
    guard let insert = table.insert else {
      tables[position].insertedCount += Int64(range.count)
      return range.upperBound
    }
    var start = range.lowerBound
    while start < range.upperBound {
      let statement = table.isUnplaced(row: start, of: rows) ? table.placingInsert ?? insert : insert
      let limit = statement === insert ? range.upperBound : start + 1
      let isSingle = table.goesSingly || statement !== insert
      let end = endOfStatement(from: start, to: limit, of: rows, in: table, text: batch.text)
      guard start < end else {
        if let judgedStart, start > judgedStart { return start }
        rows.rejections.append(table.rejectionOfValue(row: start, of: rows, from: batch))
        start += 1
        continue
      }
      let code = feed.run(statement, over: start..<end, of: rows, text: batch.text)
      let isLeftOut = code == SQLITE_DONE && isSingle && connection.changeCount == 0
      let isRefused = code & 0xFF == SQLITE_CONSTRAINT || isLeftOut
      guard code == SQLITE_DONE || isRefused else { throw connection.failure(code) }
      // A statement of one row that triggers read from a copy has gone past it.
      let insertedEnd = !isRefused ? end : isSingle ? start : feed.position
      if start < insertedEnd {
        tables[position].insertedCount += Int64(insertedEnd - start)
        changedRowid = connection.lastRowid
        try log(start..<insertedEnd, of: rows, from: batch, file: file, in: table)
        if !table.lists.isEmpty { try addPairs(of: start..<insertedEnd, of: rows, text: batch.text, at: position) }
      }
      guard isRefused else {
        start = end
        continue
      }
      let words = isLeftOut ? WrittenTable.leftOut : connection.message
      try checkTransaction(isLeftOut: isLeftOut, words: words)
      if let judgedStart, insertedEnd > judgedStart { return insertedEnd }
      if table.uniquenesses.contains(where: { $0.isKey && $0.message == words }),
        try isThereAlready(insertedEnd, of: rows, text: batch.text, in: table)
      {
        tables[position].unchangedCount += 1
        start = insertedEnd + 1
        continue
      }
      if table.uniquenesses.contains(where: { $0.isKey && $0.message == words }),
        try takeOver(insertedEnd, of: rows, from: batch, file: file, at: position)
      {
        start = insertedEnd + 1
        continue
      }
      let refusal = try refusal(of: insertedEnd, of: rows, from: batch, in: table, code: code, words: words)
      try table.lost?.add(row: insertedEnd, of: rows, from: batch, file: file, feed: feed, isLost: false)
      rows.rejections.append(Rejection(record: Int(rows.rows[insertedEnd].record), diagnostics: [refusal]))
      start = insertedEnd + 1
    }
    return range.upperBound
  }

  /// Ends the run when a trigger has undone more than its row.
  func checkTransaction(isLeftOut: Bool, words: String) throws(StoreError) {
    let connection = session.connection
    guard !isLeftOut, !connection.isInTransaction, session.isTransaction else { return }
    throw .schema(
      path: connection.path,
      message: "a trigger undid the whole transaction: \(excerpt(of: words))",
      remedy: "let the trigger refuse single rows with RAISE(ABORT, …)"
    )
  }

  /// How far one statement may go: rows whose rowids are known in the same way, none that a column would change.
  ///
  /// - Returns: `start` when its row must not be written at all.
  private func endOfStatement(
    from start: Int,
    to limit: Int,
    of rows: borrowing ValueBatch,
    in table: WrittenTable,
    text: borrowing TextBuffer
  ) -> Int {
    var end = table.goesSingly ? start + 1 : limit
    if let attribute = table.rowidAttribute, table.lines != nil {
      func isNumbered(_ row: Int) -> Bool { rows.values[Int(rows.rows[row].valueStart) + attribute].isMissing }
      let first = isNumbered(start)
      var next = start + 1
      while next < end, isNumbered(next) == first { next += 1 }
      end = next
    }
    if !table.placeAttributes.isEmpty, start + 1 < end {
      end = (start + 1..<end).first { table.isUnplaced(row: $0, of: rows) } ?? end
    }
    guard !table.guardedAttributes.isEmpty || !table.requiredAttributes.isEmpty else { return end }
    return (start..<end).first { row in
      table.wouldChange(row: row, of: rows, text: text) != nil || table.missing(row: row, of: rows) != nil
    } ?? end
  }

  /// Keeps the lines of rows that have just been inserted.
  func log(
    _ range: Range<Int>,
    of rows: borrowing ValueBatch,
    from batch: borrowing RecordBatch,
    file: UInt16,
    in table: WrittenTable
  ) throws(StoreError) {
    guard let lines = table.lines else { return }
    // SQLite numbers the rows of one statement one after the other; a number that is given may be the least there is.
    let first = session.connection.lastRowid &- Int64(range.count) &+ 1
    for row in range {
      var rowid = first &+ Int64(row - range.lowerBound)
      if let attribute = table.rowidAttribute,
        case .integer(let given) = rows.values[Int(rows.rows[row].valueStart) + attribute]
      {
        rowid = given
      }
      let header = batch.records[Int(rows.rows[row].record)]
      try batches?.note(rowid, at: Int(rows.rows[row].entity))
      try lines.append(
        LineLog.Entry(rowid: rowid, file: file, line: Int64(header.line), record: header.ordinal)
      )
    }
  }

  /// The diagnostic of a row that SQLite refused.
  func refusal(
    of row: Int,
    of rows: borrowing ValueBatch,
    from batch: borrowing RecordBatch,
    in table: WrittenTable,
    code: CInt,
    words: String
  ) throws(StoreError) -> Diagnostic {
    if let uniqueness = table.uniquenesses.first(where: { $0.message == words }) {
      let first = try table.firstPlace(of: row, of: rows, text: batch.text, sharing: uniqueness)
      return table.collision(of: row, of: rows, from: batch, in: uniqueness, with: first, files: files)
    }
    return table.violation(of: row, of: rows, from: batch, code: code, words: words)
  }
}
