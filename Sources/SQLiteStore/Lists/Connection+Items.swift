import CSQLite
import Diagnostics
import Records

extension Connection {
  /// Makes the function `importer_items` known: from lists of the parts of keys, one behind the other, it makes a list of
  /// keys; a list that is NULL gives NULLs.
  ///
  /// ```text
  /// importer_items('["Basalt","Basalt"]', '["Mira","Otto"]')   [["Basalt","Mira"],["Basalt","Otto"]]
  /// ```
  func addItems() throws(StoreError) {
    let code = unsafe sqlite3_create_function_v2(
      handle,
      "importer_items",
      -1,
      SQLITE_UTF8 | SQLITE_DETERMINISTIC,
      nil,
      { context, count, arguments in
        var lists: [[UInt8]?] = []
        for position in 0..<Int(count) {
          guard let value = unsafe arguments?[position], let text = unsafe sqlite3_value_text(value) else {
            lists.append(nil)
            continue
          }
          let bytes = unsafe UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
          unsafe lists.append(Array(bytes))
        }
        let keys = joinedKeys(lists)
        guard !keys.isEmpty else { return }
        unsafe keys.withUnsafeBufferPointer { bytes in
          guard let start = bytes.baseAddress else { return }
          unsafe start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { text in
            unsafe csqlite_result_text_copy(context, text, Int64(bytes.count))
          }
        }
      },
      nil,
      nil,
      nil
    )
    guard code == SQLITE_OK else { throw failure(code) }
  }
}

/// The lists of parts as one of keys; empty where all of them are NULL.
func joinedKeys(_ lists: [[UInt8]?]) -> [UInt8] {
  var positions = lists.map { _ in 0 }
  var result: [UInt8] = []
  while true {
    var key: [UInt8] = []
    var isAtEnd = true
    for (index, list) in lists.enumerated() {
      key.append(index == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
      guard let list, let item = ItemList.next(in: list.span, at: &positions[index]) else {
        key += Array("null".utf8)
        continue
      }
      isAtEnd = false
      key += list[item]
    }
    guard !isAtEnd else { break }
    result.append(result.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
    result += key
    result.append(UInt8(ascii: "]"))
  }
  if !result.isEmpty { result.append(UInt8(ascii: "]")) }
  return result
}
