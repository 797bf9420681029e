import CSQLite
import Diagnostics
import EntityModel
import Records

/// Finds the rows of a table that have the keys of rows of the feed, and the columns in which the two differ.
///
/// One query over the feed, joined with the table by its key, judges a run of rows. The values are compared here, by
/// storage class and bytes, so that no collation or affinity of SQLite's has a say.
final class RowFinder {
  /// What a row of the feed is to the table.
  struct Standing {
    enum Kind {
      /// No row has its key.
      case new
      /// It has no value for its key.
      case keyless
      /// A row has its key and all its given values.
      case same
      /// A row has its key and other values.
      case different
    }

    var kind: Kind
    /// The rowid of the row that is there, where rows have one.
    var rowid: Int64 = 0
    /// Where the columns that differ stand in `changes`.
    var changes: Range<Int> = 0..<0
  }

  /// What the rows found last are, in the feed's order.
  private(set) var standings: [Standing] = []
  /// Positions of columns among the table's written ones.
  private(set) var changes: [Int] = []
  /// The columns of the key.
  let keyColumns: [WrittenColumn]
  /// Whether two rows of one run may have the same key without SQLite, or this, noticing.
  let mustGoSingly: Bool
  /// How a row that is there is named in SQL.
  let identity: [String]
  /// The condition that a row `t` of the table has the key of a row `f` of the feed.
  let condition: String
  private let columns: [WrittenColumn]
  private let affinities: [Affinity]
  private let table: String
  private let feedName: String
  private let hasRowid: Bool
  private let connection: Connection
  private var find: Statement?
  private var compare: Statement?
  private var rowids: Set<Int64> = []

  /// - Parameter key: What is unique by the key; nil finds nothing.
  init?(
    _ key: WrittenTable.Uniqueness?,
    of stored: StoredTable,
    columns: [WrittenColumn],
    feed: String,
    on connection: Connection
  ) {
    guard let key else { return nil }
    var keyColumns: [WrittenColumn] = []
    var terms: [String] = []
    for (name, collation) in zip(key.set.columns, key.set.collations) {
      guard let column = columns.first(where: { SQLText.isSameName($0.name, name) }) else { return nil }
      keyColumns.append(column)
      let sign = column.attribute == nil ? "IS" : "="
      terms.append("t.\(StoredTable.compared(name, by: collation)) \(sign) \(column.expression)")
    }
    self.keyColumns = keyColumns
    condition = terms.joined(separator: " AND ")
    mustGoSingly = stored.isWithoutRowid || keyColumns.contains { $0.attribute == nil }
    hasRowid = stored.rowidName != nil
    identity = stored.rowidName.map { [$0] } ?? stored.primaryKey.map(SQLText.identifier)
    self.columns = columns
    affinities = columns.map { stored.column(named: $0.name)?.affinity ?? .none }
    table = "main.\(SQLText.identifier(stored.name))"
    feedName = feed
    self.connection = connection
  }

  /// Judges rows of a batch: by their keys alone, or by their values too.
  ///
  /// - Returns: How many were judged, at least one. It ends before a row whose key another of them has, since what
  ///   becomes of that one must be known first.
  func find(
    _ range: Range<Int>,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    feed: RowFeed,
    comparesValues: Bool
  ) throws(StoreError) -> Int {
    standings.removeAll(keepingCapacity: true)
    changes.removeAll(keepingCapacity: true)
    rowids.removeAll(keepingCapacity: true)
    let statement = try statement(comparesValues: comparesValues)
    var greatest = Int64.min
    var isCut = false
    let code = feed.run(statement, over: range, of: rows, text: text) { _ in
    } visit: { statement in
      let position = Int(statement.integer(0))
      guard !isCut, position == range.lowerBound + standings.count else { return }
      guard statement.isNull(2) else {
        let rowid = statement.integer(2)
        if hasRowid, comparesValues, rowid <= greatest || !rowids.isEmpty {
          if rowids.isEmpty { rowids = Set(standings.lazy.filter { $0.kind != .new }.map(\.rowid)) }
          guard rowids.insert(rowid).inserted else {
            isCut = true
            return
          }
        }
        greatest = max(greatest, rowid)
        standings.append(comparesValues ? judged(statement, position, of: rows, text: text) : Standing(kind: .same))
        return
      }
      standings.append(Standing(kind: statement.integer(1) != 0 ? .keyless : .new))
    }
    guard code == SQLITE_DONE else { throw connection.failure(code) }
    return standings.count
  }

  private func judged(
    _ statement: Statement,
    _ position: Int,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer
  ) -> Standing {
    let values = Int(rows.rows[position].valueStart)
    let first = changes.count
    for (index, column) in columns.enumerated() {
      if let attribute = column.attribute {
        let value = rows.values[values + attribute]
        guard value != .absent, !statement.holds(value, from: text, in: 3 + index, affinity: affinities[index]) else {
          continue
        }
      } else {
        let isGiven = column.attributes.contains { rows.values[values + $0] != .absent }
        guard isGiven, !statement.holdsSameNumber(in: 3 + index, and: 3 + columns.count + index) else { continue }
      }
      changes.append(index)
    }
    return Standing(
      kind: first == changes.count ? .same : .different,
      rowid: statement.integer(2),
      changes: first..<changes.count
    )
  }

  private func statement(comparesValues: Bool) throws(StoreError) -> Statement {
    if let known = comparesValues ? compare : find { return known }
    let keyless = keyColumns.filter { $0.attribute != nil }.map { "\($0.expression) IS NULL" }
    var result = ["f.rowid", keyless.isEmpty ? "0" : keyless.joined(separator: " OR ")]
    result.append(hasRowid ? "t.\(identity[0])" : "CASE WHEN t.\(identity[0]) IS NULL THEN NULL ELSE 0 END")
    if comparesValues {
      result += columns.map { "t.\(SQLText.identifier($0.name))" }
      if columns.contains(where: { $0.attribute == nil }) {
        result += columns.map { $0.attribute == nil ? $0.expression : "NULL" }
      }
    }
    let made = try Statement(
      "SELECT \(result.joined(separator: ", ")) FROM \(feedName) AS f LEFT JOIN \(table) AS t ON \(condition)",
      on: connection
    )
    if comparesValues { compare = made } else { find = made }
    return made
  }
}
