import CSQLite
import Testing

/// Expects that no row of some databases refers to one that is not there; called when a test's folder goes.
///
/// - Parameters:
///   - folder: Where they are.
///   - names: All that is there; what does not end with `.sqlite`, and what is no database, is passed over.
package func expectNoDanglingReferences(in folder: String, among names: [String]) {
  for name in names where name.hasSuffix(".sqlite") {
    let dangling = danglingReferences(inDatabase: folder + "/" + name)
    if !dangling.isEmpty { Issue.record("\(name): rows of \(dangling.joined(separator: ", ")) refer to nothing") }
  }
}

/// The tables with rows that refer to rows which are not there.
package func danglingReferences(inDatabase path: String) -> [String] {
  var database: OpaquePointer?
  guard unsafe sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK else {
    unsafe sqlite3_close(database)
    return []
  }
  defer { unsafe sqlite3_close(database) }
  var statement: OpaquePointer?
  let sql = "SELECT DISTINCT \"table\" FROM pragma_foreign_key_check"
  guard unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { return [] }
  defer { unsafe sqlite3_finalize(statement) }
  var tables: [String] = []
  while unsafe sqlite3_step(statement) == SQLITE_ROW {
    if let text = unsafe sqlite3_column_text(statement, 0) { tables.append(unsafe String(cString: text)) }
  }
  return tables
}
