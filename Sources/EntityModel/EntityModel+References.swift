extension EntityModel {
  /// The model with attributes for each to-one link that is written as its target's key.
  ///
  /// ```text
  /// target's key       the link is stored as   and given by
  /// one required text  a column of its type    the attribute 'label'
  /// several, optional  the target's number     'artist.label' and 'artist.name', which are no columns
  /// none               the target's number     the attribute 'artist', the target's 'id'
  /// ```
  ///
  /// Targets whose own key does not serve get a number: as their `surrogate`, or, without a key, as the attribute `id`.
  /// What is referred to is unique. Links that have attributes already stay as they are.
  package func withReferenceAttributes() -> EntityModel {
    var model = self
    model.markOneToOnes()
    model.addJoins()
    model.numberTargets()
    for position in model.entities.indices {
      for index in model.entities[position].relationships.indices {
        model.giveAttributes(toLink: index, of: position)
      }
    }
    model.givePositions()
    model.orderJoins()
    model.giveLists()
    for entity in model.entities {
      for link in entity.relationships where !link.attributes.isEmpty {
        guard let target = model.entities.firstIndex(where: { $0.name == link.target }) else { continue }
        model.entities[target].makeUnique(link.targetAttributes)
      }
    }
    return model
  }

  /// The entities that some entities refer to by attributes of theirs, directly or through others, and join tables of
  /// theirs; without themselves.
  package func targets(of names: [String]) -> [Entity] {
    var known = Set(names)
    var pending = names
    var found: [Entity] = []
    while let name = pending.popLast() {
      guard let entity = entities.first(where: { $0.name == name }) else { continue }
      for link in entity.relationships where entity.isGiven(link) {
        let join = link.isToMany ? self.join(of: link, from: entity)?.entity : nil
        for target in [link.target] + (join.map { [$0.name] } ?? []) where known.insert(target).inserted {
          pending.append(target)
          found += entities.filter { $0.name == target }
        }
      }
    }
    return found
  }

  /// The ways to the values that tell the rows of an entity apart, such as `[["label"], ["name"]]`.
  ///
  /// A part that is a link to a numbered entity is followed to that one's key.
  ///
  /// - Returns: nil without a key, and where the key leads back to the entity itself.
  package func keyPaths(of entity: Entity, without passed: Set<String> = []) -> [[String]]? {
    guard !entity.key.isEmpty, !passed.contains(entity.name) else { return nil }
    var paths: [[String]] = []
    for part in entity.key {
      let link = entity.relationships.first { $0.name == part && $0.isHeldHere && $0.attributes.isEmpty }
      guard let link else {
        paths.append([part])
        continue
      }
      guard let target = entities.first(where: { $0.name == link.target }) else { return nil }
      if target.singleKey != nil || !link.targetAttributes.isEmpty {
        paths.append([part])
      } else if let inner = keyPaths(of: target, without: passed.union([entity.name])) {
        paths += inner.map { [part] + $0 }
      } else {
        return nil
      }
    }
    return paths
  }

  /// The attribute that a way of relationships ends at.
  func attribute(at path: [String], of entity: Entity) -> Attribute? {
    guard path.count > 1 else {
      if let own = entity.attribute(named: path[0]) { return own }
      let link = entity.relationships.first { $0.name == path[0] }
      return entities.first { $0.name == link?.target }?.singleKey
    }
    let link = entity.relationships.first { $0.name == path[0] }
    return entities.first { $0.name == link?.target }.flatMap { attribute(at: Array(path.dropFirst()), of: $0) }
  }

  /// Numbers what some link refers to and no key of one required attribute tells apart.
  private mutating func numberTargets() {
    var names: Set<String> = []
    for entity in entities {
      for link in entity.relationships where link.isHeldHere && link.attributes.isEmpty && link.targetAttributes.isEmpty
      {
        names.insert(link.target)
      }
    }
    let model = self
    for position in entities.indices where names.contains(entities[position].name) {
      let entity = entities[position]
      guard entity.singleKey == nil, entity.surrogate == nil else { continue }
      let name = entity.freeName(like: "id")
      if model.keyPaths(of: entity) != nil {
        entities[position].surrogate = name
        continue
      }
      if !entity.key.isEmpty { entities[position].uniqueSets.append(entity.key) }
      entities[position].attributes.insert(Attribute(name: name, type: .integer(bits: 64)), at: 0)
      entities[position].key = [name]
      entities[position].numbersRows = true
    }
  }

  private mutating func giveAttributes(toLink index: Int, of position: Int) {
    let entity = entities[position]
    let link = entity.relationships[index]
    guard link.isHeldHere, !entity.isGiven(link), entity.attribute(named: link.name) == nil,
      let target = entities.first(where: { $0.name == link.target })
    else { return }
    let told = link.targetAttributes.count == 1 ? target.attribute(named: link.targetAttributes[0]) : nil
    if let key = told ?? target.singleKey {
      var attribute = Attribute(name: link.name, type: key.type)
      attribute.isRequired = link.isRequired
      attribute.isUnique = isOneToOne(link)
      attribute.dateFormats = key.dateFormats
      attribute.sourceNames = link.sourceNames + ["\(link.name).\(key.name)"]
      entities[position].attributes.append(attribute)
      entities[position].relationships[index].attributes = [link.name]
      return
    }
    let paths = keyPaths(of: target) ?? []
    if isOneToOne(link), entity.key != [link.name] { entities[position].uniqueSets.append([link.name]) }
    // Files may give the one part that is no link under the relationship's name alone.
    let ownParts = paths.filter { path in path.count == 1 && !target.relationships.contains { $0.name == path[0] } }
    for path in paths {
      guard let end = self.attribute(at: path, of: target) else { continue }
      let name = shownName(of: [link.name] + path, from: entity)
      var attribute = Attribute(name: name, type: end.type)
      attribute.dateFormats = end.dateFormats
      attribute.keyPath = [link.name] + path
      let whole = attribute.keyPath.joined(separator: ".")
      // A part that is a link may also be named with the key of what it leads to.
      let long = keyName(behind: path, of: target).map { ["\(whole).\($0)"] } ?? []
      attribute.sourceNames =
        (whole != name ? [whole] : []) + long + ([path] == ownParts ? [link.name] + link.sourceNames : [])
      guard entities[position].attribute(named: name) == nil else { continue }
      entities[position].attributes.append(attribute)
    }
  }

  /// The name of the one key of what a way ends at, if that is a link.
  private func keyName(behind path: [String], of entity: Entity) -> String? {
    guard let link = entity.relationships.first(where: { $0.name == path[0] && $0.isHeldHere }),
      let target = entities.first(where: { $0.name == link.target })
    else { return nil }
    return path.count == 1 ? target.singleKey?.name : keyName(behind: Array(path.dropFirst()), of: target)
  }

  /// Whether a to-one leads back from the other end.
  private func isOneToOne(_ link: Relationship) -> Bool {
    entities.first { $0.name == link.target }?.relationships.contains { $0.name == link.inverse && !$0.isToMany }
      ?? false
  }

  /// Decides which end of two to-ones that are each other's inverse is stored: the required one, else the one whose row
  /// goes with the other's, else the one of the later entity.
  private mutating func markOneToOnes() {
    for (position, entity) in entities.enumerated() {
      for (index, link) in entity.relationships.enumerated() where link.isHeldHere && link.attributes.isEmpty {
        guard let target = entities.firstIndex(where: { $0.name == link.target }),
          let back = entities[target].relationships.firstIndex(where: { $0.name == link.inverse && !$0.isToMany }),
          !entities[target].relationships[back].isHeldByTarget
        else { continue }
        let inverse = entities[target].relationships[back]
        let isBack =
          if link.isRequired != inverse.isRequired {
            inverse.isRequired
          } else if (link.deleteRule == .cascade) != (inverse.deleteRule == .cascade) {
            link.deleteRule == .cascade
          } else {
            (target, back) > (position, index)
          }
        if isBack { entities[position].relationships[index].isHeldByTarget = true }
      }
    }
  }

  /// Gives the rows at the far end of ordered relationships their places: in the attribute that the relationship's
  /// `orderedBy` names, else in one of their own.
  private mutating func givePositions() {
    for entity in entities {
      for link in entity.relationships where link.isToMany && link.isOrdered {
        guard let target = entities.firstIndex(where: { $0.name == link.target }),
          let back = entities[target].relationships.first(where: { $0.name == link.inverse && $0.isHeldHere })
        else { continue }
        let name = link.userInfo["orderedBy"] ?? "\(back.name)_position"
        let known = entities[target].attributes.firstIndex { $0.name == name }
        if known == nil { entities[target].attributes.append(Attribute(name: name, type: .integer(bits: 64))) }
        entities[target].attributes[known ?? entities[target].attributes.count - 1].positionWithin = back.name
      }
    }
  }

  /// A way without its last names where nothing else could be meant: what has one key is named for it.
  func shownName(of path: [String], from entity: Entity) -> String {
    var count = 1
    var current = entity
    while count < path.count, let link = current.relationships.first(where: { $0.name == path[count - 1] }),
      let target = entities.first(where: { $0.name == link.target }), (keyPaths(of: target)?.count ?? 0) > 1
    {
      count += 1
      current = target
    }
    return path.prefix(count).joined(separator: ".")
  }
}

extension Entity {
  /// The one required attribute that is the key, or the number that stands for one.
  package var singleKey: Attribute? {
    guard surrogate == nil, key.count == 1, let attribute = attribute(named: key[0]) else { return nil }
    return attribute.isRequired || numbersRows ? attribute : nil
  }

  /// Whether attributes give a link, be they columns or not.
  package func isGiven(_ link: Relationship) -> Bool {
    !link.attributes.isEmpty || attributes.contains { $0.keyPath.first == link.name }
  }

  /// A name that nothing of the entity has, in SQLite's sense.
  fileprivate func freeName(like name: String) -> String {
    let taken = Set((attributes.map(\.name) + relationships.map(\.name)).map { $0.lowercased() })
    var candidate = name
    var number = 2
    while taken.contains(candidate) {
      candidate = "\(name)_\(number)"
      number += 1
    }
    return candidate
  }

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
