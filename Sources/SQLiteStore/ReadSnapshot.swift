package import Diagnostics
package import EntityModel

/// A database as it was at one moment, for as long as this lives: other processes may write meanwhile, and nothing of it
/// is seen.
package final class ReadSnapshot {
  let connection: Connection

  /// Opens a database to be read only.
  ///
  /// - Parameters:
  ///   - database: Its path.
  ///   - lockWait: How long to wait for another process.
  ///   - interrupter: Who may end the reading.
  /// - Throws: `StoreError.missing` without the file, and others.
  package init(
    of database: String,
    lockWait: Duration = .seconds(10),
    interrupter: StoreInterrupter = StoreInterrupter()
  ) throws(StoreError) {
    connection = try Connection.readOnly(database, lockWait: lockWait, interrupter: interrupter)
    // The transaction begins with the first look.
    try connection.execute("BEGIN; SELECT 1 FROM sqlite_schema")
  }

  /// The entities, as the tables are, and of columns whose declaration tells no type what their values are.
  ///
  /// - Complexity: O(rows) for tables with such columns.
  package func model() throws(StoreError) -> EntityModel {
    var entities = try SchemaReader.entities(of: connection)
    let catalog = TableCatalog(of: connection)
    for index in entities.indices {
      guard let table = try catalog.table(named: entities[index].name) else { continue }
      let open = entities[index].attributes.indices.filter { position in
        let attribute = entities[index].attributes[position]
        guard attribute.type == .text, let column = table.column(named: attribute.name) else { return false }
        return column.affinity == .numeric || column.affinity == .none
      }
      guard !open.isEmpty else { continue }
      let names = open.map { SQLText.identifier(entities[index].attributes[$0].name) }
      let bounds = names.map { name in
        let kind = "nullif(typeof(\(name)), 'null')"
        let isWhole = "typeof(\(name)) = 'real' AND \(name) = CAST(\(name) AS INTEGER)"
        return "min(\(kind)), max(\(kind)), max(\(isWhole))"
      }
      let kinds = try Statement(
        "SELECT \(bounds.joined(separator: ", ")) FROM main.\(SQLText.identifier(table.name))",
        on: connection
      )
      guard try kinds.step() else { continue }
      for (place, position) in open.enumerated() {
        switch (kinds.text(3 * place), kinds.text(3 * place + 1)) {
        case ("integer", "integer"): entities[index].attributes[position].type = .integer(bits: 64)
        // In the order of their names nothing but NULL stands between these two.
        case ("integer", "real"):
          entities[index].attributes[position].type = .double
          // A column that takes 1.0 and 1 for the same cannot hold both.
          entities[index].attributes[position].keepsIntegers = kinds.integer(3 * place + 2) == 0
        case ("real", "real"): entities[index].attributes[position].type = .double
        case ("blob", "blob"): entities[index].attributes[position].type = .binary
        default: break
        }
      }
    }
    return EntityModel(entities: entities).withReferenceAttributes()
  }

  /// Whether an entity has rows that a to-one relationship of theirs leads nowhere from.
  ///
  /// - Parameter model: All entities.
  package func hasRows(
    of entity: Entity,
    without link: Relationship,
    model: EntityModel
  ) throws(StoreError) -> Bool {
    let condition = try KeySQL(model, in: connection).leadsNowhere(link, of: entity, alias: "t")
    let sql = "SELECT EXISTS (SELECT 1 FROM main.\(SQLText.identifier(entity.name)) AS t WHERE \(condition))"
    return try connection.integer(of: sql) != 0
  }
}
