import CSQLite
import Diagnostics
import EntityModel

/// Reads what tables a database has.
struct TableCatalog {
  private let connection: Connection
  /// `main`, or the name that a database is attached under.
  private let schema: String

  init(of connection: Connection, schema: String = "main") {
    self.connection = connection
    self.schema = schema
  }

  /// All tables that can be entities, in the order of their making: no views, virtual tables or tables of SQLite's or ours.
  func tables() throws(StoreError) -> [StoredTable] {
    try tables(where: "1")
  }

  /// The table of that name in SQLite's sense.
  func table(named name: String) throws(StoreError) -> StoredTable? {
    try tables(where: "l.name = \(SQLText.literal(name)) COLLATE NOCASE").first
  }

  /// Whether a name is taken by a table that takes rows.
  ///
  /// - Throws: `.schema` when something else has the name: a view, a virtual table, an index.
  func hasTable(named name: String) throws(StoreError) -> Bool {
    let text = SQLText.literal(name)
    let kind = try connection.text(
      of: """
        SELECT type FROM pragma_table_list WHERE schema = \(SQLText.literal(schema)) AND name = \(text) COLLATE NOCASE
        UNION ALL
        SELECT type FROM \(SQLText.identifier(schema)).sqlite_schema WHERE type = 'index' AND name = \(text) COLLATE NOCASE
        """
    )
    guard let kind else { return false }
    if kind == "table" { return true }
    let words = ["view": "a view", "index": "an index"][kind] ?? "a \(kind) table"
    throw .schema(
      path: connection.path,
      message: "'\(excerpt(of: name))' is \(words) there, and no table that takes rows",
      remedy: "name the entity otherwise with --entity"
    )
  }

  private func tables(where condition: String) throws(StoreError) -> [StoredTable] {
    let list = try Statement(
      """
      SELECT s.name, s.sql, l.wr FROM pragma_table_list AS l
      CROSS JOIN \(SQLText.identifier(schema)).sqlite_schema AS s ON s.name = l.name AND s.type = 'table'
      WHERE l.schema = \(SQLText.literal(schema)) AND l.type = 'table' AND \(condition)
        AND lower(l.name) NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND lower(l.name) NOT LIKE 'importer\\_%' ESCAPE '\\'
      ORDER BY s.rowid
      """,
      on: connection
    )
    var result: [StoredTable] = []
    while try list.step() {
      result.append(
        try table(list.text(0) ?? "", sql: list.text(1) ?? "", isWithoutRowid: list.integer(2) != 0)
      )
    }
    return result
  }

  /// A statement over a pragma's rows for one table or index.
  private func pragma(_ columns: String, _ pragma: String, of name: String, order: String) throws(StoreError)
    -> Statement
  {
    try Statement(
      """
      SELECT \(columns) FROM pragma_\(pragma)(\(SQLText.literal(name)), \(SQLText.literal(schema))) ORDER BY \(order)
      """,
      on: connection
    )
  }

  private func table(_ name: String, sql: String, isWithoutRowid: Bool) throws(StoreError) -> StoredTable {
    var columns: [StoredTable.Column] = []
    var primaryKey: [(position: Int64, name: String)] = []
    let info = try pragma("name, type, \"notnull\", dflt_value, pk, hidden", "table_xinfo", of: name, order: "cid")
    while try info.step() {
      // Generated columns and those that a table hides cannot be given.
      guard info.integer(5) == 0 else { continue }
      let column = info.text(0) ?? ""
      if info.integer(4) > 0 { primaryKey.append((info.integer(4), column)) }
      columns.append(
        StoredTable.Column(
          name: column,
          declaredType: info.text(1) ?? "",
          isNotNull: info.integer(2) != 0,
          defaultSQL: info.text(3),
          collation: collation(of: column, in: name)
        )
      )
    }
    let key = primaryKey.sorted { $0.position < $1.position }.map(\.name)
    let indexes = try indexes(of: name)
    let hasKeyIndex = indexes.sets.contains { $0.isPrimaryKey }
    let rowidColumn = key.count == 1 && !isWithoutRowid && !hasKeyIndex ? key.first : nil
    var sets = indexes.sets.filter { $0.isPrimaryKey } + indexes.sets.filter { !$0.isPrimaryKey }
    if let rowidColumn {
      sets.insert(StoredTable.UniqueSet(columns: [rowidColumn], collations: ["BINARY"], isPrimaryKey: true), at: 0)
    }
    let checks = Self.rules(of: columns, inTable: sql)
    return StoredTable(
      name: name,
      sql: sql,
      isWithoutRowid: isWithoutRowid,
      columns: columns,
      primaryKey: key,
      rowidColumn: rowidColumn,
      uniqueSets: sets,
      hasOtherUniqueness: indexes.hasOthers,
      rules: checks.rules,
      hasOtherChecks: checks.hasOthers,
      foreignKeys: try foreignKeys(of: name),
      hasTriggers: try hasTriggers(name)
    )
  }

