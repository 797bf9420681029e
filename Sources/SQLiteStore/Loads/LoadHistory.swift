package import Diagnostics

/// Reads which loads a database has seen.
package enum LoadHistory {
  /// The last runs, the newest first, and how many there are in all.
  ///
  /// - Parameters:
  ///   - path: The database; opened to be read only.
  ///   - limit: The most runs; nil is all.
  /// - Throws: `.missing` without the file; `.schema` where importer has not made the database.
  package static func read(
    ofDatabase path: String,
    limit: Int?,
    lockWait: Duration = .seconds(10),
    interrupter: StoreInterrupter = StoreInterrupter()
  ) throws(StoreError) -> (entries: [LoadEntry], count: Int64) {
    let connection = try Connection.readOnly(path, lockWait: lockWait, interrupter: interrupter)
    guard try connection.isOurs() else {
      throw .schema(
        path: path,
        message: "it keeps no list of loads, since importer has not made it",
        remedy: "such a database is given no tables unasked; one that a load makes keeps the list"
      )
    }
    let table = LoadTable(of: connection)
    return (try table.entries(limit: limit), try table.runCount())
  }

  /// Whether a database is there that keeps no list of loads, since something else has made it.
  ///
  /// No database, and one without a table, is what a load makes its own.
  package static func isMissing(
    fromDatabase path: String,
    lockWait: Duration = .seconds(10),
    interrupter: StoreInterrupter = StoreInterrupter()
  ) throws(StoreError) -> Bool {
    let connection: Connection
    do throws(StoreError) {
      connection = try Connection.readOnly(path, lockWait: lockWait, interrupter: interrupter)
    } catch .missing {
      return false
    }
    guard try connection.integer(of: "SELECT count(*) FROM main.sqlite_schema") > 0 else { return false }
    return try !connection.isOurs()
  }

  /// The load whose content is what the database's entities still hold, by all that the list tells.
  ///
  /// That is the last one of this fingerprint, if its tables are there and no later run has changed rows of theirs.
  ///
  /// - Parameter acceptsRejects: Whether a load that rejected records counts.
  /// - Returns: nil where there is none, or no database, or one that keeps no list.
  package static func load(
    of fingerprint: String,
    stillIn path: String,
    acceptsRejects: Bool,
    lockWait: Duration = .seconds(10),
    interrupter: StoreInterrupter = StoreInterrupter()
  ) throws(StoreError) -> LoadEntry? {
    let connection: Connection
    do throws(StoreError) {
      connection = try Connection.readOnly(path, lockWait: lockWait, interrupter: interrupter)
    } catch .missing {
      return nil
    }
    // What an unfinished load has changed, the list does not tell.
    guard try !ProgressTable(of: connection).exists() else { return nil }
    let table = LoadTable(of: connection)
    let condition = "command = 'load' AND fingerprint = \(SQLText.literal(fingerprint))"
    guard let load = try table.entries(where: condition, limit: 1).first else { return nil }
    guard acceptsRejects || load.counts.allSatisfy({ $0["rejected"] == 0 }) else { return nil }
    let catalog = TableCatalog(of: connection)
    for count in load.counts {
      // Records that no entity takes are counted under names that are no tables.
      guard try catalog.table(named: count.entity) != nil || count["rejected"] == count["read"] else { return nil }
    }
    let isChanged = try table.entries(where: "run > \(load.run)").contains { later in
      later.counts.contains { count in
        count.changedRows && load.counts.contains { SQLText.isSameName($0.entity, count.entity) }
      }
    }
    return isChanged ? nil : load
  }
}

extension Connection {
  /// Whether importer has made the database, or a table of it.
  func isOurs() throws(StoreError) -> Bool {
    if try ModelTable(of: self).exists() { return true }
    return try LoadTable(of: self).exists()
  }
}

extension EntityWriter {
  /// Adds the run to the list of loads, in its own transaction; a foreign database is given no tables for it, and a check
  /// writes nothing.
  package func remember(_ entry: LoadEntry) throws(StoreError) {
    try session.remember(entry, isOurs: batches?.load.madeDatabase ?? false)
  }
}

extension WriteSession {
  /// Adds a run to the list of loads of a database that is ours.
  func remember(_ entry: LoadEntry, isOurs: Bool = false) throws(StoreError) {
    switch target {
    case .overlay, .copy: return
    case .partial: break
    case .existing:
      var isOurs = isOurs || madeDatabase
      if !isOurs { isOurs = try connection.isOurs() }
      guard isOurs else { return }
    }
    try LoadTable(of: connection).add(entry)
  }
}
