package import Diagnostics
import EntityModel

/// Rejects the records by which rows have too few or too many links, once everything is written.
///
/// Of an owner that the run has made its own record is rejected, with what depends on it. One that was there before stays
/// as it was: the records are rejected that have changed its links.
extension EntityWriter {
  static let brokenTable = "temp.importer_broken"
  static let refusedTable = "temp.importer_refused"

  /// Rejects records until all counts are right that the run has touched.
  ///
  /// - Returns: Whether any was rejected, so that rows wait again or other counts may be wrong.
  /// - Throws: `.referredTo` where a count is wrong by what no record did.
  mutating func refuseWrongCounts(_ round: Int, _ reject: (ParkedRejection) throws -> Void) throws -> Bool {
    guard try findWrongCounts() else { return false }
    for bound in bounds { try chooseRecords(for: bound) }
    guard try session.connection.integer(of: "SELECT 1 FROM \(Self.refusedTable) LIMIT 1") != 0 else {
      if let message = try wrongCount() {
        throw StoreError.referredTo(
          path: session.connection.path,
          message: message,
          remedy: "load what leads to it in the same run, or change the bounds of the relationship in the model"
        )
      }
      return false
    }
    try tellWrongCounts(reject)
    for position in tables.indices {
      guard let parked = tables[position].parked, tables[position].isHeld else { continue }
      try session.connection.execute(
        """
        UPDATE \(parked.table) SET state = 1, level = 0, round = \(round)
        WHERE n IN (SELECT n FROM \(Self.refusedTable) WHERE position = \(position))
        """
      )
    }
    try unwind()
    return true
  }

  /// What is wrong with a count by what no record did, once rows were deleted; nil if nothing is.
  package mutating func wrongCountByDeletion() throws(StoreError) -> String? {
    guard try findWrongCounts() else { return nil }
    return try wrongCount()
  }

  /// Counts the links of all owners that something was done to since they were counted last.
  ///
  /// - Returns: Whether any count is wrong.
  private func findWrongCounts() throws(StoreError) -> Bool {
    guard !bounds.isEmpty else { return false }
    let connection = session.connection
    try connection.execute(
      """
      DROP TABLE IF EXISTS \(Self.brokenTable);
      CREATE TABLE \(Self.brokenTable) (bound INTEGER, row INTEGER, links INTEGER, isNew INTEGER, isTooMany INTEGER,
      PRIMARY KEY (bound, row)) WITHOUT ROWID;
      DROP TABLE IF EXISTS \(Self.refusedTable);
      CREATE TABLE \(Self.refusedTable) (position INTEGER, n INTEGER, bound INTEGER, row INTEGER, links INTEGER,
      isOwn INTEGER, PRIMARY KEY (position, n)) WITHOUT ROWID
      """
    )
    for bound in bounds {
      try connection.execute(
        """
        INSERT INTO \(Self.brokenTable) SELECT \(bound.number), b.* FROM (\(bound.broken)) AS b;
        UPDATE \(bound.changes) SET isOpen = 0 WHERE isOpen
        """
      )
      // What was made only to be referred to has no record that could give more.
      try connection.execute(
        """
        UPDATE \(Self.brokenTable) SET isNew = 0 WHERE bound = \(bound.number) AND isNew
        AND NOT EXISTS (SELECT 1 FROM \(try written(at: bound.owner, "f")) AND f.fate = 1 AND f.written = row);
        DELETE FROM \(Self.brokenTable) WHERE bound = \(bound.number) AND NOT isNew AND NOT isTooMany
        AND row IN (SELECT t.\(bound.ownerRowid) FROM \(bound.changes) AS l CROSS JOIN \(bound.ownerTable) AS t
        ON \(bound.isOwner) WHERE l.isNew)
        """
      )
    }
    return try connection.integer(of: "SELECT 1 FROM \(Self.brokenTable) LIMIT 1") != 0
  }

  /// The waiting rows of an entity that were written, as a source of SQL with its condition.
  private func written(at position: Int, _ alias: String) throws(StoreError) -> String {
    guard let parked = tables[position].parked else {
      return "(SELECT 0 AS n, 0 AS fate, 0 AS written WHERE 0) AS \(alias) WHERE 1"
    }
    return "\(parked.table) AS \(alias) WHERE \(alias).state = 2 AND \(alias).fate IS NOT NULL"
  }

  // MARK: Which records

