import CSQLite
import Diagnostics
import EntityModel
import Glibc

/// The database of one run's writing, from opening to its end: made durable, or as it was before.
final class WriteSession {
  /// What is written to.
  enum Target {
    /// A file beside the database's place, renamed into it at the end.
    case partial(String)
    /// The database itself, in one transaction.
    case existing
    /// A private temporary database that holds copies of the tables; the database is attached as `target`.
    case overlay
    /// A private temporary database: empty, or a copy of the whole one.
    case copy
  }

  let connection: Connection
  let place: DatabasePlace
  let target: Target
  private let lock: FileDescriptor?
  /// Whether the run has made the database in its place.
  let madeDatabase: Bool
  /// Whether a batch has been committed.
  var hasCommitted = false
  private var isFinished = false

  private init(
    _ connection: Connection,
    at place: DatabasePlace,
    target: Target,
    lock: consuming FileDescriptor? = nil,
    madeDatabase: Bool = false
  ) {
    self.connection = connection
    self.place = place
    self.target = target
    self.lock = lock
    self.madeDatabase = madeDatabase
  }

  deinit { undo() }

  /// Whether the work stands in a transaction.
  var isTransaction: Bool {
    if case .overlay = target { false } else { true }
  }

  /// Opens what the settings ask for and begins the transaction.
  static func open(_ settings: EntityWriter.Settings) throws(StoreError) -> WriteSession {
    switch settings.purpose {
    case .load: try load(settings)
    case .check: try check(settings)
    }
  }

  // MARK: Loading

  private static func load(_ settings: EntityWriter.Settings) throws(StoreError) -> WriteSession {
    let start = ContinuousClock.now
    var place = try DatabasePlace(settings.database)
    if case .file = place.occupant {
      // SQLite judges the file before a lock appears beside it.
      let connection = try Connection.writable(
        place,
        lockWait: settings.lockWait,
        interrupter: settings.interrupter
      )
      let lock = try place.lock(
        waiting: settings.lockWait - start.duration(to: .now),
        interrupter: settings.interrupter
      )
      return try existing(connection, at: place, lock: lock, since: start)
    }
    guard place.companions().isEmpty else { throw place.companionFailure }
    let lock = try place.lock(waiting: settings.lockWait, interrupter: settings.interrupter)
    // Another run may have made it while this one waited.
    place = try DatabasePlace(settings.database)
    if case .file = place.occupant {
      let connection = try Connection.writable(
        place,
        lockWait: settings.lockWait,
        interrupter: settings.interrupter
      )
      return try existing(connection, at: place, lock: lock, since: start)
    }
    guard place.companions().isEmpty else {
      place.removeLock()
      throw place.companionFailure
    }
    place.removeLeftovers()
    // What is committed by batches must stand in its place from the first of them on.
    guard settings.batches == nil else {
      return try inPlace(place, settings, lock: lock, since: start)
    }
    let connection = try making(place.partialFile, at: place, settings)
    let session = WriteSession(connection, at: place, target: .partial(place.partialFile), lock: lock)
    // Nobody sees the file before it is complete, so nothing needs to be undone or synchronised on the way; pages that leave
    // a small cache early cost as little.
    try connection.turnJournalOff()
    try connection.execute(
      """
      PRAGMA page_size = 8192; PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF; PRAGMA cache_size = -8000;
      BEGIN
      """
    )
    return session
  }

  /// Makes a file for a database; the lock's goes where that fails.
  static func making(
    _ file: String,
    at place: DatabasePlace,
    _ settings: EntityWriter.Settings
  ) throws(StoreError) -> Connection {
    do throws(StoreError) {
      return try Connection(
        opening: file,
        flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
        path: place.path,
        lockWait: settings.lockWait,
        interrupter: settings.interrupter
      )
    } catch {
      place.removeLock()
      throw error
    }
  }

  static func existing(
    _ connection: Connection,
    at place: DatabasePlace,
    lock: consuming FileDescriptor?,
    since start: ContinuousClock.Instant,
    madeDatabase: Bool = false
  ) throws(StoreError) -> WriteSession {
    place.removeLeftovers()
    let session = WriteSession(connection, at: place, target: .existing, lock: lock, madeDatabase: madeDatabase)
    if madeDatabase { try connection.execute("PRAGMA page_size = 8192") }
    let lockWait = connection.lockWait
    connection.lockWait = lockWait - start.duration(to: .now)
    try connection.execute(
      """
      PRAGMA synchronous = EXTRA; PRAGMA cache_size = -16000; PRAGMA foreign_keys = ON; BEGIN IMMEDIATE;
      PRAGMA defer_foreign_keys = ON
      """
    )
    connection.lockWait = lockWait
    return session
  }

  // MARK: Checking

