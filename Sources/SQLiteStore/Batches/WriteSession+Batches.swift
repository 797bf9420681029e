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
    let connection = try making(place.file, at: place, settings)
    return try existing(connection, at: place, lock: lock, since: start, madeDatabase: true)
  }

  /// Commits what has been written so far, and begins the next transaction.
  func commitBatch() throws(StoreError) {
    try commit()
    hasCommitted = true
    try connection.execute("BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON")
  }
}
