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

  /// A column that takes the value of one attribute.
  ///
  /// - Parameters:
  ///   - attribute: Its position among the entity's.
  ///   - defaultSQL: What a row without a value gets.
  init(_ name: String, attribute: Int, defaultSQL: String? = nil) {
    self.name = name
    self.attribute = attribute
    attributes = [attribute]
    expression = defaultSQL.map { "coalesce(f.c\(attribute), \($0))" } ?? "f.c\(attribute)"
  }

  /// The columns that an entity's attributes fill, in their order.
  static func columns(of entity: Entity, in stored: StoredTable) -> [WrittenColumn] {
    entity.attributes.enumerated().map { position, attribute in
      // A row without a value gets the default that only SQLite can work out.
      let column = stored.column(named: attribute.name)
      return WrittenColumn(attribute.name, attribute: position, defaultSQL: column?.expressionDefault)
    }
  }
}