  /// Chooses the records by which the counts of a relationship are wrong.
  private func chooseRecords(for bound: CountBound) throws(StoreError) {
    let owners = "\(Self.brokenTable) AS b CROSS JOIN \(bound.ownerTable) AS t ON t.\(bound.ownerRowid) = b.row"
    if let parked = tables[bound.owner].parked {
      try choose(
        bound,
        at: bound.owner,
        isOwn: true,
        from: "\(owners) CROSS JOIN \(parked.table) AS f",
        where: "b.isNew AND f.written = b.row AND f.fate = 1"
      )
      let own = tables[bound.owner].lists.filter { $0.list.link.name == bound.link.name }
      for list in own {
        // Its own record has changed the list of a row that was there.
        try choose(
          bound,
          at: bound.owner,
          isOwn: true,
          from: "\(owners) CROSS JOIN \(parked.table) AS f",
          where: "NOT b.isNew AND f.written = b.row AND f.fate = 2 AND \(list.isGiven(by: "f"))"
        )
      }
    }
    try chooseFromChildLists(bound, owners: owners)
    guard let links = bound.links, let linkTable = bound.linkTable else { return }
    let rowid = tables[links].stored.rowidName ?? "rowid"
    if let parked = tables[links].parked {
      // From the links to the owners: the other way round nothing might lead but a look at all links for each owner.
      try choose(
        bound,
        at: links,
        from: "\(parked.table) AS f CROSS JOIN \(linkTable) AS c CROSS JOIN \(bound.ownerTable) AS t "
          + "ON \(bound.leads("c", to: "t")) CROSS JOIN \(Self.brokenTable) AS b",
        where: "b.row = t.\(bound.ownerRowid) AND NOT b.isNew AND b.isTooMany AND c.\(rowid) = f.written "
          + "AND (f.fate = 1 OR f.fate = 2 AND NOT \(try wasLed(by: "f", at: links, to: "t", bound)))"
      )
      if let earlier = tables[links].earlier {
        try earlier.addIndex(on: bound.linkColumns)
        try choose(
          bound,
          at: links,
          from:
            "\(owners) CROSS JOIN \(earlier.table) AS p ON \(bound.leads("p", to: "t")) CROSS JOIN \(parked.table) AS f",
          where: "NOT b.isNew AND NOT b.isTooMany AND f.n = p.importer_n AND NOT EXISTS "
            + "(SELECT 1 FROM \(linkTable) AS c WHERE c.\(rowid) = p.importer_row AND \(bound.leads("c", to: "t")))"
        )
      }
    }
    for position in tables.indices where bound.isJoin {
      for (number, list) in tables[position].lists.enumerated()
      where list.join == links && !(position == bound.owner && list.list.link.name == bound.link.name) {
        try chooseFromLists(number, list, at: position, bound, owners: owners, pairs: linkTable)
      }
    }
  }

  /// Chooses the records by whose lists rows that were there lead to an owner, or do not any more.
  private func chooseFromChildLists(_ bound: CountBound, owners: String) throws(StoreError) {
    guard givesChildren else { return }
    for list in childLists where list.owner == bound.owner && list.link.name == bound.link.name {
      guard let parked = tables[bound.owner].parked else { continue }
      try choose(
        bound,
        at: bound.owner,
        isOwn: true,
        from: "\(owners) CROSS JOIN \(parked.table) AS f",
        where: "NOT b.isNew AND f.written = b.row AND f.fate IN (2, 3) AND f.n IN (SELECT n FROM \(list.changes))"
      )
      try choose(
        bound,
        at: bound.owner,
        from: "\(owners) CROSS JOIN \(list.changes) AS a ON \(bound.led("a", to: "t")) CROSS JOIN \(parked.table) AS f",
        where: "NOT b.isNew AND NOT b.isTooMany AND f.n = a.n"
      )
    }
  }

  /// Chooses the records that give or take pairs from the other end.
  private func chooseFromLists(
    _ number: Int,
    _ list: ListLink,
    at position: Int,
    _ bound: CountBound,
    owners: String,
    pairs: String
  ) throws(StoreError) {
    guard let parked = tables[position].parked else { return }
    let stored = tables[position].stored
    let rowid = stored.rowidName ?? "rowid"
    let row = "main.\(SQLText.identifier(stored.name)) AS x"
    let near = SQLText.identifier(list.ends.near.name)
    let own = "x.\(SQLText.identifier(list.nearColumn))"
    let kept = tables[position].earlier?.pairs(ofList: number)
    func wasPair(_ pair: String) -> String {
      kept.map { "EXISTS (SELECT 1 FROM \($0) AS k WHERE k.importer_n = f.n AND \(bound.leads("k", to: "t")))" } ?? "0"
    }
    try choose(
      bound,
      at: position,
      from:
        "\(owners) CROSS JOIN \(pairs) AS c ON \(bound.leads("c", to: "t")) CROSS JOIN \(row) ON \(own) = c.\(near) "
        + "CROSS JOIN \(parked.table) AS f",
      where: "NOT b.isNew AND b.isTooMany AND f.written = x.\(rowid) AND \(list.isGiven(by: "f")) AND "
        + "(f.fate = 1 OR f.fate = 2 AND NOT \(wasPair("c")))"
    )
    guard let kept else { return }
    try tables[position].earlier?.addIndex(on: bound.linkColumns, ofList: number)
    try choose(
      bound,
      at: position,
      from: "\(owners) CROSS JOIN \(kept) AS k ON \(bound.leads("k", to: "t")) CROSS JOIN \(parked.table) AS f",
      where: "NOT b.isNew AND NOT b.isTooMany AND f.n = k.importer_n AND NOT EXISTS "
        + "(SELECT 1 FROM \(pairs) AS c WHERE c.\(near) = k.\(near) AND \(bound.leads("c", to: "t")))"
    )
  }

  /// The condition that a changed row led to an owner before.
  private func wasLed(by row: String, at position: Int, to owner: String, _ bound: CountBound) throws(StoreError)
    -> String
  {
    guard let earlier = tables[position].earlier else { return "0" }
    return
      "EXISTS (SELECT 1 FROM \(earlier.table) AS p WHERE p.importer_n = \(row).n AND \(bound.leads("p", to: owner)))"
  }

  private func choose(
    _ bound: CountBound,
    at position: Int,
    isOwn: Bool = false,
    from source: String,
    where condition: String
  ) throws(StoreError) {
    try session.connection.execute(
      """
      INSERT OR IGNORE INTO \(Self.refusedTable) SELECT \(position), f.n, b.bound, b.row, b.links, \(isOwn ? 1 : 0)
      FROM \(source) WHERE b.bound = \(bound.number) AND f.state = 2 AND \(condition)
      """
    )
  }
}

extension ListLink {
  /// The condition that a waiting row gives the list.
  fileprivate func isGiven(by row: String) -> String {
    let absences = list.parts.map { "substr(\(row).absent, \($0 + 1), 1) <> x'01'" }
    return "(\(row).absent IS NULL OR \(absences.joined(separator: " OR ")))"
  }
}
