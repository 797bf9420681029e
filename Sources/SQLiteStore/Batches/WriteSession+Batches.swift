import CSQLite
import Diagnostics

/// A session whose work is committed by batches.
extension WriteSession {
  /// Makes a database that is written in its place, with a journal.
  static func inPlace(
    _ place: DatabasePlace,
    _ settings: EntityWriter.Settings,
    lock: consuming FileDescriptor?,
    since start: ContinuousClock.Instant
  ) throws(StoreError) -> WriteSession {
    let connection: Connection
    do throws(StoreError) {
      connection = try Connection(
        opening: place.file,
        flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
        path: place.path,
        lockWait: settings.lockWait,
        interrupter: settings.interrupter
      )
    } catch {
      place.removeLock()
      throw error
    }
    return try existing(connection, at: place, lock: lock, since: start, madeDatabase: true)
  }

  /// Commits what has been written so far, and begins the next transaction.
  func commitBatch() throws(StoreError) {
    try commit()
    hasCommitted = true
    try connection.execute("BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON")
  }
}
