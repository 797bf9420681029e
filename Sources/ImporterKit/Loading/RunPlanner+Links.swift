import Diagnostics
import EntityModel
import Records
import Validation

/// Links that `--link` tells: references by an attribute of their target that need not be its key.
extension RunPlanner {
  /// The entities that both ends of a told link name, by position, and the names behind them.
  private struct Ends {
    let owner: Int
    let relationship: String
    let target: Int
    let column: String
  }

  /// Makes links of columns of entities that no model knows.
  func declareLinks(in entities: inout [Entity]) throws(UsageFailure) {
    for told in job.model.links {
      guard let owner = entity(of: told.source, in: entities)?.position, inferredEntities.contains(owner) else {
        continue
      }
      let ends = try ends(of: told, in: entities)
      guard !entities[owner].relationships.contains(where: { $0.name == ends.relationship && !$0.isToMany }) else {
        continue
      }
      let columns = entities[owner].attributes.map(\.name)
      guard let column = entities[owner].attributes.firstIndex(where: { $0.name == ends.relationship }) else {
        throw unknown(ends.relationship, "column", of: entities[owner], among: columns)
      }
      var link = Relationship(name: ends.relationship, target: entities[ends.target].name)
      guard inferredEntities.contains(ends.target) else {
        // The target's own key is what the rows will hold.
        entities[owner].attributes.remove(at: column)
        entities[owner].relationships.append(link)
        continue
      }
      let names = entities[ends.target].attributes.map(\.name)
      guard let key = entities[ends.target].attributes.firstIndex(where: { $0.name == ends.column }) else {
        throw unknown(ends.column, "column", of: entities[ends.target], among: names)
      }
      // Without a model every column is stored, and so is what rows are referred to by.
      if entities[owner].attributes[column].type != entities[ends.target].attributes[key].type {
        entities[owner].attributes[column].type = .text
        entities[ends.target].attributes[key].type = .text
      }
      if entities[ends.target].key != [ends.column] { entities[ends.target].attributes[key].isUnique = true }
      link.attributes = [ends.relationship]
      link.targetAttributes = [ends.column]
      entities[owner].relationships.append(link)
    }
  }

  /// Lets files name the column of a link with the key of what it leads to behind the link's name, also in tables of others,
  /// where nothing else is called so.
  func nameKeys(in entities: inout [Entity]) {
    for position in entities.indices {
      for link in entities[position].relationships where link.isHeldHere && link.attributes.count == 1 {
        guard let target = entities.first(where: { $0.name == link.target }),
          let key = link.targetAttributes.first ?? target.singleKey?.name,
          let column = entities[position].attributes.firstIndex(where: { $0.name == link.attributes[0] })
        else { continue }
        let name = "\(link.name).\(key)"
        let isTaken = entities[position].attributes.contains { $0.name == name || $0.sourceNames.contains(name) }
        if !isTaken { entities[position].attributes[column].sourceNames.append(name) }
      }
    }
  }

