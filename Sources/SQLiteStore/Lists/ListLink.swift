import CSQLite
import Diagnostics
import EntityModel
import Records

/// Writes the pairs that rows of an entity give as a list.
final class ListLink {
  let list: EntityList
  /// The join table among the run's.
  let join: Int
  /// The condition that a stored row has other pairs than a row gives.
  ///
  /// - Parameters:
  ///   - row: The stored row's alias.
  ///   - part: What an attribute of the other row is called.
  func differs(row: String, _ part: (Int) -> String) -> String {
    let far = SQLText.identifier(ends.far.name)
    let own = "\(row).\(SQLText.identifier(nearColumn))"
    let there = """
      SELECT group_concat(quote(v)) FROM (SELECT j.\(far) AS v FROM \(table) AS j \
      WHERE j.\(SQLText.identifier(ends.near.name)) IS \(own) ORDER BY \(place == nil ? "v" : order) LIMIT -1)
      """
    let given = """
      SELECT group_concat(quote(v)) FROM (SELECT \(place == nil ? "DISTINCT " : "")\(self.stored(target)) AS v \
      FROM \(list.items(part)) AS e ORDER BY \(place == nil ? "v" : "e.key") LIMIT -1)
      """
    return "((\(there)) IS NOT (\(given)))"
  }

  let ends: (near: Relationship, far: Relationship)
  /// The column of the row by which its pairs name it.
  let nearColumn: String
  /// The columns of the join table that hold places.
  var placeColumns: [String] { places.map(\.column) }
  /// What a row `f` is named by in its pairs.
  private let near: String
  /// What an item `e` is named by.
  private let target: String
  /// The key of the item's row as it is stored, of what it is named by.
  private let stored: (String) -> String
  /// The column of the pair's place among those of the row.
  private let place: String?
  private let order: String
  /// What fills the columns of the join table but the ends, and the row of which each is the place of a pair.
  private let places: [(column: String, value: String)]
  let table: String
  private let feedName: String
  private let width: Int
  private let number: Int
  let connection: Connection
  /// Whether the pairs of one row must be written before the next row's.
  let goesSingly: Bool
  /// What records say of the pairs at this end, where lists at the other end may say something else.
  private(set) var said: SaidPairs?
  private let isForward: Bool
  private let insert: Statement
  private var removal: Statement?
  private var arrangement: Statement?
  private var waiting: (add: Statement, count: Int64)?

