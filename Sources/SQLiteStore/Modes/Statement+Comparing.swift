import CSQLite
import Diagnostics
import Glibc
import Records

extension Statement {
  /// Whether a column of the row at hand holds what a value would be stored as: the same storage class and bytes.
  ///
  /// - Parameters:
  ///   - column: Its position in the row.
  ///   - value: What a record gives.
  ///   - text: What slices of the value point into.
  ///   - affinity: That of the table's column; numbers are stored in the way that it asks for ("Datatypes In SQLite",
  ///     section 3), so 5.0 is the same as 5 in a numeric column, and a text of digits as the number.
  func holds(_ value: Value, from text: borrowing TextBuffer, in column: Int, affinity: Affinity) -> Bool {
    let position = CInt(column)
    let type = unsafe sqlite3_column_type(handle, position)
    switch value {
    case .null, .absent: return type == SQLITE_NULL
    case .integer(let number):
      if type == SQLITE_INTEGER { return unsafe sqlite3_column_int64(handle, position) == number }
      return type == SQLITE_FLOAT && affinity == .real
        && (unsafe sqlite3_column_double(handle, position)) == Double(number)
    case .real(let number):
      if type == SQLITE_FLOAT {
        let stored = unsafe sqlite3_column_double(handle, position)
        // As numbers columns keep no minus zero.
        return affinity.turnsTextIntoNumbers ? stored == number : stored.bitPattern == number.bitPattern
      }
      return type == SQLITE_INTEGER && affinity.turnsTextIntoNumbers
        && Int64(exactly: number) == (unsafe sqlite3_column_int64(handle, position))
    case .text(let slice):
      guard type == SQLITE_TEXT || (type == SQLITE_INTEGER && affinity.turnsTextIntoNumbers) else { return false }
      let bytes = unsafe UnsafeRawPointer(sqlite3_column_text(handle, position))
      return unsafe isSame(bytes, count: sqlite3_column_bytes(handle, position), as: text.bytes(of: slice))
    case .blob(let slice):
      guard type == SQLITE_BLOB else { return false }
      let bytes = unsafe sqlite3_column_blob(handle, position)
      return unsafe isSame(bytes, count: sqlite3_column_bytes(handle, position), as: text.bytes(of: slice))
    }
  }

  /// Whether two columns of the row at hand hold the same number, or both NULL.
  func holdsSameNumber(in first: Int, and second: Int) -> Bool {
    isNull(first) == isNull(second) && integer(first) == integer(second)
  }

  private func isSame(_ bytes: UnsafeRawPointer?, count: CInt, as other: Span<UInt8>) -> Bool {
    guard Int(count) == other.count else { return false }
    guard count > 0, let bytes = unsafe bytes else { return other.count == 0 }
    return unsafe other.withUnsafeBytes { others in
      guard let start = others.baseAddress else { return false }
      return unsafe memcmp(start, bytes, Int(count)) == 0
    }
  }

  /// Sets a parameter, from 1, to a row's value where it stands, until the statement has run.
  func bindInPlace(_ value: Value, from text: borrowing TextBuffer, at position: Int) throws(StoreError) {
    guard case .text(let slice) = value else { return try bind(value, from: text, at: position) }
    let code = unsafe text.withUnsafeBytes { bytes, _ in
      let start = unsafe UnsafeRawPointer(bytes + Int(slice.offset)).assumingMemoryBound(to: CChar.self)
      return unsafe sqlite3_bind_text(handle, CInt(position), start, CInt(slice.count), nil)
    }
    guard code == SQLITE_OK else { throw connection.failure(code) }
  }

  /// Sets a parameter, from 1, to a number.
  func bind(_ number: Int64, at position: Int) throws(StoreError) {
    let code = unsafe sqlite3_bind_int64(handle, CInt(position), number)
    guard code == SQLITE_OK else { throw connection.failure(code) }
  }
}
