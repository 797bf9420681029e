package import Diagnostics
import EntityModel
import Records

/// Rows of records that stand within others.
extension EntityWriter {
  /// Takes out the rows whose records stand within records that the database has refused; they are rejected too.
  ///
  /// - Returns: How many of the range there were.
  mutating func takeOutRowsWithinRefused(
    _ range: Range<Int>,
    of rows: inout ValueBatch,
    from batch: borrowing RecordBatch,
    file: UInt16
  ) throws(StoreError) -> Int {
    guard let first = batch.records.first?.ordinal, batch.records.contains(where: { $0.parent >= first }) else {
      return 0
    }
    let refused = Set(rows.rejections.map(\.record))
    var kept: [ValueBatch.Row] = []
    for position in range {
      let row = rows.rows[position]
      var parent = batch.records[Int(row.record)].parent - first
      while parent >= 0, !refused.contains(Int(parent)) { parent = batch.records[Int(parent)].parent - first }
      guard parent >= 0 else {
        kept.append(row)
        continue
      }
      let table = tables[Int(row.entity)]
      try table.lost?.add(row: position, of: rows, from: batch, file: file, feed: feed, isLost: false)
      rows.rejections.append(
        Rejection(
          record: Int(row.record),
          diagnostics: [
            Diagnostic(
              code: .dependsOnRejected,
              location: batch.location(of: Int(row.record)),
              entity: table.entity.name,
              message: "the record around it (line \(batch.records[Int(parent)].line)) was rejected",
              remedy: "mend that record; this one is within it"
            )
          ]
        )
      )
    }
    let count = range.count - kept.count
    if count > 0 { rows.rows.replaceSubrange(range, with: kept) }
    return count
  }

  /// The number that the next row of an entity would get.
  package func nextNumber(of position: Int) throws(StoreError) -> Int64 {
    var next: Int64 = 1
    let table = tables[position].stored
    guard let rowid = table.rowidName else { return next }
    for schema in ["main"] + (session.isTransaction ? [] : ["target"]) {
      let catalog = TableCatalog(of: session.connection, schema: schema)
      guard try catalog.hasTable(named: table.name) else { continue }
      let sql = "SELECT coalesce(max(\(rowid)), 0) FROM \(schema).\(SQLText.identifier(table.name))"
      next = max(next, try session.connection.integer(of: sql) &+ 1)
    }
    return next
  }
}
