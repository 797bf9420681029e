import CSQLite
import Diagnostics
import EntityModel

/// Says in words which rows refer to rows that cannot go, or to rows that are not there any more.
struct Referrers {
  /// How many rows are named.
  private static let nameLimit = 3

  private let connection: Connection
  private let tables: [StoredTable]
  private let model: EntityModel
  private let keys: KeySQL

  init(in connection: Connection) throws(StoreError) {
    self.connection = connection
    tables = try TableCatalog(of: connection).tables()
    model = EntityModel(entities: try SchemaReader.entities(of: connection)).withReferenceAttributes()
    keys = try KeySQL(model, in: connection)
  }

  // MARK: Rows that are kept

  /// Which rows keep others of a table from being deleted, by a foreign key that neither takes them along nor lets go.
  ///
  /// Rows that would be taken along are followed, in temporary tables.
  ///
  /// - Parameters:
  ///   - table: The table to delete from.
  ///   - condition: Which of its rows `t` are to go.
  ///   - bind: Binds the condition's parameters.
  /// - Returns: Such as "1 row of 'deal' refers to them: id='1' (label='c')"; nil where no foreign key is the reason.
  func holders(
    of table: StoredTable,
    where condition: String,
    bind: (Statement) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) -> String? {
    guard let start = position(of: table.name) else { return nil }
    for position in tables.indices {
      let columns = identity(tables[position]).indices.map { "i\($0)" }.joined(separator: ", ")
      try connection.execute(
        """
        DROP TABLE IF EXISTS \(going(position));
        CREATE TABLE \(going(position)) (\(columns), round INTEGER, PRIMARY KEY (\(columns))) WITHOUT ROWID
        """
      )
    }
    defer { for position in tables.indices { try? connection.execute("DROP TABLE IF EXISTS \(going(position))") } }
    let seed = try Statement(
      "INSERT INTO \(going(start)) SELECT \(list(tables[start], "t")), 0 FROM main.\(SQLText.identifier(table.name)) AS t "
        + "WHERE \(condition)",
      on: connection
    )
    try bind(seed)
    _ = try seed.step()
    try followCascades()
    for (child, stored) in tables.enumerated() {
      for key in stored.foreignKeys {
        guard let parent = position(of: key.target), !isFollowed(key, from: stored) else { continue }
        if let words = try words(child: child, key, parent: parent, isStart: parent == start) { return words }
      }
    }
    return nil
  }

  private func followCascades() throws(StoreError) {
    var round = 0
    var hasChanged = true
    while hasChanged {
      guard !connection.interrupter.isInterrupted else { throw .interrupted }
      hasChanged = false
      for (child, stored) in tables.enumerated() {
        for key in stored.foreignKeys where key.onDelete.uppercased() == "CASCADE" {
          guard let parent = position(of: key.target) else { continue }
          try connection.execute(
            """
            INSERT OR IGNORE INTO \(going(child)) SELECT \(list(stored, "c")), \(round + 1)
            FROM \(referring(key, from: stored, to: parent)) WHERE g.round = \(round)
            """
          )
          hasChanged = hasChanged || connection.changeCount > 0
        }
      }
      round += 1
    }
  }

  /// Whether a row may lose its target by a foreign key: it goes too, or lets go.
  private func isFollowed(_ key: StoredTable.ForeignKey, from stored: StoredTable) -> Bool {
    switch key.onDelete.uppercased() {
    case "CASCADE": true
    case "SET NULL": !key.columns.contains { stored.column(named: $0)?.isNotNull ?? false }
    case "SET DEFAULT": false
    default: false
    }
  }

  private func words(
    child: Int,
    _ key: StoredTable.ForeignKey,
    parent: Int,
    isStart: Bool
  ) throws(StoreError) -> String? {
    let stored = tables[child]
    let source = referring(key, from: stored, to: parent)
    // One that goes by itself is in nobody's way, but by RESTRICT.
    let stays = """
      NOT EXISTS (SELECT 1 FROM \(going(child)) AS o WHERE \(same(stored, "c", "o")))
      """
    let condition = key.onDelete.uppercased() == "RESTRICT" ? "1" : stays
    let count = try connection.integer(of: "SELECT count(*) FROM \(source) WHERE \(condition)")
    guard count > 0 else { return nil }
    let parentName = tables[parent].name
    let own = naming(stored, "c")
    let target = naming(tables[parent], "t")
    let rows = try Statement(
      """
      SELECT \((own + target).map(\.value).joined(separator: ", ")) FROM \(source) WHERE \(condition)
      ORDER BY \(list(stored, "c")) LIMIT \(Self.nameLimit)
      """,
      on: connection
    )
    var names: [String] = []
    while try rows.step() {
      let target = shown(target, in: rows, from: own.count)
      names.append("\(shown(own, in: rows, from: 0)) (to \(target))")
    }
    let path = isStart ? "" : "rows of '\(excerpt(of: parentName))' would go with them, and "
    return
      "\(path)\(counted(count, of: stored.name)) \(count == 1 ? "refers" : "refer") to \(isStart ? "them" : "those"): "
      + list(names, of: count)
  }

