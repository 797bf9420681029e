import Diagnostics
import EntityModel

/// A foreign key of a table that rows are written to, and where its targets are looked for.
struct Reference {
  let key: StoredTable.ForeignKey
  /// The target's columns.
  let targetColumns: [String]
  /// The attributes that give the key's columns; nil for a column that only its default fills.
  let attributes: [Int?]
  /// What a row of the feed, or of parked rows, gives each column: an expression over `c0`, `c1`, ….
  let values: [String]
  /// The tables that may hold the target, as they stand in SQL; none when the database has no such table.
  let places: [String]
  /// The target among the run's entities.
  let targetPosition: Int?

  /// The condition that the target of a row is in none of the places: true of no row without a reference.
  ///
  /// A key of several columns refers to nothing when one of them is NULL (SQLite, "Foreign Key Support", section 2).
  ///
  /// - Parameter others: Further tables that may hold it, with the columns that they have for the target's, and what
  ///   else must be true of their rows.
  func isDangling(others: [(table: String, columns: [String], condition: String)] = []) -> String {
    let hasValue = values.map { "\($0) IS NOT NULL" }
    let stored = places.map { (table: $0, columns: targetColumns.map(SQLText.identifier), condition: "1") }
    let isMissing = (stored + others).map { place in
      let matches = zip(place.columns, values).map { "t.\($0) = \($1)" }
      return
        "NOT EXISTS (SELECT 1 FROM \(place.table) AS t WHERE \((matches + [place.condition]).joined(separator: " AND ")))"
    }
    return "(" + (hasValue + isMissing).joined(separator: " AND ") + ")"
  }
}

extension StoredTable {
  /// Every foreign key that rows of an entity must heed: the table's own, and links of the model that the table lacks.
  func foreignKeys(for entity: Entity) -> [ForeignKey] {
    var keys = foreignKeys
    for link in entity.relationships where !link.isToMany && !link.attributes.isEmpty {
      let isThere = foreignKeys.contains { key in
        SQLText.isSameName(key.target, link.target)
          && Set(key.columns.map(SQLText.folded)) == Set(link.attributes.map(SQLText.folded))
      }
      guard !isThere else { continue }
      keys.append(
        ForeignKey(columns: link.attributes, target: link.target, targetColumns: link.targetAttributes, onDelete: "")
      )
    }
    return keys
  }
}
