import CSQLite
import Diagnostics
import Records

/// Rows of a batch as a table that SQL can read: `INSERT … SELECT` from it costs three quarters of a bound `INSERT`.
///
/// The values are read where they stand; nothing is copied before SQLite makes its own record. One scan at a time.
@safe final class RowFeed {
  private let feed: UnsafeMutablePointer<csqlite_feed>

  init?() {
    let filter: @convention(c) (Cursor?, CInt, UnsafePointer<CChar>?, CInt, Arguments?) -> CInt = {
      cursor,
      _,
      _,
      _,
      _ in
      guard let feed = unsafe feedOf(cursor) else { return SQLITE_ERROR }
      unsafe feed.pointee.position = feed.pointee.start
      unsafe settle(feed)
      return SQLITE_OK
    }
    let next: @convention(c) (Cursor?) -> CInt = { cursor in
      guard let feed = unsafe feedOf(cursor) else { return SQLITE_ERROR }
      unsafe feed.pointee.position &+= 1
      unsafe settle(feed)
      return SQLITE_OK
    }
    guard let feed = unsafe csqlite_feed_make(filter, next, feedColumn) else { return nil }
    unsafe self.feed = feed
  }

  deinit { unsafe csqlite_feed_free(feed) }

  /// Makes rows of so many values known under a name.
  func register(as name: String, columnCount: Int, on connection: Connection) throws(StoreError) {
    let code = unsafe csqlite_feed_register(connection.handle, name, feed, CInt(columnCount))
    guard code == SQLITE_OK else { throw connection.failure(code) }
  }

  /// The row that the last scan had reached.
  var position: Int { unsafe Int(feed.pointee.position) }

  /// Runs a statement over some rows of a batch, once, and resets it.
  ///
  /// - Parameters:
  ///   - statement: Its parameters are bound already.
  ///   - range: Positions in `rows.rows`, or in `rows.lost` if `areLost`.
  ///   - rows: Where the values stand.
  ///   - text: What slices of the values point into.
  ///   - areLost: Which of the two it is.
  ///   - answer: Told the first column of each row that the statement gives.
  ///   - visit: Sees the statement at each such row.
  /// - Returns: SQLite's extended result code, `SQLITE_DONE` for a success.
  func run(
    _ statement: Statement,
    over range: Range<Int>,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    areLost: Bool = false,
    answer: (Int64) -> Void = { _ in },
    visit: (Statement) -> Void = { _ in }
  ) -> CInt {
    statement.connection.restartWaiting()
    return unsafe text.withUnsafeBytes { bytes, _ in
      unsafe (areLost ? rows.lost : rows.rows).withUnsafeBufferPointer { rowBuffer in
        unsafe rows.values.withUnsafeBufferPointer { values in
          unsafe feed.pointee.rows = UnsafeRawPointer(rowBuffer.baseAddress)
          unsafe feed.pointee.values = UnsafeRawPointer(values.baseAddress)
          unsafe feed.pointee.text = bytes
          unsafe feed.pointee.start = Int64(range.lowerBound)
          unsafe feed.pointee.end = Int64(range.upperBound)
          unsafe feed.pointee.position = Int64(range.lowerBound)
          // SQLite is done with the bytes when the statement is reset; until then they stand still.
          defer {
            statement.reset()
            unsafe feed.pointee.rows = nil
            unsafe feed.pointee.values = nil
            unsafe feed.pointee.text = nil
          }
          var code = unsafe sqlite3_step(statement.handle)
          while code == SQLITE_ROW {
            answer(statement.integer(0))
            visit(statement)
            code = unsafe sqlite3_step(statement.handle)
          }
          return code
        }
      }
    }
  }
}

private typealias Cursor = UnsafeMutablePointer<sqlite3_vtab_cursor>
private typealias Arguments = UnsafeMutablePointer<OpaquePointer?>

@inline(__always)
private func feedOf(_ cursor: Cursor?) -> UnsafeMutablePointer<csqlite_feed>? {
  guard let cursor = unsafe cursor else { return nil }
  return unsafe UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: csqlite_feed_cursor.self).pointee.feed
}

/// Finds the first value of the row at the feed's position.
@inline(__always)
private func settle(_ feed: UnsafeMutablePointer<csqlite_feed>) {
  guard unsafe feed.pointee.position < feed.pointee.end,
    let rows = unsafe feed.pointee.rows, let values = unsafe feed.pointee.values
  else { return }
  let row = unsafe rows.assumingMemoryBound(to: ValueBatch.Row.self)[Int(feed.pointee.position)]
  unsafe feed.pointee.current = UnsafeRawPointer(
    values.assumingMemoryBound(to: Value.self) + Int(row.valueStart)
  )
}

/// Hands one value to SQLite; text and bytes by address, since the batch outlives the statement.
private let feedColumn: @convention(c) (Cursor?, OpaquePointer?, CInt) -> CInt = { cursor, context, column in
  guard let feed = unsafe feedOf(cursor), let current = unsafe feed.pointee.current else { return SQLITE_ERROR }
  switch unsafe current.assumingMemoryBound(to: Value.self)[Int(column)] {
  case .null, .absent: break  // SQLite has set it so.
  case .integer(let number): unsafe sqlite3_result_int64(context, number)
  case .real(let number): unsafe sqlite3_result_double(context, number)
  case .text(let slice):
    let start = unsafe UnsafeRawPointer(feed.pointee.text)?.assumingMemoryBound(to: CChar.self)
    unsafe sqlite3_result_text(context, start.map { unsafe $0 + Int(slice.offset) }, CInt(slice.count), nil)
  case .blob(let slice):
    let start = unsafe feed.pointee.text
    unsafe sqlite3_result_blob(context, start.map { unsafe $0 + Int(slice.offset) }, CInt(slice.count), nil)
  }
  return SQLITE_OK
}
