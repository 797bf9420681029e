import CSQLite
import Diagnostics

extension Connection {
  /// Deletes rows of an entity's table, with what the delete rules say.
  ///
  /// - Returns: How many rows of that table went.
  /// - Parameter condition: Which rows `t` go; all if empty.
  /// - Throws: `.referredTo` when a rule keeps a row, `.undeletable` when a trigger does.
  func delete(from table: StoredTable, where condition: String = "") throws(StoreError) -> Int64 {
    // Rows that go by a rule with others of their table are not among those that SQLite counts.
    let isRecursive = table.foreignKeys.contains { SQLText.isSameName($0.target, table.name) }
    let count = "SELECT count(*) FROM main.\(SQLText.identifier(table.name))"
    let before = isRecursive ? try integer(of: count) : 0
    restartWaiting()
    let sql = "DELETE FROM main.\(SQLText.identifier(table.name)) AS t\(condition.isEmpty ? "" : " WHERE " + condition)"
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    if code & 0xFF == SQLITE_CONSTRAINT {
      let reason = excerpt(of: message)
      let holders = try Referrers(in: self).holders(of: table, where: condition.isEmpty ? "1" : condition)
      throw holders.map { .kept(table, on: path, by: $0) } ?? .undeletable(entity: table.name, reason: reason)
    }
    guard code == SQLITE_OK else { throw failure(code) }
    return isRecursive ? before - (try integer(of: count)) : changeCount
  }
}

extension StoredTable {
  /// Tables in an order in which those that refer to others come before them.
  static func childrenFirst(_ tables: [StoredTable]) -> [Int] {
    var order: [Int] = []
    var visited: Set<Int> = []
    func visit(_ position: Int) {
      guard visited.insert(position).inserted else { return }
      for key in tables[position].foreignKeys {
        if let target = tables.firstIndex(where: { SQLText.isSameName($0.name, key.target) }) { visit(target) }
      }
      order.append(position)
    }
    for position in tables.indices { visit(position) }
    return order.reversed()
  }
}
