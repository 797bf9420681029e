extension EntityModel {
  /// The model with an attribute for each to-one link that is written as its target's key.
  ///
  /// Such a target has a key of one required attribute. The new attribute has the link's name and the key's type, and
  /// what is referred to is unique. Links to other entities stay as they are.
  package func withReferenceAttributes() -> EntityModel {
    var model = self
    for position in model.entities.indices {
      for index in model.entities[position].relationships.indices {
        let link = model.entities[position].relationships[index]
        guard !link.isToMany, link.attributes.isEmpty, model.entities[position].attribute(named: link.name) == nil,
          let target = entities.first(where: { $0.name == link.target }), target.key.count == 1,
          let key = target.attribute(named: target.key[0]), key.isRequired
        else { continue }
        var attribute = Attribute(name: link.name, type: key.type)
        attribute.isRequired = link.isRequired
        attribute.dateFormats = key.dateFormats
        attribute.sourceNames = link.sourceNames
        model.entities[position].attributes.append(attribute)
        model.entities[position].relationships[index].attributes = [link.name]
      }
    }
    for entity in model.entities {
      for link in entity.relationships where !link.attributes.isEmpty {
        guard let target = model.entities.firstIndex(where: { $0.name == link.target }) else { continue }
        model.entities[target].makeUnique(link.targetAttributes)
      }
    }
    return model
  }

  /// The entities that some entities refer to by attributes of theirs, directly or through others; without themselves.
  package func targets(of names: [String]) -> [Entity] {
    var known = Set(names)
    var pending = names
    var found: [Entity] = []
    while let name = pending.popLast() {
      guard let entity = entities.first(where: { $0.name == name }) else { continue }
      for link in entity.relationships where !link.attributes.isEmpty && known.insert(link.target).inserted {
        pending.append(link.target)
        found += entities.filter { $0.name == link.target }
      }
    }
    return found
  }
}

extension Entity {
  /// Makes attributes unique together, unless they are already.
  fileprivate mutating func makeUnique(_ names: [String]) {
    guard !names.isEmpty, Set(names) != Set(key), names.allSatisfy({ attribute(named: $0) != nil }) else { return }
    if names.count == 1, let position = attributes.firstIndex(where: { $0.name == names[0] }) {
      attributes[position].isUnique = true
    } else if !uniqueSets.contains(where: { Set($0) == Set(names) }) {
      uniqueSets.append(names)
    }
  }
}