  /// - Parameters:
  ///   - list: One of the entity's.
  ///   - join: Position of the join table among the run's entities.
  ///   - columns: What rows of the entity fill.
  init(
    _ list: EntityList,
    of entity: Entity,
    at position: Int,
    join: (position: Int, entity: Entity, isForward: Bool),
    columns: [WrittenColumn],
    keys: KeySQL,
    feed: String,
    on connection: Connection
  ) throws(StoreError) {
    guard let ends = join.entity.pairEnds(isForward: join.isForward), let other = keys.entity(named: list.link.target)
    else { throw .unexpected(path: connection.path, reason: "a join table without ends") }
    self.list = list
    self.join = join.position
    isForward = join.isForward
    self.ends = ends
    self.connection = connection
    feedName = feed
    width = entity.attributes.count
    number = position * 1000 + (list.parts.first ?? 0)
    table = "main.\(SQLText.identifier(join.entity.name))"
    nearColumn = keys.pairColumn(of: entity, by: ends.near)
    let isNumbered = entity.surrogate != nil && ends.near.targetAttributes.isEmpty
    near =
      isNumbered
      ? keys.number(of: entity, parts: keys.feedParts(of: entity))
      : columns.first { SQLText.isSameName($0.name, keys.pairColumn(of: entity, by: ends.near)) }?.expression ?? "NULL"
    let values = list.values
    target =
      other.surrogate != nil && ends.far.targetAttributes.isEmpty ? keys.number(of: other, parts: values) : values[0]
    let farColumn = SQLText.identifier(keys.pairColumn(of: other, by: ends.far))
    let isByNumber = other.surrogate != nil && ends.far.targetAttributes.isEmpty
    let found = keys.places(of: other).map { "(SELECT s.\(farColumn) FROM \($0) AS s WHERE s.\(farColumn) = %)" }
    let pattern = found.count > 1 ? "coalesce(\(found.joined(separator: ", ")))" : found.first ?? "%"
    // As it stands in the table, so that it compares with what stands in the pairs.
    stored = { isByNumber ? $0 : pattern.replacing("%", with: $0) }
    order = keys.pairOrder(of: join.entity, isForward: join.isForward)
    let own = join.isForward ? EntityModel.place : EntityModel.inversePlace
    let ordered = join.entity.attributes.filter { $0.positionWithin != nil }.map(\.name)
    place = ordered.contains(own) ? own : nil
    let (table, target) = (table, target)
    places = ordered.map { column in
      guard column != own else { return (column, "e.key + 1") }
      let name = SQLText.identifier(column)
      let far = SQLText.identifier(ends.far.name)
      return (column, "(SELECT coalesce(max(p.\(name)), 0) + 1 FROM \(table) AS p WHERE p.\(far) = \(target))")
    }
    goesSingly = ordered.contains { $0 != own }
    let names = [ends.near.name, ends.far.name] + places.map(\.column)
    let taken = [near, target] + places.map(\.value)
    insert = try Statement(
      """
      INSERT INTO \(table) (\(SQLText.list(names))) SELECT \(taken.joined(separator: ", "))
      FROM \(feed) AS f CROSS JOIN \(list.items) AS e WHERE 1
      ON CONFLICT (source, target) DO NOTHING
      """,
      on: connection
    )
  }

  /// From now on notes what records say, since lists at the other end may say something else.
  func noteSaid() throws(StoreError) {
    said = try SaidPairs(
      list,
      join: join,
      isForward: isForward,
      near: near,
      far: stored(target),
      feed: feedName,
      on: connection
    )
  }

  /// What became of pairs.
  struct Change {
    var made: Int64 = 0
    var deleted: Int64 = 0
  }

  /// Adds the pairs of rows that have been inserted.
  func add(
    _ range: Range<Int>,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    feed: RowFeed
  ) throws(StoreError) -> Int64 {
    guard range.contains(where: { givesSome($0, of: rows) }) else { return 0 }
    guard goesSingly, range.count > 1 else { return try run(insert, range, of: rows, text: text, feed: feed) }
    var count: Int64 = 0
    for row in range { count += try run(insert, row..<row + 1, of: rows, text: text, feed: feed) }
    return count
  }

  /// Lets a row that is there have the pairs of a row of the feed and no others.
  func replace(
    _ row: Int,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    feed: RowFeed
  ) throws(StoreError) -> Change {
    if removal == nil { removal = try Statement(removalSQL, on: connection) }
    guard let removal else { return Change() }
    var change = Change()
    change.deleted = try run(removal, row..<row + 1, of: rows, text: text, feed: feed)
    change.made = try run(insert, row..<row + 1, of: rows, text: text, feed: feed)
    guard let place else { return change }
    if arrangement == nil { arrangement = try Statement(arrangementSQL(place), on: connection) }
    guard let arrangement else { return change }
    _ = try run(arrangement, row..<row + 1, of: rows, text: text, feed: feed)
    return change
  }

  private var removalSQL: String {
    """
    DELETE FROM \(table) AS j WHERE j.\(SQLText.identifier(ends.near.name)) = (SELECT \(near) FROM \(feedName) AS f)
    AND j.\(SQLText.identifier(ends.far.name)) NOT IN (
      SELECT \(stored(target)) FROM \(feedName) AS f CROSS JOIN \(list.items) AS e WHERE \(stored(target)) IS NOT NULL)
    \(said.map { "AND NOT \($0.isSaidElsewhere)" } ?? "")
    """
  }

