import EntityModel
import JSONSyntax

/// Writes entities as Table Schemas.
struct TableSchemaWriter {
  let model: EntityModel
  /// The resource that holds an entity, by the entity's name.
  let resourceNames: [String: String]
  let spelling: DataPackageFile.Spelling
  /// The model with the attributes in which files carry references.
  private let full: EntityModel

  init(model: EntityModel, resourceNames: [String: String], spelling: DataPackageFile.Spelling) {
    self.model = model
    self.resourceNames = resourceNames
    self.spelling = spelling
    full = model.withReferenceAttributes()
  }

  /// Writes the member `schema`.
  func write(_ entity: Entity, to json: inout JSONWriter) {
    json.name("schema")
    json.beginObject()
    json.member("description", entity.documentation)
    if entity.isAbstract { json.member("abstract", true) }
    json.member("inherits", entity.parent)
    if !entity.sourceHasHeader, spelling == .ofModel { json.member("sourceHasHeader", false) }
    // The relationship whose pairs are the rows.
    json.member("joins", entity.joinedRelationship)
    json.userInfo(entity.userInfo)
    writeFields(of: entity, to: &json)
    json.member("missingValues", [""])
    if !entity.key.isEmpty { json.member("primaryKey", fields(of: entity.key, in: entity)) }
    if entity.numbersRows { json.member("numbersRows", true) }
    if !entity.uniqueSets.isEmpty {
      json.name("uniqueKeys")
      json.beginArray()
      for set in entity.uniqueSets {
        json.beginArray()
        for name in fields(of: set, in: entity) { json.string(name) }
        json.endArray()
      }
      json.endArray()
    }
    writeForeignKeys(of: entity, to: &json)
    writeRelationships(of: entity, to: &json)
    json.endObject()
  }

  private func writeFields(of entity: Entity, to json: inout JSONWriter) {
    json.name("fields")
    json.beginArray()
    let fields = FieldWriter(spelling: spelling)
    let own = entity.attributes.filter(\.keyPath.isEmpty)
    for attribute in own {
      fields.write(attribute, isInKey: entity.key.contains(attribute.name), to: &json)
    }
    var names = Set(own.map(\.name))
    for relationship in entity.relationships {
      for column in columns(of: relationship, in: entity) where names.insert(column.name).inserted {
        json.beginObject()
        json.member("name", column.name)
        fields.writeType(column.type, to: &json)
        json.member("relationship", relationship.name)
        json.endObject()
      }
    }
    json.endArray()
  }

  /// The columns in which files carry a to-one that has no attributes of its own: its name, or for a composite key
  /// `name.part` for each part.
  private func columns(of relationship: Relationship, in entity: Entity) -> [(name: String, type: AttributeType)] {
    guard !relationship.isToMany, relationship.attributes.isEmpty else { return [] }
    guard let given = full.entities.first(where: { $0.name == entity.name }) else { return [] }
    let parts = given.attributes.filter { $0.keyPath.first == relationship.name }
    if !parts.isEmpty { return parts.map { ($0.name, $0.type) } }
    let link = given.relationships.first { $0.name == relationship.name }
    let attribute = link?.attributes.first.flatMap { given.attribute(named: $0) }
    return [(relationship.name, attribute?.type ?? .integer(bits: 64))]
  }

  /// The fields that hold what is named, attributes or relationships.
  private func fields(of names: [String], in entity: Entity) -> [String] {
    names.flatMap { name -> [String] in
      guard entity.attribute(named: name) == nil, let link = entity.relationships.first(where: { $0.name == name })
      else { return [name] }
      return link.attributes.isEmpty ? columns(of: link, in: entity).map(\.name) : link.attributes
    }
  }

  /// Writes the relationships that are foreign keys in the words of the standard.
  private func writeForeignKeys(of entity: Entity, to json: inout JSONWriter) {
    let keys = entity.relationships.compactMap { relationship -> (Relationship, [String], [String])? in
      guard !relationship.isToMany else { return nil }
      let own =
        relationship.attributes.isEmpty ? columns(of: relationship, in: entity).map(\.name) : relationship.attributes
      let target = model.entities.first { $0.name == relationship.target }
      let key = target.map { fields(of: $0.key, in: $0) } ?? []
      let targets = relationship.targetAttributes.isEmpty ? key : relationship.targetAttributes
      guard !targets.isEmpty, targets.count == own.count, resourceNames[relationship.target] != nil else { return nil }
      return (relationship, own, targets)
    }
    guard !keys.isEmpty else { return }
    json.name("foreignKeys")
    json.beginArray()
    for (relationship, own, targets) in keys {
      json.beginObject()
      json.member("fields", own)
      json.name("reference")
      json.beginObject()
      // The schema's own resource is named by the empty string.
      json.member("resource", relationship.target == entity.name ? "" : resourceNames[relationship.target])
      json.member("fields", targets)
      json.endObject()
      json.member("relationship", relationship.name)
      json.endObject()
    }
    json.endArray()
  }

  private func writeRelationships(of entity: Entity, to json: inout JSONWriter) {
    guard !entity.relationships.isEmpty else { return }
    json.name("relationships")
    json.beginArray()
    for relationship in entity.relationships {
      json.beginObject()
      json.member("name", relationship.name)
      json.member("target", relationship.target)
      json.member("inverse", relationship.inverse)
      if relationship.isToMany { json.member("toMany", true) }
      if relationship.isOrdered { json.member("ordered", true) }
      if relationship.isRequired { json.member("required", true) }
      json.member("minimumCount", relationship.minimumCount)
      json.member("maximumCount", relationship.maximumCount)
      json.member("deleteRule", relationship.deleteRule.rawValue)
      if !relationship.attributes.isEmpty { json.member("fields", relationship.attributes) }
      if !relationship.targetAttributes.isEmpty { json.member("targetFields", relationship.targetAttributes) }
      if !relationship.sourceNames.isEmpty { json.member("sourceNames", relationship.sourceNames) }
      json.member("description", relationship.documentation)
      json.userInfo(relationship.userInfo)
      json.endObject()
    }
    json.endArray()
  }
}
