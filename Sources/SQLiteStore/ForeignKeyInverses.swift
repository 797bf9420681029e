import EntityModel

/// Says in a model's words what the foreign keys of a foreign schema do when the row goes that they refer to.
///
/// `ON DELETE` stands at the end that refers, a delete rule at the end that is referred to: so a foreign key with an
/// action gets an inverse there, a to-many named after the table that refers, with the action as its rule.
enum ForeignKeyInverses {
  /// Adds the inverses.
  static func add(to entities: inout [Entity]) {
    for position in entities.indices {
      for index in entities[position].relationships.indices {
        let link = entities[position].relationships[index]
        guard !link.isToMany, link.inverse == nil, link.deleteRule != .noAction,
          let target = entities.firstIndex(where: { SQLText.isSameName($0.name, link.target) })
        else { continue }
        var inverse = Relationship(
          name: entities[target].unusedName(entities[position].name, or: link.name),
          target: entities[position].name,
          isToMany: true,
          deleteRule: link.deleteRule
        )
        inverse.inverse = link.name
        entities[target].relationships.append(inverse)
        // When the row itself goes, nothing happens to what it refers to.
        entities[position].relationships[index].deleteRule = .nullify
        entities[position].relationships[index].inverse = inverse.name
      }
    }
  }
}

extension Entity {
  fileprivate func unusedName(_ name: String, or detail: String) -> String {
    func isTaken(_ name: String) -> Bool {
      attribute(named: name) != nil || relationships.contains { $0.name == name }
    }
    guard isTaken(name) else { return name }
    var proposal = name + "_" + detail
    while isTaken(proposal) { proposal += "_" }
    return proposal
  }
}
