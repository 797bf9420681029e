import EntityModel
import Records

/// Lists of the keys of rows that refer back, at the end of a one-to-many that holds no column of it.
extension RunPlanner {
  /// Notes which lists the records of an input may give, and under which names.
  ///
  /// - Parameters:
  ///   - holders: The entities of its records.
  ///   - sample: The beginning of a flat file, whose header tells which lists there are; nil where any record may have one.
  mutating func noteChildKeys(
    of holders: [Entity],
    in model: EntityModel,
    sample: [UInt8]?,
    _ plan: inout InputPlan
  ) {
    // Then text alone is a record.
    guard plan.nesting.isFlat || !job.model.mappings.contains(where: { $0.source == "#text" }) else { return }
    // Made only if there is something to look for.
    lazy var header = sample.map { lowercasedASCII(String(decoding: $0.prefix(64 << 10), as: UTF8.self)) }
    for entity in holders {
      for link in entity.relationships where link.isToMany {
        let lists = model.childKeys(of: link, from: entity)
        guard !lists.isEmpty, !takesText(link.target, in: model) else { continue }
        let mapped = job.model.mappings.filter { mapping in lists.contains { $0.name == mapping.attribute } }.map(
          \.source
        )
        let names = Set((lists.flatMap { [$0.name] + $0.sourceNames } + mapped).map(lowercasedASCII))
        if let header, !names.contains(where: header.contains) { continue }
        childKeys[entity.name, default: []].insert(link.name)
        plan.listNames.formUnion(names)
        guard let node = model.entities.firstIndex(where: { $0.name == entity.name }), plan.nesting.nodes.count > node
        else { continue }
        plan.nesting.nodes[node].keyNames.formUnion(names)
      }
    }
  }

  /// Whether an attribute is the text that a record itself is.
  private func takesText(_ name: String, in model: EntityModel) -> Bool {
    model.entities.first { $0.name == name }?.attributes.contains { attribute in
      attribute.name == "#text" || attribute.sourceNames.contains("#text")
    } ?? false
  }

  /// Gives entities the attributes for such lists, and adds the entities of the listed rows.
  ///
  /// - Returns: The names of attributes, by entity, that lists may tell instead of a record of the entity.
  func giveChildKeys(to entities: inout [Entity]) -> [String: Set<String>] {
    var told: [String: Set<String>] = [:]
    for (name, links) in childKeys.sorted(by: { $0.key < $1.key }) {
      guard let position = entities.firstIndex(where: { $0.name == name }),
        let model = models.first(where: { $0.entities.contains { $0.name == name } })
      else { continue }
      for link in entities[position].relationships where links.contains(link.name) {
        guard let target = model.entities.first(where: { $0.name == link.target }),
          let back = model.back(of: link, from: model.entities.first { $0.name == name } ?? entities[position])
        else { continue }
        if !entities.contains(where: { $0.name == target.name }) { entities.append(target) }
        let lists = model.childKeys(of: link, from: model.entities.first { $0.name == name } ?? entities[position])
        guard !lists.contains(where: { entities[position].attribute(named: $0.name) != nil }) else { continue }
        entities[position].attributes += lists
        told[target.name, default: []].formUnion(target.attributes(giving: back).map { target.attributes[$0].name })
      }
    }
    return told
  }
}
