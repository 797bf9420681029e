import EntityModel
import Testing

@Suite struct JoinTables {
  private func entity(_ name: String, key: [String] = ["name"], _ links: [Relationship]) -> Entity {
    var entity = Entity(name: name, key: key)
    entity.attributes = key.map { name in
      var attribute = Attribute(name: name)
      attribute.isRequired = true
      return attribute
    }
    entity.relationships = links
    return entity
  }

  private func many(_ name: String, to target: String, inverse: String? = nil, isOrdered: Bool = false) -> Relationship
  {
    var link = Relationship(name: name, target: target, isToMany: true)
    link.inverse = inverse
    link.isOrdered = isOrdered
    return link
  }

  private struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let model: EntityModel
    /// Name, attributes.
    let joins: [String: [String]]
    /// The attributes that give lists, by entity.
    let lists: [String: [String]]
  }

  private var cases: [Case] {
    var single = Relationship(name: "owner", target: "A")
    single.inverse = "parts"
    return [
      Case(
        testDescription: "both ends name each other: the first owns",
        model: EntityModel(entities: [
          entity("A", [many("bs", to: "B", inverse: "as")]), entity("B", [many("as", to: "A", inverse: "bs")]),
        ]),
        joins: ["A_bs": ["source", "target"]],
        lists: ["A": ["bs"], "B": ["as"]]
      ),
      Case(
        testDescription: "the ordered end owns",
        model: EntityModel(entities: [
          entity("A", [many("bs", to: "B", inverse: "as")]),
          entity("B", [many("as", to: "A", inverse: "bs", isOrdered: true)]),
        ]),
        joins: ["B_as": ["position", "source", "target"]],
        lists: ["A": ["bs"], "B": ["as"]]
      ),
      Case(
        testDescription: "both ends are ordered",
        model: EntityModel(entities: [
          entity("A", [many("bs", to: "B", inverse: "as", isOrdered: true)]),
          entity("B", [many("as", to: "A", inverse: "bs", isOrdered: true)]),
        ]),
        joins: ["A_bs": ["inverse_position", "position", "source", "target"]],
        lists: ["A": ["bs"], "B": ["as"]]
      ),
      Case(
        testDescription: "nothing leads back, and to itself",
        model: EntityModel(entities: [
          entity("A", [many("bs", to: "B", isOrdered: true), many("friends", to: "A", inverse: "friends")]),
          entity("B", []),
        ]),
        joins: ["A_bs": ["position", "source", "target"], "A_friends": ["source", "target"]],
        lists: ["A": ["bs", "friends"], "B": []]
      ),
      Case(
        testDescription: "a to-one leads back: no table",
        model: EntityModel(entities: [entity("A", [many("parts", to: "B", inverse: "owner")]), entity("B", [single])]),
        joins: [:],
        lists: ["A": [], "B": []]
      ),
      Case(
        testDescription: "a key of two parts",
        model: EntityModel(entities: [
          entity("A", [many("bs", to: "B", inverse: "as")]),
          entity("B", key: ["x", "y"], [many("as", to: "A", inverse: "bs")]),
        ]),
        joins: ["A_bs": ["source", "target.x", "target.y"]],
        lists: ["A": ["bs.x", "bs.y"], "B": ["as"]]
      ),
    ]
  }

  @Test func `relationships that no column holds get a table, and lists at both ends`() {
    for example in cases {
      let model = example.model.withReferenceAttributes()
      let joins = model.entities.filter { $0.joinedRelationship != nil }
      let found = Dictionary(uniqueKeysWithValues: joins.map { ($0.name, $0.attributes.map(\.name).sorted()) })
      #expect(found == example.joins, "\(example.testDescription)")
      for (name, lists) in example.lists {
        let given = model.entity(named: name)?.attributes.filter(\.isList).map(\.name) ?? []
        #expect(given == lists, "\(example.testDescription)")
      }
      #expect(model.withReferenceAttributes() == model, "\(example.testDescription)")
      #expect(model.withoutReferenceAttributes() == example.model, "\(example.testDescription)")
      #expect(model.withJoinsOnly().withReferenceAttributes().entities.count == model.entities.count)
    }
  }

  @Test func `a table of that name which is another's stays what it is`() {
    let model = EntityModel(entities: [entity("A", [many("bs", to: "B")]), entity("B", []), entity("a_BS", [])])
    let full = model.withReferenceAttributes()
    #expect(full.entities.map(\.name) == ["A", "B", "a_BS"])
    #expect(full.entities[0].attributes.map(\.name) == ["name"])
  }
}
