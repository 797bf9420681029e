import Diagnostics
import EntityModel
import Records

/// A one-to-many whose rows records list by their keys, at the end that holds no column of it.
///
/// Records that give such a list wait until all inputs are read. Then each item is a *claim*: it is looked up once, and the
/// row that it means, stored or waiting, gets the key of the record's row.
final class ChildList {
  /// Where the row that a claim means was found.
  enum Place: Int {
    case stored = 1
    case waiting = 2
    /// In the database beside which a check works.
    case elsewhere = 3
  }

  /// What a row that a claim means says itself of the link.
  enum Status: Int {
    case linked = 0
    case free = 1
    case taken = 2
  }

  /// What is wrong with a claim.
  enum Fault: Int {
    case missing = 1
    case several = 2
    /// The row leads elsewhere, and must not be changed, or says so itself.
    case taken = 3
    /// An earlier record lists the row.
    case claimed = 4
    /// The list leaves out a row that must lead somewhere.
    case leftOut = 5
  }

  let link: Relationship
  let back: Relationship
  /// Positions of the entities whose records give lists, and whose rows are listed.
  let owner: Int
  let child: Int
  let list: EntityList
  /// What a child's row takes from the owner's: positions of attributes.
  let taken: [(own: Int, enclosing: Int)]
  /// The attribute of the child that tells its place, and its column.
  let place: (attribute: Int, column: String)?
  /// The table of the claims: `n` of the waiting record, `place` in its list, the parts `i0`…, and what became of each.
  let claims: String
  /// The table of what rows were linked or parted, and what they held before.
  let changes: String
  /// The table of rows whose own records say where they lead; nil where no row that was there is changed.
  let said: String?
  /// The rowid of the child's table.
  let rowid: String?
  /// The child's columns that hold the link, and what an owner's row `f` gives them.
  let backColumns: [(name: String, value: String)]
  /// Whether the link is part of the child's key.
  let isInKey: Bool
  /// Whether the child's row must have the link.
  let isRequired: Bool
  private let keyColumns: [KeySQL.KeyColumn]
  /// The attributes of a waiting child's row that a claim's parts are compared with.
  let keyAttributes: [Int]
  let stored: String
  let elsewhere: String?
  private let number: Int

  /// - Parameter number: Its number among the run's.
  init?(
    _ list: EntityList,
    number: Int,
    of owner: Int,
    in tables: [WrittenTable],
    keys: KeySQL,
    updatesRows: Bool,
    on connection: Connection
  ) {
    let entities = tables.map(\.entity)
    guard let child = entities.firstIndex(where: { $0.name == list.link.target }),
      let back = EntityModel(entities: entities).back(of: list.link, from: entities[owner])
    else { return nil }
    let entity = entities[child]
    let held = back.attributes.isEmpty ? [back.name] : back.attributes
    guard let taken = Self.values(of: back, from: entity, to: entities[owner]) else { return nil }
    var parts: [String] = []
    var attributes: [Int] = []
    for path in keys.paths(of: entity) {
      let own = entity.attributes.firstIndex { path.count == 1 ? $0.name == path[0] : $0.keyPath == path }
      if held.contains(path[0]) {
        guard let pair = taken.first(where: { $0.own == own }) else { return nil }
        parts.append("f.c\(pair.enclosing)")
      } else {
        guard let own, let part = list.paths.firstIndex(of: path) else { return nil }
        parts.append("x.i\(part)")
        attributes.append(own)
      }
    }
    link = list.link
    self.back = back
    self.owner = owner
    self.child = child
    self.list = list
    self.taken = taken
    self.number = number
    keyAttributes = attributes
    keyColumns = keys.columns(of: entity, parts: parts)
    isInKey = keyColumns.contains { held.contains($0.name) }
    isRequired = back.isRequired || taken.contains { entity.attributes[$0.own].isRequired }
    if back.attributes.isEmpty {
      let values = taken.map { "f.c\($0.enclosing)" }
      backColumns = [(back.name, keys.number(of: entities[owner], parts: values))]
    } else {
      backColumns = zip(back.attributes, taken).map { ($0, "f.c\($1.enclosing)") }
    }
    let placed = entity.attributes.firstIndex { $0.positionWithin == back.name }
    place = placed.map { ($0, entity.attributes[$0].name) }
    claims = "temp.importer_claims_\(number)"
    changes = "temp.importer_adopted_\(number)"
    said = updatesRows ? "\(connection.workSchema).importer_leads_\(number)" : nil
    rowid = tables[child].stored.rowidName
    stored = "main.\(SQLText.identifier(tables[child].stored.name))"
    elsewhere = keys.places(of: entity).first { $0.hasPrefix("target.") }
  }

  /// What a row takes from the one that a relationship leads to: positions of attributes.
  private static func values(
    of link: Relationship,
    from entity: Entity,
    to target: Entity
  ) -> [(own: Int, enclosing: Int)]? {
    let names = link.targetAttributes.isEmpty ? target.key : link.targetAttributes
    var values: [(own: Int, enclosing: Int)] = []
    for own in entity.attributes(giving: link) {
      let attribute = entity.attributes[own]
      let path =
        link.attributes.isEmpty
        ? Array(attribute.keyPath.dropFirst())
        : link.attributes.firstIndex(of: attribute.name).map { [names[$0]] } ?? []
      let other = target.attributes.firstIndex { path.count == 1 ? $0.name == path[0] : $0.keyPath == path }
      guard let other else { return nil }
      values.append((own, other))
    }
    return values.isEmpty ? nil : values
  }

