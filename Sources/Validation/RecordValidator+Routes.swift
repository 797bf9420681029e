import Diagnostics
import EntityModel
import Records

/// How records find their entity, and its attributes their columns: decided once for each shape.
extension Entity {
  /// The positions of attributes whose lists together give keys of several parts.
  fileprivate var keyLists: [[Int]] {
    let lists = Dictionary(grouping: attributes.indices.filter { attributes[$0].isList }) { attributes[$0].keyPath[0] }
    return lists.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
  }
}

extension RecordValidator {
  /// How the records of one shape become rows.
  struct Route {
    /// The shape that the route was made for; a longer one later makes a new route.
    var columnCount: Int
    var entity: Int?
    var cells: [Cell]
    /// Further columns of cells that have several.
    var alternatives: [Int]
    /// For every column whether an attribute takes it.
    var isTaken: [Bool]
    /// For every column whether an attribute takes it that gives a list.
    var isListed: [Bool] = []
    /// The positions of attributes whose lists together give keys.
    var keyLists: [[Int]] = []
    /// Whether there are columns that no attribute takes.
    var leavesSomething: Bool
    /// The column of the rows' numbers, where they are numbered here.
    var numberColumn: Int?
    /// The ways to rows of other entities that are found or made, the longest first.
    var ways: [WayRoute] = []
    /// The lists whose items give rows in full.
    var listWays: [WayRoute] = []
    /// The links that are told by an attribute of their target which need not be its key.
    var links: [ToldLink] = []
    /// Columns that are named like a relationship whose key has several parts, which one value cannot give.
    var wholes: [(column: Int, link: Relationship)] = []
    /// Which attributes may be given by objects: for each of them, the columns and how deep; none where no object stands in
    /// the records.
    var objects: [Int: [(column: Int, depth: UInt8)]] = [:]
    /// Whether the records may hold others; see `ValidationPlan.holders`.
    var holdsOthers = false
    /// The entity of the records around, and what a row takes from theirs; nil until one has been met.
    var link: (enclosing: Int, link: EnclosingLink?)?
  }

  /// One attribute's way from column to value: plain numbers only, since every field passes here.
  struct Cell {
    /// The column to look at first; -1 if the input has none for the attribute.
    var column: Int
    var type: AttributeType
    /// Position of its rule in `rules`.
    var rule: Int
    /// Which of the route's alternatives may hold the value when the first column does not.
    var alternatives: Range<Int>
    /// Whether the rule has more to say than the type.
    var hasValueRules: Bool
    /// Whether an empty text is refused.
    var refusesEmptyText: Bool
    /// Whether it gives a list.
    var isList = false
    /// Whether what it gives may be told otherwise, so that its absence is no fault by itself.
    var isToldOtherwise = false
    /// Whether nothing but its type says what a value may be, as with most.
    var isPlain = false
    /// Whether a field that is NULL simply gives NULL.
    var takesNull = false
  }

  /// Makes or renews the routes of shapes that are new or have grown, and notes columns that nothing takes.
  mutating func updateRoutes(_ batch: inout RecordBatch) {
    for kind in batch.shapes.indices {
      let shape = batch.shapes[kind]
      let knownCount = kind < routes.count ? routes[kind].columnCount : -1
      guard shape.columns.count != knownCount else { continue }
      let around = shape.parent.map { routes[$0].entity } ?? nil
      let entity = plan.entityIndex(of: shape, within: around)
      var route = Route(
        columnCount: shape.columns.count,
        entity: entity,
        cells: [],
        alternatives: [],
        isTaken: [],
        leavesSomething: false
      )
      route.isTaken = [Bool](repeating: false, count: shape.columns.count)
      route.isListed = route.isTaken
      if let entity {
        route.holdsOthers = plan.holders.contains(entity)
        if plan.firstNumbers[entity] != nil {
          let key = plan.entities[entity].key.first
          route.numberColumn = plan.entities[entity].attributes.firstIndex { $0.name == key }
        }
        var sources = plan.columns(of: plan.entities[entity], among: shape.columns)
        route.wholes = wholes(of: plan.entities[entity], among: shape.columns, &sources)
        for (index, columns) in sources.enumerated() {
          let rule = rules[ruleStarts[entity] + index]
          let alternativeStart = route.alternatives.count
          route.alternatives += columns.dropFirst()
          route.cells.append(
            Cell(
              column: columns.first ?? -1,
              type: rule.attribute.type,
              rule: ruleStarts[entity] + index,
              alternatives: alternativeStart..<route.alternatives.count,
              hasValueRules: rule.hasValueRules,
              refusesEmptyText: rule.attribute.isRequired && rule.attribute.refusesEmptyText
            )
          )
          for column in columns { route.isTaken[column] = true }
          guard rule.attribute.isList else { continue }
          route.cells[route.cells.count - 1].isList = true
          for column in columns { route.isListed[column] = true }
        }
        route.keyLists = plan.entities[entity].keyLists
        route.links = plan.entities[entity].toldLinks
        for position in route.links.flatMap(\.keys) { route.cells[position].isToldOtherwise = true }
        for position in plan.toldByLists[entity] ?? [] { route.cells[position].isToldOtherwise = true }
        route.ways = ways(
          from: entity,
          columns: shape.columns,
          without: route.isTaken,
          alternatives: &route.alternatives
        )
        route.listWays = listWays(
          from: entity,
          columns: shape.columns,
          without: route.isTaken,
          alternatives: &route.alternatives
        )
        if !shape.objectLengths.isEmpty { findObjects(of: &route, entity: entity, in: shape) }
        for column in (route.ways + route.listWays).flatMap(\.columns) { route.isTaken[column] = true }
        for whole in route.wholes { route.isTaken[whole.column] = true }
        for column in route.listWays.flatMap(\.columns) { route.isListed[column] = true }
        for position in route.cells.indices {
          let (cell, rule) = (route.cells[position], rules[route.cells[position].rule])
          route.cells[position].isPlain =
            !cell.isList && !cell.hasValueRules && !cell.refusesEmptyText && !hasNullTokens
          route.cells[position].takesNull =
            (!rule.attribute.isRequired || cell.isToldOtherwise) && rule.defaultBytes == nil
            && rule.attribute.positionWithin == nil
        }
        for column in max(knownCount, 0)..<shape.columns.count where !route.isTaken[column] {
          if shape.parent == nil, plan.wantedColumns?.contains(shape.columns[column]) == false { continue }
          batch.notes.append(.extraLabel(shape.columns[column], entity: plan.entities[entity], file: batch.file))
        }
      }
      route.leavesSomething = route.isTaken.contains(false)
      if kind < routes.count { routes[kind] = route } else { routes.append(route) }
    }
  }

  /// The columns that no attribute takes, and that are named like a relationship which some give the parts of a key for.
  ///
  /// NULL there is NULL for the parts, nothing in a list no items for each, and any other value a fault.
  private func wholes(
    of entity: Entity,
    among columns: [String],
    _ sources: inout [[Int]]
  ) -> [(column: Int, link: Relationship)] {
    let taken = Set(sources.joined())
    return columns.indices.filter { !taken.contains($0) }.compactMap { column in
      guard let link = entity.relationships.first(where: { $0.name == columns[column] }) else { return nil }
      let parts = entity.attributes.indices.filter { entity.attributes[$0].keyPath.first == link.name }
      guard parts.count > 1 else { return nil }
      for part in parts { sources[part].append(column) }
      return (column, link)
    }
  }
}