  private static func check(_ settings: EntityWriter.Settings) throws(StoreError) -> WriteSession {
    let place = try DatabasePlace(settings.database)
    func privateDatabase() throws(StoreError) -> Connection {
      let connection = try Connection(
        opening: "",
        flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI,
        path: place.path,
        lockWait: settings.lockWait,
        interrupter: settings.interrupter
      )
      try connection.execute("PRAGMA cache_size = -8000; PRAGMA synchronous = OFF")
      return connection
    }
    guard case .file = place.occupant else {
      let connection = try privateDatabase()
      try connection.turnJournalOff()
      try connection.execute("BEGIN")
      return WriteSession(connection, at: place, target: .copy)
    }
    let source = try Connection.readOnly(
      place.path,
      lockWait: settings.lockWait,
      interrupter: settings.interrupter
    )
    let catalog = TableCatalog(of: source)
    var tables: [StoredTable] = []
    for entity in settings.model.entities {
      if try catalog.hasTable(named: entity.name), let table = try catalog.table(named: entity.name) {
        tables.append(table)
      }
    }
    let connection = try privateDatabase()
    // What pairs there are is looked up in many ways.
    let hasPairs = settings.model.entities.contains { entity in
      entity.joinedRelationship != nil && tables.contains { SQLText.isSameName($0.name, entity.name) }
    }
    // So is what there is at the other ends of relationships that are counted.
    let hasBounds = settings.model.entities.contains { entity in entity.relationships.contains(where: \.isBounded) }
    // And rows that lists may take over, while others are given by records.
    let takesRows = settings.mode.updatesRows && settings.model.entities.contains { !$0.childLists.isEmpty }
    guard !hasPairs, !hasBounds, !takesRows, tables.allSatisfy({ $0.canBeOverlaid(in: settings.mode) }) else {
      try connection.copyAll(of: source)
      try connection.execute(
        "PRAGMA journal_mode = MEMORY; PRAGMA foreign_keys = ON; BEGIN; PRAGMA defer_foreign_keys = ON"
      )
      return WriteSession(connection, at: place, target: .copy)
    }
    // An attached database must have the same encoding.
    let encoding = try source.text(of: "PRAGMA encoding") ?? "UTF-8"
    try connection.execute("PRAGMA encoding = \(SQLText.literal(encoding))")
    try source.close()
    // No transaction: it would hold a lock on the database for the whole run.
    try connection.turnJournalOff()
    try connection.execute("ATTACH \(SQLText.literal("file:" + uriPath(place.file) + "?mode=ro")) AS target")
    // What is read here was accepted once: old schemas may write texts in double quotes.
    connection.setFlag(CInt(SQLITE_DBCONFIG_DQS_DDL), true)
    for table in tables { try connection.copyTable(table) }
    connection.setFlag(CInt(SQLITE_DBCONFIG_DQS_DDL), false)
    return WriteSession(connection, at: place, target: .overlay)
  }

  /// A path as SQLite's URIs take it: all but plain characters by their number.
  private static func uriPath(_ path: String) -> String {
    var result = ""
    for byte in path.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }

  // MARK: The end

  /// Makes the transaction durable, or throws a check's away; all statements must be gone.
  func finish() throws(StoreError) {
    switch target {
    case .overlay: break
    case .copy: try commit()
    case .existing:
      let isWriteAhead = try connection.text(of: "PRAGMA journal_mode") == "wal"
      try commit()
      // Best effort: a reader may hold it up, and the rows are safe in the log.
      if isWriteAhead {
        connection.lockWait = .zero
        unsafe sqlite3_wal_checkpoint_v2(connection.handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
      }
    case .partial(let partial):
      guard try connection.text(of: "SELECT \"table\" FROM pragma_foreign_key_check") == nil else {
        throw danglingFailure()
      }
      try commit()
      try connection.close()
      try place.install(partial)
    }
    isFinished = true
  }

  /// Commits the open transaction.
  func commit() throws(StoreError) {
    guard !connection.interrupter.isInterrupted else { throw .interrupted }
    connection.restartWaiting()
    let code = unsafe sqlite3_exec(connection.handle, "COMMIT", nil, nil, nil)
    guard code != SQLITE_OK else { return }
    throw code & 0xFF == SQLITE_CONSTRAINT ? danglingFailure() : connection.failure(code)
  }

  /// Says which rows refer to nothing.
  func danglingFailure() -> StoreError {
    let found = try? Referrers(in: connection).dangling()
    let sentence = (found ?? nil) ?? "rows would refer to rows that are not there"
    return .dangling(path: place.path, message: sentence)
  }

  /// Leaves the database as it was.
  func undo() {
    guard !isFinished else { return }
    isFinished = true
    switch target {
    // Unlinked while open: the pages go with the connection.
    case .partial(let partial):
      unsafe unlink(partial)
      place.removeLock()
    case .existing:
      connection.rollBack()
      // After a failed write (a full disk) SQLite leaves its journal to whoever reads next; let that be us.
      unsafe sqlite3_exec(connection.handle, "SELECT 1 FROM sqlite_schema", nil, nil, nil)
      if madeDatabase, !hasCommitted {
        unsafe unlink(place.file)
        place.removeLock()
      }
    case .overlay, .copy: break
    }
  }
}
