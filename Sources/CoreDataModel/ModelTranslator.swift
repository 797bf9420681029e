import Diagnostics
import EntityModel

/// Turns the elements of a Core Data model into entities.
struct ModelTranslator {
  private let path: String
  private var own: [OwnEntity] = []
  /// Positions by the names in Xcode.
  private var positions: [String: Int] = [:]
  private(set) var remarks: ModelRemarks

  /// Reads the entities one by one.
  init(path: String, root: XMLElement) throws(ModelError) {
    self.path = path
    remarks = ModelRemarks(path: path)
    let composites = CompositeTypes(of: root)
    for element in root.all("entity") {
      let entity = try OwnEntity(element, path: path, composites: composites, remarks: &remarks)
      guard positions.updateValue(own.count, forKey: entity.name) == nil else {
        throw error(element, "the entity '\(excerpt(of: entity.name))' is there twice", remedy: "rename one of them")
      }
      own.append(entity)
    }
  }

  /// The model, once entities are linked and have inherited.
  mutating func model() throws(ModelError) -> EntityModel {
    for position in own.indices { try resolveRelationships(of: position) }
    var entities: [Entity] = []
    for position in own.indices { entities.append(try inheriting(position)) }
    makeUnique(in: &entities)
    // Entries of ours may give two the same name.
    var names: Set<String> = []
    for (entity, own) in zip(entities, own) {
      guard names.insert(entity.name).inserted else {
        throw error(
          own.element,
          "the entity '\(excerpt(of: entity.name))' is there twice",
          remedy: "rename one of them"
        )
      }
    }
    return EntityModel(entities: entities)
  }

  private func error(_ element: XMLElement, _ message: String, remedy: String? = nil) -> ModelError {
    ModelError(source: path, line: element.line, message: message, remedy: remedy)
  }

  // MARK: Relationships

  /// Puts the model's names where Xcode's stand.
  private mutating func resolveRelationships(of position: Int) throws(ModelError) {
    for index in own[position].relationships.indices {
      let element = own[position].relationships[index].element
      var link = own[position].relationships[index].property
      guard let target = positions[link.target] else {
        throw error(
          own[position].element,
          "the relationship '\(excerpt(of: link.name))' leads to the entity "
            + "'\(excerpt(of: link.target))', which the model does not have",
          remedy: "add the entity, or take the relationship out"
        )
      }
      let chain = try lineage(of: target)
      // What has no table cannot be found by anything.
      if own[target].entity.isAbstract {
        link.targetAttributes = []
        remarks.noteAbstractTarget(element, of: own[position].name)
      }
      link.target = own[target].entity.name
      link.inverse = link.inverse.map { name in
        chain.lazy.compactMap { own in own.relationships.first { $0.name == name }?.property.name }.first ?? name
      }
      link.targetAttributes = link.targetAttributes.compactMap { name in
        chain.lazy.compactMap { own in own.attributes.first { $0.name == name }?.property.name }.first
      }
      if link.targetAttributes.isEmpty, link.userInfo["relatedByAttribute"] != nil, !own[target].entity.isAbstract {
        remarks.noteRelatedByNothing(element, of: own[position].name, relationship: link.name)
      }
      try RelationshipTranslator(path: path, element: element).applyOwnEntries(to: &link)
      own[position].relationships[index].property = link
    }
  }

  /// Lets what to-ones refer to by `relatedByAttribute` tell rows apart, as finding the one object means.
  private func makeUnique(in entities: inout [Entity]) {
    for link in entities.flatMap(\.relationships) where !link.isToMany && link.userInfo["relatedByAttribute"] != nil {
      guard link.targetAttributes.count == 1, let target = entities.firstIndex(where: { $0.name == link.target }),
        entities[target].key != link.targetAttributes,
        let index = entities[target].attributes.firstIndex(where: { $0.name == link.targetAttributes[0] })
      else { continue }
      entities[target].attributes[index].isUnique = true
    }
  }

  // MARK: Inheritance

