import EntityModel

/// A to-many relationship whose pairs are rows of a join table, and the attributes that give it as lists.
struct EntityList {
  let link: Relationship
  /// Positions of the attributes, one for each part of the target's key.
  let parts: [Int]
  /// The ways from the target to the parts.
  let paths: [[String]]

  /// What takes the lists of a row `f` apart, one key of the target a row.
  var items: String { items { "f.c\($0)" } }

  /// The same, for what an attribute is called elsewhere.
  func items(_ part: (Int) -> String) -> String {
    parts.count == 1
      ? "json_each(\(part(parts[0])))"
      : "json_each(importer_items(\(parts.map(part).joined(separator: ", "))))"
  }

  /// The parts of the key that an item `e` gives.
  var values: [String] { parts.count == 1 ? ["e.value"] : parts.indices.map { "(e.value ->> \($0))" } }
}

extension Entity {
  /// The relationships whose pairs attributes of it give as lists.
  var lists: [EntityList] { lists { $0 == nil } }

  /// The relationships whose rows at the other end, which refer back, attributes of it give as lists.
  var childLists: [EntityList] { lists { $0 == .childKeys } }

  private func lists(_ isWanted: (Attribute.RunUse?) -> Bool) -> [EntityList] {
    guard hasLists else { return [] }
    return relationships.compactMap { link in
      let parts = attributes.indices.filter {
        attributes[$0].isList && attributes[$0].keyPath.first == link.name && isWanted(attributes[$0].runUse)
      }
      guard !parts.isEmpty else { return nil }
      return EntityList(link: link, parts: parts, paths: parts.map { Array(attributes[$0].keyPath.dropFirst()) })
    }
  }
}
