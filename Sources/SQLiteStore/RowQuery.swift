import Diagnostics
import EntityModel
import Predicates

/// The query for the rows of an entity, which may be those that belong to the rows of another one.
///
/// Rows that belong to others are joined to these from the outermost on, so that they come in their order:
///
/// ```sql
/// SELECT t.title, …, t.rowid, o1.rowid
/// FROM "Label" AS o2 CROSS JOIN "Artist" AS o1 CROSS JOIN "Album" AS t
/// WHERE o1."label" = o2."name" AND t."artist" = o1."id"
/// ORDER BY o2."name", o2.rowid, o1."name", o1.rowid, t."title", t.rowid
/// ```
struct RowQuery {
  /// What stands behind the values of the attributes.
  struct Columns {
    var count = 0
    var identity = 0..<0
    var ownerIdentity = 0..<0
    var dangling: Int?
    var links: [Relationship] = []
  }

  let sql: String
  let parameters: [PredicateSQL.Parameter]
  private(set) var columns = Columns()

  init(
    of entity: Entity,
    model: EntityModel,
    owners: [EntityReader.Owner],
    order: EntityReader.Order,
    filter: Predicate?,
    without: Relationship?,
    finds: EntityReader.Finds,
    on connection: Connection
  ) throws {
    let keys = try KeySQL(model, in: connection)
    let catalog = TableCatalog(of: connection)
    // From the outermost entity to the one at hand.
    let chain = (owners.map(\.entity).reversed() + [entity]).enumerated().map { index, entity in
      (entity: entity, alias: index == owners.count ? "t" : "o\(owners.count - index)")
    }
    var tables: [StoredTable] = []
    for (entity, _) in chain {
      guard let table = try catalog.table(named: entity.name) else {
        throw StoreError.schema(
          path: connection.path,
          message: "it has no table '\(excerpt(of: entity.name))'",
          remedy: "name one of its entities with --entity"
        )
      }
      tables.append(table)
    }
    let table = tables[tables.count - 1]
    for attribute in entity.attributes
    where !attribute.isList && table.column(named: attribute.keyPath.first ?? attribute.name) == nil {
      throw StoreError.schema(
        path: connection.path,
        message: "the table '\(excerpt(of: table.name))' has no column '\(excerpt(of: attribute.name))'",
        remedy: "leave the attribute out of the model"
      )
    }
    var conditions: [String] = []
    var terms: [String] = []
    for (index, (entity, alias)) in chain.enumerated() {
      if index == 0, case .terms(let sorted) = order {
        terms += try Self.terms(of: sorted, on: entity, alias: alias, connection)
      }
      if index > 0 {
        let owner = owners[owners.count - index]
        conditions.append(owner.match(alias: alias, owner: chain[index - 1].alias))
        terms += entity.attributes.filter { $0.positionWithin == owner.link.name }.map {
          "\(alias).\(SQLText.identifier($0.name))"
        }
      }
      let isByKey = if index == 0, case .rowid = order { false } else { true }
      if isByKey, entity.key.allSatisfy({ tables[index].column(named: $0) != nil }) {
        terms += keys.parts(of: entity, alias: alias)
      }
      terms += Self.identity(of: tables[index], alias: alias)
    }
    let root = chain[0]
    var parameters: [PredicateSQL.Parameter] = []
    if let filter {
      let paths = try KeyPathResolver(of: connection)
      try connection.addComparisonFunctions()
      let condition = try PredicateSQL(filter, on: root.entity, alias: root.alias, paths: paths, connection: connection)
      conditions.append("(\(condition.sql))")
      parameters = condition.parameters
    }
    if let without {
      conditions.append(keys.leadsNowhere(without, of: root.entity, alias: root.alias))
    }
    var values = entity.attributes.map { keys.value(of: $0, of: entity, alias: "t") }
    if finds.contains(.identity) {
      let own = Self.identity(of: table, alias: "t")
      columns.identity = values.count..<values.count + own.count
      values += own
      if !owners.isEmpty {
        let other = Self.identity(of: tables[tables.count - 2], alias: "o1")
        columns.ownerIdentity = values.count..<values.count + other.count
        values += other
      }
    }
    if finds.contains(.dangling) {
      let links = keys.danglingLinks(of: entity, alias: "t") + keys.untellableLinks(of: entity, alias: "t")
      let found = links.filter { $0.link.name != owners.first?.link.name }
      if !found.isEmpty {
        columns.dangling = values.count
        columns.links = found.map(\.link)
        let cases = found.enumerated().map { "WHEN \($1.condition) THEN \($0)" }
        values.append("CASE \(cases.joined(separator: " ")) END")
      }
    }
    columns.count = values.count
    self.parameters = parameters
    let source = zip(tables, chain).map { "main.\(SQLText.identifier($0.name)) AS \($1.alias)" }
    sql = """
      SELECT \(values.isEmpty ? "NULL" : values.joined(separator: ", ")) FROM \(source.joined(separator: " CROSS JOIN "))\
      \(conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))\
      \(terms.isEmpty ? "" : " ORDER BY " + terms.joined(separator: ", "))
      """
  }

