extension EntityModel {
  /// The model as its author would write it: without the attributes and numbers that `withReferenceAttributes` adds.
  ///
  /// What it takes out is what adding gives again; an attribute that holds a reference and says more, or stands among
  /// others, stays.
  package func withoutReferenceAttributes() -> EntityModel {
    guard !entities.contains(where: { $0.joinedRelationship != nil }) else {
      var model = self
      model.entities.removeAll { $0.joinedRelationship != nil }
      return model.withoutReferenceAttributes()
    }
    // Only those are taken out for good that come again as they were; one that stays may change what others become.
    var staying: Set<[String]> = []
    var model = self
    while true {
      model = dropping { !staying.contains([$0, $1]) }
      let again = model.withReferenceAttributes()
      let changed = zip(entities, again.entities).flatMap { entity, again in
        entity.relationships.filter { link in
          link.attributes == [link.name] && again.attribute(named: link.name) != entity.attribute(named: link.name)
        }.map { [entity.name, $0.name] }
      }
      guard !staying.isSuperset(of: changed) else { break }
      staying.formUnion(changed)
    }
    if model.withReferenceAttributes().hasSameContent(as: withReferenceAttributes()) { return model }
    // Not all of it comes again; numbers and parts of keys have no meaning elsewhere in any case.
    return dropping { _, _ in false }
  }

  /// The model without numbers, and without those attributes that hold references for which the answer is yes.
  ///
  /// - Parameter isWanted: Asked with the names of an entity and a relationship.
  private func dropping(where isWanted: (String, String) -> Bool) -> EntityModel {
    var model = self
    for position in entities.indices {
      model.entities[position].dropNumbers()
      let entity = entities[position]
      for (index, link) in entity.relationships.enumerated() where link.attributes == [link.name] {
        guard let place = entity.attributes.firstIndex(where: { $0.name == link.name }),
          entity.attributes[place...].allSatisfy(entity.isGivenForReferences),
          isWanted(entity.name, link.name)
        else { continue }
        model.entities[position].attributes.removeAll { $0.name == link.name }
        model.entities[position].relationships[index].attributes = []
      }
    }
    for entity in entities {
      for link in entity.relationships where link.isToMany && link.isOrdered {
        guard let target = model.entities.firstIndex(where: { $0.name == link.target }) else { continue }
        model.entities[target].dropPosition(of: link)
      }
    }
    for position in model.entities.indices {
      for index in model.entities[position].attributes.indices {
        model.entities[position].attributes[index].positionWithin = nil
      }
    }
    return model
  }

  /// Whether only the order of attributes differs, if anything; references are given theirs after all others.
  private func hasSameContent(as other: EntityModel) -> Bool {
    func sorted(_ model: EntityModel) -> [Entity] {
      model.entities.map { entity in
        var entity = entity
        entity.attributes.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        return entity
      }
    }
    return sorted(self) == sorted(other)
  }
}

extension Entity {
  /// Takes out what stands for numbers of rows, and for the end at which a link is stored.
  fileprivate mutating func dropNumbers() {
    attributes.removeAll { !$0.keyPath.isEmpty }
    for index in relationships.indices {
      relationships[index].isHeldByTarget = false
      let link = relationships[index]
      guard !link.isToMany, link.attributes.isEmpty, attribute(named: link.name) == nil else { continue }
      // One end of two to-ones is unique by itself.
      uniqueSets.removeAll { $0 == [link.name] }
    }
    surrogate = nil
    guard numbersRows, key.count == 1 else { return }
    let number = key
    attributes.removeAll { number.contains($0.name) }
    key = []
    numbersRows = false
  }

  /// Takes out the attribute that keeps an ordered relationship's order, if nothing else is said of it.
  fileprivate mutating func dropPosition(of link: Relationship) {
    guard link.userInfo["orderedBy"] == nil, let name = link.inverse.map({ "\($0)_position" }) else { return }
    var expected = Attribute(name: name, type: .integer(bits: 64))
    expected.positionWithin = link.inverse
    attributes.removeAll { $0 == expected }
  }

  /// Whether an attribute is one that only serves references and their order.
  fileprivate func isGivenForReferences(_ attribute: Attribute) -> Bool {
    !attribute.keyPath.isEmpty || attribute.positionWithin != nil
      || relationships.contains { $0.attributes == [attribute.name] && $0.name == attribute.name }
  }
}
