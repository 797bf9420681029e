import EntityModel
import Records
import Validation

/// Whose the rows of an entity are: those that go when the row goes that they refer to, and refer to no other such row.
struct Ownership {
  /// The entity that owns them.
  let owner: Entity
  /// Their relationship that leads to it.
  let link: Relationship
  /// The owner's relationship that leads to them.
  let holder: Relationship
  /// What a record of theirs within the owner's may be called, so that it is read as one: by its entity, by `holder`.
  let names: [String]
}

extension EntityModel {
  /// The entities whose rows belong to rows of another one, by their names.
  ///
  /// An entity is owned if one relationship leads back from it to one that deletes in cascade, and no second one does. None
  /// owns itself, or in a circle; and none is owned that a nested document could not give back.
  func ownerships() -> [String: Ownership] {
    var found: [String: Ownership] = [:]
    var severally: Set<String> = []
    let nesting = nesting(only: nil)
    for (position, owner) in entities.enumerated() {
      for holder in owner.relationships where !holder.isHeldHere && holder.deleteRule == .cascade {
        guard let index = entities.firstIndex(where: { $0.name == holder.target }),
          entities[index].joinedRelationship == nil, !entities[index].isAbstract,
          let link = entities[index].relationships.first(where: { $0.name == holder.inverse }),
          link.isHeldHere, link.target == owner.name, entities[index].isGiven(link)
        else { continue }
        let entity = entities[index]
        let names = [entity.name, holder.name].filter { name in
          let folded = lowercasedASCII(name)
          return nesting.nodes[position].children[folded] == index && leads(name, to: link, of: entity, within: owner)
            // Else it might be taken for a wrapper around others.
            && (nesting.nodes[position].wrappers[folded] == nil
              || !entity.has(elementsNamed: entity.name, nesting, index))
        }
        if found[entity.name] != nil || owner.name == entity.name || names.isEmpty { severally.insert(entity.name) }
        found[entity.name] = Ownership(owner: owner, link: link, holder: holder, names: names)
      }
    }
    for name in severally { found[name] = nil }
    for name in found.keys.sorted() {
      var passed: Set<String> = []
      var current = name
      while let next = found[current]?.owner.name, passed.insert(current).inserted { current = next }
      // It ended where it had been: whatever stands in the circle stands in nothing.
      if let owner = found[current]?.owner.name, passed.contains(owner) { found[current] = nil }
    }
    return found
  }

  /// Whether a record of that name within one of the owner's leads to it by a relationship, and by no other.
  private func leads(_ name: String, to link: Relationship, of entity: Entity, within owner: Entity) -> Bool {
    guard (owner.toMany(named: name)?.target ?? entity.name) == entity.name else { return false }
    var candidates = entity.relationships.filter { $0.isHeldHere && $0.target == owner.name && entity.isGiven($0) }
    if candidates.count > 1 {
      let holders =
        owner.toMany(named: name).map { [$0] }
        ?? owner.relationships.filter { !$0.isHeldHere && $0.target == entity.name }
      let inverses = holders.compactMap(\.inverse)
      candidates = candidates.filter { inverses.contains($0.name) }
    }
    return candidates.map(\.name) == [link.name]
  }
}

extension Entity {
  /// Whether a record of it may hold an element of that name.
  fileprivate func has(elementsNamed name: String, _ nesting: RecordNesting, _ position: Int) -> Bool {
    let folded = lowercasedASCII(name)
    return attributes.contains { lowercasedASCII($0.name) == folded } || nesting.nodes[position].children[folded] != nil
  }
}
