import EntityModel
import Records

/// Objects and elements that give nothing but a key: what they refer to is made where it is nowhere to be found, other than
/// what plain keys and dotted names refer to.
///
/// ```text
/// {"artist": {"name": "Mira Tal"}}   is made      {"artist": "Mira Tal"}   must be there
/// ```
extension RecordValidator {
  /// Finds the attributes that columns which are parts of objects give.
  func findObjects(of route: inout Route, entity: Int, in shape: RecordShape) {
    route.objects = objects(of: entity, among: route.cells, starts: [""], alternatives: route.alternatives, in: shape)
    for way in route.listWays {
      for pair in way.values {
        let cell = way.cells[pair.enclosing]
        let found = depths(of: cell, giving: pair.own, of: entity, starts: [""], route.alternatives, in: shape)
        if !found.isEmpty { route.objects[pair.own, default: []] += found }
      }
    }
    func addObjects(to ways: inout [WayRoute]) {
      for index in ways.indices {
        ways[index].objects = objects(
          of: ways[index].entity,
          among: ways[index].cells,
          starts: ways[index].starts,
          alternatives: route.alternatives,
          in: shape
        )
      }
    }
    addObjects(to: &route.ways)
    addObjects(to: &route.listWays)
  }

  private func objects(
    of entity: Int,
    among cells: [Cell],
    starts: [String],
    alternatives: [Int],
    in shape: RecordShape
  ) -> [Int: [(column: Int, depth: UInt8)]] {
    var objects: [Int: [(column: Int, depth: UInt8)]] = [:]
    for (position, cell) in cells.enumerated() {
      let found = depths(of: cell, giving: position, of: entity, starts: starts, alternatives, in: shape)
      if !found.isEmpty { objects[position] = found }
    }
    return objects
  }

  /// The columns of a cell that are parts of objects which stand for what a link leads to.
  private func depths(
    of cell: Cell,
    giving attribute: Int,
    of entity: Int,
    starts: [String],
    _ alternatives: [Int],
    in shape: RecordShape
  ) -> [(column: Int, depth: UInt8)] {
    let columns = cell.column < 0 ? [] : [cell.column] + alternatives[cell.alternatives]
    let parts = columns.filter { shape.objectLengths[$0] != nil && plan.mappings[shape.columns[$0]] == nil }
    guard !parts.isEmpty else { return [] }
    let names = linkNames(ofAttribute: attribute, of: entity).flatMap { name in starts.map { $0 + name } }
    return parts.compactMap { column in
      let name = lowercasedASCII(shape.columns[column])
      let length = shape.objectLengths[column] ?? 0
      // A list of keys may stand in a wrapper.
      guard !names.contains(name),
        let start = names.first(where: { name.hasPrefix($0 + ".") && $0.utf8.count <= length })
      else { return nil }
      let inner = name.utf8.prefix(length).dropFirst(start.utf8.count)
      return (column, UInt8(clamping: 1 + inner.count { $0 == UInt8(ascii: ".") }))
    }
  }

  /// What files call the link whose target's key an attribute gives, in lower case, the longest name first.
  private func linkNames(ofAttribute position: Int, of entity: Int) -> [String] {
    let own = plan.entities[entity]
    let attribute = own.attributes[position]
    guard attribute.runUse == nil else { return [] }
    var names: [String] = []
    for link in own.relationships {
      let isGiven =
        link.attributes.isEmpty
        ? attribute.keyPath.first == link.name : link.attributes.contains(attribute.name)
      guard isGiven else { continue }
      names += [link.name] + link.sourceNames
      if link.isToMany { names += EntityModel(entities: plan.entities).elementNames(of: link, in: own) }
      if attribute.isList {
        names += attribute.sourceNames.filter { !$0.hasSuffix(".\(attribute.keyPath.last ?? "")") }
      }
    }
    return Set(names.map(lowercasedASCII)).sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
  }

  /// Notes how deep in objects a record gives each of a row's values.
  ///
  /// - Returns: Where that begins in the batch; -1 if it gives none so.
  func depths(
    of objects: [Int: [(column: Int, depth: UInt8)]],
    count: Int,
    in batch: borrowing RecordBatch,
    record: Int,
    to rows: inout ValueBatch
  ) -> Int32 {
    var start: Int32 = -1
    for (attribute, columns) in objects {
      for (column, depth) in columns where !batch.field(column, of: record).isAbsent {
        if start < 0 {
          start = Int32(truncatingIfNeeded: rows.objectDepths.count)
          rows.objectDepths += [UInt8](repeating: 0, count: count)
        }
        rows.objectDepths[Int(start) + attribute] = depth
        break
      }
    }
    return start
  }
}
