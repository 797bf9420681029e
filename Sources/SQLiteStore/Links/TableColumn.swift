import EntityModel

/// A column of an entity's table, and the attributes of a row that give it.
struct TableColumn {
  /// What fills a column.
  enum Source {
    /// The attribute at this position.
    case attribute(Int)
    /// The number of what a relationship leads to, found by the parts of its key: attributes, in the key's order.
    indirect case number(Relationship, parts: [Int])
  }

  let name: String
  let source: Source

  /// Whether it holds the number of a row.
  var isNumber: Bool {
    if case .number = source { true } else { false }
  }

  /// The positions of the attributes that give it.
  var parts: [Int] {
    switch source {
    case .attribute(let position): [position]
    case .number(_, let parts): parts
    }
  }
}

extension Entity {
  /// The columns of its table but the one that numbers its rows, each at the place of the first attribute that gives it.
  var tableColumns: [TableColumn] {
    var columns: [TableColumn] = []
    for (position, attribute) in attributes.enumerated() where !attribute.isList && attribute.runUse == nil {
      guard let name = attribute.keyPath.first else {
        columns.append(TableColumn(name: attribute.name, source: .attribute(position)))
        continue
      }
      guard !columns.contains(where: { $0.name == name }), let link = relationships.first(where: { $0.name == name })
      else { continue }
      let parts = attributes.indices.filter { attributes[$0].keyPath.first == name }
      columns.append(TableColumn(name: name, source: .number(link, parts: parts)))
    }
    return columns
  }

  /// The column of that name in SQLite's sense.
  func tableColumn(named name: String) -> TableColumn? {
    tableColumns.first { SQLText.isSameName($0.name, name) }
  }

  /// The position of the attribute that is a column of that name.
  func position(ofColumn column: String) -> Int? {
    attributes.firstIndex { $0.keyPath.isEmpty && $0.runUse == nil && SQLText.isSameName($0.name, column) }
  }
}
