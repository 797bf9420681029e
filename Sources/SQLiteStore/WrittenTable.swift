import CSQLite
import Diagnostics
import EntityModel
import Records

/// One entity of a run and the table that takes its rows.
struct WrittenTable {
  /// Columns that no two rows may share, and how SQLite says so.
  struct Uniqueness {
    let set: StoredTable.UniqueSet
    /// SQLite's message when a row breaks it.
    let message: String
    /// The attributes that give each of its columns; nil for a column that the run does not give.
    let attributes: [[Int]?]
    /// Whether it is the entity's key.
    let isKey: Bool
    /// Finds the rowid of the row that holds the values; nil where rowids or values are out of reach.
    let lookup: Statement?
  }

  let entity: Entity
  let stored: StoredTable
  /// The feed of its rows in SQL.
  let feedName: String
  /// What its rows fill.
  let columns: [WrittenColumn]
  /// Nil where no row can be refused and nothing is kept: a check that only counts.
  private(set) var insert: Statement?
  /// Inserts one row that gives no place among the others of its kind: it comes last.
  private(set) var placingInsert: Statement?
  /// The attributes that tell such a place.
  let placeAttributes: [Int]
  /// Bring rows of the database into a check's copy of the table.
  let copies: [Statement]
  let uniquenesses: [Uniqueness]
  /// The attribute that is the rowid.
  let rowidAttribute: Int?
  /// Attributes whose texts the column might turn into numbers.
  let guardedAttributes: [Int]
  /// Whether every row needs a statement of its own.
  private(set) var goesSingly: Bool
  /// Whether its rows wait until all are read, and may be taken back: links of theirs are counted, or they refer to such.
  let isHeld: Bool
  /// What rows held before they were updated; nil where none is taken back.
  var earlier: EarlierValues?
  /// Where the rows came from; nil where no second row can be refused for the first.
  let lines: LineLog?
  /// What its rows refer to.
  let references: [Reference]
  /// Finds the rows of a feed whose targets are not there; nil where no row refers to anything.
  private(set) var dangling: Statement?
  /// References that its rows may tell by an attribute of the target, besides its key.
  var links: [LinkedReference] = []
  /// Rows that wait for their targets; made when the first must.
  var parked: ParkedRows?
  /// Keys of records that were rejected; nil where nothing refers to the entity.
  var lost: LostKeys?
  /// Finds rows by their key; nil where the table has none that the run gives.
  let finder: RowFinder?
  /// Changes rows that are there; nil where there is no finder.
  let update: RowUpdate?
  /// Attributes that new rows must have, where the validator leaves that to the writer.
  var requiredAttributes: [Int]
  /// Pairs that its rows give as lists.
  var lists: [ListLink] = []
  /// Rows that no record has named so far, in `sync`.
  var unseen: UnseenRows?
  var insertedCount: Int64 = 0
  /// Rows that got other values.
  var updatedCount: Int64 = 0
  /// Records whose values were there already.
  var unchangedCount: Int64 = 0
  /// Records that the mode left out.
  var skippedCount: Int64 = 0
  /// Rows that were there before the run, and went.
  var deletedCount: Int64 = 0
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
  ///   - isHeld: Whether they may be taken back.
  ///   - keys: Finds what they refer to by its key.
  ///   - defaults: What new rows get that have no value, if that is left to the writer; nil if the validator has done it.
  ///   - session: The open database.
  init(
    _ entity: Entity,
    in stored: StoredTable,
    isNew: Bool,
    feed: String,
    references: [Reference],
    isHeld: Bool,
    keys: KeySQL,
    defaults: [ConstantValue?]?,
    session: WriteSession
  ) throws(StoreError) {
    let connection = session.connection
    self.entity = entity
    self.stored = stored
    self.references = references
    self.isHeld = isHeld
    feedName = feed
    let conditions = references.map(\.isOpen).joined(separator: " OR ")
    dangling =
      references.isEmpty ? nil : try Statement("SELECT f.rowid FROM \(feed) AS f WHERE \(conditions)", on: connection)
    let columns = WrittenColumn.columns(of: entity, in: stored, keys: keys, defaults: defaults ?? [])
    self.columns = columns
    guardedAttributes = TableFit.guardedAttributes(of: entity, in: stored)
    rowidAttribute = stored.rowidColumn.flatMap(entity.position(ofColumn:))
    let key = Set(entity.key.map(SQLText.folded))
    var uniquenesses: [Uniqueness] = []
    for set in stored.uniqueSets {
      let attributes = set.columns.map { entity.tableColumn(named: $0)?.parts }
      let lookup = entity.lookup(of: set, in: stored, keys: keys)
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
    finder = RowFinder(
      uniquenesses.first(where: \.isKey),
      of: stored,
      entity: entity,
      columns: columns,
      feed: feed,
      on: connection
    )
    update = finder.map { RowUpdate(of: stored, columns: columns, finder: $0, feed: feed, on: connection) }
    requiredAttributes =
      defaults == nil
      ? []
      : columns.flatMap { column in
        column.hasDefault
          ? []
          : column.attributes.filter { entity.attributes[$0].isRequired && entity.attributes[$0].positionWithin == nil }
      }
    let rowidName = stored.uniqueSets.isEmpty ? nil : stored.rowidName
    lines = rowidName.map { _ in LineLog(path: connection.path) }
    var isNearTheEnd = false
    if let rowidName, !isNew {
      // Past the greatest number SQLite picks rowids at random, so that they no longer follow each other.
      let table = SQLText.identifier(stored.name)
      isNearTheEnd = try connection.integer(of: "SELECT max(\(rowidName)) FROM main.\(table)") > Int64.max - (1 << 40)
    }
    // A statement that also reads its table reads the whole feed before it writes.
    let readsItself = references.contains { $0.isByNumber && SQLText.isSameName($0.key.target, stored.name) }
    goesSingly = stored.needsSingleRows || isNearTheEnd || readsItself || isHeld
    placeAttributes = entity.attributes.indices.filter { entity.attributes[$0].positionWithin != nil }

    let isCheck: Bool
    switch session.target {
    case .overlay, .copy: isCheck = true
    case .existing, .partial: isCheck = false
    }
    let refusesNothing =
      isNew ? stored.uniqueSets.isEmpty : TableFit.addsNoRule(stored, to: entity)
    guard !(isCheck && refusesNothing && !isHeld) else {
      insert = nil
      placingInsert = nil
      copies = []
      return
    }
    (insert, placingInsert) = (nil, nil)
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
    try prepareInsertion(session: session)
  }

  /// Prepares the statements that insert rows.
  ///
  /// - Parameter numbers: What numbers them; nil where SQLite does, or an attribute.
  private mutating func prepareInsertion(
    numberedBy numbers: AssignedNumbers? = nil,
    session: WriteSession
  ) throws(StoreError) {
    func insertion(_ values: [String]) throws(StoreError) -> Statement {
      let names = (numbers.map { [$0.surrogate] } ?? []) + columns.map(\.name)
      let all = (numbers.map { [$0.number(in: stored)] } ?? []) + values
      return try Statement(
        """
        INSERT OR FAIL INTO main.\(SQLText.identifier(stored.name))
        (\(SQLText.list(names))) SELECT \(all.joined(separator: ", ")) FROM \(feedName) AS f
        """,
        on: session.connection
      )
    }
    insert = try insertion(columns.map(\.expression))
    guard !placeAttributes.isEmpty else { return }
    placingInsert = try insertion(
      columns.map { entity.place(for: $0, among: columns, in: stored, session: session) }
    )
  }

  /// Lets rows wait whose links are told by what is known at the end.
  mutating func waitForLinks(session: WriteSession) throws(StoreError) {
    guard !links.isEmpty else { return }
    // Where a key is not known yet, any later record may have it.
    let isKey = finder != nil && !keyLinkAttributes.isEmpty
    let waiting = isKey ? ["1"] : links.map { "f.c\($0.attribute) IS NOT NULL" }
    let conditions = (references.map(\.isOpen) + waiting).joined(separator: " OR ")
    dangling = try Statement("SELECT f.rowid FROM \(feedName) AS f WHERE \(conditions)", on: session.connection)
  }

  /// From now on rows get the numbers that were assigned to them.
  mutating func useNumbers(_ numbers: AssignedNumbers, session: WriteSession) throws(StoreError) {
    goesSingly = true
    guard insert != nil else { return }
    try prepareInsertion(numberedBy: numbers, session: session)
  }
}

extension KeySQL {
  /// What attributes give a column.
  ///
  /// - Parameter part: An attribute's value in SQL, by its position.
  func value(of column: TableColumn, in entity: Entity, _ part: (Int) -> String) -> String {
    switch column.source {
    case .attribute(let position): part(position)
    case .number(let link, let parts):
      self.entity(named: link.target).map { linked(to: $0, parts: parts.map(part)) } ?? "NULL"
    }
  }
}

extension Entity {
  /// The statement that finds a row's rowid by what gives the columns of a unique set, bound in the order of the parts.
  fileprivate func lookup(of set: StoredTable.UniqueSet, in table: StoredTable, keys: KeySQL) -> String? {
    guard let rowidName = table.rowidName else { return nil }
    var terms: [String] = []
    var count = 0
    for (name, collation) in zip(set.columns, set.collations) {
      guard let column = tableColumn(named: name) else { return nil }
      var places: [Int: Int] = [:]
      for part in column.parts {
        count += 1
        places[part] = count
      }
      let value = keys.value(of: column, in: self) { "?\(places[$0] ?? 1)" }
      terms.append("\(StoredTable.compared(name, by: collation)) = \(value)")
    }
    return """
      SELECT \(rowidName) FROM main.\(SQLText.identifier(table.name)) WHERE \(terms.joined(separator: " AND ")) LIMIT 1
      """
  }
}
