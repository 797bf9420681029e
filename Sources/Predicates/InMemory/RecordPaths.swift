import Diagnostics
import EntityModel

/// Finds the attributes behind key paths, as far as a record itself gives what they lead to: parts of the keys by which it
/// refers to others.
struct RecordPaths {
  private let entity: Entity
  private let model: EntityModel

  init(of entity: Entity, in model: EntityModel) {
    self.entity = entity
    self.model = model
  }

  /// The position of the attribute that holds what a path leads to.
  func position(of path: KeyPath) throws(PredicateError) -> Int {
    if !path.isCount, let position = position(of: path.components) {
      guard isToldLater(position) else { return position }
      throw PredicateError(
        at: path.column,
        "where '\(excerpt(of: path.text))' leads is told by --link, and known when all records are read",
        remedy: "load all, and use --where with 'export' or 'delete'; or ask for other attributes"
      )
    }
    guard link(named: path.components[0], of: entity) != nil else { throw unknown(path) }
    let names = entity.attributes.filter { !$0.isList }.map { "'\(excerpt(of: $0.name, limit: 40))'" }
    throw PredicateError(
      at: path.column,
      "'\(excerpt(of: path.text))' stands in rows of another entity, which a record of '\(excerpt(of: entity.name))' does "
        + "not give",
      remedy: "ask for what it gives: \(names.prefix(12).joined(separator: ", ")); or load all, and use --where with "
        + "'export' or 'delete'"
    )
  }

  private func position(of names: [String]) -> Int? {
    if let own = own(names) { return own }
    guard names.count > 1, let last = names.last else { return nil }
    // A reference holds the one key of its target: 'label' is what 'label.name' is.
    let way = Array(names.dropLast())
    guard let held = position(of: way), let (link, target) = end(of: way) else { return nil }
    let key = link.targetAttributes.count == 1 ? link.targetAttributes[0] : target.singleKey?.name
    return key.map { isSame($0, last) } ?? false ? held : nil
  }

  /// Whether an attribute gives the key of a target that is told otherwise in this run.
  private func isToldLater(_ position: Int) -> Bool {
    entity.relationships.contains { link in
      entity.attributes(giving: link).contains(position)
        && entity.attributes.contains { attribute in
          if case .link(link.name, _) = attribute.runUse { true } else { false }
        }
    }
  }

  /// The attribute that is named like a path, or gives the part of a key that it leads to.
  private func own(_ names: [String]) -> Int? {
    let name = names.joined(separator: ".")
    let attributes = entity.attributes
    // A list is no value.
    let exact = attributes.firstIndex { attribute in
      !attribute.isList && (attribute.name == name || (names.count > 1 && attribute.keyPath == names))
    }
    if let exact { return exact }
    if let similar = attributes.firstIndex(where: { !$0.isList && isSame($0.name, name) }) { return similar }
    guard names.count == 2, let link = link(named: names[0], of: entity),
      let part = link.targetAttributes.firstIndex(where: { isSame($0, names[1]) }), part < link.attributes.count
    else { return nil }
    return attributes.firstIndex { $0.name == link.attributes[part] }
  }

  /// The last link of a way, and the entity that it leads to.
  private func end(of way: [String]) -> (Relationship, Entity)? {
    var current = entity
    var last: Relationship?
    for name in way {
      guard let link = link(named: name, of: current),
        let target = model.entities.first(where: { $0.name == link.target })
      else { return nil }
      last = link
      current = target
    }
    return last.map { ($0, current) }
  }

  private func link(named name: String, of entity: Entity) -> Relationship? {
    entity.relationships.first { isSame($0.name, name) }
  }

  /// Whether two names differ in the case of ASCII letters at most.
  private func isSame(_ first: String, _ second: String) -> Bool {
    first.utf8.elementsEqual(second.utf8) { first, second in
      first == second || (first | 0x20 == second | 0x20 && (0x61...0x7A).contains(first | 0x20))
    }
  }

  private func unknown(_ path: KeyPath) -> PredicateError {
    let name = path.components[0]
    let names = entity.attributes.map(\.name)
    if names.contains(where: { isSame($0, name) }) {
      return PredicateError(
        at: path.column,
        "'\(excerpt(of: name))' of '\(excerpt(of: entity.name))' is a value, and leads to no other row",
        remedy: "end the path there"
      )
    }
    return PredicateError(
      at: path.column,
      "'\(excerpt(of: entity.name))' has no attribute '\(excerpt(of: name))'",
      remedy: suggestion(for: name, among: names)
        ?? "it has \(names.prefix(12).map { excerpt(of: $0, limit: 40) }.joined(separator: ", ")); texts stand in quotes"
    )
  }
}
