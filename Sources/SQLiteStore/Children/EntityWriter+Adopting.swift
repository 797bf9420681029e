import CSQLite
import Diagnostics
import EntityModel
import Records

/// Links stored rows with the rows of records that list them, and parts others; all of that can be taken back.
extension EntityWriter {
  /// Takes back the records that were written and list rows which were refused after that.
  ///
  /// - Returns: Whether there were any, so that rows wait again.
  mutating func takeBackListsToNothing(_ round: Int) throws(StoreError) -> Bool {
    guard givesChildren else { return false }
    var hasAny = false
    for (index, list) in childLists.enumerated() {
      guard let parked = tables[list.owner].parked, let waiting = tables[list.child].parked?.table else { continue }
      try session.connection.execute(
        """
        UPDATE \(parked.table) AS f SET state = 1, level = 0, cause = \(cause(of: index)), round = \(round)
        WHERE f.state = 2 AND f.fate IS NOT NULL AND f.n IN (SELECT x.n FROM \(list.claims) AS x
        CROSS JOIN \(waiting) AS w WHERE x.kind = \(ChildList.Place.waiting.rawValue) AND w.n = x.id AND w.state = 1)
        """
      )
      hasAny = hasAny || session.connection.changeCount > 0
    }
    guard hasAny else { return false }
    for table in tables { try table.parked?.addIndexOfWritten() }
    try unwind()
    return true
  }

  /// Gives stored rows the links and places that lists tell, and takes the link from those that a list leaves out.
  mutating func adoptChildren() throws(StoreError) {
    guard givesChildren else { return }
    for list in childLists {
      guard let parked = tables[list.owner].parked, let rowid = list.rowid else { continue }
      let old = list.changedColumns.map { "t.\(SQLText.identifier($0))" }.joined(separator: ", ")
      let (stored, linked) = (ChildList.Place.stored.rawValue, ChildList.Status.linked.rawValue)
      var isWanted = "x.status > \(linked)"
      if let place = list.place, let said = list.said {
        isWanted +=
          " OR (t.\(SQLText.identifier(place.column)) IS NOT x.place + 1 AND x.id NOT IN (SELECT id FROM \(said)))"
      }
      try session.connection.execute(
        """
        INSERT OR IGNORE INTO \(list.changes) SELECT x.n, t.\(rowid), 1, \(old) FROM \(parked.table) AS f
        CROSS JOIN \(list.claims) AS x CROSS JOIN \(list.stored) AS t WHERE \(Self.isThere) AND x.n = f.n
        AND x.kind = \(stored) AND x.fault IS NULL AND t.\(rowid) = x.id AND (\(isWanted))
        """
      )
      try change(list, parked, to: list.backColumns.map(\.value), isLinked: true)
      guard let said = list.said else { continue }
      // Of several records of one row the last one counts.
      let isSame = list.taken.map { "g.c\($0.enclosing) IS f.c\($0.enclosing)" }.joined(separator: " AND ")
      let given = list.isGiven(updatesRows: true)
      try session.connection.execute(
        """
        INSERT OR IGNORE INTO \(list.changes) SELECT f.n, t.\(rowid), 1, \(old) FROM \(parked.table) AS f
        CROSS JOIN \(list.stored) AS t WHERE \(Self.isThere) AND \(given) AND \(list.leads)
        AND NOT EXISTS (SELECT 1 FROM \(list.claims) AS x WHERE x.kind = \(stored) AND x.id = t.\(rowid) AND x.n = f.n)
        AND NOT EXISTS (SELECT 1 FROM \(said) AS s WHERE s.id = t.\(rowid))
        AND NOT EXISTS (SELECT 1 FROM \(parked.table) AS g WHERE g.n > f.n AND g.state = 2 AND \(isSame)
          AND \(given.replacing("f.", with: "g.")))
        """
      )
      try change(list, parked, to: list.backColumns.map { _ in "NULL" }, isLinked: false)
    }
  }

  /// The condition that a record was written, and not left out.
  private static var isThere: String { "f.state = 2 AND f.fate BETWEEN 1 AND 3" }

