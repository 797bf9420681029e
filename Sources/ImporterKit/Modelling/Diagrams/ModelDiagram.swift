import EntityModel

/// What a picture of a model shows: a box for each entity, a line for each pair of relationships.
struct ModelDiagram: Sendable {
  /// How many rows there may be at one end of a line.
  struct Multiplicity: Sendable, Hashable {
    let isMany: Bool
    /// Whether there may be none.
    let isOptional: Bool
    let isOrdered: Bool
  }

  /// One end of a line.
  struct End: Sendable {
    /// The entity's position.
    let entity: Int
    /// The relationship of this entity that the line is; nil where only the other end knows of it.
    let name: String?
    /// How many of this end's rows belong to a row of the other end; nil where nothing says it.
    let multiplicity: Multiplicity?
  }

  /// A line: a relationship with its inverse.
  struct Link: Sendable {
    /// The end that has many, or that is referred to.
    let owner: End
    let member: End
    /// Whether rows of the member go with their owner.
    let isCascading: Bool
  }

  let entities: [Entity]
  let links: [Link]
  /// Positions of parents and children.
  let inheritance: [(parent: Int, child: Int)]
  /// What is said of an entity below its rows, by name.
  var notes: [String: String] = [:]
  /// What is said of a relationship in the middle of its line, as something to look at.
  var alarms: [Relation: String] = [:]

  /// A relationship of an entity.
  struct Relation: Hashable {
    let entity: String
    let name: String
  }

  init(_ model: EntityModel) {
    let entities = model.entities
    self.entities = entities
    let positions = Dictionary(entities.enumerated().map { ($1.name, $0) }) { first, _ in first }
    inheritance = entities.enumerated().compactMap { child, entity in
      entity.parent.flatMap { positions[$0] }.map { (parent: $0, child: child) }
    }
    var links: [Link] = []
    var drawn: Set<[String]> = []
    for (position, entity) in entities.enumerated() {
      let inherited = Set(
        entity.parent.flatMap { positions[$0] }.map { entities[$0].relationships.map(\.name) } ?? []
      )
      for link in entity.relationships {
        // A child's line would only repeat its parent's.
        guard !inherited.contains(link.name), let target = positions[link.target] else { continue }
        let inverse = entities[target].relationships.first { $0.name == link.inverse && $0.target == entity.name }
        guard !drawn.contains([entity.name, link.name]) else { continue }
        drawn.insert([entity.name, link.name])
        if let inverse { drawn.insert([entities[target].name, inverse.name]) }
        links.append(Self.link(link, of: entity, from: position, to: target, inverse: inverse))
      }
    }
    self.links = links
  }

  private static func link(
    _ link: Relationship,
    of entity: Entity,
    from source: Int,
    to target: Int,
    inverse: Relationship?
  ) -> Link {
    // Rows of the target are counted by the relationship that leads there.
    let near = End(
      entity: source,
      name: link.name,
      multiplicity: inverse.map(multiplicity) ?? assumed(link, of: entity)
    )
    let far = End(entity: target, name: inverse?.name, multiplicity: multiplicity(of: link))
    let ownsTarget = link.isToMany
    return ownsTarget
      ? Link(owner: near, member: far, isCascading: link.deleteRule == .cascade)
      : Link(owner: far, member: near, isCascading: inverse?.deleteRule == .cascade)
  }

  /// Any number of rows may refer to one, unless the reference must be unique; of a to-many nothing is known.
  private static func assumed(_ link: Relationship, of entity: Entity) -> Multiplicity? {
    guard !link.isToMany else { return nil }
    let own = Set(link.attributes)
    let isUnique =
      !own.isEmpty && (own == Set(entity.key) || entity.uniqueSets.contains { Set($0) == own })
      || (own.count == 1 && entity.attributes.contains { own.contains($0.name) && $0.isUnique })
    return Multiplicity(isMany: !isUnique, isOptional: true, isOrdered: false)
  }

  private static func multiplicity(of link: Relationship) -> Multiplicity {
    Multiplicity(
      isMany: link.isToMany,
      isOptional: link.isToMany ? (link.minimumCount ?? 0) == 0 : !link.isRequired,
      isOrdered: link.isOrdered
    )
  }
}
