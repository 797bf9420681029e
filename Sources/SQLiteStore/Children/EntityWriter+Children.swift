import CSQLite
import Diagnostics
import EntityModel
import Records

/// Rows that refer back and are listed by their keys at the other end: which records wait for that, and what they mean.
extension EntityWriter {
  /// Prepares the lists of the run's entities.
  static func childLists(
    of tables: inout [WrittenTable],
    keys: KeySQL,
    mode: WriteMode,
    on connection: Connection
  ) throws(StoreError) -> [ChildList] {
    var lists: [ChildList] = []
    for position in tables.indices {
      for list in tables[position].entity.childLists {
        guard
          let made = ChildList(
            list,
            number: lists.count,
            of: position,
            in: tables,
            keys: keys,
            updatesRows: mode.updatesRows,
            on: connection
          )
        else {
          throw .unexpected(path: connection.path, reason: "nothing tells which rows '\(list.link.name)' lists")
        }
        if let said = made.said {
          try connection.execute("CREATE TABLE IF NOT EXISTS \(said) (id INTEGER PRIMARY KEY)")
        }
        lists.append(made)
        // What a list may tell is asked for when the row is written.
        let owner = tables[position].entity
        for pair in made.taken where made.isRequired && owner.attributes[pair.enclosing].isRequired {
          guard !tables[made.child].requiredAttributes.contains(pair.own) else { continue }
          tables[made.child].requiredAttributes.append(pair.own)
        }
      }
    }
    return lists
  }

  /// The rows of a range that wait until all lists are known: they give one, or may be told by one where they lead.
  mutating func rowsOfLists(in range: Range<Int>, of rows: borrowing ValueBatch, at position: Int) -> [Int] {
    guard !childLists.isEmpty else { return [] }
    let own = childLists.filter { $0.owner == position }
    let told = childLists.filter { $0.child == position && $0.keepsWaiting }
    guard !own.isEmpty || !told.isEmpty else { return [] }
    var found: [Int] = []
    for row in range {
      let gives = own.contains { $0.isGiven(by: row, of: rows, updatesRows: mode.updatesRows) }
      if gives { givesChildren = true }
      if gives || told.contains(where: { $0.mustWait(row, of: rows) }) { found.append(row) }
    }
    return found
  }

  /// Notes which rows that are there are told by their own records where they lead.
  func noteLeads(
    _ range: Range<Int>,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    at position: Int
  ) throws(StoreError) {
    for list in childLists where list.child == position {
      guard let said = list.said, let finder = tables[position].finder, let rowid = list.rowid else { continue }
      let isGiven = list.taken.map { "f.c\($0.own) IS NOT NULL" }.joined(separator: " OR ")
      let note = try Statement(
        """
        INSERT OR IGNORE INTO \(said) SELECT t.\(rowid) FROM \(tables[position].feedName) AS f
        CROSS JOIN \(list.stored) AS t WHERE (\(isGiven)) AND \(finder.condition)
        """,
        on: session.connection
      )
      let code = feed.run(note, over: range, of: rows, text: text)
      guard code == SQLITE_DONE else { throw session.connection.failure(code) }
    }
  }

  // MARK: After the last input

  /// Finds out what the items of all lists mean, and gives waiting rows the links that lists alone tell.
  mutating func claimChildren(_ policy: OrphanPolicy) throws(StoreError) {
    // Records that wait since before a load went on have been seen by another run.
    for list in childLists where batches?.isResumed ?? false {
      guard !givesChildren, let parked = tables[list.owner].parked else { continue }
      let isGiven = list.isGiven(updatesRows: mode.updatesRows)
      givesChildren =
        try session.connection.integer(
          of: "SELECT 1 FROM \(parked.table) AS f WHERE f.state = 0 AND \(isGiven) LIMIT 1"
        ) != 0
    }
    guard givesChildren else { return }
    for list in childLists {
      guard let parked = tables[list.owner].parked else { continue }
      guard list.rowid != nil else {
        throw .schema(
          path: session.connection.path,
          message: "records list rows of '\(excerpt(of: tables[list.child].entity.name))', a table WITHOUT ROWID",
          remedy: "refer from those rows, by their '\(excerpt(of: list.back.name))', instead"
        )
      }
      try collect(list, from: parked)
      try lookUp(list, from: parked)
      switch list.link.userInfo["relatedByAttribute"] != nil ? .stub : policy {
      case .reject: break
      case .null: try session.connection.execute("DELETE FROM \(list.claims) WHERE kind IS NULL")
      case .stub:
        try makeStubs(for: list, from: parked)
        try lookUp(list, from: parked)
      }
      try hearWaiting(list, from: parked)
      try judge(list, from: parked)
      try fillChildren(list, from: parked)
    }
  }

