/// To-many relationships that no column of either end can hold: their pairs are rows of a table of their own.
extension EntityModel {
  /// A relationship whose pairs are rows of a join table.
  private struct ManyToMany {
    /// Positions of the entities at both ends.
    let owner: Int
    let target: Int
    let link: Relationship
    /// The relationship of the target that leads back.
    let inverse: Relationship?
  }

  /// The join table of a relationship, and whether it is the relationship that the table is named after.
  package func join(of link: Relationship, from entity: Entity) -> (entity: Entity, isForward: Bool)? {
    for join in entities {
      guard let name = join.joinedRelationship, let source = join.relationships.first(where: { $0.name == "source" }),
        let target = join.relationships.first(where: { $0.name == "target" })
      else { continue }
      if source.target == entity.name, link.name == name { return (join, true) }
      guard target.target == entity.name, source.target == link.target,
        let owner = entities.first(where: { $0.name == source.target }),
        let forward = owner.relationships.first(where: { $0.name == name }),
        self.inverse(of: forward, from: owner)?.name == link.name
      else { continue }
      return (join, false)
    }
    return nil
  }

  /// The to-many relationship of the other end that leads back by another name.
  private func inverse(of link: Relationship, from entity: Entity) -> Relationship? {
    entities.first { $0.name == link.target }?.relationships.first { back in
      back.isToMany && back.target == entity.name && (back.name == link.inverse || back.inverse == link.name)
        && !(link.target == entity.name && back.name == link.name)
    }
  }

  /// Whether no column can hold a relationship: it is to-many, and no to-one leads back from its target.
  private func needsJoin(_ link: Relationship, of entity: Entity) -> Bool {
    guard link.isToMany, !entity.isAbstract, let target = entities.first(where: { $0.name == link.target }),
      !target.isAbstract, target.joinedRelationship == nil
    else { return false }
    if let back = target.relationships.first(where: { $0.name == link.inverse }) { return back.isToMany }
    return !target.relationships.contains { !$0.isToMany && $0.target == entity.name }
  }

  /// The relationships with join tables, each pair once: under the end that is ordered, else the first in the model.
  private var manyToManys: [ManyToMany] {
    var found: [ManyToMany] = []
    var passed: Set<[String]> = []
    for (position, entity) in entities.enumerated() {
      for link in entity.relationships where needsJoin(link, of: entity) {
        guard let target = entities.firstIndex(where: { $0.name == link.target }),
          passed.insert([entity.name, link.name]).inserted
        else { continue }
        let inverse = inverse(of: link, from: entity)
        if let inverse { passed.insert([link.target, inverse.name]) }
        if let inverse, inverse.isOrdered, !link.isOrdered {
          found.append(ManyToMany(owner: target, target: position, link: inverse, inverse: link))
        } else {
          found.append(ManyToMany(owner: position, target: target, link: link, inverse: inverse))
        }
      }
    }
    return found
  }

  /// Adds the join tables that are missing, behind all other entities.
  mutating func addJoins() {
    for pair in manyToManys {
      let owner = entities[pair.owner]
      let isThere =
        join(of: pair.link, from: owner) != nil
        || pair.inverse.map { join(of: $0, from: entities[pair.target]) != nil } ?? false
      let name = "\(owner.name)_\(pair.link.name)"
      // A table of that name which is another's: the pairs have no place.
      guard !isThere, !entities.contains(where: { $0.name.lowercased() == name.lowercased() }) else { continue }
      var table = Entity(name: name, key: ["source", "target"])
      table.joinedRelationship = pair.link.name
      var source = Relationship(name: "source", target: owner.name)
      source.isRequired = true
      source.targetAttributes = pair.inverse?.targetAttributes ?? []
      var target = Relationship(name: "target", target: pair.link.target)
      target.isRequired = true
      target.targetAttributes = pair.link.targetAttributes
      if owner.name != pair.link.target {
        source.sourceNames = names(of: owner)
        target.sourceNames = names(of: entities[pair.target])
      }
      table.relationships = [source, target]
      entities.append(table)
    }
  }

  /// Gives the pairs of ordered relationships their places.
  mutating func orderJoins() {
    for position in entities.indices { orderJoin(position) }
  }

  /// What files may call an end of a pair.
  private func names(of entity: Entity) -> [String] {
    let folded = entity.name.lowercased()
    return folded == entity.name ? [folded] : [entity.name, folded]
  }

