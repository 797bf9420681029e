import Diagnostics
import EntityModel

/// A relationship of an entity that must have so many links at least or at most, and the tables in which they stand.
///
/// What a run does to the links of which row is written down by triggers of the connection's own, whoever does it: a
/// record, a delete rule, a mode. So only rows that the run has touched are counted in the end.
struct CountBound {
  /// Its number among the run's.
  let number: Int
  /// Positions of the entity whose rows are judged, and of the one whose rows are the links; nil for one of no file's.
  let owner: Int
  let links: Int?
  let link: Relationship
  /// Whether the rows of `links` are pairs of a join table.
  let isJoin: Bool
  let minimum: Int
  let maximum: Int?
  /// The owner's table and its rowid.
  let ownerTable: String
  let ownerRowid: String
  /// The owner's columns that links lead to.
  private let ownerColumns: [String]
  /// The table of the links, and its columns that lead to the owner.
  let linkTable: String?
  let linkColumns: [String]

  /// The table that says what the run did: the owner's columns `k0`…, `change` (links made less links gone), `isNew`
  /// (whether the run made the owner) and `isOpen` (whether something was done since it was counted).
  var changes: String { "\(workSchema).importer_links_\(number)" }
  /// The schema of that table.
  private var workSchema = "temp"

  /// All bounds of a run's entities.
  ///
  /// - Parameters:
  ///   - model: The run's entities.
  ///   - tables: Theirs, in the same order.
  ///   - connection: The run's.
  static func all(of model: EntityModel, in tables: [StoredTable], on connection: Connection) -> [CountBound] {
    var bounds: [CountBound] = []
    for (owner, entity) in model.entities.enumerated() where !entity.isAbstract {
      for link in entity.relationships where link.isBounded {
        guard var bound = CountBound(bounds.count, link, of: owner, in: model, tables) else { continue }
        bound.workSchema = connection.workSchema
        bounds.append(bound)
      }
    }
    return bounds
  }

  private init?(_ number: Int, _ link: Relationship, of owner: Int, in model: EntityModel, _ tables: [StoredTable]) {
    self.number = number
    self.owner = owner
    self.link = link
    minimum = link.isToMany ? link.minimumCount ?? 0 : link.isRequired ? 1 : 0
    maximum = link.isToMany ? link.maximumCount : nil
    let entity = model.entities[owner]
    ownerTable = "main.\(SQLText.identifier(tables[owner].name))"
    ownerRowid = tables[owner].rowidName ?? "rowid"
    func takesNumber(_ targets: [String]) -> [String] {
      targets.isEmpty ? entity.surrogate.map { [$0] } ?? entity.key : targets
    }
    if let join = model.join(of: link, from: entity), let ends = join.entity.pairEnds(isForward: join.isForward) {
      isJoin = true
      links = model.entities.firstIndex { $0.name == join.entity.name }
      ownerColumns = takesNumber(ends.near.targetAttributes)
      linkColumns = [ends.near.name]
    } else {
      isJoin = false
      let place = model.entities.firstIndex { $0.name == link.target }
      let back = place.flatMap { model.entities[$0].back(of: link, from: entity) }
      let columns = back.map { $0.attributes.isEmpty ? [$0.name] : $0.attributes } ?? []
      let key = place.flatMap { place in
        tables[place].foreignKeys(for: model.entities[place]).first { key in
          SQLText.isSameName(key.target, entity.name) && key.columns.map(SQLText.folded) == columns.map(SQLText.folded)
        }
      }
      links = key == nil ? nil : place
      linkColumns = key?.columns ?? []
      // What nothing of the run leads to may have no key; its rowid tells it as well.
      ownerColumns =
        key.map { $0.targetColumns.isEmpty ? tables[owner].primaryKey : $0.targetColumns } ?? [ownerRowid]
    }
    linkTable = links.map { "main.\(SQLText.identifier(tables[$0].name))" }
    guard links == nil || linkColumns.count == ownerColumns.count else { return nil }
    guard links != nil || minimum > 0 else { return nil }
  }

  /// The entities whose rows may have to be taken back: those that are counted, that are links, and all that refer to such.
  static func held(by bounds: [CountBound], _ references: [[Reference]]) -> [Int] {
    var held = Set(bounds.map(\.owner) + bounds.compactMap(\.links))
    var count = 0
    while count != held.count {
      count = held.count
      for (position, references) in references.enumerated()
      where references.contains(where: { $0.targetPosition.map(held.contains) ?? false }) { held.insert(position) }
    }
    return held.sorted()
  }

  /// Rows without a rowid cannot be named in what is written down of them.
  static func checkRowids(of tables: [StoredTable], path: String) throws(StoreError) {
    guard let table = tables.first(where: { $0.rowidName == nil }) else { return }
    throw .schema(
      path: path,
      message: "the model bounds how many links rows have, and '\(excerpt(of: table.name))' is a table WITHOUT ROWID",
      remedy: "take the bounds (minCount, maxCount, a to-many that is not optional) out of the model"
    )
  }

  // MARK: What a run does

