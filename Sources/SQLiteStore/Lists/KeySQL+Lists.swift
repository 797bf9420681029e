import EntityModel

/// Pairs of rows in SQL.
extension KeySQL {
  /// The column of an entity's table by which its pairs name its rows: what the relationship refers to, or their number.
  func pairColumn(of entity: Entity, by end: Relationship) -> String {
    end.targetAttributes.first ?? entity.surrogate ?? entity.key.first ?? ""
  }

  /// The list of what the pairs of a stored row lead to; NULL without any.
  func list(_ attribute: Attribute, of entity: Entity, alias: String) -> String {
    guard let name = attribute.keyPath.first, let link = entity.relationships.first(where: { $0.name == name }),
      let target = self.entity(named: link.target), let join = join(of: link, from: entity),
      let place = places(of: join.entity).first, let ends = join.entity.pairEnds(isForward: join.isForward)
    else { return "NULL" }
    let far = "j.\(SQLText.identifier(ends.far.name))"
    let isByNumber = target.surrogate != nil && link.targetAttributes.isEmpty
    let path = Array(attribute.keyPath.dropFirst())
    let position = keyPathPosition(of: path, in: target)
    let value = isByNumber ? position.map { parts(ofNumber: far, in: target)[$0] } ?? "NULL" : far
    let own = "\(alias).\(SQLText.identifier(pairColumn(of: entity, by: ends.near)))"
    let order = pairOrder(of: join.entity, isForward: join.isForward)
    // A double keeps its digits only as a text of its own.
    return """
      (SELECT nullif(json_group_array(CASE typeof(v) WHEN 'real' THEN json(printf('%!.17g', v)) ELSE v END), '[]') FROM \
      (SELECT \(value) AS v FROM \(place) AS j WHERE j.\(SQLText.identifier(ends.near.name)) = \(own) ORDER BY \(order)))
      """
  }

  /// The order of the pairs `j` of one row: by place, else by what they lead to.
  func pairOrder(of join: Entity, isForward: Bool) -> String {
    let name = isForward ? EntityModel.place : EntityModel.inversePlace
    let far = "j.\(SQLText.identifier(isForward ? "target" : "source"))"
    return join.attribute(named: name)?.positionWithin == nil ? far : "j.\(SQLText.identifier(name)), \(far)"
  }

  private func keyPathPosition(of path: [String], in target: Entity) -> Int? {
    partNames(of: target).firstIndex(of: path.joined(separator: "."))
  }
}

extension Entity {
  /// The relationships of a join table to the end at hand and to the other one.
  func pairEnds(isForward: Bool) -> (near: Relationship, far: Relationship)? {
    guard let source = relationships.first(where: { $0.name == "source" }),
      let target = relationships.first(where: { $0.name == "target" })
    else { return nil }
    return isForward ? (source, target) : (target, source)
  }
}
