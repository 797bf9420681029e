import Diagnostics
import EntityModel

/// Finds out where the rows that foreign keys refer to can be.
struct ReferenceTargets {
  private let entities: [Entity]
  private let tables: [StoredTable]
  private let catalog: TableCatalog
  /// The tables of the database itself, where a check works beside it.
  private let attached: TableCatalog?
  /// Finds rows by their keys.
  let keys: KeySQL

  /// - Parameters:
  ///   - entities: Those of the run.
  ///   - tables: Theirs, in the same order.
  init(of entities: [Entity], in tables: [StoredTable], session: WriteSession) throws(StoreError) {
    self.entities = entities
    self.tables = tables
    catalog = TableCatalog(of: session.connection)
    if case .overlay = session.target {
      attached = TableCatalog(of: session.connection, schema: "target")
    } else {
      attached = nil
    }
    var places: [String: [String]] = [:]
    for entity in entities {
      var found: [String] = []
      if let own = try catalog.table(named: entity.name) { found.append("main.\(SQLText.identifier(own.name))") }
      if let other = try attached?.table(named: entity.name) {
        found.append("target.\(SQLText.identifier(other.name))")
      }
      places[entity.name] = found
    }
    let model = EntityModel(entities: entities)
    // What waits stands in temporary tables.
    try session.connection.execute("PRAGMA temp.cache_size = -8000")
    let circles = model.entitiesInCircles.filter { places[$0.name] != nil && $0.surrogate != nil }
    for entity in circles {
      try AssignedNumbers.create(for: entity, on: session.connection)
      places[entity.name, default: []].append(AssignedNumbers.table(of: entity))
    }
    keys = KeySQL(model, places: places, numberedAhead: Set(circles.map(\.name)))
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
      let position = tables.firstIndex { SQLText.isSameName($0.name, key.target) }
      if key.columns.count == 1, let position, let column = entity.tableColumn(named: key.columns[0]),
        case .number(let link, let parts) = column.source
      {
        references.append(
          reference(by: link, key, parts: parts, from: entity, to: position, places: places)
        )
        continue
      }
      let columns = key.targetColumns.isEmpty ? (own ?? other)?.primaryKey ?? [] : key.targetColumns
      let attributes = key.columns.map(entity.position(ofColumn:))
      let values = zip(key.columns, attributes).map { value(of: $0, $1, in: table) }
      references.append(
        Reference(
          key: key,
          attributes: attributes,
          values: values,
          targetNames: columns,
          targetAttributes: columns.map { name in position.flatMap { entities[$0].position(ofColumn: name) } },
          match: zip(columns, values).map { "t.\(SQLText.identifier($0)) = \($1)" }.joined(separator: " AND "),
          places: columns.count == key.columns.count ? places : [],
          targetPosition: position,
          isByNumber: false,
          isRequired: false,
          makesTarget: entity.relationships.contains { $0.makesTarget && $0.attributes == key.columns }
        )
      )
    }
    for list in entity.lists { references += try self.references(of: list, in: entity) }
    return references
  }

  /// What the items of a list refer to.
  private func references(of list: EntityList, in entity: Entity) throws(StoreError) -> [Reference] {
    guard let position = entities.firstIndex(where: { $0.name == list.link.target }) else { return [] }
    let target = entities[position]
    let places = keys.places(of: target)
    let isByNumber = target.surrogate != nil && list.link.targetAttributes.isEmpty
    let names = isByNumber ? keys.partNames(of: target) : list.paths.map { $0[0] }
    let values = list.values
    return [
      Reference(
        key: StoredTable.ForeignKey(columns: [list.link.name], target: target.name, targetColumns: names, onDelete: ""),
        attributes: list.parts,
        values: values,
        targetNames: names,
        targetAttributes: list.paths.map { path in
          target.attributes.firstIndex { path.count == 1 ? $0.name == path[0] : $0.keyPath == path }
        },
        match: isByNumber
          ? keys.matches(target, alias: "t", parts: values)
          : zip(names, values).map { "t.\(SQLText.identifier($0)) = \($1)" }.joined(separator: " AND "),
        places: places,
        targetPosition: position,
        isByNumber: isByNumber,
        isRequired: true,
        makesTarget: list.link.userInfo["relatedByAttribute"] != nil,
        items: list.items
      )
    ]
  }

  /// A reference whose column holds a number, while rows give the target's key.
  private func reference(
    by link: Relationship,
    _ key: StoredTable.ForeignKey,
    parts: [Int],
    from entity: Entity,
    to position: Int,
    places: [String]
  ) -> Reference {
    let target = entities[position]
    let values = parts.map { "f.c\($0)" }
    let paths = parts.map { Array(entity.attributes[$0].keyPath.dropFirst()) }
    return Reference(
      key: key,
      attributes: parts,
      values: values,
      targetNames: keys.partNames(of: target),
      targetAttributes: paths.map { path in
        target.attributes.firstIndex { path.count == 1 ? $0.name == path[0] : $0.keyPath == path }
      },
      match: keys.matches(target, alias: "t", parts: values),
      places: places,
      targetPosition: position,
      isByNumber: true,
      isRequired: link.isRequired,
      makesTarget: link.makesTarget,
      twins: target.surrogate.map(SQLText.identifier)
    )
  }

  /// What a row `f` gives a column.
  private func value(of column: String, _ attribute: Int?, in table: StoredTable) -> String {
    let stored = table.column(named: column)
    guard let attribute else { return "(\(stored?.defaultSQL ?? "NULL"))" }
    return stored?.expressionDefault.map { "coalesce(f.c\(attribute), \($0))" } ?? "f.c\(attribute)"
  }
}

extension EntityModel {
  /// The entities whose rows may refer to one another in a circle, or to themselves.
  fileprivate var entitiesInCircles: [Entity] {
    func targets(of entity: Entity) -> [String] { entity.relationships.filter(\.isHeldHere).map(\.target) }
    return entities.filter { entity in
      var reached: Set<String> = []
      var next = targets(of: entity)
      while let name = next.popLast() {
        guard reached.insert(name).inserted, let other = entities.first(where: { $0.name == name }) else { continue }
        next += targets(of: other)
      }
      return reached.contains(entity.name)
    }
  }
}