  private func arrangementSQL(_ place: String) -> String {
    let name = SQLText.identifier(place)
    return """
      UPDATE \(table) AS j SET \(name) = g.place
      FROM (SELECT \(near) AS near, \(stored(target)) AS far, e.key + 1 AS place
        FROM \(feedName) AS f CROSS JOIN \(list.items) AS e LIMIT -1) AS g
      WHERE j.\(SQLText.identifier(ends.near.name)) = g.near AND j.\(SQLText.identifier(ends.far.name)) = g.far
      AND j.\(name) IS NOT g.place
      """
  }

  private func givesSome(_ row: Int, of rows: borrowing ValueBatch) -> Bool {
    let start = Int(rows.rows[row].valueStart)
    return list.parts.contains { !rows.values[start + $0].isMissing }
  }

  /// - Returns: How many rows of the join table the statement has changed.
  private func run(
    _ statement: Statement,
    _ range: Range<Int>,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    feed: RowFeed
  ) throws(StoreError) -> Int64 {
    let code = feed.run(statement, over: range, of: rows, text: text)
    guard code == SQLITE_DONE else { throw connection.failure(code) }
    return connection.changeCount
  }

  // MARK: Rows in a circle

  /// Keeps a row's list until all rows are there.
  func keep(_ row: Int, of rows: borrowing ValueBatch, text: borrowing TextBuffer, feed: RowFeed) throws(StoreError) {
    guard givesSome(row, of: rows) else { return }
    if waiting == nil {
      let columns = (0..<width).map { "c\($0)" }.joined(separator: ", ")
      try connection.execute("CREATE TABLE \(keptTable) (\(columns))")
      waiting = (
        try Statement("INSERT INTO \(keptTable) SELECT \(columns) FROM \(feedName)", on: connection), 0
      )
    }
    guard let add = waiting?.add else { return }
    _ = try run(add, row..<row + 1, of: rows, text: text, feed: feed)
  }

  /// Deletes the pairs of rows that are not in a table.
  ///
  /// - Returns: How many.
  func dropLost(ofRowsIn place: String) throws(StoreError) -> Int64 {
    try connection.execute(
      """
      DELETE FROM \(table) AS j WHERE NOT EXISTS (
      SELECT 1 FROM \(place) AS o WHERE o.\(SQLText.identifier(nearColumn)) = j.\(SQLText.identifier(ends.near.name)))
      """
    )
    return connection.changeCount
  }

  private var keptTable: String { "temp.importer_lists_\(number)" }

  /// Adds the pairs of lists that were kept, one row after the other.
  func addKept() throws(StoreError) -> Int64 {
    guard waiting != nil else { return 0 }
    waiting = nil
    let names = [ends.near.name, ends.far.name] + places.map(\.column)
    let taken = [near, target] + places.map(\.value)
    let insert = try Statement(
      """
      INSERT INTO \(table) (\(SQLText.list(names))) SELECT \(taken.joined(separator: ", "))
      FROM \(keptTable) AS f CROSS JOIN \(list.items) AS e WHERE f.rowid = ?1 AND \(near) IS NOT NULL
      ON CONFLICT (source, target) DO NOTHING
      """,
      on: connection
    )
    let last = try connection.integer(of: "SELECT coalesce(max(rowid), 0) FROM \(keptTable)")
    var count: Int64 = 0
    var row: Int64 = 0
    while row < last {
      row += 1
      try insert.bind(row, at: 1)
      _ = try insert.step()
      count += connection.changeCount
      insert.reset()
    }
    try said?.noteAll(in: keptTable)
    try connection.execute("DROP TABLE \(keptTable)")
    return count
  }
}

extension KeySQL {
  /// The parts of an entity's key as rows `f` of a feed give them.
  func feedParts(of entity: Entity) -> [String] {
    entity.key.flatMap { name -> [String] in
      guard let column = entity.tableColumn(named: name) else { return ["NULL"] }
      return column.parts.map { "f.c\($0)" }
    }
  }
}
