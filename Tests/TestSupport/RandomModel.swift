package import EntityModel

/// Random models that say everything a model can say.
package struct RandomModel {
  private var random: SplitMix64

  /// Begins with a seed, so that a failing case can be repeated.
  package init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private mutating func flag() -> Bool { Bool.random(using: &random) }
  private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
  private mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[number(0..<choices.count)] }
  private mutating func text() -> String { pick(["", "x", "è \"q\"", "a\nb", "\u{1}", "{}", "true", "12"]) }
  private mutating func maybe(_ text: String) -> String? { flag() ? text : nil }

  /// The next model.
  package mutating func model() -> EntityModel {
    let names = ["Person", "person 2", "Città", "a.b"].prefix(number(1..<5))
    var entities = names.map { Entity(name: $0) }
    for index in entities.indices {
      entities[index].attributes = (0..<number(1..<6)).map { attribute(named: "f\($0)" + pick(["", " è", ".x"])) }
      let attributes = entities[index].attributes.map(\.name)
      if flag() { entities[index].key = Array(attributes.shuffled(using: &random).prefix(number(1..<3))) }
      if attributes.count > 2, flag() {
        entities[index].uniqueSets = [Array(attributes.prefix(2)), Array(attributes.suffix(2))]
      }
      entities[index].documentation = maybe(text())
      entities[index].isAbstract = number(0..<8) == 0
      entities[index].userInfo = userInfo()
      entities[index].sourceHasHeader = number(0..<4) != 0
      if index > 0, number(0..<3) == 0 { inherit(&entities[index], from: entities[index - 1]) }
    }
    for index in entities.indices {
      if let parent = entities.first(where: { $0.name == entities[index].parent }) {
        entities[index].relationships = parent.relationships
      }
      for number in 0..<number(0..<4) {
        let target = pick(entities)
        let link = relationship(named: "r\(index).\(number)", of: entities[index], to: target)
        entities[index].relationships.append(link)
        if !link.isToMany, link.attributes.isEmpty, !entities[index].key.isEmpty, self.number(0..<3) == 0 {
          entities[index].key.append(link.name)
        }
      }
    }
    return EntityModel(entities: entities)
  }

  /// Makes an entity a child of another, with its attributes before its own.
  private mutating func inherit(_ entity: inout Entity, from parent: Entity) {
    entity.parent = parent.name
    let names = Set(parent.attributes.map(\.name))
    entity.attributes = parent.attributes + entity.attributes.filter { !names.contains($0.name) }
    if flag(), entity.key.isEmpty || flag() { entity.key = parent.key }
  }

  private mutating func userInfo() -> [String: String] {
    guard number(0..<3) == 0 else { return [:] }
    return ["mapped \"by\"": pick(["", "a<b", "x.y"]), "key.1": pick(["è", "a\nb\tc"])]
  }

  private mutating func relationship(named name: String, of entity: Entity, to target: Entity) -> Relationship {
    var relationship = Relationship(
      name: name,
      target: target.name,
      isToMany: flag(),
      deleteRule: pick([.cascade, .nullify, .deny, .noAction])
    )
    relationship.inverse = maybe("back")
    relationship.isOrdered = flag()
    relationship.isRequired = flag()
    relationship.sourceNames = number(0..<3) == 0 ? [text(), "other.name"] : []
    relationship.documentation = number(0..<4) == 0 ? text() : nil
    relationship.userInfo = userInfo()
    relationship.minimumCount = flag() ? number(0..<9) : nil
    relationship.maximumCount = flag() ? number(0..<9) : nil
    if !relationship.isToMany, flag() {
      relationship.attributes = [entity.attributes[0].name]
      relationship.targetAttributes = [target.attributes[0].name]
      if flag() { relationship.name = entity.attributes[0].name }
      if entity.relationships.contains(where: { $0.name == relationship.name }) { relationship.name = name }
    }
    return relationship
  }

  private mutating func attribute(named name: String) -> Attribute {
    var attribute = Attribute(
      name: name,
      type: pick([
        .text, .integer(bits: 16), .integer(bits: 32), .integer(bits: 64), .decimal(precision: 12, scale: 3),
        .decimal(precision: nil, scale: nil), .double, .boolean, .date, .datetime, .binary, .uuid, .uri,
      ])
    )
    attribute.isRequired = flag()
    attribute.isUnique = flag()
    attribute.refusesEmptyText = flag()
    attribute.documentation = maybe(text())
    attribute.defaultValue = maybe(text())
    attribute.pattern = maybe("[a-z\\]+")
    attribute.allowedValues = flag() ? [text(), "1", "007"] : nil
    attribute.sourceNames = flag() ? [text(), "b"] : []
    attribute.usesDefaultWhenAbsent = number(0..<4) == 0
    attribute.userInfo = userInfo()
    switch attribute.type {
    case .boolean:
      attribute.trueValues = flag() ? ["y", "1"] : []
      attribute.falseValues = flag() ? ["n"] : []
    case .date, .datetime:
      attribute.dateFormats = pick([[], ["%d/%m/%Y"], ["dd/MM/yyyy"], ["%Y", "%d.%m.%Y"]])
      attribute.minimum = maybe("2020-01-01")
    case .integer, .decimal, .double:
      attribute.minimum = maybe(pick(["-5", "007", "1.50", "1e3"]))
      attribute.maximum = maybe("100000000000000000000000")
    case .text, .uuid, .uri, .binary:
      attribute.minimumLength = flag() ? number(0..<5) : nil
      attribute.maximumLength = flag() ? number(5..<9) : nil
    }
    return attribute
  }
}
