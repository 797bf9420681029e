import CSQLite
import Diagnostics
import EntityModel
import Records

/// The rows of one table that a run has found or made on the way to others.
///
/// A row that it has made is filled by all records that lead to it: each value by the first one that gives it.
final class WayRows {
  /// The name, in SQL, of the table of the rows that this run has made, or given values to.
  let table: String
  /// Whether rows are inserted one by one.
  let goesSingly: Bool
  /// Inserts rows of the feed.
  let insert: Statement
  private let columns: [WrittenColumn]
  private let entity: Entity
  private let source: String
  private let feedName: String
  private let finder: RowFinder
  private let identity: [String]
  private let names: [String]
  private let connection: Connection
  private let mark: Statement
  private let unmark: Statement
  private let isKnown: Statement

  /// - Parameters:
  ///   - written: The table.
  ///   - position: The entity's among the run's.
  ///   - finder: Finds its rows.
  ///   - keys: Finds what they refer to.
  ///   - defaults: What new rows get.
  ///   - session: The open database.
  init(
    _ written: WrittenTable,
    at position: Int,
    finder: RowFinder,
    keys: KeySQL,
    defaults: [ConstantValue?],
    session: WriteSession
  ) throws(StoreError) {
    table = "\(session.connection.workSchema).importer_way_\(position)"
    entity = written.entity
    self.finder = finder
    connection = session.connection
    feedName = written.feedName
    identity = finder.identity
    names = identity.indices.map { "i\($0)" }
    source = "main.\(SQLText.identifier(written.stored.name))"
    let columns = WrittenColumn.columns(of: entity, in: written.stored, keys: keys, defaults: defaults)
    self.columns = columns
    goesSingly = written.goesSingly || !written.placeAttributes.isEmpty
    let list = names.joined(separator: ", ")
    try connection.execute(
      written.stored.rowidName != nil
        ? "CREATE TABLE IF NOT EXISTS \(table) (i0 INTEGER PRIMARY KEY, made)"
        : "CREATE TABLE IF NOT EXISTS \(table) (\(list), made, PRIMARY KEY (\(list))) WITHOUT ROWID"
    )
    let entity = entity
    let values = columns.map {
      written.placeAttributes.isEmpty
        ? $0.expression : entity.place(for: $0, among: columns, in: written.stored, session: session)
    }
    insert = try Statement(
      """
      INSERT OR FAIL INTO \(source) (\(SQLText.list(columns.map(\.name))))
      SELECT \(values.joined(separator: ", ")) FROM \(feedName) AS f
      """,
      on: connection
    )
    let named = identity.map { "t.\($0)" }.joined(separator: ", ")
    let found = "FROM \(feedName) AS f CROSS JOIN \(source) AS t WHERE \(finder.condition)"
    mark = try Statement("INSERT OR IGNORE INTO \(table) (\(list), made) SELECT \(named), ?1 \(found)", on: connection)
    unmark = try Statement("DELETE FROM \(table) WHERE (\(list)) IN (SELECT \(named) \(found))", on: connection)
    isKnown = try Statement("SELECT 1 FROM \(table) WHERE (\(list)) IN (SELECT \(named) \(found))", on: connection)
  }

  /// Notes that this run has made some rows, or given them values.
  func mark(
    _ range: Range<Int>,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    feed: RowFeed,
    areMade: Bool
  ) throws(StoreError) {
    try mark.bind(areMade ? 1 : 0, at: 1)
    for row in range { try run(mark, row, of: rows, text: text, feed: feed) }
  }

  /// Forgets rows that records of their own have named.
  ///
  /// - Returns: How many of them were known.
  func forget(
    _ range: Range<Int>,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    feed: RowFeed
  ) throws(StoreError) {
    for row in range { try run(unmark, row, of: rows, text: text, feed: feed) }
  }

  /// Whether this run has made the row with the key of a row of the feed, or given it values.
  func isKnown(
    _ row: Int,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    feed: RowFeed
  ) throws(StoreError) -> Bool {
    var isFound = false
    let code = feed.run(isKnown, over: row..<row + 1, of: rows, text: text) { _ in isFound = true }
    guard code == SQLITE_DONE else { throw connection.failure(code) }
    return isFound
  }

  private func run(
    _ statement: Statement,
    _ row: Int,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    feed: RowFeed
  ) throws(StoreError) {
    let code = feed.run(statement, over: row..<row + 1, of: rows, text: text)
    guard code == SQLITE_DONE else { throw connection.failure(code) }
  }

  /// The columns in which the row that is there holds another value than a row gives; those where it holds none are left
  /// out.
  ///
  /// - Parameters:
  ///   - row: One that the finder has judged to differ.
  ///   - standing: What it has found.
  func contradictions(
    of row: Int,
    _ standing: RowFinder.Standing,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    feed: RowFeed
  ) throws(StoreError) -> [(attribute: Int, stored: String)] {
    let differing = finder.changes[standing.changes].filter { $0 < columns.count }.map { columns[$0] }
    guard !differing.isEmpty else { return [] }
    let values = differing.map { "t.\(SQLText.identifier($0.name))" }.joined(separator: ", ")
    let select = try Statement(
      "SELECT \(values) FROM \(feedName) AS f CROSS JOIN \(source) AS t WHERE \(finder.condition)",
      on: connection
    )
    var found: [(attribute: Int, stored: String)] = []
    let code = feed.run(select, over: row..<row + 1, of: rows, text: text) { _ in
    } visit: { statement in
      for (index, column) in differing.enumerated() where !statement.isNull(index) {
        guard let attribute = column.attributes.last else { continue }
        let stored = statement.text(index).map { excerpt(of: $0, limit: 40) } ?? ""
        found.append((attribute, column.attribute == nil ? "another row" : "'\(stored)'"))
      }
    }
    guard code == SQLITE_DONE else { throw connection.failure(code) }
    return found
  }

  /// The attributes that a new row must have and a row does not give.
  func missing(_ row: Int, of rows: borrowing ValueBatch) -> [Int] {
    let start = Int(rows.rows[row].valueStart)
    return columns.filter { !$0.hasDefault }.flatMap(\.attributes).filter { position in
      let attribute = entity.attributes[position]
      return attribute.isRequired && attribute.positionWithin == nil && rows.values[start + position].isMissing
        && attribute.keyPath.isEmpty
    }
  }

  /// The condition that a row `t` was made on the way in this run.
  var isMade: String {
    let list = names.joined(separator: ", ")
    return "(\(identity.map { "t.\($0)" }.joined(separator: ", "))) IN (SELECT \(list) FROM \(table) WHERE made)"
  }
}
