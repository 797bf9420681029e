import Diagnostics
import EntityModel

/// What SQL cannot hold of a model, in one table `importer_model(entity, member, property, value)`.
///
/// What belongs there is not decided property by property: an entity is compared with what the table's own SQL reads
/// back as, and each property that differs gets its rows. So reading always gives what was written.
struct ModelTable {
  static let name = "importer_model"
  /// Grows when older versions could misread what newer ones write.
  static let format = 1

  private let connection: Connection

  init(of connection: Connection) { self.connection = connection }

  /// Whether the database has one.
  func exists() throws(StoreError) -> Bool {
    try connection.integer(
      of: """
        SELECT count(*) = 4 FROM pragma_table_info('\(Self.name)')
        WHERE name IN ('entity', 'member', 'property', 'value')
        """
    ) != 0
  }

  /// The property of no entity that lists all entities in their order, where some of them have no table.
  private static let order = "entities"
  /// The property of an entity without a table that lists its attributes.
  private static let attributes = "attributes"

  /// Writes entities that have no table, whole.
  ///
  /// - Parameter order: The names of all entities, in their order.
  func writeWithoutTables(_ entities: [Entity], order: [String]) throws(StoreError) {
    let insert = try Statement("INSERT INTO \(Self.name) VALUES (?1, ?2, ?3, ?4)", on: connection)
    func add(_ entity: String, _ member: String, _ property: String, _ values: [String]) throws(StoreError) {
      for value in values {
        for (position, text) in [entity, member, property, value].enumerated() {
          try insert.bind(text, at: position + 1)
        }
        _ = try insert.step()
      }
    }
    try add("", "", Self.order, order)
    for entity in entities {
      for property in EntityProperty.all {
        if let values = property.get(entity) { try add(entity.name, "", property.name, values) }
      }
      // Parts of others' keys are given to links again by whoever reads.
      let attributes = entity.attributes.filter(\.keyPath.isEmpty)
      try add(entity.name, "", Self.attributes, attributes.map(\.name))
      for attribute in attributes {
        for property in AttributeProperty.all {
          if let values = property.get(attribute) { try add(entity.name, attribute.name, property.name, values) }
        }
      }
    }
  }

  /// Adds the entities that have no table, in their places.
  private func addThoseWithoutTables(_ values: [[String]: [String]?], to entities: inout [Entity]) {
    guard let order = values[["", "", Self.order]] ?? nil else { return }
    for name in order where !entities.contains(where: { $0.name == name }) {
      let names = (values[[name, "", Self.attributes]] ?? nil) ?? []
      let hasWords = values[[name, "", "abstract"]] != nil
      // A table that has gone since has said less of itself.
      guard hasWords else { continue }
      entities.append(Entity(name: name, attributes: names.map { Attribute(name: $0) }))
    }
    let ranks = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
    entities = entities.enumerated()
      .sorted { (ranks[$0.element.name] ?? .max, $0.offset) < (ranks[$1.element.name] ?? .max, $1.offset) }
      .map(\.element)
  }

  /// Writes the properties in which the entities differ from what their tables say by themselves.
  func write(_ entities: [Entity], readBackAs stored: [Entity]) throws(StoreError) {
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS \(Self.name) (
        entity TEXT NOT NULL,
        member TEXT NOT NULL,
        property TEXT NOT NULL,
        value TEXT
      )
      """
    )
    let delete = try Statement(
      "DELETE FROM \(Self.name) WHERE entity = ?1 COLLATE NOCASE OR entity = '' AND ?1 = ''",
      on: connection
    )
    let insert = try Statement("INSERT INTO \(Self.name) VALUES (?1, ?2, ?3, ?4)", on: connection)
    func add(_ entity: String, _ member: String, _ property: String, _ values: [String]?) throws(StoreError) {
      // Without a value the property is absent; with several it is a list.
      for value in values.map({ $0.map(Optional.some) }) ?? [nil] {
        for (position, text) in [entity, member, property, value].enumerated() {
          try insert.bind(text, at: position + 1)
        }
        _ = try insert.step()
      }
    }
    try delete.bind("", at: 1)
    _ = try delete.step()
    try add("", "", "format", [String(Self.format)])
    for (entity, stored) in zip(entities, stored) {
      try delete.bind(entity.name, at: 1)
      _ = try delete.step()
      for property in EntityProperty.all where property.get(entity) != property.get(stored) {
        try add(entity.name, "", property.name, property.get(entity))
      }
      for attribute in entity.attributes {
        guard let other = stored.attribute(named: attribute.name) else { continue }
        for property in AttributeProperty.all where property.get(attribute) != property.get(other) {
          try add(entity.name, attribute.name, property.name, property.get(attribute))
        }
      }
    }
  }

  /// Gives the entities back the properties that were written for them.
  func apply(to entities: inout [Entity]) throws(StoreError) {
    guard try exists() else { return }
    let rows = try Statement("SELECT entity, member, property, value FROM \(Self.name) ORDER BY rowid", on: connection)
    var values: [[String]: [String]?] = [:]
    while try rows.step() {
      let place = [rows.text(0) ?? "", rows.text(1) ?? "", rows.text(2) ?? ""]
      let value = rows.text(3)
      if let value {
        values[place] = (values[place] ?? []).map { $0 + [value] } ?? [value]
      } else {
        values[place] = .some(nil)
      }
    }
    if let format = values[["", "", "format"]]??.first, Int(format) ?? .max > Self.format {
      throw .schema(
        path: connection.path,
        message: "it was written by a newer version of importer (model format \(excerpt(of: format)))",
        remedy: "use that version, or a newer one"
      )
    }
    addThoseWithoutTables(values, to: &entities)
    for position in entities.indices {
      let name = entities[position].name
      for property in EntityProperty.all {
        if let value = values[[name, "", property.name]] { property.set(&entities[position], value) }
      }
      for member in entities[position].attributes.indices {
        let attribute = entities[position].attributes[member].name
        for property in AttributeProperty.all {
          if let value = values[[name, attribute, property.name]] {
            property.set(&entities[position].attributes[member], value)
          }
        }
      }
    }
    let numbered = Set(entities.filter { $0.surrogate != nil }.map(\.name))
    for position in entities.indices { entities[position].takeNumbersOut(numbered: numbered) }
  }
}

extension Entity {
  /// Takes out the columns that hold numbers of rows, which are no attributes: its own, and those of its links.
  fileprivate mutating func takeNumbersOut(numbered: Set<String>) {
    let links = relationships.filter { $0.isHeldHere && $0.attributes.isEmpty && numbered.contains($0.target) }
    attributes.removeAll { attribute in
      attribute.name == surrogate || links.contains { $0.name == attribute.name }
    }
  }
}
