import Diagnostics
import EntityModel
import Records

/// Rows that are made only since others refer to them.
extension EntityWriter {
  /// Makes the rows that waiting ones refer to; where the table does not allow it, none appears.
  mutating func makeStubs(
    for reference: Reference,
    of parked: ParkedRows,
    where condition: String,
    areObjects: Bool = false
  ) throws(StoreError) {
    guard let target = reference.targetPosition, !reference.places.isEmpty else { return }
    let source = reference.source(parked.table)
    guard reference.isByNumber else {
      let columns = zip(reference.targetNames, reference.values).map { ($0, $1) }
      return try makeStubs(at: target, columns: columns, of: source, where: condition, areObjects: areObjects)
    }
    let objects = areObjects ? reference : nil
    try makeStubs(at: target, parts: reference.values, of: source, where: condition, objects: objects, depth: 1)
  }

  /// Makes the rows that waiting ones refer to by objects, where no row fits and no rejected record is meant.
  mutating func makeTargetsOfObjects(for reference: Reference, of parked: ParkedRows) throws(StoreError) {
    guard parked.referByObjects, mode != .update, let target = reference.targetPosition else { return }
    var conditions = [
      reference.isMissing(others: waitingPlaces(of: reference)), "f.depths IS NOT NULL",
      reference.isByObjects(reference.values, depth: 1),
    ]
    func isLike(_ columns: [String]) -> String {
      zip(columns, reference.values).map { "(\($1) IS NULL OR t.\($0) = \($1))" }.joined(separator: " AND ")
    }
    if reference.isByNumber, hasCandidates.contains(target) {
      let parts = reference.values.indices.map { "p\($0)" }
      conditions.append("NOT EXISTS (SELECT 1 FROM \(Self.candidates(target)) AS t WHERE \(isLike(parts)))")
    }
    if let columns = reference.targetFeedColumns {
      if let lost = tables[target].lost {
        conditions.append("NOT EXISTS (SELECT 1 FROM \(lost.table) AS t WHERE \(isLike(columns)))")
      }
      if let others = tables[target].parked {
        conditions.append("NOT EXISTS (SELECT 1 FROM \(others.table) AS t WHERE t.state = 1 AND \(isLike(columns)))")
      }
    }
    try makeStubs(for: reference, of: parked, where: conditions.joined(separator: " AND "), areObjects: true)
  }

  /// Makes rows that have nothing but a key, and before them what their keys refer to.
  private mutating func makeStubs(
    at position: Int,
    parts: [String],
    of source: String,
    where condition: String,
    objects: Reference?,
    depth: Int
  ) throws(StoreError) {
    let columns = keys.columns(of: tables[position].entity, parts: parts)
    var isWhole = ["1"]
    for column in columns {
      guard let target = column.target, let inner = tables.firstIndex(where: { $0.entity.name == target.name }) else {
        continue
      }
      let isGiven = column.parts.map { "\($0) IS NOT NULL" }.joined(separator: " OR ")
      var innerCondition = "\(condition) AND (\(isGiven))"
      if let objects {
        let conditions = [objects.isByObjects(column.parts, depth: depth + 1)] + isNotRejected(at: inner, column.parts)
        innerCondition += " AND " + conditions.joined(separator: " AND ")
      }
      try makeStubs(
        at: inner,
        parts: column.parts,
        of: source,
        where: innerCondition,
        objects: objects,
        depth: depth + 1
      )
      if objects != nil, !column.isNumber, target.key.count == 1 {
        let place = "main.\(SQLText.identifier(tables[inner].stored.name))"
        let key = SQLText.identifier(target.key[0])
        isWhole.append("(NOT (\(isGiven)) OR EXISTS (SELECT 1 FROM \(place) AS t WHERE t.\(key) = \(column.value)))")
      }
      if column.isNumber { isWhole.append("NOT (\(column.value) IS NULL AND (\(isGiven)))") }
    }
    try makeStubs(
      at: position,
      columns: columns.map { ($0.name, $0.value) },
      of: source,
      where: "\(condition) AND \(isWhole.joined(separator: " AND "))",
      areObjects: objects != nil
    )
  }

  /// The conditions that no rejected record has a key with some parts.
  private func isNotRejected(at position: Int, _ parts: [String]) -> [String] {
    let entity = tables[position].entity
    let columns = keys.paths(of: entity).compactMap { path in
      entity.attributes.firstIndex { path.count == 1 ? $0.name == path[0] : $0.keyPath == path }
    }
    guard columns.count == parts.count else { return [] }
    let isSame = zip(columns, parts).map { "t.c\($0) IS \($1)" }.joined(separator: " AND ")
    let lost = tables[position].lost.map { ["SELECT 1 FROM \($0.table) AS t WHERE \(isSame)"] } ?? []
    let parked =
      tables[position].parked.map { ["SELECT 1 FROM \($0.table) AS t WHERE t.state = 1 AND \(isSame)"] } ?? []
    return (lost + parked).map { "NOT EXISTS (\($0))" }
  }

  private mutating func makeStubs(
    at position: Int,
    columns: [(name: String, value: String)],
    of source: String,
    where condition: String,
    areObjects: Bool
  ) throws(StoreError) {
    let connection = session.connection
    let stored = tables[position].stored
    let insert = """
      INSERT OR IGNORE INTO main.\(SQLText.identifier(stored.name)) \
      (\(SQLText.list(columns.map(\.name)))) SELECT DISTINCT \(columns.map(\.value).joined(separator: ", ")) \
      FROM \(source) WHERE f.state = 0 AND \(condition)
      """
    guard areObjects else {
      try connection.execute(insert)
      tables[position].madeCount += connection.changeCount
      return
    }
    let identity = stored.rowidName.map { [$0] } ?? stored.primaryKey.map(SQLText.identifier)
    let names = identity.indices.map { "i\($0)" }.joined(separator: ", ")
    let made = Self.madeOfObjects(position)
    try connection.execute("CREATE TABLE IF NOT EXISTS \(made) (\(names))")
    hasMadeOfObjects.insert(position)
    let returned = try Statement("\(insert) RETURNING \(identity.joined(separator: ", "))", on: connection)
    let places = identity.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let note = try Statement("INSERT INTO \(made) (\(names)) VALUES (\(places))", on: connection)
    while try returned.step() {
      var text = TextBuffer()
      for index in identity.indices {
        try note.bind(returned.value(index, into: &text), from: text, at: index + 1)
      }
      _ = try note.step()
      note.reset()
      tables[position].madeCount += 1
    }
  }

  /// The table of rows that were made for objects which refer to them, as it stands in SQL.
  private static func madeOfObjects(_ position: Int) -> String { "temp.importer_objects_\(position)" }

  /// The conditions that a stored row `t` was made by this run on the way to others.
  func conditionsOfMade(at position: Int) -> [String] {
    var conditions = ways.tables[position].map { [$0.isMade] } ?? []
    guard hasMadeOfObjects.contains(position) else { return conditions }
    let stored = tables[position].stored
    let identity = stored.rowidName.map { [$0] } ?? stored.primaryKey.map(SQLText.identifier)
    let own = identity.map { "t.\($0)" }.joined(separator: ", ")
    let names = identity.indices.map { "i\($0)" }.joined(separator: ", ")
    conditions.append("(\(own)) IN (SELECT \(names) FROM \(Self.madeOfObjects(position)))")
    return conditions
  }
}