  /// What tells a row from all others: its rowid, or its primary key.
  private static func identity(of table: StoredTable, alias: String) -> [String] {
    (table.rowidName.map { [$0] } ?? table.primaryKey.map(SQLText.identifier)).map { "\(alias).\($0)" }
  }

  private static func terms(
    of sorted: [SortTerm],
    on entity: Entity,
    alias: String,
    _ connection: Connection
  ) throws -> [String] {
    let paths = try KeyPathResolver(of: connection)
    try connection.addComparisonFunctions()
    var terms: [String] = []
    for term in sorted {
      do throws(PredicateError) {
        terms += try term.sql(on: entity, alias: alias, paths: paths)
      } catch {
        throw error.inOrder
      }
    }
    return terms
  }
}

extension EntityReader.Owner {
  /// The condition that a row belongs to one of the owner's, both by their aliases.
  fileprivate func match(alias: String, owner: String) -> String {
    zip(link.columns, link.targetColumns(in: entity)).map { own, target in
      "\(owner).\(SQLText.identifier(target)) = \(alias).\(SQLText.identifier(own))"
    }.joined(separator: " AND ")
  }
}

extension Relationship {
  /// The columns that hold a to-one's reference.
  var columns: [String] { attributes.isEmpty ? [name] : attributes }

  /// The columns of the target that they hold the values of.
  func targetColumns(in target: Entity) -> [String] {
    if !targetAttributes.isEmpty { return targetAttributes }
    return attributes.isEmpty ? target.surrogate.map { [$0] } ?? target.key : target.key
  }
}

extension KeySQL {
  /// The condition that a to-one link of a stored row is NULL, or leads to a row that is not there.
  func leadsNowhere(_ link: Relationship, of entity: Entity, alias: String) -> String {
    let isNull = link.columns.map { "\(alias).\(SQLText.identifier($0)) IS NULL" }
    let isMissing = danglingLinks(of: entity, alias: alias).filter { $0.link.name == link.name }.map(\.condition)
    return "(" + (isNull + isMissing).joined(separator: " OR ") + ")"
  }

  /// The to-one links of an entity by number, each with the condition that it leads a stored row to one whose key is NULL,
  /// which nothing tells.
  func untellableLinks(of entity: Entity, alias: String) -> [(link: Relationship, condition: String)] {
    entity.relationships.compactMap { link in
      guard link.isHeldHere, link.attributes.isEmpty, entity.isGiven(link), let name = link.columns.first,
        let target = self.entity(named: link.target), target.surrogate != nil, !target.key.isEmpty
      else { return nil }
      let number = "\(alias).\(SQLText.identifier(name))"
      let parts = parts(ofNumber: number, in: target)
      guard !parts.isEmpty else { return nil }
      return (link, (["\(number) IS NOT NULL"] + parts.map { "\($0) IS NULL" }).joined(separator: " AND "))
    }
  }

  /// The links of an entity, lists too, each with the condition that it leads a stored row to nothing.
  func danglingLinks(of entity: Entity, alias: String) -> [(link: Relationship, condition: String)] {
    entity.relationships.compactMap { link in
      guard entity.isGiven(link), let target = self.entity(named: link.target), let place = places(of: target).first
      else { return nil }
      func isMissing(_ columns: [(target: String, own: String)]) -> String {
        let same = columns.map { "d.\(SQLText.identifier($0.target)) = \($0.own)" }
        let given = columns.map { "\($0.own) IS NOT NULL" }
        return (given + ["NOT EXISTS (SELECT 1 FROM \(place) AS d WHERE \(same.joined(separator: " AND ")))"])
          .joined(separator: " AND ")
      }
      if link.isHeldHere {
        let columns = zip(link.targetColumns(in: target), link.columns.map { "\(alias).\(SQLText.identifier($0))" })
        return (link, isMissing(columns.map { ($0, $1) }))
      }
      guard entity.attributes.contains(where: { $0.isList && $0.keyPath.first == link.name }),
        let join = join(of: link, from: entity), let pairs = places(of: join.entity).first,
        let ends = join.entity.pairEnds(isForward: join.isForward)
      else { return nil }
      let own = "\(alias).\(SQLText.identifier(pairColumn(of: entity, by: ends.near)))"
      let far = "j.\(SQLText.identifier(ends.far.name))"
      let missing = isMissing([(pairColumn(of: target, by: ends.far), far)])
      return (
        link,
        "EXISTS (SELECT 1 FROM \(pairs) AS j WHERE j.\(SQLText.identifier(ends.near.name)) = \(own) AND \(missing))"
      )
    }
  }
}
