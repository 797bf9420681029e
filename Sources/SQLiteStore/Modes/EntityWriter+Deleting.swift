package import Diagnostics
import EntityModel
import Records

/// What became of the rows that no record names.
package enum Deletion: Sendable, Hashable {
  /// They are gone.
  case done
  /// There are more than may go, `count` of `total`; nothing was deleted.
  case pastLimit(entity: String, count: Int64, total: Int64, limit: Int64)
  /// Which rows some rejected records mean is not known, so that nothing was deleted of `count` rows.
  case withheld(count: Int64, unreadable: Int64)
}

extension EntityWriter {
  /// Deletes the rows of before the run that no record named, as `sync` asks.
  ///
  /// - Parameters:
  ///   - entities: Positions of the entities to look at.
  ///   - limit: How many rows of each may go.
  /// - Throws: `.undeletable` when a delete rule keeps a row; `.dangling` when records of the run refer to one.
  package mutating func deleteUnseen(of entities: Set<Int>, limit: DeleteLimit) throws(StoreError) -> Deletion {
    var unseenCount: Int64 = 0
    for position in tables.indices where entities.contains(position) {
      guard let unseen = tables[position].unseen else { continue }
      let count = try unseen.count()
      unseenCount += count
      let most = limit.count(of: unseen.totalCount)
      guard unreadableCount == 0, count > most else { continue }
      return .pastLimit(entity: tables[position].entity.name, count: count, total: unseen.totalCount, limit: most)
    }
    guard unseenCount > 0 else { return .done }
    guard unreadableCount == 0 else { return .withheld(count: unseenCount, unreadable: unreadableCount) }
    try refuseReferences(toUnseenOf: entities)
    let joins = tables.indices.filter { tables[$0].entity.joinedRelationship != nil }
    let before = try joins.map { position throws(StoreError) in try pairCount(of: position) }
    for position in StoredTable.childrenFirst(tables.map(\.stored)) where entities.contains(position) {
      guard let unseen = tables[position].unseen else { continue }
      let table = tables[position].stored
      let condition = unseen.contains("t")
      let count = try session.connection.delete(from: table, where: condition)
      if !joins.contains(position) { tables[position].deletedCount += count }
    }
    // Pairs go with the rows at their ends, too.
    for (position, count) in zip(joins, before) {
      tables[position].deletedCount += count - (try pairCount(of: position))
    }
    return .done
  }

  private func pairCount(of position: Int) throws(StoreError) -> Int64 {
    try session.connection.integer(
      of: "SELECT count(*) FROM main.\(SQLText.identifier(tables[position].stored.name))"
    )
  }

  /// A record of this run that refers to a row which is to go would lose it, or go with it, without a word.
  private func refuseReferences(toUnseenOf entities: Set<Int>) throws(StoreError) {
    for child in tables.indices where entities.contains(child) {
      for key in tables[child].stored.foreignKeys {
        guard let parent = tables.firstIndex(where: { SQLText.isSameName($0.stored.name, key.target) }),
          entities.contains(parent), let unseen = tables[parent].unseen
        else { continue }
        let targetColumns = key.targetColumns.isEmpty ? tables[parent].stored.primaryKey : key.targetColumns
        let matches = zip(key.columns, targetColumns).map { column, target in
          "p.\(SQLText.identifier(target)) = c.\(SQLText.identifier(column))"
        }
        let isKept = tables[child].unseen.map { "NOT \($0.contains("c"))" } ?? "1"
        let count = try session.connection.integer(
          of: """
            SELECT count(*) FROM main.\(SQLText.identifier(tables[child].stored.name)) AS c
            CROSS JOIN main.\(SQLText.identifier(tables[parent].stored.name)) AS p
            ON \(matches.joined(separator: " AND ")) WHERE \(isKept) AND \(unseen.contains("p"))
            """
        )
        guard count > 0 else { continue }
        throw try referred(count, from: child, to: parent, on: matches, where: "\(isKept) AND \(unseen.contains("p"))")
      }
    }
  }

  /// Names some of the rows `c` of records that refer to rows `p` which are to go.
  private func referred(
    _ count: Int64,
    from child: Int,
    to parent: Int,
    on matches: [String],
    where condition: String
  ) throws(StoreError) -> StoreError {
    let ends = [(child, "c"), (parent, "p")].map { position, alias in
      let entity = tables[position].entity
      return (names: keys.partNames(of: entity), values: keys.parts(of: entity, alias: alias))
    }
    let list = try Statement(
      """
      SELECT \((["1"] + ends.flatMap(\.values)).joined(separator: ", "))
      FROM main.\(SQLText.identifier(tables[child].stored.name)) AS c
      CROSS JOIN main.\(SQLText.identifier(tables[parent].stored.name)) AS p
      ON \(matches.joined(separator: " AND ")) WHERE \(condition) LIMIT 3
      """,
      on: session.connection
    )
    var rows: [String] = []
    while try list.step() {
      var column = 1
      let shown = ends.map { end in
        end.names.map { name in
          defer { column += 1 }
          return "\(excerpt(of: name))=\(list.text(column).map { "'\(excerpt(of: $0))'" } ?? "NULL")"
        }.joined(separator: ", ")
      }
      rows.append("\(shown[0]) (to \(shown[1]))")
    }
    let more = count > rows.count ? "; and \(count - Int64(rows.count)) more" : ""
    return .referredTo(
      path: session.connection.path,
      message: "\(count) \(count == 1 ? "record" : "records") of '\(excerpt(of: tables[child].entity.name))' "
        + "\(count == 1 ? "refers" : "refer") to rows of '\(excerpt(of: tables[parent].entity.name))' "
        + "that the files no longer have: \(rows.joined(separator: "; "))\(more)",
      remedy: "load the records of those rows too, or take the references to them out of the files"
    )
  }

  /// Notes which rows of before the run a batch's records name, so that `sync` keeps them.
  mutating func see(_ rows: borrowing ValueBatch, of batch: borrowing RecordBatch) throws(StoreError) {
    guard mode == .sync else { return }
    var namedCount = 0
    for position in rows.lost.indices {
      let row = rows.lost[position]
      let table = tables[Int(row.entity)]
      guard let unseen = table.unseen else { continue }
      let isTold = table.keyLinkAttributes.allSatisfy { rows.values[Int(row.valueStart) + $0].isMissing }
      guard isTold, unseen.canSee(row, of: rows) else {
        // Nobody knows which row it means.
        if row.isLeftOut { unreadableCount += 1 }
        continue
      }
      try unseen.see(position..<position + 1, of: rows, text: batch.text, feed: feed, areLost: true)
      if !row.isLeftOut { namedCount += 1 }
    }
    unreadableCount += Int64(max(0, rows.rejections.count - namedCount))
  }
}
