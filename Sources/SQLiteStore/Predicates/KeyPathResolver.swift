import Diagnostics
import EntityModel
import Predicates

/// Finds the columns behind key paths such as `artist.label.name`, by the foreign keys of a database.
struct KeyPathResolver {
  /// What a path leads to.
  struct Resolved {
    /// Whether a to-many relationship stands in it.
    var isToMany: Bool
    /// The one value, as an expression in the row's own terms; of a to-many the column within `source`.
    var value: String
    /// The column within `source`.
    var column: String
    /// `FROM … WHERE …`, which leads from the row to the values; empty for an attribute of the row itself.
    var source: String
    var type: AttributeType
  }

  /// A table with what its model says of it.
  struct Place {
    let table: StoredTable
    let entity: Entity
  }

  private let places: [Place]

  /// Reads the tables of a database.
  init(of connection: Connection) throws(StoreError) {
    let tables = try TableCatalog(of: connection).tables()
    let entities = try SchemaReader.entities(of: connection)
    places = zip(tables, entities).map(Place.init)
  }

  /// Finds what a path leads to from a row of an entity, which the statement calls `alias`.
  func resolve(_ path: KeyPath, of entity: Entity, alias: String) throws(PredicateError) -> Resolved {
    guard var place = place(named: entity.name) else { throw unknown(path, 0, in: entity) }
    var walk = Walk(alias: alias)
    let names = path.components
    for (position, name) in names.enumerated() {
      let isLast = position == names.count - 1
      if isLast, !path.isCount, let attribute = attribute(named: name, of: place) {
        return walk.ending(at: attribute)
      }
      guard let hop = hop(named: name, from: place) else { throw unknown(path, position, in: place.entity) }
      walk.take(hop)
      place = hop.target
      guard isLast else { continue }
      guard path.isCount else {
        throw PredicateError(
          at: path.column,
          "'\(excerpt(of: path.text))' is a relationship",
          remedy: "name an attribute of '\(excerpt(of: place.entity.name))' too: \(path.text)."
            + "\(place.entity.attributes.first?.name ?? "name")"
        )
      }
      guard walk.isToMany else {
        throw PredicateError(
          at: path.column,
          "'\(excerpt(of: name))' leads to one row at most",
          remedy: "compare it with NULL instead"
        )
      }
    }
    return walk.counting()
  }

  private func place(named name: String) -> Place? {
    places.first { SQLText.isSameName($0.table.name, name) }
  }

  /// The attribute of that name, letter by letter, else the only one that differs in ASCII case alone.
  private func attribute(named name: String, of place: Place) -> Attribute? {
    place.entity.attribute(named: name) ?? place.entity.attributes.first { SQLText.isSameName($0.name, name) }
  }

  // MARK: Hops

  /// One step from a table to a related one.
  struct Hop {
    let target: Place
    let isToMany: Bool
    /// The join table between, with the columns that refer to this table's row and to the target's.
    var join: (table: String, pairs: [Pair])?
    /// Columns of the table before (or of the join table) and of the target that are equal.
    let pairs: [Pair]
  }

  struct Pair {
    let from: String
    let to: String
  }

  private func hop(named name: String, from place: Place) -> Hop? {
    for key in place.table.foreignKeys where isSame(key.columns.joined(separator: "_"), name) {
      guard let target = self.place(named: key.target) else { continue }
      return Hop(target: target, isToMany: false, pairs: pairs(of: key, to: target))
    }
    guard let link = place.entity.relationships.first(where: { isSame($0.name, name) }),
      let target = self.place(named: link.target)
    else { return nil }
    if link.isHeldHere {
      // A reference of several columns, under the name that the model gives it.
      if let key = place.table.foreignKeys.first(where: { refers($0, by: link, to: target) }) {
        return Hop(target: target, isToMany: false, pairs: pairs(of: key, to: target))
      }
    }
    return inverseHop(link, from: place, to: target) ?? joinHop(link, from: place, to: target)
  }

  private func refers(_ key: StoredTable.ForeignKey, by link: Relationship, to target: Place) -> Bool {
    guard isSame(key.target, target.table.name) else { return false }
    return link.attributes.isEmpty
      ? key.columns.allSatisfy { $0.hasPrefix(link.name + ".") }
      : key.columns.count == link.attributes.count && zip(key.columns, link.attributes).allSatisfy(isSame)
  }

