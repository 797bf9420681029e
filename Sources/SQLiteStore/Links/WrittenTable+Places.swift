import EntityModel
import Records

/// Rows that have a place among others.
extension WrittenTable {
  /// Whether a row gives no place where it could have one.
  func isUnplaced(row: Int, of rows: borrowing ValueBatch) -> Bool {
    guard !placeAttributes.isEmpty else { return false }
    let start = Int(rows.rows[row].valueStart)
    return placeAttributes.contains { rows.values[start + $0].isMissing }
  }
}

extension Entity {
  /// What a row that gives no place gets in a column: the place behind the last row that leads to the same target.
  func place(
    for column: WrittenColumn,
    among columns: [WrittenColumn],
    in stored: StoredTable,
    session: WriteSession
  ) -> String {
    guard let position = column.attribute, let link = attributes[position].positionWithin,
      let target = columns.first(where: { SQLText.isSameName($0.name, link) })
    else { return column.expression }
    let name = SQLText.identifier(column.name)
    let places = session.isTransaction ? ["main"] : ["main", "target"]
    let last = places.map { place in
      """
      SELECT max(p.\(name)) AS last FROM \(place).\(SQLText.identifier(stored.name)) AS p \
      WHERE p.\(SQLText.identifier(link)) IS \(target.expression)
      """
    }
    return """
      coalesce(f.c\(position), (SELECT coalesce(max(last), 0) + 1 FROM (\(last.joined(separator: " UNION ALL ")))))
      """
  }
}