  /// Begins to write down what becomes of the owners and their links.
  func watch(on connection: Connection) throws(StoreError) {
    let columns = ownerColumns.indices.map { "k\($0)" }.joined(separator: ", ")
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS \(changes) (\(columns), change INTEGER NOT NULL, isNew INTEGER NOT NULL, isOpen INTEGER NOT NULL,
      UNIQUE (\(columns)));
      CREATE INDEX IF NOT EXISTS \(changes)_open ON importer_links_\(number) (isOpen) WHERE isOpen;
      \(trigger("made", "INSERT", on: ownerTable, ownerColumns, of: "NEW", isOwner: true))
      """
    )
    guard let linkTable else { return }
    let names = SQLText.list(linkColumns)
    try connection.execute(
      """
      \(trigger("linked", "INSERT", on: linkTable, linkColumns, of: "NEW", by: 1))
      \(trigger("unlinked", "DELETE", on: linkTable, linkColumns, of: "OLD", by: -1))
      \(trigger("left", "UPDATE OF \(names)", on: linkTable, linkColumns, of: "OLD", by: -1))
      \(trigger("came", "UPDATE OF \(names)", on: linkTable, linkColumns, of: "NEW", by: 1))
      """
    )
  }

  private func trigger(
    _ name: String,
    _ event: String,
    on table: String,
    _ columns: [String],
    of row: String,
    by change: Int = 0,
    isOwner: Bool = false
  ) -> String {
    let values = columns.map { "\(row).\(SQLText.identifier($0))" }
    let isGiven = values.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let keys = columns.indices.map { "k\($0)" }.joined(separator: ", ")
    return """
      CREATE TEMP TRIGGER importer_\(name)_\(number) AFTER \(event) ON \(table) WHEN \(isGiven) BEGIN
      INSERT INTO importer_links_\(number) VALUES (\(values.joined(separator: ", ")), \(change), \(isOwner ? 1 : 0), 1)
      ON CONFLICT (\(keys)) DO UPDATE SET change = change + \(change), isOpen = 1\(isOwner ? ", isNew = 1" : ""); END;
      """
  }

  // MARK: Counting

  /// The condition that a row `t` of the owner's table is the one that a row `l` of `changes` is about.
  var isOwner: String {
    ownerColumns.enumerated().map { "t.\(SQLText.identifier($1)) = l.k\($0)" }.joined(separator: " AND ")
  }

  /// The condition that a row of the links' table, or one with its columns, leads to an owner.
  func leads(_ link: String, to owner: String) -> String {
    linkColumns.enumerated().map { index, column in
      "\(link).\(SQLText.identifier(column)) = \(owner).\(SQLText.identifier(ownerColumns[index]))"
    }.joined(separator: " AND ")
  }

  /// The condition that what a row held, as `o0`…, led to an owner.
  func led(_ held: String, to owner: String) -> String {
    ownerColumns.enumerated().map { "\(held).o\($0) = \(owner).\(SQLText.identifier($1))" }.joined(separator: " AND ")
  }

  /// All links counted at once, since their table may have no index that leads from the owner to them.
  private var counts: String {
    guard let linkTable else { return "" }
    let columns = SQLText.list(linkColumns)
    return "LEFT JOIN (SELECT \(columns), count(*) AS links FROM \(linkTable) GROUP BY \(columns)) AS g "
      + "ON \(leads("g", to: "t"))"
  }

  /// Owners whose counts are wrong by what the run did: their `row`, `links`, `isNew` and whether there are too many.
  ///
  /// One that was there before is judged by the bound that the run has taken it further past, and by no other.
  var broken: String {
    let tooMany = maximum.map { "links > \($0)" } ?? "0"
    return """
      SELECT row, links, isNew, \(tooMany) AS isTooMany FROM (
      SELECT t.\(ownerRowid) AS row, \(linkTable == nil ? "0" : "coalesce(g.links, 0)") AS links,
      l.isNew AS isNew, l.change AS change
      FROM \(changes) AS l CROSS JOIN \(ownerTable) AS t ON \(isOwner) \(counts)
      WHERE l.isOpen LIMIT -1)
      WHERE (links < \(minimum) AND (isNew OR change < 0)) OR (\(tooMany) AND (isNew OR change > 0))
      """
  }

  /// What is asked of the count, for messages.
  var demand: String {
    switch (minimum, maximum) {
    case (0, nil): "any number"
    case (let least, let most?) where least == most: "exactly \(least)"
    case (0, let most?): "\(most) at most"
    case (let least, nil): "\(least) at least"
    case (let least, let most?): "\(least) to \(most)"
    }
  }
}

extension Relationship {
  /// Whether rows must have so many links by it, and no column of their own says so.
  var isBounded: Bool {
    isToMany ? (minimumCount ?? 0) > 0 || maximumCount != nil : isHeldByTarget && isRequired
  }
}

extension Entity {
  /// The to-one relationship by which a to-many, or a to-one that is held here, leads back.
  fileprivate func back(of link: Relationship, from owner: Entity) -> Relationship? {
    let ways = relationships.filter { $0.isHeldHere && $0.target == owner.name }
    guard let inverse = link.inverse else { return ways.first { $0.inverse == link.name } ?? ways.first }
    return ways.first { $0.name == inverse }
  }
}
