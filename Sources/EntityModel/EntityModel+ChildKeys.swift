/// Lists of the keys of rows that refer back: given at the end of a one-to-many which holds no column of it.
///
/// ```text
/// {"name": "Sub Pop", "artists": ["Nirvana", "Mudhoney"]}    an artist's own column 'label' holds the link
/// ```
extension EntityModel {
  /// The attributes in which files list the rows at the other end of a one-to-many, by what their keys have besides the link
  /// itself; none where that tells no row.
  package func childKeys(of link: Relationship, from entity: Entity) -> [Attribute] {
    guard let back = back(of: link, from: entity),
      let target = entities.first(where: { $0.name == link.target }), let paths = keyPaths(of: target)
    else { return [] }
    let own = paths.filter { $0[0] != back.name && !back.attributes.contains($0[0]) }
    let ends = own.compactMap { attribute(at: $0, of: target) }
    guard !own.isEmpty, ends.count == own.count else { return [] }
    let shortNames = [link.name] + link.sourceNames + elementNames(of: link, in: entity)
    let plain = own.filter { path in path.count == 1 && !target.relationships.contains { $0.name == path[0] } }
    return zip(own, ends).map { path, end in
      let whole = ([link.name] + path).joined(separator: ".")
      let isOnly = own.count == 1
      var attribute = Attribute(name: isOnly ? link.name : whole, type: end.type)
      attribute.dateFormats = end.dateFormats
      attribute.trueValues = end.trueValues
      attribute.falseValues = end.falseValues
      attribute.keyPath = [link.name] + path
      attribute.isList = true
      attribute.runUse = .childKeys
      let names = isOnly || [path] == plain ? shortNames + [whole] : [whole]
      attribute.sourceNames = names.filter { $0 != attribute.name }
      return attribute
    }
  }

  /// The to-one by which the rows of a one-to-many refer back, if a column of theirs holds it.
  package func back(of link: Relationship, from entity: Entity) -> Relationship? {
    guard link.isToMany, !entity.isAbstract,
      !entity.attributes.contains(where: { $0.name == link.name && $0.runUse == nil }),
      join(of: link, from: entity) == nil,
      let target = entities.first(where: { $0.name == link.target }), !target.isAbstract,
      target.joinedRelationship == nil
    else { return nil }
    let ways = target.relationships.filter { $0.isHeldHere && $0.target == entity.name && target.isGiven($0) }
    if let inverse = link.inverse { return ways.first { $0.name == inverse } }
    return ways.first { $0.inverse == link.name } ?? (ways.count == 1 ? ways[0] : nil)
  }
}
