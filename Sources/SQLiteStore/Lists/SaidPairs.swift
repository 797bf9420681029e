import CSQLite
package import Diagnostics
import EntityModel
import Records

/// What the records of a run say of the pairs of one join table, at one of its ends.
///
/// In the modes that update a list replaces a row's pairs. A pair that a record gives at the other end is none of those
/// that go, whichever comes first; where a list lacks it, that is said in the end.
final class SaidPairs {
  /// The tables: the pairs that were given, and the rows whose lists were given, both by the `side`.
  static func pairs(_ join: Int, of connection: Connection) -> String {
    "\(connection.workSchema).importer_said_\(join)"
  }
  static func rows(_ join: Int, of connection: Connection) -> String {
    "\(connection.workSchema).importer_says_\(join)"
  }

  /// How the end that is told of is marked: 0 for the one that the table is named after.
  let side: Int
  private let join: Int
  private let near: String
  private let forget: Statement
  private let forgetRow: Statement
  private let addRow: String
  private let addPairs: String
  private let parts: [Int]
  private let connection: Connection
  private var fromFeed: [Statement] = []
  private let feedName: String

  /// - Parameters:
  ///   - near: What a row `f` is named by in its pairs, and the condition for the column.
  ///   - far: What an item `e` is named by.
  init(
    _ list: EntityList,
    join: Int,
    isForward: Bool,
    near: String,
    far: String,
    feed: String,
    on connection: Connection
  ) throws(StoreError) {
    side = isForward ? 0 : 1
    self.join = join
    self.near = near
    self.connection = connection
    parts = list.parts
    feedName = feed
    let pairs = Self.pairs(join, of: connection)
    let rows = Self.rows(join, of: connection)
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS \(pairs) (source, target, side, PRIMARY KEY (source, target, side)) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS \(rows) (row, side, PRIMARY KEY (row, side)) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS \(pairs)_back ON importer_said_\(join) (target, side)
      """
    )
    let own = isForward ? "source" : "target"
    forget = try Statement("DELETE FROM \(pairs) WHERE side = \(side) AND \(own) = ?1", on: connection)
    forgetRow = try Statement("DELETE FROM \(rows) WHERE side = \(side) AND row = ?1", on: connection)
    addRow = "INSERT OR IGNORE INTO \(rows) SELECT \(near), \(side) FROM % AS f WHERE \(near) IS NOT NULL"
    let ends = isForward ? "\(near), \(far)" : "\(far), \(near)"
    addPairs =
      "INSERT OR IGNORE INTO \(pairs) SELECT \(ends), \(side) FROM % AS f CROSS JOIN \(list.items) AS e "
      + "WHERE \(near) IS NOT NULL AND \(far) IS NOT NULL"
    fromFeed = [
      try Statement(
        "DELETE FROM \(pairs) WHERE side = \(side) AND \(own) = (SELECT \(near) FROM \(feed) AS f)",
        on: connection
      ),
      try Statement(addRow.replacing("%", with: feed), on: connection),
      try Statement(addPairs.replacing("%", with: feed), on: connection),
    ]
  }

  /// Notes the lists of rows that were written, or have them already; the last one of a row counts.
  func note(
    _ range: Range<Int>,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    feed: RowFeed
  ) throws(StoreError) {
    for row in range {
      let start = Int(rows.rows[row].valueStart)
      guard parts.contains(where: { rows.values[start + $0] != .absent }) else { continue }
      for statement in fromFeed {
        let code = feed.run(statement, over: row..<row + 1, of: rows, text: text)
        guard code == SQLITE_DONE else { throw connection.failure(code) }
      }
    }
  }

  /// Notes the lists that stand in a table, once their rows are there.
  func noteAll(in table: String) throws(StoreError) {
    try connection.execute(addRow.replacing("%", with: table))
    try connection.execute(addPairs.replacing("%", with: table))
  }

  /// Forgets what was said of the row that a query gives the name of.
  func forget(_ name: String) throws(StoreError) {
    let query = try Statement(name, on: connection)
    guard try query.step() else { return }
    var text = TextBuffer()
    let value = query.value(0, into: &text)
    for statement in [forget, forgetRow] {
      defer { statement.reset() }
      try statement.bind(value, from: text, at: 1)
      _ = try statement.step()
    }
  }

  /// The condition that a pair `j` was given at the other end.
  var isSaidElsewhere: String {
    "EXISTS (SELECT 1 FROM \(Self.pairs(join, of: connection)) AS s WHERE s.source = j.source AND s.target = j.target AND s.side <> \(side))"
  }
}

/// Pairs that the list at one end has and the list at the other end lacks, of one join table.
package struct Contradiction: Sendable, Hashable {
  /// The join table.
  package var join: String
  /// How many there are.
  package var count: Int64
  /// The ends of one of them, as its table has them.
  package var source: String
  /// See `source`.
  package var target: String
}

extension EntityWriter {
  /// The pairs that lists contradict one another about; they are there, since one list gives them.
  package func contradictions() throws(StoreError) -> [Contradiction] {
    var found: [Contradiction] = []
    let joins = Set(tables.flatMap(\.lists).filter { $0.said != nil }.map(\.join))
    for join in joins.sorted() {
      let list = try Statement(
        """
        SELECT count(*), min(s.source), s.target FROM \(SaidPairs.pairs(join, of: session.connection)) AS s
        WHERE EXISTS (SELECT 1 FROM \(SaidPairs.rows(join, of: session.connection)) AS r WHERE r.side = 1 - s.side
          AND r.row = CASE s.side WHEN 0 THEN s.target ELSE s.source END)
        AND NOT EXISTS (SELECT 1 FROM \(SaidPairs.pairs(join, of: session.connection)) AS o
          WHERE o.source = s.source AND o.target = s.target AND o.side = 1 - s.side)
        """,
        on: session.connection
      )
      guard try list.step(), list.integer(0) > 0 else { continue }
      found.append(
        Contradiction(
          join: tables[join].entity.name,
          count: list.integer(0),
          source: list.text(1) ?? "",
          target: list.text(2) ?? ""
        )
      )
    }
    return found
  }

  /// Notes the lists of rows that were written, or have them already.
  func noteLists(
    of range: Range<Int>,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    at position: Int
  ) throws(StoreError) {
    for list in tables[position].lists { try list.said?.note(range, of: rows, text: text, feed: feed) }
  }

  /// Forgets the lists of a row whose record is taken back.
  func forgetLists(ofRow rowid: Int64, at position: Int) throws(StoreError) {
    let stored = tables[position].stored
    for list in tables[position].lists {
      try list.said?.forget(
        """
        SELECT t.\(SQLText.identifier(list.nearColumn)) FROM main.\(SQLText.identifier(stored.name)) AS t
        WHERE t.\(stored.rowidName ?? "rowid") = \(rowid)
        """
      )
    }
  }
}