  /// Rows `c` that refer by a foreign key to rows `t` of a table, which are going as `g`.
  private func referring(_ key: StoredTable.ForeignKey, from stored: StoredTable, to parent: Int) -> String {
    let columns = key.targetColumns.isEmpty ? tables[parent].primaryKey : key.targetColumns
    let match = zip(key.columns, columns).map { "t.\(SQLText.identifier($1)) = c.\(SQLText.identifier($0))" }
    return """
      \(going(parent)) AS g CROSS JOIN main.\(SQLText.identifier(tables[parent].name)) AS t \
      ON \(same(tables[parent], "t", "g")) CROSS JOIN main.\(SQLText.identifier(stored.name)) AS c \
      ON \((match.isEmpty ? ["0"] : match).joined(separator: " AND "))
      """
  }

  private func same(_ stored: StoredTable, _ row: String, _ going: String) -> String {
    identity(stored).enumerated().map { "\(row).\($1) = \(going).i\($0)" }.joined(separator: " AND ")
  }

  // MARK: Rows that refer to nothing

  /// Which rows refer to rows that are not there, by what SQLite finds in the whole database; nil if none does.
  func dangling() throws(StoreError) -> String? {
    let groups = try Statement(
      """
      SELECT "table", parent, fkid, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2, 3
      ORDER BY 1, 2, 3 LIMIT \(Self.nameLimit)
      """,
      on: connection
    )
    var sentences: [String] = []
    while try groups.step() {
      guard let name = groups.text(0), let parent = groups.text(1) else { continue }
      let count = groups.integer(3)
      let names = try self.names(ofTable: name, parent: parent, key: groups.integer(2))
      let missing = "rows of '\(excerpt(of: parent))' that are not there"
      let listed = names.isEmpty ? "" : ": " + list(names, of: count)
      sentences.append("\(counted(count, of: name)) would refer to \(missing)\(listed)")
    }
    return sentences.isEmpty ? nil : sentences.joined(separator: "; ")
  }

  private func names(ofTable name: String, parent: String, key: Int64) throws(StoreError) -> [String] {
    guard let position = position(of: name), let rowid = tables[position].rowidName else { return [] }
    let columns = try Statement(
      "SELECT \"from\" FROM pragma_foreign_key_list(\(SQLText.literal(name))) WHERE id = \(key) ORDER BY seq",
      on: connection
    )
    var references: [Naming] = []
    while try columns.step() {
      guard let column = columns.text(0) else { continue }
      references.append(Naming(name: column, value: "c.\(SQLText.identifier(column))"))
    }
    let own = naming(tables[position], "c")
    let rows = try Statement(
      """
      SELECT \((own + references).map(\.value).joined(separator: ", ")) FROM main.\(SQLText.identifier(name)) AS c
      WHERE c.\(rowid) IN (SELECT rowid FROM pragma_foreign_key_check(\(SQLText.literal(name)))
      WHERE parent = \(SQLText.literal(parent)) AND fkid = \(key) LIMIT \(Self.nameLimit)) ORDER BY c.\(rowid)
      """,
      on: connection
    )
    var names: [String] = []
    while try rows.step() {
      names.append("\(shown(own, in: rows, from: 0)) (\(shown(references, in: rows, from: own.count)))")
    }
    return names
  }

  // MARK: Names

  /// One part of what a row is known by: its name, and an expression.
  private struct Naming {
    let name: String
    let value: String
  }

  /// What a row is known by: its key, else its number.
  private func naming(_ stored: StoredTable, _ alias: String) -> [Naming] {
    if let entity = model.entities.first(where: { SQLText.isSameName($0.name, stored.name) }) {
      let names = keys.partNames(of: entity)
      let values = keys.parts(of: entity, alias: alias)
      if !names.isEmpty, names.count == values.count {
        return zip(names, values).map { Naming(name: $0, value: $1) }
      }
    }
    return identity(stored).map { Naming(name: $0, value: "\(alias).\($0)") }
  }

  private func shown(_ naming: [Naming], in row: Statement, from column: Int) -> String {
    naming.enumerated().map { index, part in
      let value = row.text(column + index).map { "'\(excerpt(of: $0))'" } ?? "NULL"
      return "\(excerpt(of: part.name))=\(value)"
    }.joined(separator: ", ")
  }

  private func counted(_ count: Int64, of name: String) -> String {
    "\(count) \(count == 1 ? "row" : "rows") of '\(excerpt(of: name))'"
  }

  private func list(_ names: [String], of count: Int64) -> String {
    let rest = count - Int64(names.count)
    return names.joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
  }

  private func position(of name: String) -> Int? { tables.firstIndex { SQLText.isSameName($0.name, name) } }

  private func going(_ position: Int) -> String { "temp.importer_going_\(position)" }

  private func identity(_ stored: StoredTable) -> [String] {
    stored.rowidName.map { [$0] } ?? stored.primaryKey.map(SQLText.identifier)
  }

  private func list(_ stored: StoredTable, _ alias: String) -> String {
    identity(stored).map { "\(alias).\($0)" }.joined(separator: ", ")
  }
}

extension StoreError {
  /// Rows cannot be deleted, since others refer to them.
  static func kept(_ table: StoredTable, on path: String, by holders: String) -> StoreError {
    .referredTo(
      path: path,
      message: "rows of '\(excerpt(of: table.name))' cannot be deleted: \(holders)",
      remedy: "delete the rows that refer to them first, or give the relationship a delete rule that takes them along "
        + "(cascade) or clears the reference (nullify)"
    )
  }
}