  private mutating func orderJoin(_ position: Int) {
    let join = entities[position]
    guard let name = join.joinedRelationship, let source = join.relationships.first(where: { $0.name == "source" }),
      let owner = entities.first(where: { $0.name == source.target }),
      let link = owner.relationships.first(where: { $0.name == name })
    else { return }
    func order(_ name: String, within end: String) {
      let known = entities[position].attributes.firstIndex { $0.name == name }
      if known == nil { entities[position].attributes.append(Attribute(name: name, type: .integer(bits: 64))) }
      entities[position].attributes[known ?? entities[position].attributes.count - 1].positionWithin = end
    }
    if link.isOrdered { order(Self.place, within: "source") }
    if inverse(of: link, from: owner)?.isOrdered ?? false { order(Self.inversePlace, within: "target") }
  }

  /// The column of a join table that tells the place of a pair among those of its source.
  package static let place = "position"
  /// The column that tells it among those of its target.
  package static let inversePlace = "inverse_position"

  /// Gives entities the attributes in which files list what is at the other end, by its key.
  mutating func giveLists() {
    for position in entities.indices {
      for link in entities[position].relationships where link.isToMany {
        guard join(of: link, from: entities[position]) != nil,
          let target = entities.first(where: { $0.name == link.target })
        else { continue }
        giveList(link, to: target, at: position)
      }
    }
  }

  private mutating func giveList(_ link: Relationship, to target: Entity, at position: Int) {
    let entity = entities[position]
    guard !entity.isGiven(link) else { return }
    let elements = elementNames(of: link, in: entity)
    func add(_ name: String, _ path: [String], _ end: Attribute, _ sourceNames: [String]) {
      guard entities[position].attribute(named: name) == nil else { return }
      var attribute = Attribute(name: name, type: end.type)
      attribute.dateFormats = end.dateFormats
      attribute.trueValues = end.trueValues
      attribute.falseValues = end.falseValues
      attribute.keyPath = [link.name] + path
      attribute.isList = true
      attribute.sourceNames = sourceNames.filter { $0 != name }
      entities[position].attributes.append(attribute)
    }
    let told = link.targetAttributes.count == 1 ? target.attribute(named: link.targetAttributes[0]) : nil
    if let key = told ?? target.singleKey {
      return add(link.name, [key.name], key, link.sourceNames + ["\(link.name).\(key.name)"] + elements)
    }
    let paths = keyPaths(of: target) ?? []
    let ownParts = paths.filter { path in path.count == 1 && !target.relationships.contains { $0.name == path[0] } }
    for path in paths {
      guard let end = attribute(at: path, of: target) else { continue }
      let whole = ([link.name] + path).joined(separator: ".")
      let short = [path] == ownParts ? [link.name] + link.sourceNames + elements : []
      add(shownName(of: [link.name] + path, from: entity), path, end, [whole] + short)
    }
  }

  /// What the elements of a list may be called, besides the relationship: by the entity that they stand for.
  package func elementNames(of link: Relationship, in entity: Entity) -> [String] {
    let taken = Set((entity.attributes.map(\.name) + entity.relationships.map(\.name)).map { $0.lowercased() })
    let isOnly = entity.relationships.count { $0.target == link.target } == 1
    let names = [link.target, link.target.lowercased()]
    let own = isOnly ? names.filter { !taken.contains($0.lowercased()) } : []
    return own + names.map { "\(link.name).\($0)" }
  }
}

extension EntityModel {
  /// The model as `withoutReferenceAttributes` has it, and its join tables behind all else, for those who describe tables.
  package func withJoinsOnly() -> EntityModel {
    var model = withoutReferenceAttributes()
    for join in entities where join.joinedRelationship != nil {
      var plain = join
      plain.surrogate = nil
      for index in plain.relationships.indices { plain.relationships[index].attributes = [] }
      plain.attributes.removeAll { attribute in
        !attribute.keyPath.isEmpty || plain.relationships.contains { $0.name == attribute.name }
      }
      for index in plain.attributes.indices { plain.attributes[index].positionWithin = nil }
      model.entities.append(plain)
    }
    return model
  }
}

extension Entity {
  /// Whether attributes of it give lists.
  package var hasLists: Bool { attributes.contains(where: \.isList) }
}
