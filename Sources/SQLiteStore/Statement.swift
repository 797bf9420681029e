import CSQLite
import Diagnostics
import Predicates
import Records

/// A prepared statement; it is finalized when its owner goes.
///
/// A class, so that it can stand in arrays; it keeps its connection open.
@safe final class Statement {
  let handle: OpaquePointer
  let connection: Connection

  init(_ sql: String, on connection: Connection) throws(StoreError) {
    self.connection = connection
    var prepared: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      connection.handle,
      sql,
      -1,
      UInt32(SQLITE_PREPARE_PERSISTENT),
      &prepared,
      nil
    )
    guard code == SQLITE_OK, let prepared = unsafe prepared else { throw connection.failure(code) }
    unsafe handle = prepared
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Goes on to the next row.
  ///
  /// - Returns: false when there is none; the statement is reset then.
  func step() throws(StoreError) -> Bool {
    connection.restartWaiting()
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    defer { reset() }
    guard code == SQLITE_DONE else { throw connection.failure(code) }
    return false
  }

  /// Makes it ready to run again.
  func reset() { unsafe sqlite3_reset(handle) }

  /// How many columns a row has.
  var columnCount: Int { unsafe Int(sqlite3_column_count(handle)) }

  /// A value as a number; 0 for NULL.
  func integer(_ column: Int) -> Int64 { unsafe sqlite3_column_int64(handle, CInt(column)) }

  /// A value as a floating-point number; 0 for NULL.
  func real(_ column: Int) -> Double { unsafe sqlite3_column_double(handle, CInt(column)) }

  /// A value as text; nil for NULL.
  ///
  /// Bytes that are not UTF-8 are replaced, so only for names and messages.
  func text(_ column: Int) -> String? {
    guard let bytes = unsafe sqlite3_column_text(handle, CInt(column)) else { return nil }
    let count = unsafe Int(sqlite3_column_bytes(handle, CInt(column)))
    return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// Whether a value is NULL.
  func isNull(_ column: Int) -> Bool { unsafe sqlite3_column_type(handle, CInt(column)) == SQLITE_NULL }

  /// Sets a parameter, from 1, to a text or NULL.
  func bind(_ text: String?, at position: Int) throws(StoreError) {
    let code: CInt
    if var text {
      code = text.withUTF8 { utf8 in
        // An empty string may have no address, and a null address would be NULL.
        guard let base = utf8.baseAddress else { return unsafe csqlite_bind_text_copy(handle, CInt(position), "", 0) }
        return unsafe base.withMemoryRebound(to: CChar.self, capacity: utf8.count) { bytes in
          unsafe csqlite_bind_text_copy(handle, CInt(position), bytes, Int64(utf8.count))
        }
      }
    } else {
      code = unsafe sqlite3_bind_null(handle, CInt(position))
    }
    guard code == SQLITE_OK else { throw connection.failure(code) }
  }

  /// Sets a parameter, from 1, to a value of a predicate.
  func bind(_ parameter: PredicateSQL.Parameter, at position: Int) throws(StoreError) {
    let code: CInt
    switch parameter {
    case .integer(let number): code = unsafe sqlite3_bind_int64(handle, CInt(position), number)
    case .real(let number): code = unsafe sqlite3_bind_double(handle, CInt(position), number)
    case .text(let text): return try bind(text, at: position)
    }
    guard code == SQLITE_OK else { throw connection.failure(code) }
  }

  /// Sets a parameter, from 1, to a row's value.
  func bind(_ value: Value, from text: borrowing TextBuffer, at position: Int) throws(StoreError) {
    let parameter = CInt(position)
    let code: CInt
    switch value {
    case .null, .absent: code = unsafe sqlite3_bind_null(handle, parameter)
    case .integer(let number): code = unsafe sqlite3_bind_int64(handle, parameter, number)
    case .real(let number): code = unsafe sqlite3_bind_double(handle, parameter, number)
    case .text(let slice):
      code = unsafe text.withUnsafeBytes { bytes, _ in
        let start = unsafe UnsafeRawPointer(bytes + Int(slice.offset)).assumingMemoryBound(to: CChar.self)
        return unsafe csqlite_bind_text_copy(handle, parameter, start, Int64(slice.count))
      }
    case .blob(let slice):
      // Static: the batch outlives the look-up.
      code = unsafe text.withUnsafeBytes { bytes, _ in
        unsafe sqlite3_bind_blob(handle, parameter, bytes + Int(slice.offset), CInt(slice.count), nil)
      }
    }
    guard code == SQLITE_OK else { throw connection.failure(code) }
  }
}
