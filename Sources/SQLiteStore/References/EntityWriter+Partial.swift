import Diagnostics
import EntityModel
import Records

/// References that give some parts of a key only: by its name alone, an artist whose key is label and name.
///
/// Such a reference is resolved after the last input, when all candidates are known, so that the order of the files does
/// not matter: to the only row that has the parts which are given.
extension EntityWriter {
  /// Fills in the missing parts of references that fit one row alone.
  mutating func completePartial() throws(StoreError) {
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for position in tables.indices {
        guard let parked = tables[position].parked, parked.waitingCount > 0 else { continue }
        for reference in tables[position].references where reference.isByNumber && reference.values.count > 1 {
          if try complete(reference, of: parked) { hasChanged = true }
        }
      }
    }
  }

  /// - Returns: Whether a reference was completed.
  private mutating func complete(_ reference: Reference, of parked: ParkedRows) throws(StoreError) -> Bool {
    let condition = "f.state = 0 AND \(reference.isMissing(others: waitingPlaces(of: reference)))"
    let patterns = try partialPatterns(of: reference, in: parked, where: condition)
    guard !patterns.isEmpty, let target = reference.targetPosition else { return false }
    try collectCandidates(at: target, for: reference)
    let columns = reference.attributes.compactMap { $0 }.map { "c\($0)" }
    var changedCount: Int64 = 0
    for pattern in patterns where reference.items != nil {
      changedCount += try completeLists(reference, pattern, at: target, of: parked, where: condition)
    }
    for pattern in patterns where reference.items == nil {
      let source = "\(Self.candidates(target)) AS k WHERE \(Self.match(reference, pattern))"
      let parts = reference.values.indices.map { "k.p\($0)" }.joined(separator: ", ")
      let isThis = zip(reference.values, pattern).map { "\($0) IS \($1 ? "NOT " : "")NULL" }
      try session.connection.execute(
        """
        UPDATE \(parked.table) AS f SET (\(columns.joined(separator: ", "))) = (SELECT \(parts) FROM \(source))
        WHERE \(condition) AND \(isThis.joined(separator: " AND "))
        AND (SELECT count(*) FROM (SELECT 1 FROM \(source) LIMIT 2)) = 1
        """
      )
      changedCount += session.connection.changeCount
    }
    return changedCount > 0
  }

  /// Fills in the missing parts of items that give the same parts and fit one row alone.
  private func completeLists(
    _ reference: Reference,
    _ pattern: [Bool],
    at target: Int,
    of parked: ParkedRows,
    where condition: String
  ) throws(StoreError) -> Int64 {
    guard let items = reference.items else { return 0 }
    let source = "\(Self.candidates(target)) AS k WHERE \(Self.match(reference, pattern))"
    let isThis = zip(reference.values, pattern).map { "\($0) IS \($1 ? "NOT " : "")NULL" }
    let isMeant =
      "\(condition) AND \(isThis.joined(separator: " AND ")) AND (SELECT count(*) FROM (SELECT 1 FROM \(source) LIMIT 2)) = 1"
    let lists = reference.values.enumerated().map { index, value in
      "(SELECT json_group_array(v) FROM (SELECT CASE WHEN \(isMeant) THEN (SELECT k.p\(index) FROM \(source)) "
        + "ELSE \(value) END AS v FROM \(items) AS e ORDER BY e.key LIMIT -1))"
    }
    let columns = reference.attributes.compactMap { $0 }.map { "c\($0)" }
    try session.connection.execute(
      """
      UPDATE \(parked.table) AS f SET (\(columns.joined(separator: ", "))) = (SELECT \(lists.joined(separator: ", ")))
      WHERE f.state = 0 AND EXISTS (SELECT 1 FROM \(items) AS e WHERE \(isMeant))
      """
    )
    return session.connection.changeCount
  }

  /// Which parts the references of some rows give, where they do not give all of them.
  private func partialPatterns(
    of reference: Reference,
    in parked: ParkedRows,
    where condition: String
  ) throws(StoreError) -> [[Bool]] {
    let given = reference.values.map { "\($0) IS NOT NULL" }
    let list = try Statement(
      """
      SELECT DISTINCT \(given.joined(separator: ", ")) FROM \(reference.source(parked.table))
      WHERE \(condition) AND NOT (\(given.joined(separator: " AND ")))
      """,
      on: session.connection
    )
    var patterns: [[Bool]] = []
    while try list.step() { patterns.append(given.indices.map { list.integer($0) != 0 }) }
    return patterns
  }

  static func candidates(_ target: Int) -> String { "temp.importer_candidates_\(target)" }

  private static func match(_ reference: Reference, _ pattern: [Bool]) -> String {
    let parts = zip(reference.values, pattern).enumerated().filter(\.element.1)
    return parts.map { "k.p\($0.offset) = \($0.element.0)" }.joined(separator: " AND ")
  }

  /// Collects the keys of a target's stored and waiting rows.
  private mutating func collectCandidates(at position: Int, for reference: Reference) throws(StoreError) {
    let connection = session.connection
    let names = reference.values.indices.map { "p\($0)" }
    let number = tables[position].entity.surrogate.map { "t." + SQLText.identifier($0) } ?? "0"
    let parts = keys.parts(of: tables[position].entity, alias: "t").joined(separator: ", ")
    var sources = reference.places.map { "SELECT \(number), \(parts) FROM \($0) AS t" }
    if let parked = tables[position].parked, let columns = reference.targetFeedColumns {
      sources.append("SELECT -n, \(columns.joined(separator: ", ")) FROM \(parked.table) WHERE state = 0")
    }
    let table = Self.candidates(position)
    let list = names.joined(separator: ", ")
    try connection.execute("DROP TABLE IF EXISTS \(table); CREATE TABLE \(table) (id, \(list))")
    hasCandidates.insert(position)
    guard !sources.isEmpty else { return }
    try connection.execute("INSERT INTO \(table) \(sources.joined(separator: " UNION "))")
    // Of two rows with one whole key only one can stay; with a part that is NULL they are two.
    try connection.execute(
      """
      DELETE FROM \(table) WHERE \(names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")) AND rowid NOT IN
      (SELECT min(rowid) FROM \(table) GROUP BY \(names.joined(separator: ", ")))
      """
    )
    if mode.findsRows {
      // Rows are found by such keys too, so that one which waits will be the one that is there.
      let hasGap = names.map { "\($0) IS NULL" }.joined(separator: " OR ")
      try connection.execute(
        """
        DELETE FROM \(table) WHERE rowid IN (SELECT n FROM (SELECT rowid AS n, id, row_number() OVER
        (PARTITION BY \(names.joined(separator: ", ")) ORDER BY id <= 0, rowid) AS place FROM \(table) WHERE \(hasGap))
        WHERE place > 1 AND id < 0)
        """
      )
    }
    for name in names {
      try connection.execute(
        "CREATE INDEX temp.importer_candidates_\(position)_\(name) ON importer_candidates_\(position) (\(name))"
      )
    }
  }

  /// The keys that a row's reference may mean, some of them at most; none unless there are several.
  func ambiguities(
    of number: Int64,
    item: Int64?,
    in parked: ParkedRows,
    _ reference: Reference
  ) throws(StoreError) -> [String] {
    guard let target = reference.targetPosition, reference.isByNumber, hasCandidates.contains(target) else { return [] }
    guard let pattern = try partialPatterns(of: reference, in: parked, where: reference.isRow(number, item: item)).first
    else {
      return []
    }
    let parts = reference.values.indices.map { "k.p\($0)" }.joined(separator: ", ")
    let list = try Statement(
      """
      SELECT \(parts) FROM \(reference.source(parked.table)), \(Self.candidates(target)) AS k
      WHERE \(reference.isRow(number, item: item)) AND \(Self.match(reference, pattern)) ORDER BY \(parts) LIMIT 4
      """,
      on: session.connection
    )
    var found: [String] = []
    while try list.step() {
      let pairs = reference.targetNames.enumerated().map { index, name in
        "\(excerpt(of: name))='\(list.text(index).map { excerpt(of: $0, limit: 40) } ?? "NULL")'"
      }
      found.append(pairs.joined(separator: ", "))
    }
    return found.count > 1 ? found : []
  }
}