  // MARK: Conditions

  /// The condition that a stored row `t` is the one that a claim `x` of a waiting record `f` means.
  ///
  /// - Parameter status: Where the link is part of the key: what the row must say of it.
  func isMeant(_ status: Status) -> String {
    keyColumns.map { column in
      let name = "t.\(SQLText.identifier(column.name))"
      if backColumns.contains(where: { $0.name == column.name }) {
        return status == .linked ? "\(name) IS \(column.value) AND \(column.value) IS NOT NULL" : "\(name) IS NULL"
      }
      guard column.isNumber else { return "\(name) IS \(column.value)" }
      let isNamed = column.parts.map { "\($0) IS NOT NULL" }.joined(separator: " OR ")
      return "\(name) IS \(column.value) AND NOT (\(column.value) IS NULL AND (\(isNamed)))"
    }.joined(separator: " AND ")
  }

  /// The condition that a waiting row `t` is the one that a claim `x` means.
  var isMeantWaiting: String {
    zip(keyAttributes, keyParts).map { "t.c\($0) IS \($1)" }.joined(separator: " AND ")
  }

  /// The parts of a claim in the order of the key.
  private var keyParts: [String] { keyColumns.flatMap(\.parts).filter { $0.hasPrefix("x.") } }

  /// What a stored row `t` says of the link.
  var statusOfStored: String {
    status(
      isLinked: backColumns.map { "t.\(SQLText.identifier($0.name)) IS \($0.value)" },
      isGiven: backColumns.map { "t.\(SQLText.identifier($0.name)) IS NOT NULL" }
    )
  }

  /// What a waiting row `t` says of it.
  var statusOfWaiting: String {
    status(
      isLinked: taken.map { "t.c\($0.own) IS f.c\($0.enclosing)" },
      isGiven: taken.map { "t.c\($0.own) IS NOT NULL" }
    )
  }

  private func status(isLinked: [String], isGiven: [String]) -> String {
    """
    CASE WHEN NOT (\(isGiven.joined(separator: " OR "))) THEN \(Status.free.rawValue) \
    WHEN \(isLinked.joined(separator: " AND ")) THEN \(Status.linked.rawValue) ELSE \(Status.taken.rawValue) END
    """
  }

  /// The condition that a stored row `t` leads to the owner's row `f`.
  var leads: String {
    backColumns.map { "t.\(SQLText.identifier($0.name)) = \($0.value)" }.joined(separator: " AND ")
  }

  /// The condition that a waiting record `f` gives the list.
  func isGiven(updatesRows: Bool) -> String {
    guard updatesRows else {
      return "(" + list.parts.map { "f.c\($0) IS NOT NULL" }.joined(separator: " OR ") + ")"
    }
    let absences = list.parts.map { "substr(f.absent, \($0 + 1), 1) <> x'01'" }
    return "(f.absent IS NULL OR \(absences.joined(separator: " OR ")))"
  }

  /// The condition that a claim of a waiting record `f` cannot be fulfilled.
  ///
  /// - Parameter waiting: The table of waiting children.
  func isBroken(waiting: String?) -> String {
    let isLost = waiting.map {
      " OR (x.kind = \(Place.waiting.rawValue) AND EXISTS (SELECT 1 FROM \($0) AS w WHERE w.n = x.id AND w.state = 1))"
    }
    return "EXISTS (SELECT 1 FROM \(claims) AS x WHERE x.n = f.n AND (x.fault IS NOT NULL\(isLost ?? "")))"
  }

  /// The columns of the key that a row made for a claim gets, and their values over the claim.
  var stubColumns: [(name: String, value: String)] {
    keyColumns.filter { column in !backColumns.contains { $0.name == column.name } }.map { ($0.name, $0.value) }
  }

  /// The columns that a claim changes: those of the link, and that of the place.
  var changedColumns: [String] { backColumns.map(\.name) + (place.map { [$0.column] } ?? []) }

  // MARK: Rows that come

  /// Whether a row of the owner gives the list.
  func isGiven(by row: Int, of rows: borrowing ValueBatch, updatesRows: Bool) -> Bool {
    let start = Int(rows.rows[row].valueStart)
    return list.parts.contains { updatesRows ? rows.values[start + $0] != .absent : !rows.values[start + $0].isMissing }
  }

  /// Whether rows of the child must wait for what a list says of them: they cannot do without the link, are known by it, or
  /// get their places with it.
  var keepsWaiting: Bool { isRequired || isInKey || place != nil }

  /// Whether a row of the child must wait.
  func mustWait(_ row: Int, of rows: borrowing ValueBatch) -> Bool {
    guard keepsWaiting else { return false }
    let start = Int(rows.rows[row].valueStart)
    return taken.allSatisfy { rows.values[start + $0.own].isMissing }
  }
}
