import EntityModel
import Records

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
  /// Whether a row without a value gets another than NULL.
  let hasDefault: Bool

  /// The columns that an entity's attributes fill, each at the place of the first of them.
  ///
  /// - Parameters:
  ///   - entity: The run's entity.
  ///   - stored: Its table.
  ///   - keys: Finds the numbers of what links refer to.
  ///   - defaults: What new rows get that have no value, if that is left to the writer.
  static func columns(
    of entity: Entity,
    in stored: StoredTable,
    keys: KeySQL,
    defaults: [ConstantValue?]
  ) -> [WrittenColumn] {
    entity.tableColumns.map { column in
      func standIn(_ part: Int) -> String? { part < defaults.count ? defaults[part]?.sql : nil }
      let value = keys.value(of: column, in: entity) { part in
        standIn(part).map { "coalesce(f.c\(part), \($0))" } ?? "f.c\(part)"
      }
      // A row without a value gets the default that only SQLite can work out.
      let worked = stored.column(named: column.name)?.expressionDefault
      return WrittenColumn(
        name: column.name,
        expression: worked.map { "coalesce(\(value), \($0))" } ?? value,
        attribute: column.isNumber ? nil : column.parts.first,
        attributes: column.parts,
        hasDefault: worked != nil || column.parts.contains { standIn($0) != nil }
      )
    }
  }
}
