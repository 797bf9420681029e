import Diagnostics
import EntityModel

/// Finds rows by the parts of their keys in SQL, and the parts from rows.
///
/// The parts are those of `EntityModel.keyPaths(of:)`: where a key holds a link to a numbered row, that row's own key
/// stands for it, and so on.
struct KeySQL {
  private let model: EntityModel
  /// The tables that may hold the rows of an entity, as they stand in SQL.
  private let places: [String: [String]]
  /// The entities whose rows may get their numbers before they are written.
  private let numberedAhead: Set<String>

  init(_ model: EntityModel, places: [String: [String]], numberedAhead: Set<String> = []) {
    self.model = model
    self.places = places
    self.numberedAhead = numberedAhead
  }

  /// Finds rows in the tables of an open database alone.
  init(_ model: EntityModel, in connection: Connection) throws(StoreError) {
    let catalog = TableCatalog(of: connection)
    var places: [String: [String]] = [:]
    for entity in model.entities {
      guard let table = try catalog.table(named: entity.name) else { continue }
      places[entity.name] = ["main.\(SQLText.identifier(table.name))"]
    }
    self.init(model, places: places)
  }

  /// Whether rows of an entity may get their numbers before they are written; see `AssignedNumbers`.
  func isNumberedAhead(_ entity: Entity) -> Bool { numberedAhead.contains(entity.name) }

  /// The entity of that name.
  func entity(named name: String) -> Entity? { model.entities.first { $0.name == name } }

  /// The tables that may hold the rows of an entity.
  func places(of entity: Entity) -> [String] { places[entity.name] ?? [] }

  /// The join table of a relationship, and whether it is the one that the table is named after.
  func join(of link: Relationship, from entity: Entity) -> (entity: Entity, isForward: Bool)? {
    model.join(of: link, from: entity)
  }

  /// How many parts the key of an entity has.
  func partCount(of entity: Entity) -> Int { model.keyPaths(of: entity)?.count ?? 0 }

  /// The ways to the parts.
  func paths(of entity: Entity) -> [[String]] { model.keyPaths(of: entity) ?? [] }

  /// The names of the parts, as messages show them.
  func partNames(of entity: Entity) -> [String] {
    model.keyPaths(of: entity)?.map { $0.joined(separator: ".") } ?? []
  }

  /// The number of the row of an entity whose key has these parts: an expression; NULL where there is none.
  func number(of entity: Entity, parts: [String], depth: Int = 0) -> String {
    guard let surrogate = entity.surrogate else { return "NULL" }
    let alias = "k\(depth)"
    let condition = matches(entity, alias: alias, parts: parts, depth: depth + 1)
    let found = (places[entity.name] ?? []).map { place in
      "(SELECT \(alias).\(SQLText.identifier(surrogate)) FROM \(place) AS \(alias) WHERE \(condition))"
    }
    return found.count > 1 ? "coalesce(\(found.joined(separator: ", ")))" : found.first ?? "NULL"
  }

  /// The number of the row that a link with these parts leads to: an expression; NULL where no part is given, though a row
  /// may have such a key.
  func linked(to entity: Entity, parts: [String], depth: Int = 0) -> String {
    let isGiven = parts.map { "\($0) IS NOT NULL" }.joined(separator: " OR ")
    guard !isGiven.isEmpty else { return "NULL" }
    return "CASE WHEN \(isGiven) THEN \(number(of: entity, parts: parts, depth: depth)) END"
  }

  /// The condition that a stored row has a key with these parts.
  func matches(_ entity: Entity, alias: String, parts: [String], depth: Int = 0) -> String {
    let terms = columns(of: entity, parts: parts, depth: depth).map { column in
      let same = "\(alias).\(SQLText.identifier(column.name)) IS \(column.value)"
      guard column.isNumber else { return same }
      // What is named must be there; else all rows without the link would seem to be meant.
      let isNamed = column.parts.map { "\($0) IS NOT NULL" }.joined(separator: " OR ")
      return "\(same) AND NOT (\(column.value) IS NULL AND (\(isNamed)))"
    }
    return terms.isEmpty ? "0" : terms.joined(separator: " AND ")
  }

  /// One column of a key, and what gives it.
  struct KeyColumn {
    let name: String
    /// The value, in SQL.
    let value: String
    /// The parts that give it.
    let parts: [String]
    /// The entity that the column refers to.
    let target: Entity?
    /// Whether it is the number of a row.
    let isNumber: Bool
  }

  /// The columns of an entity's key, given by its parts.
  func columns(of entity: Entity, parts: [String], depth: Int = 0) -> [KeyColumn] {
    var rest = parts[...]
    return entity.key.map { name in
      let link = entity.relationships.first { $0.name == name && $0.isHeldHere }
      let target = link.flatMap { self.entity(named: $0.target) }
      if let target, target.surrogate != nil, link?.attributes.isEmpty == true {
        let own = Array(rest.prefix(partCount(of: target)))
        rest = rest.dropFirst(own.count)
        let value = linked(to: target, parts: own, depth: depth)
        return KeyColumn(name: name, value: value, parts: own, target: target, isNumber: true)
      }
      let part = rest.popFirst() ?? "NULL"
      return KeyColumn(name: name, value: part, parts: [part], target: target, isNumber: false)
    }
  }

  /// The value of an attribute of a stored row: its column, or the part of a key that its way leads to.
  func value(of attribute: Attribute, of entity: Entity, alias: String) -> String {
    guard !attribute.isList else { return list(attribute, of: entity, alias: alias) }
    guard let name = attribute.keyPath.first else { return "\(alias).\(SQLText.identifier(attribute.name))" }
    let link = entity.relationships.first { $0.name == name }
    guard let target = link.flatMap({ self.entity(named: $0.target) }),
      let position = model.keyPaths(of: target)?.firstIndex(of: Array(attribute.keyPath.dropFirst()))
    else { return "NULL" }
    return parts(ofNumber: "\(alias).\(SQLText.identifier(name))", in: target)[position]
  }

  /// The parts of the key of a stored row, as expressions.
  func parts(of entity: Entity, alias: String, depth: Int = 0) -> [String] {
    entity.key.flatMap { name -> [String] in
      let column = "\(alias).\(SQLText.identifier(name))"
      let link = entity.relationships.first { $0.name == name && $0.isHeldHere && $0.attributes.isEmpty }
      guard let target = link.flatMap({ self.entity(named: $0.target) }), target.surrogate != nil else {
        return [column]
      }
      return parts(ofNumber: column, in: target, depth: depth)
    }
  }

  /// The parts of the key of the row that a number stands for, as expressions.
  func parts(ofNumber number: String, in target: Entity, depth: Int = 0) -> [String] {
    guard let surrogate = target.surrogate, let places = places[target.name], !places.isEmpty else { return [] }
    let alias = "n\(depth)"
    return parts(of: target, alias: alias, depth: depth + 1).map { part in
      let found = places.map { place in
        "(SELECT \(part) FROM \(place) AS \(alias) WHERE \(alias).\(SQLText.identifier(surrogate)) = \(number))"
      }
      return found.count > 1 ? "coalesce(\(found.joined(separator: ", ")))" : found[0]
    }
  }
}
