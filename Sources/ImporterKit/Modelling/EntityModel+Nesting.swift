import EntityModel
import Records
import Reporting

extension EntityModel {
  /// The entity that a file is named like: `T.U.csv` holds `T.U` where there is such an entity, else `T`.
  func entity(ofPath path: String) -> Entity? {
    var name = FilePath.lastComponent(of: RejectionNames.original(of: path))[...]
    while let dot = name.lastIndex(of: ".") {
      name = name[..<dot]
      if name.contains("."), let entity = entity(named: String(name)) { return entity }
    }
    return entity(ofFile: FilePath.subject(of: path))
  }

  /// The entity that a file's name stands for: its own, or in the plural that of a relationship or one with an s.
  func entity(ofFile stem: String) -> Entity? {
    if let entity = entity(named: stem) { return entity }
    let name = lowercasedASCII(stem)
    let targets = entities.flatMap(\.relationships).filter { $0.isToMany && lowercasedASCII($0.name) == name }.map(
      \.target
    )
    let found = entities.filter { entity in
      !entity.isAbstract && (targets.contains(entity.name) || lowercasedASCII(entity.name) + "s" == name)
    }
    return found.count == 1 ? found[0] : nil
  }

  /// Which parts of records are records, as the relationships have it: a node for each entity, by position.
  ///
  /// Within a record of an entity stand those of the entities that refer to it, under their entity's name or that of the
  /// relationship that holds them; under the latter also as a wrapper around elements of the entity's name.
  ///
  /// - Parameter only: The entity of all records that stand in no other, if one was told.
  func nesting(only: String?) -> RecordNesting {
    var nesting = RecordNesting()
    nesting.nodes = entities.map { _ in RecordNesting.Node() }
    nesting.isOfModel = true
    // Who leads to each entity, by its name, and by which relationships.
    var leading: [String: [(node: Int, links: [Relationship])]] = [:]
    for (node, entity) in entities.enumerated() where !entity.isAbstract && entity.joinedRelationship == nil {
      let links = entity.relationships.filter { $0.isHeldHere && entity.isGiven($0) }
      for (name, links) in Dictionary(grouping: links, by: \.target) {
        leading[name, default: []].append((node, links))
      }
    }
    for (position, entity) in entities.enumerated() {
      let taken = Set(entity.attributes.filter { $0.runUse != .childKeys }.map { lowercasedASCII($0.name) })
      let holdersByTarget = Dictionary(grouping: entity.relationships.filter { !$0.isHeldHere }, by: \.target)
      for (node, links) in leading[entity.name] ?? [] {
        let target = entities[node]
        let holders = (holdersByTarget[target.name] ?? []).filter { holder in
          links.contains { holder.inverse == nil ? links.count == 1 : $0.name == holder.inverse }
        }
        let element = lowercasedASCII(target.name)
        if links.count == 1 || holders.count == 1, !taken.contains(element) {
          nesting.nodes[position].children[element] = node
        }
        for name in holders.flatMap({ [$0.name] + $0.sourceNames }).map(lowercasedASCII) where !taken.contains(name) {
          nesting.nodes[position].children[name] = node
          guard name != element else { continue }
          nesting.nodes[position].wrappers[name] = [element: node]
          if links.count > 1 { nesting.nodes[position].tellingWrappers.insert(name) }
        }
      }
      if !entity.isAbstract { nesting.roots[lowercasedASCII(entity.name)] = position }
    }
    if let only, let position = entities.firstIndex(where: { $0.name == only }) { nesting.roots[""] = position }
    return nesting
  }

  /// The entities whose records may stand within those of some entities, directly or within others; without themselves.
  func nested(in names: [String]) -> [Entity] {
    let nesting = nesting(only: nil)
    var known = Set(entities.indices.filter { names.contains(entities[$0].name) })
    var pending = Array(known)
    while let position = pending.popLast() {
      for child in nesting.nodes[position].children.values where known.insert(child).inserted { pending.append(child) }
    }
    return known.sorted().map { entities[$0] }.filter { !names.contains($0.name) }
  }
}

extension RecordNesting {
  /// The nesting that a document shows, without what a model knows to be lists of values of its entities.
  func withoutLists(of model: EntityModel?) -> RecordNesting {
    guard let model else { return self }
    var nesting = self
    for (name, node) in roots {
      for attribute in model.entity(named: name)?.attributes ?? [] where attribute.isList {
        for name in ([attribute.name] + attribute.sourceNames).map(lowercasedASCII) {
          let first = name.split(separator: ".").first.map(String.init) ?? name
          for name in [name, first] {
            nesting.nodes[node].children[name] = nil
            nesting.nodes[node].wrappers[name] = nil
          }
        }
      }
    }
    return nesting
  }
}
