import Diagnostics
import EntityModel

/// Makes relationships of foreign keys, and of our own `relationships` property.
enum RelationshipReader {
  /// Reads `relationships`, which says what foreign keys cannot: names, inverses, cardinality, order, delete rules.
  static func relationships(of node: DescriptorNode?) throws(ModelError) -> [Relationship] {
    var relationships: [Relationship] = []
    for item in try node?.elements() ?? [] {
      try item.requireObject()
      guard let name = try item["name"]?.nonEmptyString() else { throw item.error("a relationship has no 'name'") }
      guard let target = try item["target"]?.nonEmptyString() else {
        throw item.error("a relationship has no 'target'")
      }
      guard !relationships.contains(where: { $0.name == name }) else {
        throw item.error("two relationships are named '\(excerpt(of: name))'")
      }
      var relationship = Relationship(name: name, target: target)
      relationship.inverse = try item["inverse"]?.nonEmptyString()
      relationship.isToMany = try item["toMany"]?.boolean() ?? false
      relationship.isOrdered = try item["ordered"]?.boolean() ?? false
      relationship.isRequired = try item["required"]?.boolean() ?? false
      relationship.minimumCount = try item["minimumCount"]?.count()
      relationship.maximumCount = try item["maximumCount"]?.count()
      relationship.attributes = try item["fields"]?.strings() ?? []
      relationship.targetAttributes = try item["targetFields"]?.strings() ?? []
      relationship.sourceNames = try item["sourceNames"]?.strings() ?? []
      relationship.documentation = try item["description"]?.string()
      relationship.userInfo = try item["userInfo"]?.texts() ?? [:]
      if let rule = item["deleteRule"] {
        guard let known = Relationship.DeleteRule(rawValue: try rule.string()) else {
          throw rule.error(
            "'\(excerpt(of: try rule.string(), limit: 40))' is no delete rule",
            remedy: "use one of cascade, nullify, deny, no action"
          )
        }
        relationship.deleteRule = known
      }
      relationships.append(relationship)
    }
    return relationships
  }

  /// The relationship that a foreign key of an entity is.
  ///
  /// It is named after its field, or after what the names of several have before a dot, or after its target. Since Table
  /// Schema is silent on deleting, it leaves the other end alone.
  static func relationship(_ key: ForeignKey, of entity: Entity, to target: Entity) throws(ModelError) -> Relationship {
    for name in key.targetFields ?? [] where !target.attributes.isEmpty && target.attribute(named: name) == nil {
      throw key.node.error(
        "a foreign key refers to '\(excerpt(of: name))', which is no field of '\(excerpt(of: target.name))'",
        remedy: "name a field of that resource's schema"
      )
    }
    guard key.targetFields != nil || target.key.count == key.fields.count else {
      throw key.node.error(
        "a foreign key says no fields to refer to, and the key of '\(excerpt(of: target.name))' does not fit",
        remedy: "give 'fields' in 'reference'"
      )
    }
    var relationship = Relationship(
      name: unusedName(proposedName(key, target), in: entity, exceptAttribute: key.fields.count == 1),
      target: target.name,
      deleteRule: .noAction
    )
    relationship.attributes = key.fields
    relationship.targetAttributes = key.targetFields.map { $0 == target.key ? [] : $0 } ?? []
    relationship.isRequired = key.fields.allSatisfy { entity.attribute(named: $0)?.isRequired ?? false }
    return relationship
  }

  private static func proposedName(_ key: ForeignKey, _ target: Entity) -> String {
    if key.fields.count == 1 { return key.fields[0] }
    let prefixes = Set(key.fields.map { $0.split(separator: ".").dropLast().joined(separator: ".") })
    if prefixes.count == 1, let prefix = prefixes.first, !prefix.isEmpty { return prefix }
    return target.name
  }

  private static func unusedName(_ name: String, in entity: Entity, exceptAttribute: Bool) -> String {
    func isTaken(_ candidate: String) -> Bool {
      entity.relationships.contains { $0.name == candidate }
        || (entity.attribute(named: candidate) != nil && !(exceptAttribute && candidate == name))
    }
    guard isTaken(name) else { return name }
    var number = 2
    while isTaken("\(name)_\(number)") { number += 1 }
    return "\(name)_\(number)"
  }
}
