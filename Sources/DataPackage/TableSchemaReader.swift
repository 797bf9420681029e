import Diagnostics
import EntityModel

/// A foreign key of a Table Schema, before the resource that it refers to is looked up.
struct ForeignKey {
  let node: DescriptorNode
  let fields: [String]
  /// The name of the resource; empty for the schema's own.
  let resource: String
  /// The fields referred to; nil for the key.
  let targetFields: [String]?
}

/// Reads a Table Schema into an entity.
struct TableSchemaReader {
  /// The entity; relationships that come from foreign keys are added once all resources are known.
  private(set) var entity: Entity
  private(set) var foreignKeys: [ForeignKey] = []
  private(set) var missingValues = [""]
  private(set) var fields = FieldReader()
  private let node: DescriptorNode
  /// The relationships of fields that carry the key of one and are no attributes.
  private var referenceColumns: [String: String] = [:]

  init(reading node: DescriptorNode, entity name: String) throws(ModelError) {
    try node.requireObject()
    self.node = node
    entity = Entity(name: name)
    entity.parent = try node["inherits"]?.nonEmptyString()
    try readFields()
    try readKeys()
    try readForeignKeys()
    entity.relationships = try RelationshipReader.relationships(of: node["relationships"])
    try checkRelationships()
    entity.isAbstract = try node["abstract"]?.boolean() ?? false
    entity.documentation = try node.documentation()
    entity.joinedRelationship = try node["joins"]?.nonEmptyString()
    entity.sourceHasHeader = try node["sourceHasHeader"]?.boolean() ?? true
    entity.userInfo = try node["userInfo"]?.texts() ?? [:]
    if let missing = node["missingValues"] { missingValues = try missing.missingValues() }
  }

  private mutating func readFields() throws(ModelError) {
    guard let list = node["fields"] else {
      throw node.error(
        "the schema has no 'fields'",
        remedy: "list the columns as an array of objects with 'name' and 'type'"
      )
    }
    var names: Set<String> = []
    for field in try list.elements() {
      try field.requireObject()
      guard let nameNode = field["name"] else { throw field.error("a field has no 'name'") }
      let name = try nameNode.nonEmptyString()
      guard names.insert(name).inserted else {
        throw nameNode.error("two fields are named '\(excerpt(of: name))'", remedy: "give each field a name of its own")
      }
      if let relationship = try field["relationship"]?.string() {
        referenceColumns[name] = relationship
      } else {
        entity.attributes.append(try fields.attribute(named: name, from: field))
      }
    }
  }

  private mutating func readKeys() throws(ModelError) {
    if let key = node["primaryKey"] {
      entity.key = withRelationships(try fieldNames(key))
      entity.numbersRows = try node["numbersRows"]?.boolean() ?? false
      for index in entity.attributes.indices where entity.key.contains(entity.attributes[index].name) {
        // A field of the key is required unless it says that it is not.
        entity.attributes[index].isRequired = try saysItIsOptional(entity.attributes[index].name) ? false : true
      }
    }
    for set in try node["uniqueKeys"]?.elements() ?? [] {
      let names = try fieldNames(set)
      if names.count == 1, let index = entity.attributes.firstIndex(where: { $0.name == names[0] }) {
        entity.attributes[index].isUnique = true
      } else {
        entity.uniqueSets.append(withRelationships(names))
      }
    }
  }

  /// Names of fields, with relationships for the fields that carry them.
  private func withRelationships(_ names: [String]) -> [String] {
    var result: [String] = []
    for name in names.map({ referenceColumns[$0] ?? $0 }) where !result.contains(name) { result.append(name) }
    return result
  }

  private func saysItIsOptional(_ name: String) throws(ModelError) -> Bool {
    for field in try node["fields"]?.elements() ?? [] where try field["name"]?.string() == name {
      return try field["constraints"]?["required"]?.boolean() == false
    }
    return false
  }

  private mutating func readForeignKeys() throws(ModelError) {
    for key in try node["foreignKeys"]?.elements() ?? [] {
      try key.requireObject()
      guard let own = key["fields"] else { throw key.error("a foreign key has no 'fields'") }
      guard let reference = key["reference"] else { throw key.error("a foreign key has no 'reference'") }
      try reference.requireObject()
      if let package = reference["package"] {
        throw package.error(
          "a foreign key refers to another package",
          remedy: "take the foreign key out, or load both as one package"
        )
      }
      let names = try fieldNames(own)
      let targets = try reference["fields"]?.oneOrMoreStrings()
      guard targets == nil || targets?.count == names.count else {
        throw key.error(
          "a foreign key and what it refers to differ in their number of fields: \(names.count) and \(targets?.count ?? 0)"
        )
      }
      // What our own writer names stands in full among the relationships.
      guard try key["relationship"]?.string() == nil else { continue }
      foreignKeys.append(
        ForeignKey(node: key, fields: names, resource: try reference["resource"]?.string() ?? "", targetFields: targets)
      )
    }
  }

  private func checkRelationships() throws(ModelError) {
    guard entity.parent == nil, let list = node["relationships"] else { return }
    for relationship in entity.relationships {
      for name in relationship.attributes where entity.attribute(named: name) == nil {
        throw list.error(
          "the relationship '\(excerpt(of: relationship.name))' names '\(excerpt(of: name))', which is no field",
          remedy: "name fields of the same schema"
        )
      }
    }
  }

  /// The names of fields that the schema has, each once.
  private func fieldNames(_ node: DescriptorNode) throws(ModelError) -> [String] {
    let names = try node.oneOrMoreStrings()
    for name in names where entity.attribute(named: name) == nil && referenceColumns[name] == nil {
      // An inherited attribute stands in another schema.
      if entity.parent != nil { continue }
      let known = entity.attributes.map(\.name)
      let suggestion = NameSuggestion.nearest(to: name, among: known).map { "; did you mean '\(excerpt(of: $0))'?" }
      throw node.error(
        "\(node.label) names '\(excerpt(of: name))', which is no field" + (suggestion ?? ""),
        remedy: "name a field of the same schema"
      )
    }
    guard Set(names).count == names.count else { throw node.error("\(node.label) names a field twice") }
    return names
  }
}
