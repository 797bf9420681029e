import CSQLite
import Diagnostics
import EntityModel

/// Writes the `CREATE TABLE` of an entity.
enum TableDefinition {
  /// The most columns that SQLite takes.
  static let columnLimit = 2000

  /// The statement that makes an entity's table.
  ///
  /// ```text
  /// CREATE TABLE "contatto" (
  ///   "nick" TEXT NOT NULL CHECK ("nick" <> '') PRIMARY KEY,
  ///   "nome" TEXT
  /// )
  /// ```
  ///
  /// - Parameters:
  ///   - entity: Its links that have attributes become foreign keys, if their targets are among `entities`.
  ///   - entities: All entities of the run.
  static func sql(for entity: Entity, among entities: [Entity]) -> String {
    var lines = entity.surrogate.map { ["\(SQLText.identifier($0)) INTEGER PRIMARY KEY"] } ?? []
    for column in entity.tableColumns {
      switch column.source {
      case .attribute(let position): lines.append(self.column(entity.attributes[position], of: entity))
      case .number(let link, _):
        lines.append("\(SQLText.identifier(link.name)) INTEGER" + (link.isRequired ? " NOT NULL" : ""))
      }
    }
    if entity.surrogate != nil {
      lines.append("UNIQUE (\(SQLText.list(entity.key)))")
    } else if entity.key.count > 1 || entity.key.contains(where: { entity.position(ofColumn: $0) == nil }) {
      lines.append("PRIMARY KEY (\(SQLText.list(entity.key)))")
    }
    for set in entity.uniqueSets { lines.append("UNIQUE (\(SQLText.list(set)))") }
    for link in entity.relationships where link.isHeldHere && entity.isGiven(link) {
      guard let target = entities.first(where: { SQLText.isSameName($0.name, link.target) }) else { continue }
      lines.append(foreignKey(link, of: entity, to: target))
    }
    return "CREATE TABLE \(SQLText.identifier(entity.name)) (\n  \(lines.joined(separator: ",\n  "))\n)"
  }

  /// The statements that make an entity's indexes: for each ordered relationship one by which its last row is found; for a
  /// join table one that leads back.
  static func indexes(for entity: Entity) -> [String] {
    guard entity.joinedRelationship == nil else {
      let ordered = entity.attributes.compactMap { attribute in attribute.positionWithin.map { [$0, attribute.name] } }
      return (ordered + [["target", "source"]]).map { columns in
        """
        CREATE INDEX IF NOT EXISTS \(SQLText.identifier("\(entity.name)_\(columns[0])_\(columns[1])")) \
        ON \(SQLText.identifier(entity.name)) (\(SQLText.list(columns)))
        """
      }
    }
    return entity.attributes.compactMap { attribute in
      attribute.positionWithin.map { link in
        """
        CREATE INDEX IF NOT EXISTS \(SQLText.identifier("\(entity.name)_\(attribute.name)")) \
        ON \(SQLText.identifier(entity.name)) (\(SQLText.list([link, attribute.name])))
        """
      }
    }
  }

  /// Such as `FOREIGN KEY ("label") REFERENCES "Label" ("name") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED`.
  ///
  /// What becomes of the row when its target goes is for the target's own relationship to say.
  private static func foreignKey(_ link: Relationship, of entity: Entity, to target: Entity) -> String {
    let inverse = target.relationships.first { $0.name == link.inverse && $0.target == entity.name && !$0.isHeldHere }
    let action =
      switch entity.joinedRelationship == nil ? inverse?.deleteRule : pairRule(of: entity, at: target, link) {
      case .cascade: " ON DELETE CASCADE"
      case .nullify: link.isRequired ? "" : " ON DELETE SET NULL"
      case .deny: " ON DELETE RESTRICT"
      case .noAction, nil: ""
      }
    let own = link.attributes.isEmpty ? [link.name] : link.attributes
    let columns = target.surrogate.map { link.attributes.isEmpty ? [$0] : nil } ?? nil
    let referred = columns ?? (link.targetAttributes.isEmpty ? target.key : link.targetAttributes)
    return "FOREIGN KEY (\(SQLText.list(own))) REFERENCES \(SQLText.identifier(target.name)) "
      + "(\(SQLText.list(referred)))\(action) DEFERRABLE INITIALLY DEFERRED"
  }

  /// What becomes of a pair when the row at one of its ends goes: it goes too, or keeps the row.
  private static func pairRule(of join: Entity, at end: Entity, _ link: Relationship) -> Relationship.DeleteRule {
    let own = end.relationships.first { relationship in
      relationship.isToMany
        && (link.name == "source"
          ? relationship.name == join.joinedRelationship
          : relationship.target == join.relationships.first { $0.name == "source" }?.target
            && relationship.inverse == join.joinedRelationship)
    }
    return own?.deleteRule == .deny ? .deny : .cascade
  }

  private static func column(_ attribute: Attribute, of entity: Entity) -> String {
    var parts = [SQLText.identifier(attribute.name), attribute.declaredType]
    if attribute.isRequired { parts.append("NOT NULL") }
    if let value = attribute.defaultValue, let literal = defaultLiteral(value, of: attribute.type) {
      parts.append("DEFAULT \(literal)")
    }
    parts += attribute.columnRules.map(attribute.check)
    // `INTEGER PRIMARY KEY` is the rowid itself.
    let isKey = entity.key == [attribute.name] && entity.surrogate == nil
    if isKey { parts.append("PRIMARY KEY") }
    if attribute.isUnique, !isKey { parts.append("UNIQUE") }
    return parts.joined(separator: " ")
  }

  private static func defaultLiteral(_ value: String, of type: AttributeType) -> String? {
    switch type {
    case .boolean: value == "true" ? "1" : value == "false" ? "0" : nil
    default: type.literal(value)
    }
  }

  /// Why an entity cannot be a table, and the remedy; nil when it can.
  static func obstacle(to entity: Entity) -> (message: String, remedy: String)? {
    let name = excerpt(of: entity.name)
    let folded = SQLText.folded(entity.name)
    if entity.name.isEmpty || entity.name.unicodeScalars.contains("\0") {
      return ("'\(name)' cannot be a table's name", "name the entity with --entity")
    }
    if folded.hasPrefix("sqlite_") || folded.hasPrefix("importer_") {
      return (
        "the name '\(name)' is reserved: tables of SQLite and of importer begin like it",
        "name the entity otherwise with --entity"
      )
    }
    if entity.attributes.isEmpty {
      return ("the entity '\(name)' has no attributes", "give it one; a table has one column at least")
    }
    if entity.attributes.count > columnLimit {
      return (
        "the entity '\(name)' has \(entity.attributes.count) attributes and a table of SQLite at most \(columnLimit) columns",
        "take some of them with --columns, or part them over two entities"
      )
    }
    var seen: [String: String] = [:]
    for column in (entity.surrogate.map { [$0] } ?? []) + entity.tableColumns.map(\.name) {
      if column.unicodeScalars.contains("\0") {
        return ("'\(excerpt(of: column))' cannot be a column's name", "rename it with --map")
      }
      if let other = seen.updateValue(column, forKey: SQLText.folded(column)) {
        return (
          "'\(excerpt(of: other))' and '\(excerpt(of: column))' of '\(name)' are one column to SQLite",
          "rename one of them; the case of letters does not part names"
        )
      }
    }
    for key in entity.key + entity.uniqueSets.flatMap({ $0 }) where entity.tableColumn(named: key) == nil {
      return (
        "the key of '\(name)' names '\(excerpt(of: key))', which is no attribute of it",
        "use the name of an attribute"
      )
    }
    return nil
  }
}
