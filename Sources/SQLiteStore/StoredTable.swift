import EntityModel

/// A table as it stands in a database.
struct StoredTable {
  /// One column that rows can be given.
  struct Column {
    let name: String
    let declaredType: String
    let isNotNull: Bool
    /// The default's expression in SQL.
    let defaultSQL: String?
    let collation: String
    /// Whether a default that only SQLite can work out stands in for NULL, where the column could hold that too.
    var fillsNull = true
    var type: AttributeType { AttributeType(declaredType: declaredType) }
    var affinity: Affinity { Affinity(declaredType: declaredType) }
  }

  /// Columns that no two rows may share.
  struct UniqueSet: Hashable {
    let columns: [String]
    let collations: [String]
    let isPrimaryKey: Bool
  }

  /// A foreign key.
  struct ForeignKey: Hashable {
    var columns: [String]
    let target: String
    /// The target's columns; empty means its primary key.
    var targetColumns: [String]
    let onDelete: String
  }

  let name: String
  /// Its `CREATE TABLE`.
  let sql: String
  let isWithoutRowid: Bool
  var columns: [Column]
  let primaryKey: [String]
  /// The column that is the rowid itself.
  let rowidColumn: String?
  /// Primary key first, then in the order of their making.
  let uniqueSets: [UniqueSet]
  /// Whether there is an index over an expression or over some rows that must be unique.
  let hasOtherUniqueness: Bool
  /// The rules understood, by column in lower case.
  let rules: [String: [ColumnRule]]
  /// Whether there are CHECKs that only SQLite can judge.
  let hasOtherChecks: Bool
  let foreignKeys: [ForeignKey]
  let hasTriggers: Bool

  /// The column of that name in SQLite's sense.
  func column(named name: String) -> Column? {
    columns.first { SQLText.isSameName($0.name, name) }
  }

  /// A name by which the rowid can be reached; nil where there is none.
  var rowidName: String? {
    guard !isWithoutRowid else { return nil }
    return ["rowid", "_rowid_", "oid"].first { column(named: $0) == nil }
  }

  /// Whether rows must go in one by one: a trigger undoes the whole statement when it refuses a row.
  ///
  /// Foreign keys are looked at before, and again by SQLite at the end.
  var needsSingleRows: Bool { hasTriggers }

  /// The entity that the table stands for, as far as its own SQL tells.
  var entity: Entity {
    var entity = Entity(name: name, attributes: columns.map(attribute), key: primaryKey)
    for set in uniqueSets where !set.isPrimaryKey && set.columns.count > 1 {
      entity.uniqueSets.append(set.columns)
    }
    for foreignKey in foreignKeys {
      var relationship = Relationship(name: foreignKey.columns.joined(separator: "_"), target: foreignKey.target)
      relationship.attributes = foreignKey.columns
      relationship.targetAttributes = foreignKey.targetColumns
      relationship.isRequired = foreignKey.columns.allSatisfy { column(named: $0)?.isNotNull == true }
      relationship.deleteRule =
        switch foreignKey.onDelete.uppercased() {
        case "CASCADE": .cascade
        case "SET NULL": .nullify
        case "RESTRICT": .deny
        default: .noAction
        }
      entity.relationships.append(relationship)
    }
    return entity
  }

  private func attribute(_ column: Column) -> Attribute {
    var attribute = Attribute(name: column.name, type: column.type)
    if attribute.type == .double, column.affinity == .numeric { attribute.keepsIntegers = true }
    attribute.isRequired = column.isNotNull && column.expressionDefault == nil
    attribute.refusesEmptyText = !(attribute.isRequired && attribute.type.mayBeEmptyText)
    attribute.isUnique = uniqueSets.contains { !$0.isPrimaryKey && $0.columns == [column.name] }
    attribute.defaultValue = column.defaultValue
    for rule in rules[SQLText.folded(column.name)] ?? [] {
      switch rule {
      case .notEmpty: attribute.refusesEmptyText = true
      case .minimum(let value): attribute.minimum = value
      case .maximum(let value): attribute.maximum = value
      case .minimumLength(let count): attribute.minimumLength = count
      case .maximumLength(let count): attribute.maximumLength = count
      case .allowed(let values): attribute.allowedValues = values
      }
    }
    return attribute
  }
}

extension StoredTable.Column {
  /// A default that is a plain literal, as files spell it.
  var defaultValue: String? {
    guard let defaultSQL else { return nil }
    let tokens = SQLToken.tokens(of: defaultSQL).filter { !$0.isSymbol("(") && !$0.isSymbol(")") }
    if tokens.count == 2, tokens[0].isSymbol("-"), tokens[1].kind == .number { return "-" + tokens[1].text }
    guard tokens.count == 1, let token = tokens.first else { return nil }
    switch (token.kind, type) {
    case (.number, .boolean): return token.text == "1" ? "true" : token.text == "0" ? "false" : nil
    case (.word, .boolean) where token.isKeyword("TRUE") || token.isKeyword("FALSE"): return token.text.lowercased()
    case (.number, _), (.string, _): return token.text
    case (.word, .date) where token.isKeyword("CURRENT_DATE"): return "now"
    case (.word, .datetime) where token.isKeyword("CURRENT_TIMESTAMP"): return "now"
    default: return nil
    }
  }

  /// A default that only SQLite can work out, such as `(datetime('now'))`; nil where a row without a value gets NULL.
  ///
  /// A row that gives no value gets it; to a file the attribute is optional.
  var expressionDefault: String? {
    guard isNotNull || fillsNull, let defaultSQL, defaultValue == nil else { return nil }
    let tokens = SQLToken.tokens(of: defaultSQL)
    guard tokens.count == 1, let name = tokens[0].name else { return "(\(defaultSQL))" }
    if tokens[0].isKeyword("NULL") { return nil }
    let words = ["CURRENT_TIME", "CURRENT_DATE", "CURRENT_TIMESTAMP", "TRUE", "FALSE"]
    // SQLite takes a bare or quoted name for a text here, but for a column elsewhere.
    return words.contains(where: tokens[0].isKeyword) ? defaultSQL : SQLText.literal(name)
  }
}