  /// Makes a claim of each item.
  private func collect(_ list: ChildList, from parked: ParkedRows) throws(StoreError) {
    let parts = list.list.parts.indices.map { "i\($0)" }.joined(separator: ", ")
    let old = list.changedColumns.indices.map { ", o\($0)" }.joined()
    let name = list.claims.dropFirst("temp.".count)
    try session.connection.execute(
      """
      CREATE TABLE \(list.claims) (n INTEGER NOT NULL, place INTEGER, kind INTEGER, id INTEGER, status INTEGER,
      several INTEGER, told INTEGER, fault INTEGER, \(parts));
      INSERT INTO \(list.claims) (n, place, \(parts))
      SELECT f.n, e.key, \(list.list.values.joined(separator: ", ")) FROM \(parked.table) AS f CROSS JOIN \(list.list.items) AS e
      WHERE f.state = 0 ORDER BY f.n;
      CREATE INDEX temp.\(name)_by_n ON \(name) (n);
      CREATE INDEX temp.\(name)_by_row ON \(name) (kind, id) WHERE kind IS NOT NULL;
      CREATE TABLE \(list.changes) (n INTEGER NOT NULL, id INTEGER NOT NULL, isNew INTEGER NOT NULL\(old),
      PRIMARY KEY (n, id)) WITHOUT ROWID;
      CREATE INDEX temp.\(list.changes.dropFirst("temp.".count))_by_link ON \(list.changes.dropFirst("temp.".count)) (o0)
      """
    )
    try tables[list.child].parked?.addIndex(on: list.keyAttributes)
    try tables[list.child].lost?.addIndex(on: list.keyAttributes)
  }

  /// Looks for the rows that claims mean which have found none yet.
  private func lookUp(_ list: ChildList, from parked: ParkedRows) throws(StoreError) {
    let connection = session.connection
    func find(_ place: ChildList.Place, _ source: String, _ id: String, _ condition: String, _ status: String?)
      throws(StoreError)
    {
      try connection.execute(
        """
        UPDATE \(list.claims) AS x SET (id, several, status) = (SELECT min(\(id)), count(*) > 1, \(status ?? "NULL")
        FROM \(parked.table) AS f CROSS JOIN \(source) AS t WHERE f.n = x.n AND \(condition)) WHERE x.kind IS NULL;
        UPDATE \(list.claims) SET kind = \(place.rawValue) WHERE kind IS NULL AND id IS NOT NULL
        """
      )
    }
    let rowid = list.rowid ?? "rowid"
    var stored = [(ChildList.Place.stored, list.stored)]
    if let elsewhere = list.elsewhere { stored.append((.elsewhere, elsewhere)) }
    let waiting = tables[list.child].parked?.table
    guard list.isInKey else {
      for (place, table) in stored { try find(place, table, "t.\(rowid)", list.isMeant(.linked), list.statusOfStored) }
      guard let waiting else { return }
      try find(.waiting, waiting, "t.n", "t.state = 0 AND t.holds < 2 AND \(list.isMeantWaiting)", list.statusOfWaiting)
      return
    }
    // The row of this owner goes before one that leads nowhere; those of others are other rows.
    for status in [ChildList.Status.linked, .free] {
      for (place, table) in stored {
        try find(place, table, "t.\(rowid)", list.isMeant(status), String(status.rawValue))
      }
      guard let waiting else { continue }
      let isOfStatus = "\(list.statusOfWaiting) = \(status.rawValue)"
      let isWanted = "t.state = 0 AND t.holds < 2 AND \(list.isMeantWaiting) AND \(isOfStatus)"
      if status == .free, !mode.findsRows {
        try connection.execute(
          """
          UPDATE \(list.claims) AS x SET several = 1 WHERE x.kind = \(ChildList.Place.stored.rawValue)
          AND x.status = \(status.rawValue) AND EXISTS (SELECT 1 FROM \(parked.table) AS f CROSS JOIN \(waiting) AS t
          WHERE f.n = x.n AND \(isWanted))
          """
        )
      }
      try find(.waiting, waiting, "t.n", isWanted, String(status.rawValue))
    }
  }

