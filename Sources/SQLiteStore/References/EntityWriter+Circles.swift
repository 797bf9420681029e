import Diagnostics
import EntityModel
import Records

/// Writes rows that refer to one another in a circle, which no order of writing makes whole.
///
/// Keys that are values need nothing for it: SQLite looks at them at the commit. A number that stands for a key must be
/// known before the row that it numbers is written, so the waiting rows are given theirs first.
extension EntityWriter {
  /// Writes all new rows that still wait, in the order of the input; what turns out to refer to a refused row goes again.
  ///
  /// A row that is there already waits on: others can refer to it as it is, and it changes once they are written.
  mutating func writeTogether(_ round: Int, _ reject: (ParkedRejection) throws -> Void) throws {
    let numbered = try numberWaiting()
    keepsLists = true
    let before = parkedCount
    for position in tables.indices { try writeSingly(position, where: isNew(position), round: round, reject) }
    if parkedCount == before {
      for position in tables.indices { try writeSingly(position, where: "1", round: round, reject) }
    }
    let hasTakenBack = try takeBackOrphans(round)
    // From now on only rows that are there have numbers.
    for numbers in numbered { try session.connection.execute("DELETE FROM \(numbers.table)") }
    try addKeptPairs()
    if hasTakenBack { try dropLostPairs() }
  }

  /// The condition that a waiting row `f` is the first of its key, and that no row of the table has the key.
  private func isNew(_ position: Int) -> String {
    guard mode.findsRows, let finder = tables[position].finder else { return "1" }
    let name = SQLText.identifier(tables[position].stored.name)
    let places = session.isTransaction ? ["main"] : ["main", "target"]
    let isThere = places.map { " AND NOT EXISTS (SELECT 1 FROM \($0).\(name) AS t WHERE \(finder.condition))" }
    return "1" + tables[position].isFirstOfItsKey + isThere.joined()
  }

  /// Deletes rows that were written before what they refer to, if that was refused then; they are rejected.
  ///
  /// - Returns: Whether there were any.
  private mutating func takeBackOrphans(_ round: Int) throws(StoreError) -> Bool {
    var hasTakenBack = false
    var hasChanged: Bool
    repeat {
      hasChanged = false
      for position in tables.indices {
        guard let parked = tables[position].parked else { continue }
        for (cause, reference) in tables[position].references.enumerated() {
          for written in try parked.written(where: "state = 2 AND \(reference.isDangling())") {
            guard try takeBack(written, of: position) else { throw irrevocable(written, of: parked) }
            try parked.takeBack(written.number, cause: cause, round: round)
            hasChanged = true
          }
        }
      }
      hasTakenBack = hasTakenBack || hasChanged
    } while hasChanged
    return hasTakenBack
  }

  /// Gives the waiting rows of numbered entities that may stand in a circle the numbers that they will have.
  ///
  /// - Returns: Where they are kept.
  private mutating func numberWaiting() throws(StoreError) -> [AssignedNumbers] {
    var seen: Set<Int> = []
    for position in tables.indices { try numberWaiting(position, &seen) }
    var numbered: [AssignedNumbers] = []
    for position in tables.indices {
      guard let numbers = assignedNumbers(of: position) else { continue }
      try tables[position].useNumbers(numbers, session: session)
      numbered.append(numbers)
    }
    return numbered
  }

  /// Numbers one entity's rows, after those that its key leads to.
  private func numberWaiting(_ position: Int, _ numbered: inout Set<Int>) throws(StoreError) {
    guard numbered.insert(position).inserted else { return }
    let entity = tables[position].entity
    for link in entity.relationships where entity.key.contains(link.name) && link.isHeldHere {
      guard let target = tables.firstIndex(where: { $0.entity.name == link.target }) else { continue }
      try numberWaiting(target, &numbered)
    }
    guard let parked = tables[position].parked, parked.waitingCount > 0, let numbers = assignedNumbers(of: position)
    else { return }
    let first = try nextNumber(of: position)
    let names = numbers.key.map { SQLText.identifier($0.name) }
    try session.connection.execute(
      """
      INSERT INTO \(numbers.table) (\((numbers.identifier + names).joined(separator: ", ")))
      SELECT \(first) + row_number() OVER (ORDER BY n) - 1, \(names.joined(separator: ", ")) FROM (
      SELECT min(n) AS n, \(zip(numbers.key, names).map { "\($0.expression) AS \($1)" }.joined(separator: ", "))
      FROM \(parked.table) AS f WHERE state = 0 GROUP BY \(names.indices.map { String($0 + 2) }.joined(separator: ", ")))
      """
    )
  }

  /// Where the numbers of an entity's waiting rows are kept; nil where none are needed.
  private func assignedNumbers(of position: Int) -> AssignedNumbers? {
    let entity = tables[position].entity
    guard keys.isNumberedAhead(entity), let surrogate = entity.surrogate else { return nil }
    let columns = entity.key.compactMap { name in tables[position].columns.first { $0.name == name } }
    guard columns.count == entity.key.count else { return nil }
    return AssignedNumbers(table: AssignedNumbers.table(of: entity), surrogate: surrogate, key: columns)
  }
}

/// The numbers that waiting rows of one entity will have, found by their keys.
struct AssignedNumbers {
  /// The table's name in SQL; it has the columns of the entity's table that hold number and key.
  let table: String
  /// The column of the number.
  let surrogate: String
  /// What a row gives the columns of its key.
  let key: [WrittenColumn]

  /// The column of the number, as SQL.
  var identifier: [String] { [SQLText.identifier(surrogate)] }

  /// The table of an entity's numbers.
  static func table(of entity: Entity) -> String {
    "temp." + SQLText.identifier("importer_numbers_" + entity.name)
  }

  /// Makes the table, empty.
  static func create(for entity: Entity, on connection: Connection) throws(StoreError) {
    guard let surrogate = entity.surrogate else { return }
    try connection.execute(
      """
      CREATE TABLE \(table(of: entity))
      (\(SQLText.identifier(surrogate)) INTEGER PRIMARY KEY, \(SQLText.list(entity.key)));
      CREATE INDEX temp.\(SQLText.identifier("importer_numbers_of_" + entity.name))
      ON \(SQLText.identifier("importer_numbers_" + entity.name)) (\(SQLText.list(entity.key)))
      """
    )
  }

  /// The number of a row `f`; one that is free where its own is taken by a row of the same key.
  func number(in stored: StoredTable) -> String {
    let name = SQLText.identifier(surrogate)
    let main = "main.\(SQLText.identifier(stored.name))"
    let isSame = key.map { "k.\(SQLText.identifier($0.name)) IS \($0.expression)" }.joined(separator: " AND ")
    return """
      coalesce((SELECT k.\(name) FROM \(table) AS k WHERE \(isSame) AND NOT EXISTS \
      (SELECT 1 FROM \(main) AS m WHERE m.\(name) = k.\(name))), \
      (SELECT 1 + max(n) FROM (SELECT max(\(name)) AS n FROM \(main) UNION ALL SELECT max(\(name)) FROM \(table))))
      """
  }
}
