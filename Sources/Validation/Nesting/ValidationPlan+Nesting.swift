package import EntityModel
package import Records

/// How the row of a record within another leads to that one's row: values of the enclosing row that it takes.
struct EnclosingLink: Sendable {
  /// Positions of attributes: the own one, and the enclosing entity's whose value it takes.
  var values: [(own: Int, enclosing: Int)]
}

extension ValidationPlan {
  /// Which entities the records of some shapes become; nil if the model has none for one.
  package func entityIndexes(of shapes: [RecordShape]) -> [Int?] {
    var indexes: [Int?] = []
    for shape in shapes {
      // A shape stands behind the one of the records that enclose it.
      let enclosing = shape.parent.map { indexes[$0] } ?? nil
      indexes.append(entityIndex(of: shape, within: enclosing))
    }
    return indexes
  }

  /// Which entity a record of a shape becomes within a record of another entity.
  func entityIndex(of shape: RecordShape, within enclosing: Int?) -> Int? {
    guard shape.parent != nil else { return entityIndex(ofShape: shape.name) }
    guard let enclosing else { return nil }
    let link = entities[enclosing].toMany(named: shape.name)
    let name = link?.target ?? shape.name
    return entities.firstIndex { $0.name == name }
      ?? entities.firstIndex { lowercasedASCII($0.name) == lowercasedASCII(name) }
  }

  /// How a record of an entity leads to the one of another entity that it stands in.
  ///
  /// - Parameter name: What the record is called there: by its entity, or by the relationship that holds it.
  /// - Returns: nil where no relationship leads there, or several do and neither name nor inverse tells which is meant.
  func link(from entity: Int, to enclosing: Int, named name: String) -> EnclosingLink? {
    let own = entities[entity]
    let target = entities[enclosing]
    var candidates = own.relationships.filter { $0.isHeldHere && $0.target == target.name && own.isGiven($0) }
    let holders = target.relationships.filter { !$0.isHeldHere && $0.target == own.name }
    let named = target.toMany(named: name)
    let inverses = (named.map { [$0] } ?? holders).compactMap(\.inverse)
    if candidates.count > 1 { candidates = candidates.filter { inverses.contains($0.name) } }
    guard candidates.count == 1, let link = candidates.first else { return nil }
    return values(from: entity, to: enclosing, by: link).map(EnclosingLink.init)
  }

  /// What a row takes from the one that a relationship leads to: positions of its own attributes and of that one's; nil where
  /// its key cannot be given.
  func values(from entity: Int, to other: Int, by link: Relationship) -> [(own: Int, enclosing: Int)]? {
    let own = entities[entity]
    let target = entities[other]
    var values: [(own: Int, enclosing: Int)] = []
    if link.attributes.isEmpty {
      for (position, attribute) in own.attributes.enumerated() where attribute.keyPath.first == link.name {
        let path = Array(attribute.keyPath.dropFirst())
        let part = target.attributes.firstIndex { path.count == 1 ? $0.name == path[0] : $0.keyPath == path }
        guard let part else { return nil }
        values.append((position, part))
      }
    } else {
      for (name, part) in zip(link.attributes, link.targetAttributes.isEmpty ? target.key : link.targetAttributes) {
        guard let position = own.attributes.firstIndex(where: { $0.name == name }),
          let part = target.attributes.firstIndex(where: { $0.name == part })
        else { return nil }
        values.append((position, part))
      }
    }
    return values.isEmpty ? nil : values
  }
}

extension Entity {
  /// The relationship of that name that others hold, whatever the case of its letters, or of one that files know it by.
  package func toMany(named name: String) -> Relationship? {
    let name = lowercasedASCII(name)
    return relationships.first { link in
      !link.isHeldHere && ([link.name] + link.sourceNames).contains { lowercasedASCII($0) == name }
    }
  }
}
