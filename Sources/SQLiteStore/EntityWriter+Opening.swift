import CSQLite
import Diagnostics
import EntityModel
import Records

/// Makes the tables that are missing, judges those that are there, and prepares the writing of each.
extension EntityWriter {
  static func prepare(
    _ settings: Settings,
    in session: WriteSession,
    feed: RowFeed,
    madeBefore: [String]
  ) throws(StoreError) -> ([WrittenTable], KeySQL, [CountBound], madeTables: [String]) {
    let connection = session.connection
    let entities = settings.model.entities
    let catalog = TableCatalog(of: connection)
    var created: [Entity] = []
    var ownCount = 0
    var stored: [(table: StoredTable, isNew: Bool)] = []
    for entity in entities {
      let isThere = try catalog.hasTable(named: entity.name)
      if !isThere {
        try connection.execute(TableDefinition.sql(for: entity, among: entities))
        for index in TableDefinition.indexes(for: entity) { try connection.execute(index) }
      }
      guard var table = try catalog.table(named: entity.name) else {
        throw .unexpected(path: settings.database, reason: "the table '\(excerpt(of: entity.name))' cannot be read")
      }
      if created.contains(where: { SQLText.isSameName($0.name, entity.name) })
        || stored.contains(where: { SQLText.isSameName($0.table.name, entity.name) })
      {
        throw .schema(
          path: settings.database,
          message: "two entities of the run are the same table, '\(excerpt(of: table.name))'",
          remedy: "name one of them otherwise; the case of letters does not part names"
        )
      }
      // An earlier run of the same load has made it, and it is new to the load all the same.
      let isOwn = isThere && madeBefore.contains { SQLText.isSameName($0, entity.name) }
      if isOwn {
        ownCount += 1
      } else if isThere {
        // A row that is there needs no more than it has.
        try TableFit.check(table, for: entity, isWhole: !settings.mode.updatesRows, path: settings.database)
      } else {
        created.append(entity.withoutRunAttributes)
      }
      // A row that is to be found by its key must give it.
      let keys = settings.mode.findsRows ? table.primaryKey + entity.key : []
      for column in table.columns.indices {
        let name = table.columns[column].name
        table.columns[column].fillsNull =
          settings.usesColumnDefaults && !keys.contains { SQLText.isSameName($0, name) }
      }
      stored.append((table, !isThere || isOwn))
    }
    let hadModel = try ModelTable(of: connection).exists()
    if case .load = settings.purpose, !created.isEmpty {
      let names = created.map(\.name)
      let readBack = stored.filter { table, _ in names.contains { SQLText.isSameName($0, table.name) } }.map(
        \.table.entity
      )
      try ModelTable(of: connection).write(created, readBackAs: readBack)
    }
    // The validator has applied the rules of tables that come from its own model; NOT NULL stays on.
    if created.count + ownCount == entities.count { try connection.execute("PRAGMA ignore_check_constraints = ON") }
    let bounds = CountBound.all(of: settings.model, in: stored.map(\.table), on: connection)
    for bound in bounds { try bound.watch(on: connection) }
    var deletedCounts = [Int64](repeating: 0, count: entities.count)
    if settings.mode == .replace {
      // Pairs go with the rows at their ends, too.
      let joins = entities.indices.filter { entities[$0].joinedRelationship != nil && !stored[$0].isNew }
      func pairCounts() throws(StoreError) -> [Int64] {
        try joins.map { position throws(StoreError) in
          try connection.integer(of: "SELECT count(*) FROM main.\(SQLText.identifier(stored[position].table.name))")
        }
      }
      let before = try pairCounts()
      for position in StoredTable.childrenFirst(stored.map(\.table)) where !settings.outsiders.contains(position) {
        guard !stored[position].isNew else { continue }
        deletedCounts[position] = try connection.delete(from: stored[position].table)
      }
      for (index, count) in try pairCounts().enumerated() { deletedCounts[joins[index]] = before[index] - count }
    }
    let targets = try ReferenceTargets(of: entities, in: stored.map(\.table), session: session)
    var references: [[Reference]] = []
    for (position, entity) in entities.enumerated() {
      try feed.register(as: "importer_feed_\(position)", columnCount: entity.attributes.count, on: connection)
      var own = try targets.references(of: entity, in: stored[position].table)
      for index in own.indices { own[index].findsRows = settings.mode.findsRows }
      references.append(own)
    }
    let held = CountBound.held(by: bounds, references)
    try CountBound.checkRowids(of: held.map { stored[$0].table }, path: settings.database)
    var tables: [WrittenTable] = []
    for (position, entity) in entities.enumerated() {
      let (table, isNew) = stored[position]
      tables.append(
        try WrittenTable(
          entity,
          in: table,
          isNew: isNew,
          feed: "importer_feed_\(position)",
          references: references[position],
          isHeld: held.contains(position),
          keys: targets.keys,
          defaults: settings.defaults?[position],
          session: session
        )
      )
    }
    try addLists(to: &tables, keys: targets.keys, mode: settings.mode, in: session)
    let mayBeUndone = entities.contains { !$0.childLists.isEmpty } ? Array(entities.indices) : held
    for position in mayBeUndone where settings.mode.updatesRows && stored[position].table.rowidName != nil {
      let table = tables[position]
      tables[position].earlier = try EarlierValues(position, of: table.stored, lists: table.lists, on: connection)
    }
    for position in tables.indices {
      tables[position].finder?.take(tables[position].lists)
      tables[position].deletedCount = deletedCounts[position]
      if settings.mode.findsRows, tables[position].finder == nil, !settings.targets.contains(position) {
        throw .withoutKey(entity: entities[position].name, mode: settings.mode.rawValue)
      }
      guard settings.mode == .sync, !settings.outsiders.contains(position), let finder = tables[position].finder else {
        continue
      }
      tables[position].unseen = try UnseenRows(
        position,
        of: stored[position].table,
        finder: finder,
        feed: "importer_feed_\(position)",
        on: connection
      )
    }
    for position in tables.indices {
      let attributes = referredAttributes(of: position, in: tables)
      guard !attributes.isEmpty else { continue }
      tables[position].lost = try LostKeys(
        position,
        attributes: attributes,
        feed: "importer_feed_\(position)",
        on: connection
      )
    }
    let hasModel = try ModelTable(of: connection).exists()
    return (tables, targets.keys, bounds, created.map(\.name) + (hasModel && !hadModel ? [ModelTable.name] : []))
  }

  /// The attributes of an entity that others, or itself, refer to.
  private static func referredAttributes(of position: Int, in tables: [WrittenTable]) -> [Int] {
    var attributes: Set<Int> = []
    for reference in tables.flatMap(\.references) where reference.targetPosition == position {
      attributes.formUnion(reference.targetAttributes.compactMap { $0 })
    }
    for table in tables {
      for list in table.entity.childLists where list.link.target == tables[position].entity.name {
        attributes.formUnion(tables[position].entity.keyAttributes)
      }
    }
    return attributes.sorted()
  }
}
