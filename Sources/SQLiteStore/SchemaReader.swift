package import Diagnostics
package import EntityModel

/// Reads the tables of a database as a model.
///
/// A table that importer did not write is read by what SQLite enforces of it: affinities, NOT NULL, keys, unique
/// indexes, and CHECKs of the few forms that importer writes itself. All else is left to SQLite, which refuses rows
/// itself. Views, virtual tables and generated columns are no part of the model.
package enum SchemaReader {
  /// The model of a database's tables, with an attribute for each reference that is written as a key; without entities when
  /// it has none.
  ///
  /// - Parameters:
  ///   - path: The database; opened to be read only.
  ///   - others: Tables that are left out.
  ///   - lockWait: How long to wait for another process.
  /// - Throws: `.missing` when there is no such file.
  package static func readModel(
    ofDatabase path: String,
    besides others: [String] = [],
    lockWait: Duration = .seconds(10)
  ) throws(StoreError) -> EntityModel {
    let connection = try Connection.readOnly(path, lockWait: lockWait, interrupter: StoreInterrupter())
    return EntityModel(entities: try entities(of: connection, besides: others)).withReferenceAttributes()
  }

  /// The entities of an open database, as their tables are.
  static func entities(of connection: Connection, besides others: [String] = []) throws(StoreError) -> [Entity] {
    var entities = try TableCatalog(of: connection).tables().map(\.entity)
    entities.removeAll { entity in others.contains { SQLText.isSameName($0, entity.name) } }
    let models = ModelTable(of: connection)
    var isTold = try models.exists()
    if others.contains(ModelTable.name) { isTold = false }
    if !isTold { ForeignKeyInverses.add(to: &entities) }
    try models.apply(to: &entities)
    return entities
  }
}
