import Diagnostics
import EntityModel

/// Gives entities what their ancestors have: a schema that `inherits` need not repeat it.
struct SchemaInheritance {
  /// The entities of all resources with a schema, by name.
  let entities: [String: Entity]

  /// An entity with the attributes and relationships of its ancestors before its own.
  ///
  /// What the schema says itself under the same name stands, in the place where it says it.
  ///
  /// - Parameter node: The schema's resource, for complaints.
  func completed(_ entity: Entity, at node: DescriptorNode) throws(ModelError) -> Entity {
    var entity = entity
    var visited: Set = [entity.name]
    var parent = entity.parent
    while let name = parent, let ancestor = entities[name] {
      guard visited.insert(name).inserted else {
        throw node.error(
          "the entity '\(excerpt(of: entity.name))' inherits from itself",
          remedy: "take one 'inherits' out"
        )
      }
      let own = Set(entity.attributes.map(\.name))
      let ownLinks = Set(entity.relationships.map(\.name))
      entity.attributes.insert(contentsOf: ancestor.attributes.filter { !own.contains($0.name) }, at: 0)
      entity.relationships.insert(contentsOf: ancestor.relationships.filter { !ownLinks.contains($0.name) }, at: 0)
      parent = ancestor.parent
    }
    if let missing = entity.key.first(where: { !entity.has($0) }), parent == nil,
      entity.parent != nil
    {
      throw node.error(
        "'primaryKey' names '\(excerpt(of: missing))', which neither '\(excerpt(of: entity.name))' nor what it "
          + "inherits from has",
        remedy: "name a field of the schema"
      )
    }
    return entity
  }
}

extension Entity {
  fileprivate func has(_ name: String) -> Bool {
    attribute(named: name) != nil || relationships.contains { $0.name == name }
  }
}
