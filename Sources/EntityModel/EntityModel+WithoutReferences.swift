extension EntityModel {
  /// The model as its author would write it: without the attributes and numbers that `withReferenceAttributes` adds.
  ///
  /// What it takes out is what adding gives again; an attribute that holds a reference and says more stays.
  package func withoutReferenceAttributes() -> EntityModel {
    var model = self
    for position in model.entities.indices { model.entities[position].dropNumbers() }
    for position in entities.indices {
      for index in entities[position].relationships.indices {
        model.dropAttribute(ofLink: index, of: position, among: entities)
      }
    }
    if model.withReferenceAttributes().hasSameContent(as: withReferenceAttributes()) { return model }
    // Not all of it comes again; numbers and parts of keys have no meaning elsewhere in any case.
    model = self
    for position in model.entities.indices { model.entities[position].dropNumbers() }
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

  /// Takes out the attribute that holds a link's reference, if it is the one that the link would be given.
  ///
  /// - Parameter entities: All of them, as they were.
  private mutating func dropAttribute(ofLink index: Int, of position: Int, among entities: [Entity]) {
    let link = entities[position].relationships[index]
    guard link.attributes == [link.name], link.targetAttributes.isEmpty,
      let target = entities.first(where: { $0.name == link.target }), let key = target.singleKey,
      let place = entities[position].attributes.firstIndex(where: { $0.name == link.name })
    else { return }
    var expected = Attribute(name: link.name, type: key.type)
    expected.isRequired = link.isRequired
    expected.dateFormats = key.dateFormats
    expected.sourceNames = link.sourceNames + ["\(link.name).\(key.name)"]
    guard entities[position].attributes[place] == expected else { return }
    // One that stands among others would come back in another place.
    let links = entities[position].relationships
    let isLast = entities[position].attributes[place...].allSatisfy { attribute in
      !attribute.keyPath.isEmpty || links.contains { $0.attributes == [attribute.name] && $0.name == attribute.name }
    }
    guard isLast else { return }
    self.entities[position].attributes.removeAll { $0.name == link.name }
    self.entities[position].relationships[index].attributes = []
  }
}

extension Entity {
  /// Takes out what stands for numbers of rows.
  fileprivate mutating func dropNumbers() {
    attributes.removeAll { !$0.keyPath.isEmpty }
    surrogate = nil
    guard numbersRows, key.count == 1 else { return }
    let number = key
    attributes.removeAll { number.contains($0.name) }
    key = []
    numbersRows = false
  }
}