  /// Makes the rows that claims have not found, without a link; it is added like that of others.
  private mutating func makeStubs(for list: ChildList, from parked: ParkedRows) throws(StoreError) {
    let columns = list.stubColumns
    try session.connection.execute(
      """
      INSERT OR IGNORE INTO \(list.stored) (\(SQLText.list(columns.map(\.name))))
      SELECT DISTINCT \(columns.map(\.value).joined(separator: ", ")) FROM \(list.claims) AS x
      CROSS JOIN \(parked.table) AS f WHERE f.n = x.n AND x.kind IS NULL
      """
    )
    tables[list.child].madeCount += session.connection.changeCount
  }

  /// Takes the word of waiting records for rows that are there already, which they will change.
  private func hearWaiting(_ list: ChildList, from parked: ParkedRows) throws(StoreError) {
    guard list.said != nil, !list.isInKey, let waiting = tables[list.child].parked?.table else { return }
    let isGiven = list.taken.map { "t.c\($0.own) IS NOT NULL" }.joined(separator: " OR ")
    let isTold = "t.state = 0 AND t.holds < 2 AND \(list.isMeantWaiting) AND (\(isGiven))"
    let stored = ChildList.Place.stored.rawValue
    try session.connection.execute(
      """
      UPDATE \(list.claims) AS x SET told = 1, status = (SELECT max(\(list.statusOfWaiting)) FROM \(parked.table) AS f
        CROSS JOIN \(waiting) AS t WHERE f.n = x.n AND \(isTold))
      WHERE x.kind = \(stored) AND EXISTS (SELECT 1 FROM \(waiting) AS t WHERE \(isTold))
      """
    )
  }

  /// Marks the claims that cannot be fulfilled.
  private func judge(_ list: ChildList, from parked: ParkedRows) throws(StoreError) {
    typealias Fault = ChildList.Fault
    let (stored, waiting) = (ChildList.Place.stored.rawValue, ChildList.Place.waiting.rawValue)
    let isOwnWord = list.said.map { "x.kind = \(waiting) OR x.told OR x.id IN (SELECT id FROM \($0))" } ?? "1"
    let isSame = list.taken.map { "g.c\($0.enclosing) IS f.c\($0.enclosing)" }.joined(separator: " AND ")
    try session.connection.execute(
      """
      UPDATE \(list.claims) SET fault = \(Fault.missing.rawValue) WHERE kind IS NULL;
      UPDATE \(list.claims) SET fault = \(Fault.several.rawValue) WHERE several AND kind IS NOT NULL;
      UPDATE \(list.claims) AS x SET fault = \(Fault.taken.rawValue)
      WHERE x.fault IS NULL AND x.status = \(ChildList.Status.taken.rawValue) AND (\(isOwnWord));
      UPDATE \(list.claims) AS x SET fault = \(Fault.claimed.rawValue) WHERE x.fault IS NULL AND EXISTS (
        SELECT 1 FROM \(list.claims) AS o CROSS JOIN \(parked.table) AS g CROSS JOIN \(parked.table) AS f
        WHERE o.kind = x.kind AND o.id = x.id AND o.n < x.n AND g.n = o.n AND f.n = x.n
        AND NOT (\(isSame)) AND NOT EXISTS (SELECT 1 FROM \(list.claims) AS z
          WHERE z.n = o.n AND z.fault < \(Fault.claimed.rawValue)))
      """
    )
    guard let said = list.said, list.isRequired, let rowid = list.rowid else { return }
    // What a list leaves out can lead nowhere.
    try session.connection.execute(
      """
      INSERT INTO \(list.claims) (n, kind, id, status, fault)
      SELECT f.n, \(stored), t.\(rowid), 0, \(Fault.leftOut.rawValue) FROM \(parked.table) AS f CROSS JOIN \(list.stored) AS t
      WHERE f.state = 0 AND \(list.isGiven(updatesRows: true)) AND \(list.leads)
      AND NOT EXISTS (SELECT 1 FROM \(list.claims) AS x WHERE x.kind = \(stored) AND x.id = t.\(rowid))
      AND NOT EXISTS (SELECT 1 FROM \(said) AS s WHERE s.id = t.\(rowid))
      """
    )
  }

