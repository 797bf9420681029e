import Diagnostics
import EntityModel

/// Finds out where the rows that foreign keys refer to can be.
struct ReferenceTargets {
  private let tables: [StoredTable]
  private let catalog: TableCatalog
  /// The tables of the database itself, where a check works beside it.
  private let attached: TableCatalog?

  /// - Parameter tables: Those that the run writes, in the order of its entities.
  init(of tables: [StoredTable], in session: WriteSession) throws(StoreError) {
    self.tables = tables
    catalog = TableCatalog(of: session.connection)
    if case .overlay = session.target {
      attached = TableCatalog(of: session.connection, schema: "target")
    } else {
      attached = nil
    }
  }

  /// What the rows of an entity refer to.
  func references(of entity: Entity, in table: StoredTable) throws(StoreError) -> [Reference] {
    var references: [Reference] = []
    for key in table.foreignKeys(for: entity) {
      var places: [String] = []
      let own = try catalog.table(named: key.target)
      if let own { places.append("main.\(SQLText.identifier(own.name))") }
      let other = try attached?.table(named: key.target)
      if let other { places.append("target.\(SQLText.identifier(other.name))") }
      let columns = key.targetColumns.isEmpty ? (own ?? other)?.primaryKey ?? [] : key.targetColumns
      let attributes = key.columns.map(entity.position(ofColumn:))
      references.append(
        Reference(
          key: key,
          targetColumns: columns,
          attributes: attributes,
          values: zip(key.columns, attributes).map { value(of: $0, $1, in: table) },
          places: columns.count == key.columns.count ? places : [],
          targetPosition: tables.firstIndex { SQLText.isSameName($0.name, key.target) }
        )
      )
    }
    return references
  }

  /// What a row `f` gives a column.
  private func value(of column: String, _ attribute: Int?, in table: StoredTable) -> String {
    let stored = table.column(named: column)
    guard let attribute else { return "(\(stored?.defaultSQL ?? "NULL"))" }
    return stored?.expressionDefault.map { "coalesce(f.c\(attribute), \($0))" } ?? "f.c\(attribute)"
  }
}
