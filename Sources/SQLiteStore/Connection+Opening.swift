import CSQLite
import Diagnostics
import Glibc

extension Connection {
  /// Opens a database to be read; nothing of it is changed, except that SQLite undoes what a killed writer left halfway.
  static func readOnly(
    _ path: String,
    lockWait: Duration,
    interrupter: StoreInterrupter
  ) throws(StoreError) -> Connection {
    let place = try existing(path)
    func open(_ flags: CInt) throws(StoreError) -> (connection: Connection, code: CInt) {
      let connection = try Connection(
        opening: place.file,
        flags: flags,
        path: path,
        lockWait: lockWait,
        interrupter: interrupter
      )
      // SQLite looks at the file no sooner than this.
      let code = unsafe sqlite3_exec(connection.handle, "SELECT 1 FROM sqlite_schema", nil, nil, nil)
      return (connection, code)
    }
    var (connection, code) = try open(SQLITE_OPEN_READONLY)
    if code & 0xFF == SQLITE_READONLY || code & 0xFF == SQLITE_CANTOPEN {
      // A hot journal can only be played back by a connection that may write.
      if case (let writer, SQLITE_OK) = try open(SQLITE_OPEN_READWRITE) {
        _ = consume writer
        (connection, code) = try open(SQLITE_OPEN_READONLY)
      }
    }
    guard code == SQLITE_OK else {
      let failure = connection.failure(code)
      if case .cannotCreate(_, let reason) = failure { throw .notADatabase(path: path, reason: reason) }
      throw failure
    }
    try connection.execute("PRAGMA query_only = ON; PRAGMA cell_size_check = ON")
    return connection
  }

  /// Opens a database that exists to be written in.
  static func writable(
    _ place: DatabasePlace,
    lockWait: Duration,
    interrupter: StoreInterrupter
  ) throws(StoreError) -> Connection {
    let connection = try Connection(
      opening: place.file,
      flags: SQLITE_OPEN_READWRITE,
      path: place.path,
      lockWait: lockWait,
      interrupter: interrupter
    )
    guard unsafe sqlite3_db_readonly(connection.handle, "main") == 0 else {
      throw .cannotCreate(path: place.path, reason: "it may only be read")
    }
    try connection.execute("SELECT 1 FROM sqlite_schema")
    return connection
  }

  /// The place of a database that must be there.
  private static func existing(_ path: String) throws(StoreError) -> DatabasePlace {
    let place: DatabasePlace
    do throws(StoreError) {
      place = try DatabasePlace(path)
    } catch {
      switch error {
      case .cannotCreate(_, let reason) where unsafe access(path, F_OK) == 0:
        throw .notADatabase(path: path, reason: reason)
      case .cannotCreate: throw .missing(path: path)
      default: throw error
      }
    }
    guard case .file = place.occupant else { throw .missing(path: path) }
    return place
  }
}
