import CSQLite

/// Runs SQL on a database, as any other program may; false if SQLite refuses it.
package func execute(_ sql: String, onDatabase path: String) -> Bool {
  var database: OpaquePointer?
  defer { unsafe sqlite3_close(database) }
  guard unsafe sqlite3_open(path, &database) == SQLITE_OK else { return false }
  _ = unsafe sqlite3_exec(database, "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF", nil, nil, nil)
  return unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
}

/// What SQLite has to say of some SQL; empty where it runs it.
package func complaint(about sql: String, onDatabase path: String) -> String {
  var database: OpaquePointer?
  defer { unsafe sqlite3_close(database) }
  guard unsafe sqlite3_open(path, &database) == SQLITE_OK else { return "cannot open \(path)" }
  guard unsafe sqlite3_exec(database, sql, nil, nil, nil) != SQLITE_OK else { return "" }
  return unsafe String(cString: sqlite3_errmsg(database))
}

/// The rows of every table but importer's own, each value as SQL spells it with its storage class, sorted by table.
package func allRows(ofDatabase path: String) -> [String: [String]] {
  var database: OpaquePointer?
  defer { unsafe sqlite3_close(database) }
  guard unsafe sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK else { return [:] }
  func query(_ sql: String) -> [[String]] {
    var statement: OpaquePointer?
    defer { unsafe sqlite3_finalize(statement) }
    guard unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { return [] }
    var rows: [[String]] = []
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<(unsafe sqlite3_column_count(statement))).map { column in
          unsafe sqlite3_column_text(statement, column).map { unsafe String(cString: $0) } ?? ""
        }
      )
    }
    return rows
  }
  func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
  var result: [String: [String]] = [:]
  let tables = query(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'importer\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'"
  )
  for table in tables.map({ $0[0] }) {
    let columns = query("SELECT name FROM pragma_table_info(\(literal(table))) ORDER BY cid").map { quoted($0[0]) }
    // The bytes, since a text may hold NUL, and the class, since 1 and '1' and 1.0 are three values.
    let values = columns.map {
      "typeof(\($0)) || ' ' || CASE typeof(\($0)) WHEN 'real' THEN quote(\($0)) ELSE hex(\($0)) END"
    }
    let rows = query("SELECT \(values.joined(separator: " || ', ' || ")) FROM \(quoted(table))").map { $0[0] }
    result[table] = [columns.joined(separator: ", ")] + rows.sorted()
  }
  return result
}

private func literal(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }
