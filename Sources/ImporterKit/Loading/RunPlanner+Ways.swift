import Diagnostics
import EntityModel
import Records
import Validation

/// Dotted columns of flat files that no model knows: rows of their own, where the whole file bears it out.
extension RunPlanner {
  /// The columns of an input that may be those of further rows; nil where none may.
  ///
  /// Names in documents that can hold records in records are what they are.
  func wayEvidence(for plan: InputPlan, shapes: [RecordShape]) -> WayEvidence? {
    guard plan.format.hasFixedColumns, let shape = shapes.first else { return nil }
    let told = Set(job.model.mappings.map(\.source))
    let evidence = WayEvidence(
      columns: shape.columns.filter { !told.contains($0) },
      nullTokens: plan.validation.nullTokens
    )
    return evidence.isEmpty ? nil : evidence
  }

  /// Makes entities of the dotted columns of those that no model knows, and links that lead to them.
  ///
  /// - Returns: The names of the entities made or led to, which no input is meant for.
  func splitWays(in entities: inout [Entity]) -> Set<String> {
    var made: Set<String> = []
    for position in inferredEntities {
      guard let evidence = wayEvidence[position] else { continue }
      // Where the groups before have got their rows, by what begins their names.
      var owners = ["": position]
      for group in evidence.groups {
        guard let owner = owners[group.parent],
          let target = split(group, of: position, from: owner, without: made, in: &entities)
        else { continue }
        owners[group.prefix] = target
        made.insert(entities[target].name)
      }
    }
    return made
  }

  /// Takes the columns of a group out of an entity, and gives them to one that another leads to.
  ///
  /// - Returns: The position of the latter; nil where its name, or one of the columns, is in the way.
  private func split(
    _ group: WayEvidence.Group,
    of source: Int,
    from owner: Int,
    without made: Set<String>,
    in entities: inout [Entity]
  ) -> Int? {
    let name = group.parent.isEmpty ? group.prefix : String(group.prefix.dropFirst(group.parent.count + 1))
    let columns = group.names.map { "\(group.prefix).\($0)" }
    let folded = lowercasedASCII(name)
    let taken = entities[owner].attributes.map(\.name) + entities[owner].relationships.map(\.name)
    guard !taken.contains(where: { lowercasedASCII($0) == folded }), !isKeyPart(columns, of: entities[source]) else {
      return nil
    }
    var attributes = columns.compactMap { column in entities[source].attributes.first { $0.name == column } }
    guard attributes.count == columns.count else { return nil }
    for index in attributes.indices { attributes[index].name = group.names[index] }
    attributes[0].isRequired = true
    let known = entities.firstIndex { lowercasedASCII($0.name) == folded }
    let target: Int
    if let known {
      // What other columns or files say of the same rows has not been compared.
      guard known != source, !inferredEntities.contains(known), !made.contains(entities[known].name),
        entities[known].key == [group.key], holds(entities[known], attributes)
      else { return nil }
      target = known
    } else {
      var entity = models.lazy.compactMap { $0.entity(named: name) }.first
      if entity == nil {
        entity = Entity(name: name, attributes: attributes, key: [group.key])
      }
      guard let entity else { return nil }
      let isOurs = entity.attributes == attributes
      guard isOurs || (entity.key == [group.key] && holds(entity, attributes)) else { return nil }
      entities.append(entity)
      target = entities.count - 1
    }
    entities[source].attributes.removeAll { columns.contains($0.name) }
    entities[owner].relationships.append(Relationship(name: name, target: entities[target].name))
    return target
  }

  private func holds(_ entity: Entity, _ attributes: [Attribute]) -> Bool {
    attributes.allSatisfy { entity.attribute(named: $0.name) != nil }
  }

  private func isKeyPart(_ columns: [String], of entity: Entity) -> Bool {
    entity.key.contains(where: columns.contains)
  }
}
