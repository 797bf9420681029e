import CSQLite
import Diagnostics
import Glibc

/// One open database, used by one thread at a time.
///
/// A class, since statements share it: it is closed when the last of them has gone.
@safe final class Connection {
  let handle: OpaquePointer
  /// The database as the user named it, for messages.
  let path: String
  let interrupter: StoreInterrupter
  /// How long a statement waits for another process.
  var lockWait: Duration
  /// What the connection's virtual table reads from; it must outlive the connection, so it is kept here.
  var feed: RowFeed?
  /// The schema of the tables that hold what a run must remember between its batches of records.
  ///
  /// `temp`, where nobody sees them; `main` in a run that commits by batches, so that they are committed with them.
  var workSchema = "temp"
  private var isClosed = false
  private var busySince: ContinuousClock.Instant?

  /// Opens a file, or with an empty name a private temporary database that vanishes with the connection.
  ///
  /// - Parameters:
  ///   - file: An absolute path, so that no name is special to SQLite.
  ///   - flags: `SQLITE_OPEN_…`
  ///   - path: See the property.
  ///   - lockWait: How long a statement waits for another process.
  ///   - interrupter: Who may end the waiting and the work.
  init(
    opening file: String,
    flags: CInt,
    path: String,
    lockWait: Duration,
    interrupter: StoreInterrupter
  ) throws(StoreError) {
    _ = SQLiteLibrary.isReady
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(file, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard let opened = unsafe opened else { throw .unexpected(path: path, reason: "out of memory") }
    unsafe handle = opened
    self.path = path
    self.lockWait = lockWait
    self.interrupter = interrupter
    guard code == SQLITE_OK else { throw failure(code) }
    unsafe interrupter.attach(opened)
    for (flag, isOn) in [
      (SQLITE_DBCONFIG_DEFENSIVE, true), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, false), (SQLITE_DBCONFIG_DQS_DML, false),
      (SQLITE_DBCONFIG_DQS_DDL, false),
    ] {
      setFlag(CInt(flag), isOn)
    }
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe sqlite3_busy_handler(
      opened,
      { context, _ in
        guard let context = unsafe context else { return 0 }
        return unsafe Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().waitsOn() ? 1 : 0
      },
      this
    )
  }

  deinit {
    guard !isClosed else { return }
    unsafe interrupter.detach(handle)
    unsafe sqlite3_close_v2(handle)
  }

  /// Closes the database now; all its statements must be gone.
  func close() throws(StoreError) {
    unsafe interrupter.detach(handle)
    let code = unsafe sqlite3_close(handle)
    guard code == SQLITE_OK else { throw failure(code) }
    isClosed = true
  }

  /// Sets one of SQLite's `SQLITE_DBCONFIG_…` flags.
  func setFlag(_ flag: CInt, _ isOn: Bool) {
    unsafe csqlite_set_flag(handle, flag, isOn ? 1 : 0)
  }

  /// Does without a journal, which is for databases that nobody misses; the defensive flag forbids it otherwise.
  func turnJournalOff() throws(StoreError) {
    setFlag(CInt(SQLITE_DBCONFIG_DEFENSIVE), false)
    try execute("PRAGMA journal_mode = OFF")
    setFlag(CInt(SQLITE_DBCONFIG_DEFENSIVE), true)
  }

  /// Runs statements that give no rows of interest.
  func execute(_ sql: String) throws(StoreError) {
    guard !interrupter.isInterrupted else { throw .interrupted }
    busySince = nil
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Runs a statement and gives its first column's first value as text.
  func text(of sql: String) throws(StoreError) -> String? {
    let statement = try Statement(sql, on: self)
    return try statement.step() ? statement.text(0) : nil
  }

  /// Runs a statement and gives its first column's first value as a number; 0 without a row.
  func integer(of sql: String) throws(StoreError) -> Int64 {
    let statement = try Statement(sql, on: self)
    return try statement.step() ? statement.integer(0) : 0
  }

  /// Whether a transaction is open; SQLite ends one by itself when the disk is full.
  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// Whether rows refer to rows that are not there, by foreign keys that are judged at the commit.
  var hasDeferredFaults: Bool {
    var current: CInt = 0
    var highest: CInt = 0
    let code = unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
    return code == SQLITE_OK && current != 0
  }

  /// How many rows the last statement changed, without those of triggers.
  var changeCount: Int64 { unsafe sqlite3_changes64(handle) }

  /// The rowid of the last row inserted.
  var lastRowid: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

  /// The name of a table without that of its schema.
  static func unqualified(_ table: String) -> Substring {
    guard let dot = table.firstIndex(of: ".") else { return table[...] }
    return table[table.index(after: dot)...]
  }

  /// Undoes the open transaction, if there still is one.
  func rollBack() {
    guard isInTransaction else { return }
    unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
  }

  /// What SQLite says of the last call.
  var message: String { unsafe String(cString: sqlite3_errmsg(handle)) }

  /// A new wait for other processes begins.
  func restartWaiting() { busySince = nil }

  private func waitsOn() -> Bool {
    guard !interrupter.isInterrupted else { return false }
    let now = ContinuousClock.now
    let since = busySince ?? now
    busySince = since
    guard since.duration(to: now) < lockWait else { return false }
    usleep(10_000)
    return true
  }

  /// The failure that a result code means.
  func failure(_ code: CInt) -> StoreError {
    if interrupter.isInterrupted { return .interrupted }
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: return .locked(path: path)
    case SQLITE_NOTADB, SQLITE_CORRUPT: return .notADatabase(path: path, reason: message)
    case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
      return .cannotCreate(path: path, reason: reason)
    case SQLITE_FULL, SQLITE_IOERR, SQLITE_NOLFS: return .inputOutput(path: path, reason: reason)
    case SQLITE_INTERRUPT: return .interrupted
    default: return .unexpected(path: path, reason: message)
    }
  }

  /// SQLite's words, and the system's where it had a say.
  private var reason: String {
    let number = unsafe sqlite3_system_errno(handle)
    return number == 0 ? message : message + " (" + systemMessage(number) + ")"
  }
}

/// What is done once a process before SQLite is used.
enum SQLiteLibrary {
  /// Turns off what costs a lock or a counter at every allocation; a host that uses SQLite already keeps its settings.
  static let isReady: Bool = csqlite_disable_memory_statistics() == SQLITE_OK

  /// The library's version, such as `3.40.1`.
  static var version: String { unsafe String(cString: sqlite3_libversion()) }
}

/// The system's words for an error number.
func systemMessage(_ number: CInt) -> String {
  guard let words = unsafe strerror(number) else { return "error \(number)" }
  return unsafe String(cString: words)
}