  /// An entity and its ancestors, itself first.
  private func lineage(of position: Int) throws(ModelError) -> [OwnEntity] {
    var chain = [own[position]]
    var visited: Set = [own[position].name]
    while let name = chain[chain.count - 1].parent {
      guard visited.insert(name).inserted else {
        throw error(
          own[position].element,
          "the entity '\(excerpt(of: own[position].name))' is its own ancestor"
        )
      }
      guard let parent = positions[name] else {
        throw error(own[position].element, "the parent entity '\(excerpt(of: name))' is not in the model")
      }
      chain.append(own[parent])
    }
    return chain
  }

  /// An entity with all that its ancestors give it, theirs first.
  private mutating func inheriting(_ position: Int) throws(ModelError) -> Entity {
    let chain = try lineage(of: position)
    let element = own[position].element
    var entity = own[position].entity
    entity.parent = chain.dropFirst().first?.entity.name
    entity.attributes = chain.reversed().flatMap { $0.attributes.map(\.property) }
    entity.relationships = chain.reversed().flatMap { $0.relationships.map(\.property) }
    var names: [String: String] = [:]
    for (name, property) in chain.flatMap({ own in
      own.attributes.map { ($0.name, $0.property.name) } + own.relationships.map { ($0.name, $0.property.name) }
    }) {
      guard names.updateValue(property, forKey: name) == nil else {
        throw error(
          element,
          "the entity '\(excerpt(of: own[position].name))' has the property '\(excerpt(of: name))' twice"
        )
      }
    }
    var constraints: [[String]] = []
    for constraint in chain.reversed().flatMap({ Self.constraints(of: $0.element) }) {
      constraints.append([])
      for name in constraint {
        guard let property = names[name] else {
          throw error(
            element,
            "a uniqueness constraint of '\(excerpt(of: own[position].name))' names '\(excerpt(of: name))', "
              + "which it does not have"
          )
        }
        constraints[constraints.count - 1].append(property)
      }
    }
    apply(constraints, to: &entity)
    // MagicalRecord's primary key, where the model has no constraint.
    if let name = own[position].info.entries["relatedByAttribute"] {
      if let property = names[name], entity.attribute(named: property) != nil {
        if entity.key.isEmpty { entity.key = [property] }
      } else {
        remarks.noteRelatedByNothing(element, of: own[position].name)
      }
    }
    try applyOwnEntries(own[position].info.own, to: &entity, element)
    return entity
  }

  private static func constraints(of element: XMLElement) -> [[String]] {
    guard let list = element.first("uniquenessConstraints") else { return [] }
    return list.all("uniquenessConstraint")
      .map { constraint in
        // A name that stands twice says nothing more.
        constraint.all("constraint").compactMap { $0["value"] }.reduce(into: [String]()) { names, name in
          if !names.contains(name) { names.append(name) }
        }
      }
      .filter { !$0.isEmpty }
  }

  /// The first constraint on attributes is the key; of the others, single ones make attributes unique.
  private func apply(_ constraints: [[String]], to entity: inout Entity) {
    let attributes = Set(entity.attributes.map(\.name))
    let toOnes = entity.relationships.filter { !$0.isToMany }.map(\.name)
    for constraint in constraints {
      if entity.key.isEmpty, attributes.union(toOnes).isSuperset(of: constraint) {
        entity.key = constraint
      } else if constraint.count == 1, let position = entity.attributes.firstIndex(where: { $0.name == constraint[0] })
      {
        if entity.key != constraint { entity.attributes[position].isUnique = true }
      } else if !entity.uniqueSets.contains(constraint), entity.key != constraint {
        entity.uniqueSets.append(constraint)
      }
    }
  }

  /// Lays our own entries over what Xcode says.
  private func applyOwnEntries(
    _ own: [String: [String]?],
    to entity: inout Entity,
    _ element: XMLElement
  ) throws(ModelError) {
    for property in EntityEntry.all {
      guard let values = own[property.name] else { continue }
      guard property.set(&entity, values) else {
        throw error(
          element,
          "the entry 'importer.\(property.name)' names what '\(excerpt(of: entity.name))' does not have",
          remedy: "mend the entry, or take it out"
        )
      }
    }
  }
}

/// Whether Xcode says yes.
func isYes(_ text: String?) -> Bool { text == "YES" }
