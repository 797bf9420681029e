/// What a set of files and a database may hold: entities, with their rules and links.
public struct EntityModel: Sendable, Hashable {
  /// The entities, in the order of the source.
  public var entities: [Entity]

  /// Makes a model of these entities.
  public init(entities: [Entity] = []) {
    self.entities = entities
  }

  /// The entity of that name, compared letter by letter, else the only one that matches without regard to ASCII case.
  public func entity(named name: String) -> Entity? {
    if let exact = entities.first(where: { $0.name == name }) { return exact }
    let folded = entities.filter { $0.name.lowercased() == name.lowercased() }
    return folded.count == 1 ? folded[0] : nil
  }
}
