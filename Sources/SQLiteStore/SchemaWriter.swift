import CSQLite
package import Diagnostics
package import EntityModel

/// Writes a model as SQL: the tables that a load under it makes, empty.
package enum SchemaWriter {
  /// The statements that make the tables of a model in an empty database, where they read back as the same model.
  ///
  /// The tables are made in a private database by the code that a load makes them with; their SQL is SQLite's own record
  /// of them. What SQL cannot say stands in `importer_model`, abstract entities and such without attributes whole.
  ///
  /// - Throws: `.schema` for an entity that can be no table.
  package static func sql(for model: EntityModel) throws(StoreError) -> String {
    let connection = try Connection(
      opening: "",
      flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
      path: "model",
      lockWait: .zero,
      interrupter: StoreInterrupter()
    )
    try make(model, in: connection)
    var sql = "BEGIN;\n"
    let tables = try Statement("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid", on: connection)
    while try tables.step() { sql += "\n" + (tables.text(0) ?? "") + ";\n" }
    let rows = try Statement("SELECT entity, member, property, value FROM \(ModelTable.name)", on: connection)
    sql += "\n"
    while try rows.step() {
      let values = (0..<4).map { rows.text($0).map(literal) ?? "NULL" }
      sql += "INSERT INTO \(ModelTable.name) VALUES (\(values.joined(separator: ", ")));\n"
    }
    return sql + "\nCOMMIT;\n"
  }

  /// Makes the tables, and keeps beside them what they do not say.
  private static func make(_ model: EntityModel, in connection: Connection) throws(StoreError) {
    let withTables = model.entities.filter { !$0.isAbstract && !$0.attributes.isEmpty }
    let catalog = TableCatalog(of: connection)
    var stored: [Entity] = []
    for entity in withTables {
      if let obstacle = TableDefinition.obstacle(to: entity) {
        throw .schema(path: connection.path, message: obstacle.message, remedy: obstacle.remedy)
      }
      if let twin = stored.first(where: { SQLText.isSameName($0.name, entity.name) }) {
        throw .schema(
          path: connection.path,
          message: "'\(excerpt(of: twin.name))' and '\(excerpt(of: entity.name))' are one table to SQLite",
          remedy: "rename one of them; the case of letters does not part names"
        )
      }
      try connection.execute(TableDefinition.sql(for: entity, among: withTables))
      for index in TableDefinition.indexes(for: entity) { try connection.execute(index) }
      guard let table = try catalog.table(named: entity.name) else {
        throw .unexpected(path: connection.path, reason: "the table '\(excerpt(of: entity.name))' cannot be read")
      }
      stored.append(table.entity)
    }
    try ModelTable(of: connection).write(withTables, readBackAs: stored)
    let others = model.entities.filter { $0.isAbstract || $0.attributes.isEmpty }
    guard !others.isEmpty else { return }
    try ModelTable(of: connection).writeWithoutTables(others, order: model.entities.map(\.name))
  }

  /// A text as SQL gives it back; NUL has no place between quotes.
  private static func literal(_ text: String) -> String {
    guard text.utf8.contains(0) else { return SQLText.literal(text) }
    let digits = Array("0123456789ABCDEF")
    let hex = text.utf8.map { String([digits[Int($0 >> 4)], digits[Int($0 & 15)]]) }.joined()
    return "CAST(X'\(hex)' AS TEXT)"
  }
}