  /// Changes the rows that have been noted since the last time.
  private func change(
    _ list: ChildList,
    _ parked: ParkedRows,
    to values: [String],
    isLinked: Bool
  ) throws(StoreError) {
    guard let rowid = list.rowid else { return }
    var columns = list.backColumns.map { SQLText.identifier($0.name) }
    var values = values
    if let place = list.place, isLinked {
      let column = SQLText.identifier(place.column)
      columns.append(column)
      values.append("x.place + 1")
    }
    let code = unsafe sqlite3_exec(
      session.connection.handle,
      """
      UPDATE \(list.stored) AS t SET (\(columns.joined(separator: ", "))) = (
        SELECT \(values.joined(separator: ", ")) FROM \(list.changes) AS a CROSS JOIN \(parked.table) AS f
        LEFT JOIN \(list.claims) AS x ON x.n = a.n AND x.kind = \(ChildList.Place.stored.rawValue) AND x.id = a.id
        WHERE a.isNew AND a.id = t.\(rowid) AND f.n = a.n ORDER BY a.n DESC LIMIT 1)
      WHERE t.\(rowid) IN (SELECT id FROM \(list.changes) WHERE isNew);
      UPDATE \(list.changes) SET isNew = 0 WHERE isNew
      """,
      nil,
      nil,
      nil
    )
    guard code != SQLITE_OK else { return }
    guard code & 0xFF == SQLITE_CONSTRAINT else { throw session.connection.failure(code) }
    throw .referredTo(
      path: session.connection.path,
      message: "rows of '\(excerpt(of: tables[list.child].entity.name))' cannot get the "
        + "'\(excerpt(of: list.back.name))' that lists tell: \(session.connection.message)",
      remedy: "leave those rows out of the lists '\(excerpt(of: list.link.name))', or change them first"
    )
  }

  /// Gives the rows that a record has linked or parted what they held before.
  func partChildren(of number: Int64, at position: Int) throws(StoreError) {
    guard givesChildren else { return }
    for list in childLists where list.owner == position {
      guard let rowid = list.rowid, tables[position].parked != nil else { continue }
      let names = list.changedColumns
      let old = names.indices.map { "a.o\($0)" }.joined(separator: ", ")
      try session.connection.execute(
        """
        UPDATE \(list.stored) AS t SET (\(SQLText.list(names))) = (
          SELECT \(old) FROM \(list.changes) AS a WHERE a.n = \(number) AND a.id = t.\(rowid))
        WHERE t.\(rowid) IN (SELECT id FROM \(list.changes) WHERE n = \(number));
        DELETE FROM \(list.changes) WHERE n = \(number)
        """
      )
    }
  }

  /// Counts the records as updates that changed nothing but what their lists lead to.
  mutating func countAdoptions() throws(StoreError) {
    guard givesChildren else { return }
    for position in tables.indices {
      guard let parked = tables[position].parked else { continue }
      let changing = childLists(of: position).map { list in
        """
        SELECT n FROM \(list.changes) UNION SELECT n FROM \(list.claims)
        WHERE fault IS NULL AND kind <> \(ChildList.Place.waiting.rawValue)
        AND status > \(ChildList.Status.linked.rawValue)
        """
      }
      guard !changing.isEmpty else { continue }
      // What a list lacks may have gone to another one.
      let losing = childLists(of: position).filter { $0.said != nil }.map { list in
        let held = list.backColumns.enumerated().map { "a.o\($0) = \($1.value)" }.joined(separator: " AND ")
        let isLosing = "EXISTS (SELECT 1 FROM \(list.changes) AS a WHERE \(held))"
        return "(\(list.isGiven(updatesRows: true)) AND \(isLosing))"
      }
      let count = try session.connection.integer(
        of: """
          SELECT count(*) FROM \(parked.table) AS f WHERE f.state = 2 AND f.fate = \(ParkedRows.Fate.unchanged.rawValue)
          AND (\((["f.n IN (\(changing.joined(separator: " UNION ")))"] + losing).joined(separator: " OR ")))
          """
      )
      tables[position].unchangedCount -= count
      tables[position].updatedCount += count
    }
  }
}