  /// Gives the ends of told links the attributes that serve them in this run.
  ///
  /// - Parameter outsiders: The names of entities that no input brings.
  func addLinks(to entities: inout [Entity], outsiders: Set<String>) throws(UsageFailure) {
    for told in job.model.links {
      let ends = try ends(of: told, in: entities)
      let owner = entities[ends.owner]
      let links = owner.relationships.filter(\.isHeldHere)
      guard let link = relationship(ends.relationship, of: owner) else {
        let many = owner.relationships.first { lowercasedASCII($0.name) == lowercasedASCII(ends.relationship) }
        guard many == nil else {
          throw UsageFailure(
            "--link \(excerpt(of: told.source)): a record of '\(excerpt(of: owner.name))' has no one row that "
              + "'\(excerpt(of: ends.relationship))' leads to",
            remedy: "refer by keys there, or tell --link of a to-one relationship"
          )
        }
        throw unknown(ends.relationship, "to-one relationship", of: owner, among: links.map(\.name))
      }
      guard link.target == entities[ends.target].name else {
        throw UsageFailure(
          "--link \(excerpt(of: told.source))=\(excerpt(of: told.target)): '\(excerpt(of: link.name))' leads to "
            + "'\(excerpt(of: link.target))'",
          remedy: "write \(excerpt(of: link.target)).\(excerpt(of: ends.column)) behind the '='"
        )
      }
      for (name, end) in [(owner.name, told.source), (link.target, told.target)] where outsiders.contains(name) {
        // What the database keeps needs no record.
        if name == link.target, entities[ends.target].attribute(namedAsIn: ends.column) != nil { continue }
        throw UsageFailure(
          "--link: no input brings records of '\(excerpt(of: name))', which '\(excerpt(of: end))' is about",
          remedy: "name its file too; what a link goes by serves one run alone"
        )
      }
      let by = keyAttribute(ends.column, of: ends.target, in: &entities)
      let own = owner.attributes(giving: link)
      let isKey =
        own.count == 1
        && (link.targetAttributes.isEmpty ? entities[ends.target].key : link.targetAttributes) == [by.name]
      // Then it is a reference like any other.
      guard !isKey || by.runUse != nil else { continue }
      guard !own.isEmpty else {
        throw UsageFailure(
          "--link \(excerpt(of: told.source)): the rows of '\(excerpt(of: link.target))' have no key to be stored by",
          remedy: "give '\(excerpt(of: link.target))' a key in the model"
        )
      }
      var attribute = Attribute(name: link.attributes.count == 1 ? link.attributes[0] : link.name, type: by.type)
      attribute.dateFormats = by.dateFormats
      attribute.trueValues = by.trueValues
      attribute.falseValues = by.falseValues
      attribute.sourceNames = [link.name] + link.sourceNames + ["\(link.name).\(by.name)"]
      attribute.sourceNames.removeAll { $0 == attribute.name }
      attribute.runUse = .link(relationship: link.name, by: by.name)
      guard !entities[ends.owner].attributes.contains(where: { $0.runUse == attribute.runUse }) else { continue }
      if entities[ends.owner].attributes.contains(where: { $0.tells(link) }) {
        throw UsageFailure(
          "--link: two columns of '\(excerpt(of: link.target))' are to tell where '\(excerpt(of: told.source))' leads",
          remedy: "tell one of them"
        )
      }
      entities[ends.owner].attributes.append(attribute)
    }
  }

  /// Finds or makes the attribute that a told link goes by.
  private func keyAttribute(_ name: String, of target: Int, in entities: inout [Entity]) -> Attribute {
    if let known = entities[target].attribute(namedAsIn: name) { return known }
    var attribute = Attribute(name: name)
    attribute.runUse = .linkKey
    entities[target].attributes.append(attribute)
    return attribute
  }

  private func relationship(_ name: String, of entity: Entity) -> Relationship? {
    let links = entity.relationships.filter { $0.isHeldHere && entity.isGiven($0) }
    let name = lowercasedASCII(name)
    return links.first { lowercasedASCII($0.name) == name }
      ?? links.first { link in (link.sourceNames + link.attributes).contains { lowercasedASCII($0) == name } }
  }

  private func ends(of told: ModelOptions.Link, in entities: [Entity]) throws(UsageFailure) -> Ends {
    let owner = try known(told.source, in: entities)
    let target = try known(told.target, in: entities)
    return Ends(owner: owner.position, relationship: owner.rest, target: target.position, column: target.rest)
  }

  private func known(_ end: String, in entities: [Entity]) throws(UsageFailure) -> (position: Int, rest: String) {
    if let found = entity(of: end, in: entities) { return found }
    let name = end.split(separator: ".", maxSplits: 1).first.map(String.init) ?? end
    let names = entities.filter { $0.joinedRelationship == nil }.map(\.name)
    throw UsageFailure(
      "--link: there is no entity '\(excerpt(of: name))'",
      remedy: suggestion(for: name, among: names)
        ?? "there are " + names.prefix(12).map { "'\(excerpt(of: $0, limit: 40))'" }.joined(separator: ", ")
    )
  }