  /// Gives waiting rows the links, and places, that lists tell them.
  private func fillChildren(_ list: ChildList, from parked: ParkedRows) throws(StoreError) {
    guard let waiting = tables[list.child].parked else { return }
    let isTold = """
      x.kind = \(ChildList.Place.waiting.rawValue) AND x.status = \(ChildList.Status.free.rawValue) AND NOT EXISTS \
      (SELECT 1 FROM \(list.claims) AS z WHERE z.n = x.n AND z.fault IS NOT NULL)
      """
    var columns = list.taken.map { "c\($0.own)" }
    var values = list.taken.map { "f.c\($0.enclosing)" }
    if let place = list.place {
      columns.append("c\(place.attribute)")
      values.append("coalesce(t.c\(place.attribute), x.place + 1)")
    }
    try session.connection.execute(
      """
      UPDATE \(waiting.table) AS t SET (\(columns.joined(separator: ", "))) = (
        SELECT \(values.joined(separator: ", ")) FROM \(list.claims) AS x CROSS JOIN \(parked.table) AS f
        WHERE x.id = t.n AND f.n = x.n AND \(isTold) LIMIT 1)
      WHERE t.state = 0 AND EXISTS (SELECT 1 FROM \(list.claims) AS x WHERE x.id = t.n AND \(isTold))
      """
    )
  }

  /// Takes the links back from waiting rows of an entity that only lists of rejected records had told, where they can do
  /// without.
  mutating func releaseChildren(at position: Int, since round: Int) throws(StoreError) {
    guard givesChildren, let waiting = tables[position].parked, waiting.waitingCount > 0 else { return }
    for list in childLists where list.child == position && !list.isRequired && !list.isInKey {
      guard let parked = tables[list.owner].parked else { continue }
      let columns = list.taken.map { "c\($0.own) = NULL" }.joined(separator: ", ")
      try session.connection.execute(
        """
        UPDATE \(waiting.table) SET \(columns) WHERE state = 0 AND n IN (
          SELECT x.id FROM \(parked.table) AS f CROSS JOIN \(list.claims) AS x
          WHERE f.round >= \(round) AND f.state = 1 AND x.n = f.n AND x.kind = \(ChildList.Place.waiting.rawValue)
          AND x.status = \(ChildList.Status.free.rawValue) AND NOT EXISTS (
            SELECT 1 FROM \(list.claims) AS z WHERE z.n = x.n AND z.fault IS NOT NULL))
        """
      )
    }
  }

  /// Rejects waiting records whose lists lead to nothing, or to rows that were rejected in the round before.
  ///
  /// - Returns: How many.
  mutating func rejectListsToNothing(_ policy: OrphanPolicy, _ round: Int) throws(StoreError) -> Int64 {
    guard givesChildren else { return 0 }
    var count: Int64 = 0
    for (index, list) in childLists.enumerated() {
      guard let parked = tables[list.owner].parked, parked.waitingCount > 0 else { continue }
      let waiting = tables[list.child].parked?.table
      if policy == .null, let waiting {
        try session.connection.execute(
          """
          DELETE FROM \(list.claims) WHERE kind = \(ChildList.Place.waiting.rawValue)
          AND id IN (SELECT n FROM \(waiting) WHERE state = 1)
          """
        )
      }
      count += try parked.reject(where: list.isBroken(waiting: waiting), cause: cause(of: index), round: round)
    }
    return count
  }

  /// How a list stands among what records are rejected for: behind the references and links of its owner's entity.
  func cause(of index: Int) -> Int {
    let owner = childLists[index].owner
    let before = childLists[..<index].count { $0.owner == owner }
    return tables[owner].references.count + tables[owner].links.count + before
  }

  /// The lists of an entity, in the order of their causes.
  func childLists(of position: Int) -> [ChildList] { childLists.filter { $0.owner == position } }
}
