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
    /// Where the columns that differ stand in `changes`, and behind them the lists.
    var changes: Range<Int> = 0..<0

    /// The lists that differ, by their positions among the entity's.
    func lists(in finder: RowFinder) -> [Int] {
      finder.changes[changes].filter { $0 >= finder.columns.count }.map { $0 - finder.columns.count }
    }
  }

  /// What the rows found last are, in the feed's order.
  private(set) var standings: [Standing] = []
  /// Positions of columns among the table's written ones; those of lists behind them.
  private(set) var changes: [Int] = []
  /// The columns of the key.
  let keyColumns: [WrittenColumn]
  /// Attributes of the key that may be NULL: a link to nothing is part of a key like any other.
  let optionalAttributes: [Int]
  /// The other attributes of the key.
  var neededAttributes: [Int] {
    keyColumns.compactMap(\.attribute).filter { !optionalAttributes.contains($0) }
  }
  /// How a row that is there is named in SQL.
  let identity: [String]
  /// The condition that a row `t` of the table has the key of a row `f` of the feed.
  let condition: String
  private let columns: [WrittenColumn]
  private var lists: [ListLink] = []
  private let affinities: [Affinity]
  private let table: String
  private let feedName: String
  /// The condition over a subquery `g` that has the key's values; nil where the feed itself serves.
  private let conditionOnValues: String?
  private let hasRowid: Bool
  private let connection: Connection
  private var find: Statement?
  private var compare: Statement?
  private var rowids: Set<Int64> = []

  /// - Parameter key: What is unique by the key; nil finds nothing.
  init?(
    _ key: WrittenTable.Uniqueness?,
    of stored: StoredTable,
    entity: Entity,
    columns: [WrittenColumn],
    feed: String,
    on connection: Connection
  ) {
    guard let key else { return nil }
    var keyColumns: [WrittenColumn] = []
    var optional: [Int] = []
    var terms: [String] = []
    var termsOnValues: [String] = []
    for (name, collation) in zip(key.set.columns, key.set.collations) {
      guard let column = columns.first(where: { SQLText.isSameName($0.name, name) }) else { return nil }
      keyColumns.append(column)
      let isOptional = column.isOptionalLink(of: entity)
      if isOptional { optional += column.attributes }
      let place = "t.\(StoredTable.compared(name, by: collation)) \(isOptional ? "IS" : "=")"
      terms.append("\(place) \(column.expression)")
      termsOnValues.append("\(place) g.k\(termsOnValues.count)")
    }
    optionalAttributes = optional
    self.keyColumns = keyColumns
    condition = terms.joined(separator: " AND ")
    // SQLite would not look for what a subquery in an outer join finds by an index.
    conditionOnValues = keyColumns.contains { $0.attribute == nil } ? termsOnValues.joined(separator: " AND ") : nil
    hasRowid = stored.rowidName != nil
    identity = stored.rowidName.map { [$0] } ?? stored.primaryKey.map(SQLText.identifier)
    self.columns = columns
    affinities = columns.map { stored.column(named: $0.name)?.affinity ?? .none }
    table = "main.\(SQLText.identifier(stored.name))"
    feedName = feed
    self.connection = connection
  }

  /// Compares lists too, from now on.
  func take(_ lists: [ListLink]) { self.lists = lists }

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
        standings.append(
          comparesValues ? judged(statement, position, of: rows, text: text) : Standing(kind: .same, rowid: rowid)
        )
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
    var link = 3 + columns.count - 1
    for (index, column) in columns.enumerated() {
      if let attribute = column.attribute {
        let value = rows.values[values + attribute]
        guard value != .absent, !statement.holds(value, from: text, in: 3 + index, affinity: affinities[index]) else {
          continue
        }
      } else {
        link += 1
        let isGiven = column.attributes.contains { rows.values[values + $0] != .absent }
        guard isGiven, !statement.holdsSameNumber(in: 3 + index, and: link) else { continue }
      }
      changes.append(index)
    }
    for (index, list) in lists.enumerated() {
      link += 1
      let isGiven = list.list.parts.contains { rows.values[values + $0] != .absent }
      if isGiven, statement.integer(link) != 0 { changes.append(columns.count + index) }
    }
    return Standing(
      kind: first == changes.count ? .same : .different,
      rowid: statement.integer(2),
      changes: first..<changes.count
    )
  }

  /// Whether rows must be judged one by one: some have keys that SQLite lets several rows have, or that have no rowid by
  /// which two of them would be found to be the same.
  func mustGoSingly(_ range: Range<Int>, of rows: borrowing ValueBatch) -> Bool {
    guard hasRowid else { return true }
    guard !optionalAttributes.isEmpty else { return false }
    return range.contains { row in
      let start = Int(rows.rows[row].valueStart)
      return optionalAttributes.contains { rows.values[start + $0].isMissing }
    }
  }

  private func statement(comparesValues: Bool) throws(StoreError) -> Statement {
    if let known = comparesValues ? compare : find { return known }
    let keyless = keyColumns.filter { column in !column.attributes.contains(where: optionalAttributes.contains) }
      .map { "\($0.expression) IS NULL" }
    let isKeyless = keyless.isEmpty ? "0" : keyless.joined(separator: " OR ")
    let links = comparesValues ? columns.filter { $0.attribute == nil }.map(\.expression) : []
    let lists = comparesValues ? lists : []
    var result = conditionOnValues == nil ? ["f.rowid", isKeyless] : ["g.position", "g.isKeyless"]
    result.append(hasRowid ? "t.\(identity[0])" : "CASE WHEN t.\(identity[0]) IS NULL THEN NULL ELSE 0 END")
    if comparesValues {
      result += columns.map { "t.\(SQLText.identifier($0.name))" }
      result += conditionOnValues == nil ? links : links.indices.map { "g.l\($0)" }
      let rowName = conditionOnValues == nil ? "f" : "g"
      result += lists.map { list in list.differs(row: "t") { "\(rowName).c\($0)" } }
    }
    var source = "\(feedName) AS f LEFT JOIN \(table) AS t ON \(condition)"
    if let conditionOnValues {
      var values = ["f.rowid AS position", "\(isKeyless) AS isKeyless"]
      values += keyColumns.enumerated().map { "\($1.expression) AS k\($0)" }
      values += links.enumerated().map { "\($1) AS l\($0)" }
      values += lists.flatMap(\.list.parts).map { "f.c\($0)" }
      // The limit keeps SQLite from taking the subquery apart.
      source =
        "(SELECT \(values.joined(separator: ", ")) FROM \(feedName) AS f LIMIT -1) AS g "
        + "LEFT JOIN \(table) AS t ON \(conditionOnValues)"
    }
    let made = try Statement("SELECT \(result.joined(separator: ", ")) FROM \(source)", on: connection)
    if comparesValues { compare = made } else { find = made }
    return made
  }
}

extension WrittenColumn {
  /// Whether it is a link that a row may do without.
  fileprivate func isOptionalLink(of entity: Entity) -> Bool {
    guard attribute != nil else { return true }
    return attributes.contains { !entity.attributes[$0].isRequired }
      && entity.relationships.contains { !$0.isToMany && $0.attributes.contains { SQLText.isSameName($0, name) } }
  }
}
