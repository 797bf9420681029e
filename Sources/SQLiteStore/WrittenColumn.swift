import EntityModel

/// A column that the rows of a run fill.
struct WrittenColumn {
  /// The column's name in its table.
  let name: String
  /// What a new row gets: SQL over a row `f` of the feed, or of parked rows, which both have `c0`, `c1`, ….
  let expression: String
  /// The attribute whose value the column takes as it stands; nil for one that is found by other values.
  let attribute: Int?
  /// The attributes that its value comes from.
  let attributes: [Int]

  /// The columns that an entity's attributes fill, each at the place of the first of them.
  ///
  /// - Parameter keys: Finds the numbers of what links refer to.
  static func columns(of entity: Entity, in stored: StoredTable, keys: KeySQL) -> [WrittenColumn] {
    entity.tableColumns.map { column in
      let value = keys.value(of: column, in: entity) { "f.c\($0)" }
      // A row without a value gets the default that only SQLite can work out.
      let standIn = stored.column(named: column.name)?.expressionDefault
      return WrittenColumn(
        name: column.name,
        expression: standIn.map { "coalesce(\(value), \($0))" } ?? value,
        attribute: column.isNumber ? nil : column.parts.first,
        attributes: column.parts
      )
    }
  }
}