  private func collation(of column: String, in table: String) -> String {
    var collation: UnsafePointer<CChar>?
    let code = unsafe sqlite3_table_column_metadata(
      connection.handle,
      schema,
      table,
      column,
      nil,
      &collation,
      nil,
      nil,
      nil
    )
    guard code == SQLITE_OK, let collation = unsafe collation else { return "BINARY" }
    return unsafe String(cString: collation)
  }

  private func indexes(of table: String) throws(StoreError) -> (sets: [StoredTable.UniqueSet], hasOthers: Bool) {
    var sets: [StoredTable.UniqueSet] = []
    var hasOthers = false
    // The newest comes first.
    let list = try pragma("name, origin, partial, \"unique\"", "index_list", of: table, order: "seq DESC")
    while try list.step() {
      guard list.integer(3) != 0 else { continue }
      let index = list.text(0) ?? ""
      var columns: [String] = []
      var collations: [String] = []
      var isPlain = list.integer(2) == 0
      let info = try pragma("name, coll, key", "index_xinfo", of: index, order: "seqno")
      while try info.step() {
        guard info.integer(2) != 0 else { continue }
        if let column = info.text(0) { columns.append(column) } else { isPlain = false }
        collations.append(info.text(1) ?? "BINARY")
      }
      if isPlain {
        let isPrimaryKey = list.text(1) == "pk"
        sets.append(StoredTable.UniqueSet(columns: columns, collations: collations, isPrimaryKey: isPrimaryKey))
      } else {
        hasOthers = true
      }
    }
    return (sets, hasOthers)
  }

  private func foreignKeys(of table: String) throws(StoreError) -> [StoredTable.ForeignKey] {
    var result: [Int64: StoredTable.ForeignKey] = [:]
    let list = try pragma("id, \"table\", \"from\", \"to\", on_delete", "foreign_key_list", of: table, order: "id, seq")
    while try list.step() {
      var key =
        result[list.integer(0)]
        ?? StoredTable.ForeignKey(
          columns: [],
          target: list.text(1) ?? "",
          targetColumns: [],
          onDelete: list.text(4) ?? ""
        )
      key.columns.append(list.text(2) ?? "")
      if let column = list.text(3) { key.targetColumns.append(column) }
      result[list.integer(0)] = key
    }
    // The last one declared has the number 0.
    return result.sorted { $0.key > $1.key }.map(\.value)
  }

  private func hasTriggers(_ table: String) throws(StoreError) -> Bool {
    try connection.integer(
      of: """
        SELECT count(*) FROM \(SQLText.identifier(schema)).sqlite_schema
        WHERE type = 'trigger' AND tbl_name = \(SQLText.literal(table)) COLLATE NOCASE
        """
    ) > 0
  }

  /// The rules among a table's CHECKs, by column in lower case, and whether there are others.
  private static func rules(
    of columns: [StoredTable.Column],
    inTable sql: String
  ) -> (rules: [String: [ColumnRule]], hasOthers: Bool) {
    var result: [String: [ColumnRule]] = [:]
    var hasOthers = false
    for condition in CheckReader.conditions(inTable: sql) {
      guard let named = CheckReader.rules(of: condition) else {
        hasOthers = true
        continue
      }
      for rule in named {
        let name = SQLText.folded(rule.column)
        guard let column = columns.first(where: { SQLText.folded($0.name) == name }),
          column.means(rule), !(result[name] ?? []).contains(where: { $0.isOfSameKind(as: rule.rule) })
        else {
          hasOthers = true
          continue
        }
        result[name, default: []].append(rule.rule)
      }
    }
    return (result, hasOthers)
  }
}

extension StoredTable.Column {
  /// Whether SQLite judges a rule on this column exactly as a model with that rule would.
  fileprivate func means(_ named: CheckReader.NamedRule) -> Bool {
    guard SQLText.isSameName(collation, "BINARY") else { return false }
    switch named.rule {
    case .notEmpty: return isNotNull && type.mayBeEmptyText
    case .minimum(let value), .maximum(let value):
      return type.isOrderedInSQL && type.literal(value) != nil && named.literals == type.literalKinds
    case .minimumLength, .maximumLength: return type.hasLengthInSQL
    case .allowed(let values):
      return type.isComparableInSQL && named.literals == type.literalKinds
        && values.allSatisfy { type.literal($0) != nil }
    }
  }
}

extension AttributeType {
  fileprivate var literalKinds: Set<SQLToken.Kind> {
    switch self {
    case .integer, .double, .decimal: [.number]
    default: [.string]
    }
  }
}

extension ColumnRule {
  fileprivate func isOfSameKind(as other: ColumnRule) -> Bool {
    switch (self, other) {
    case (.notEmpty, .notEmpty), (.minimum, .minimum), (.maximum, .maximum), (.minimumLength, .minimumLength),
      (.maximumLength, .maximumLength), (.allowed, .allowed):
      true
    default: false
    }
  }
}