  /// The way back of a to-one: its foreign key, from the other end.
  private func inverseHop(_ link: Relationship, from place: Place, to target: Place) -> Hop? {
    guard let inverse = link.inverse,
      let key = target.table.foreignKeys.first(where: { key in
        isSame(key.target, place.table.name)
          && (isSame(key.columns.joined(separator: "_"), inverse)
            || key.columns.allSatisfy { $0.hasPrefix(inverse + ".") })
      })
    else { return nil }
    let back = pairs(of: key, to: place).map { Pair(from: $0.to, to: $0.from) }
    return Hop(target: target, isToMany: link.isToMany, pairs: back)
  }

  /// A to-many of both ends: a table `Owner_relationship` with columns `source` and `target`, under either end's name.
  private func joinHop(_ link: Relationship, from place: Place, to target: Place) -> Hop? {
    var candidates = [(place.table.name + "_" + link.name, isForward: true)]
    if let inverse = link.inverse { candidates.append((target.table.name + "_" + inverse, isForward: false)) }
    for (name, isForward) in candidates {
      guard let join = self.place(named: name)?.table,
        let source = join.foreignKeys.first(where: { isSame($0.columns.first ?? "", isForward ? "source" : "target") }),
        let end = join.foreignKeys.first(where: { isSame($0.columns.first ?? "", isForward ? "target" : "source") })
      else { continue }
      let back = pairs(of: source, to: place).map { Pair(from: $0.to, to: $0.from) }
      return Hop(target: target, isToMany: true, join: (join.name, back), pairs: pairs(of: end, to: target))
    }
    return nil
  }

  private func pairs(of key: StoredTable.ForeignKey, to target: Place) -> [Pair] {
    let columns = key.targetColumns.isEmpty ? target.table.primaryKey : key.targetColumns
    return zip(key.columns, columns).map(Pair.init)
  }

  private func isSame(_ first: String, _ second: String) -> Bool { SQLText.isSameName(first, second) }

  // MARK: Errors

  private func unknown(_ path: KeyPath, _ position: Int, in entity: Entity) -> PredicateError {
    let name = path.components[position]
    if entity.attribute(named: name) != nil {
      return PredicateError(
        at: path.column,
        "'\(excerpt(of: name))' of '\(excerpt(of: entity.name))' is a value, and leads to no other row",
        remedy: "end the path there"
      )
    }
    let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    return PredicateError(
      at: path.column,
      "'\(excerpt(of: entity.name))' has no attribute '\(excerpt(of: name))'",
      remedy: suggestion(for: name, among: names)
        ?? "it has \(names.prefix(12).map { excerpt(of: $0, limit: 40) }.joined(separator: ", ")); texts stand in quotes"
    )
  }
}

/// The tables that a path passes, and how each is found from the one before.
private struct Walk {
  private(set) var isToMany = false
  private let start: String
  private var current: String
  private var tables: [String] = []
  private var conditions: [String] = []

  init(alias: String) {
    start = alias
    current = alias
  }

  mutating func take(_ hop: KeyPathResolver.Hop) {
    isToMany = isToMany || hop.isToMany
    if let join = hop.join { enter(join.table, by: join.pairs) }
    enter(hop.target.table.name, by: hop.pairs)
  }

  private mutating func enter(_ table: String, by pairs: [KeyPathResolver.Pair]) {
    let alias = "p\(tables.count + 1)"
    tables.append("main.\(SQLText.identifier(table)) AS \(alias)")
    conditions += pairs.map { "\(alias).\(SQLText.identifier($0.to)) = \(current).\(SQLText.identifier($0.from))" }
    current = alias
  }

  private var source: String {
    "FROM \(tables.joined(separator: ", ")) WHERE \(conditions.joined(separator: " AND "))"
  }

  func ending(at attribute: Attribute) -> KeyPathResolver.Resolved {
    let column = "\(current).\(SQLText.identifier(attribute.name))"
    guard !tables.isEmpty else {
      return .init(isToMany: false, value: column, column: column, source: "", type: attribute.type)
    }
    return .init(
      isToMany: isToMany,
      value: isToMany ? column : "(SELECT \(column) \(source))",
      column: column,
      source: source,
      type: attribute.type
    )
  }

  func counting() -> KeyPathResolver.Resolved {
    let count = "(SELECT count(*) \(source))"
    return .init(isToMany: false, value: count, column: count, source: "", type: .integer(bits: 64))
  }
}
