import CSQLite
import Diagnostics
import EntityModel

/// One entity of a run and the table that takes its rows.
struct WrittenTable {
  /// Columns that no two rows may share, and how SQLite says so.
  struct Uniqueness {
    let set: StoredTable.UniqueSet
    /// SQLite's message when a row breaks it.
    let message: String
    /// The attributes of its columns; nil for a column that the run does not give.
    let attributes: [Int?]
    /// Whether it is the entity's key.
    let isKey: Bool
    /// Finds the rowid of the row that holds the values; nil where rowids or values are out of reach.
    let lookup: Statement?
  }

  let entity: Entity
  let stored: StoredTable
  /// What its rows fill.
  let columns: [WrittenColumn]
  /// Nil where no row can be refused and nothing is kept: a check that only counts.
  let insert: Statement?
  /// Bring rows of the database into a check's copy of the table.
  let copies: [Statement]
  let uniquenesses: [Uniqueness]
  /// The attribute that is the rowid.
  let rowidAttribute: Int?
  /// Attributes whose texts the column might turn into numbers.
  let guardedAttributes: [Int]
  /// Whether every row needs a statement of its own.
  let goesSingly: Bool
  /// Where the rows came from; nil where no second row can be refused for the first.
  let lines: LineLog?
  /// What its rows refer to.
  let references: [Reference]
  /// Finds the rows of a feed whose targets are not there; nil where no row refers to anything.
  let dangling: Statement?
  /// Rows that wait for their targets; made when the first must.
  var parked: ParkedRows?
  /// Keys of records that were rejected; nil where nothing refers to the entity.
  var lost: LostKeys?
  var insertedCount: Int64 = 0
  /// Rows made so that others have something to refer to.
  var madeCount: Int64 = 0

  /// Prepares the writing of an entity's rows.
  ///
  /// - Parameters:
  ///   - entity: The run's entity.
  ///   - stored: Its table, which fits it.
  ///   - isNew: Whether this run has made the table.
  ///   - feed: The name of the feed of its rows.
  ///   - references: What its rows refer to.
  ///   - session: The open database.
  init(
    _ entity: Entity,
    in stored: StoredTable,
    isNew: Bool,
    feed: String,
    references: [Reference],
    session: WriteSession
  ) throws(StoreError) {
    let connection = session.connection
    self.entity = entity
    self.stored = stored
    self.references = references
    let conditions = references.map { $0.isDangling() }.joined(separator: " OR ")
    dangling =
      references.isEmpty ? nil : try Statement("SELECT f.rowid FROM \(feed) AS f WHERE \(conditions)", on: connection)
    func attribute(of column: String) -> Int? { entity.position(ofColumn: column) }
    let columns = WrittenColumn.columns(of: entity, in: stored)
    self.columns = columns
    guardedAttributes = TableFit.guardedAttributes(of: entity, in: stored)
    rowidAttribute = stored.rowidColumn.flatMap(attribute)
    let key = Set(entity.key.map(SQLText.folded))
    var uniquenesses: [Uniqueness] = []
    for set in stored.uniqueSets {
      let attributes = set.columns.map(attribute)
      let lookup = attributes.contains(nil) ? nil : stored.lookup(of: set)
      uniquenesses.append(
        Uniqueness(
          set: set,
          message: "UNIQUE constraint failed: " + set.columns.map { stored.name + "." + $0 }.joined(separator: ", "),
          attributes: attributes,
          isKey: key.isEmpty ? set.isPrimaryKey : key == Set(set.columns.map(SQLText.folded)),
          lookup: try lookup.map { (sql) throws(StoreError) in try Statement(sql, on: connection) }
        )
      )
    }
    self.uniquenesses = uniquenesses
    let rowidName = stored.uniqueSets.isEmpty ? nil : stored.rowidName
    lines = rowidName.map { _ in LineLog(path: connection.path) }
    var isNearTheEnd = false
    if let rowidName, !isNew {
      // Past the greatest number SQLite picks rowids at random, so that they no longer follow each other.
      let table = SQLText.identifier(stored.name)
      isNearTheEnd = try connection.integer(of: "SELECT max(\(rowidName)) FROM main.\(table)") > Int64.max - (1 << 40)
    }
    goesSingly = stored.needsSingleRows || isNearTheEnd

    let isCheck: Bool
    switch session.target {
    case .overlay, .copy: isCheck = true
    case .existing, .partial: isCheck = false
    }
    let refusesNothing =
      isNew ? stored.uniqueSets.isEmpty : TableFit.addsNoRule(stored, to: entity)
    guard !(isCheck && refusesNothing) else {
      insert = nil
      copies = []
      return
    }
    insert = try Statement(
      """
      INSERT OR FAIL INTO main.\(SQLText.identifier(stored.name))
      (\(SQLText.list(columns.map(\.name)))) SELECT \(columns.map(\.expression).joined(separator: ", ")) FROM \(feed) AS f
      """,
      on: connection
    )
    var copies: [Statement] = []
    if case .overlay = session.target, !isNew {
      for uniqueness in uniquenesses {
        let given = uniqueness.set.columns.map { name in
          columns.first { SQLText.isSameName($0.name, name) }?.expression
            ?? "(\(stored.column(named: name)?.defaultSQL ?? "NULL"))"
        }
        copies.append(
          try Statement(
            stored.copyOfCollisions(in: uniqueness.set, with: feed, values: given),
            on: connection
          )
        )
      }
    }
    self.copies = copies
  }
}

extension WrittenTable {
  /// The attribute that gives a column.
  func attribute(ofColumn column: String) -> Int? { entity.position(ofColumn: column) }
}

extension Entity {
  /// The position of the attribute that gives a column.
  func position(ofColumn column: String) -> Int? {
    attributes.firstIndex { SQLText.isSameName($0.name, column) }
  }
}

extension StoredTable {
  /// The statement that finds a row's rowid by the values of a unique set.
  fileprivate func lookup(of set: UniqueSet) -> String? {
    guard let rowidName else { return nil }
    let terms = zip(set.columns, set.collations).enumerated().map { position, column in
      Self.compared(column.0, by: column.1) + " = ?\(position + 1)"
    }
    return """
      SELECT \(rowidName) FROM main.\(SQLText.identifier(name)) WHERE \(terms.joined(separator: " AND ")) LIMIT 1
      """
  }
}
