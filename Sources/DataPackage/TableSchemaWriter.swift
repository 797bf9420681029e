import EntityModel
import JSONSyntax

/// Writes entities as Table Schemas.
struct TableSchemaWriter {
  let model: EntityModel
  /// The resource that holds an entity, by the entity's name.
  let resourceNames: [String: String]
  let spelling: DataPackageFile.Spelling

  /// Writes the member `schema`.
  func write(_ entity: Entity, to json: inout JSONWriter) {
    json.name("schema")
    json.beginObject()
    json.member("description", entity.documentation)
    if entity.isAbstract { json.member("abstract", true) }
    json.member("inherits", entity.parent)
    if !entity.sourceHasHeader, spelling == .ofModel { json.member("sourceHasHeader", false) }
    json.userInfo(entity.userInfo)
    writeFields(of: entity, to: &json)
    json.member("missingValues", [""])
    if !entity.key.isEmpty { json.member("primaryKey", entity.key) }
    if !entity.uniqueSets.isEmpty {
      json.name("uniqueKeys")
      json.beginArray()
      for set in entity.uniqueSets {
        json.beginArray()
        for name in set { json.string(name) }
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
    for attribute in entity.attributes {
      fields.write(attribute, isInKey: entity.key.contains(attribute.name), to: &json)
    }
    var names = Set(entity.attributes.map(\.name))
    for relationship in entity.relationships {
      for column in columns(of: relationship) where names.insert(column.name).inserted {
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
  private func columns(of relationship: Relationship) -> [(name: String, type: AttributeType)] {
    guard !relationship.isToMany, relationship.attributes.isEmpty else { return [] }
    let target = model.entity(named: relationship.target)
    let names = relationship.targetAttributes.isEmpty ? target?.key ?? [] : relationship.targetAttributes
    let types = names.map { target?.attribute(named: $0)?.type ?? .text }
    if names.isEmpty { return [(relationship.name, .integer(bits: 64))] }
    if names.count == 1 { return [(relationship.name, types[0])] }
    return zip(names, types).map { ("\(relationship.name).\($0)", $1) }
  }

  /// Writes the relationships that are foreign keys in the words of the standard.
  private func writeForeignKeys(of entity: Entity, to json: inout JSONWriter) {
    let keys = entity.relationships.compactMap { relationship -> (Relationship, [String], [String])? in
      guard !relationship.isToMany else { return nil }
      let own = relationship.attributes.isEmpty ? columns(of: relationship).map(\.name) : relationship.attributes
      let key = model.entity(named: relationship.target)?.key ?? []
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
