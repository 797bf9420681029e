import EntityModel
import Records
import TextFormat

extension OutlineLayout {
  /// Takes the names of kinds and columns from a model.
  ///
  /// Lines of cells are the records of the one entity that stands in no other, below them those of the one that stands in
  /// it, and so on; their cells are its attributes in their order, without those that the lines above give. A label's
  /// value is the first attribute of the entity's key.
  ///
  /// - Parameter root: The outermost records' entity, if it was told.
  mutating func takeNames(of model: EntityModel, root: String?) {
    let nesting = model.nesting(only: nil)
    let children = nesting.nodes.enumerated().map { position, node in Set(node.children.values).subtracting([position])
    }
    var chain: [Int] = []
    let inner = children.reduce(into: Set<Int>()) { $0.formUnion($1) }
    let outermost = model.entities.indices.filter { position in
      let entity = model.entities[position]
      return root.map { entity.name == $0 } ?? (!entity.isAbstract && !inner.contains(position))
    }
    var next = outermost.count == 1 ? outermost.first : nil
    while let position = next {
      chain.append(position)
      let below = children[position].subtracting(chain)
      next = below.count == 1 ? below.first : nil
    }
    if !chain.isEmpty { levels = chain.map { model.entities[$0].name } }
    for entity in model.entities where !entity.isAbstract {
      let given = Set(entity.relationships.filter(\.isHeldHere).flatMap(\.attributes))
      let own = entity.attributes.filter { attribute in
        attribute.keyPath.isEmpty && !given.contains(attribute.name)
          && !(entity.numbersRows && entity.key == [attribute.name])
      }
      switch style {
      case .cells: columns[entity.name] = own.map(\.name)
      case .labels:
        let label = own.first { entity.key.contains($0.name) } ?? own.first
        columns[entity.name] = label.map { [$0.name] }
        kinds.insert(entity.name)
      }
    }
  }
}
