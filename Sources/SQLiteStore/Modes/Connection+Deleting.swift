import CSQLite
import Diagnostics

extension Connection {
  /// Deletes rows of an entity's table, with what the delete rules say.
  ///
  /// - Returns: How many rows of that table went by the statement itself.
  /// - Throws: `.undeletable` when a rule or a trigger keeps a row.
  func delete(from table: StoredTable, where condition: String = "") throws(StoreError) -> Int64 {
    restartWaiting()
    let sql = "DELETE FROM main.\(SQLText.identifier(table.name))\(condition.isEmpty ? "" : " WHERE " + condition)"
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    if code & 0xFF == SQLITE_CONSTRAINT { throw .undeletable(entity: table.name, reason: excerpt(of: message)) }
    guard code == SQLITE_OK else { throw failure(code) }
    return changeCount
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