  /// The entity that an end of a link begins with, and what stands behind its name.
  private func entity(of end: String, in entities: [Entity]) -> (position: Int, rest: String)? {
    func rest(behind name: String, _ same: (String, String) -> Bool) -> String? {
      let prefix = name + "."
      guard end.count > prefix.count, same(String(end.prefix(prefix.count)), prefix) else { return nil }
      return String(end.dropFirst(prefix.count))
    }
    for (position, entity) in entities.enumerated() {
      if let rest = rest(behind: entity.name, { $0 == $1 }) { return (position, rest) }
    }
    let similar = entities.enumerated().compactMap { position, entity in
      rest(behind: entity.name) { lowercasedASCII($0) == lowercasedASCII($1) }.map { (position, $0) }
    }
    return similar.count == 1 ? similar[0] : nil
  }

  private func unknown(_ name: String, _ what: String, of entity: Entity, among names: [String]) -> UsageFailure {
    let list = names.prefix(12).map { "'\(excerpt(of: $0, limit: 40))'" }.joined(separator: ", ")
    return UsageFailure(
      "--link: '\(excerpt(of: entity.name))' has no \(what) '\(excerpt(of: name))'",
      remedy: suggestion(for: name, among: names) ?? (names.isEmpty ? "it has none" : "it has \(list)")
    )
  }
}

extension Entity {
  /// The attribute that files know by a name.
  fileprivate func attribute(namedAsIn name: String) -> Attribute? {
    let own = attributes.filter { !$0.isList && $0.keyPath.isEmpty }
    return own.first { $0.name == name } ?? own.first { $0.sourceNames.contains(name) }
  }
}

extension Entity {
  /// The names of attributes that give keys of targets which the columns of an input tell otherwise.
  func attributesToldByLinks(among columns: [[Int]]) -> Set<String> {
    var names: Set<String> = []
    for (attribute, columns) in zip(attributes, columns) where !columns.isEmpty {
      guard case .link(let name, _)? = attribute.runUse, let link = relationships.first(where: { $0.name == name })
      else { continue }
      names.formUnion(attributes(giving: link).map { attributes[$0].name })
    }
    return names
  }
}

extension Attribute {
  /// Whether it tells in one run where a relationship leads.
  fileprivate func tells(_ link: Relationship) -> Bool {
    if case .link(link.name, _) = runUse { true } else { false }
  }
}

extension InputPlan {
  /// Refuses a header that lacks a column by which others are to be linked.
  func checkLinks(_ shapes: [RecordShape]) throws(UsageFailure) {
    guard format.hasFixedColumns, let headerEntity, let shape = shapes.first else { return }
    let entity = validation.entities[headerEntity]
    for (attribute, columns) in zip(entity.attributes, validation.columns(of: entity, among: shape.columns))
    where attribute.runUse == .linkKey && columns.isEmpty {
      throw .withoutLinkColumn(attribute.name, of: entity.name, in: content.path, among: shape.columns)
    }
  }
}

extension UsageFailure {
  /// Nothing gives what links are to go by.
  static func withoutLinkColumn(_ name: String, of entity: String, in file: String?, among names: [String])
    -> UsageFailure
  {
    let list = names.prefix(12).map { "'\(excerpt(of: $0, limit: 40))'" }.joined(separator: ", ")
    return UsageFailure(
      "--link: \(file.map { "'\(excerpt(of: $0))' has" } ?? "the records of '\(excerpt(of: entity))' have") no column "
        + "'\(excerpt(of: name))' to link '\(excerpt(of: entity))' by",
      remedy: suggestion(for: name, among: names) ?? (names.isEmpty ? "correct its name" : "there are \(list)")
    )
  }
}
