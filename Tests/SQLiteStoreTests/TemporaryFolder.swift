import CSQLite
import DatabaseTestSupport
import Glibc
import Testing

/// A folder of one test's own; it goes with the test.
final class TemporaryFolder {
  let path: String

  init() throws {
    let base = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array((base + "/store-tests-XXXXXX").utf8CString)
    let made: String? = unsafe template.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress, let name = unsafe mkdtemp(start) else { return nil }
      return unsafe String(cString: name)
    }
    path = try #require(made)
  }

  deinit {
    expectNoDanglingReferences(in: path, among: names)
    for name in names { unsafe unlink(path + "/" + name) }
    unsafe rmdir(path)
  }

  /// What stands in it, sorted.
  var names: [String] {
    guard let directory = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(directory) }
    var result: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { result.append(name) }
    }
    return result.sorted()
  }

  func file(_ name: String) -> String { path + "/" + name }

  func write(_ text: String, to name: String) { write(Array(text.utf8), to: name) }

  func write(_ bytes: [UInt8], to name: String) {
    let number = unsafe open(file(name), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
    close(number)
  }

  /// A file's bytes.
  func bytes(of name: String) -> [UInt8] {
    let number = unsafe open(file(name), O_RDONLY)
    defer { close(number) }
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress, $0.count) }
      guard count > 0 else { return result }
      result += buffer[..<count]
    }
  }
}

/// A connection such as any other program has, to prepare databases and to look into them.
@safe final class ForeignDatabase {
  private let handle: OpaquePointer?

  init(_ path: String) throws {
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open(path, &opened)
    unsafe handle = opened
    try #require(code == SQLITE_OK)
  }

  deinit { unsafe sqlite3_close(handle) }

  func execute(_ sql: String) throws {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    let message = unsafe String(cString: sqlite3_errmsg(handle))
    try #require(code == SQLITE_OK, "\(message)")
  }

  /// The rows of a query, every value as `typeof:value`, NULL as `null`.
  func rows(_ sql: String) throws -> [[String]] {
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    try #require(code == SQLITE_OK)
    defer { unsafe sqlite3_finalize(statement) }
    var result: [[String]] = []
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      result.append(
        unsafe (0..<sqlite3_column_count(statement)).map { column in
          guard let text = unsafe sqlite3_column_text(statement, column) else { return "null" }
          let count = unsafe Int(sqlite3_column_bytes(statement, column))
          return unsafe String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
        }
      )
    }
    return result
  }

  /// The first value of a query.
  func value(_ sql: String) throws -> String? { try rows(sql).first?.first }

  /// Checks that SQLite finds the database sound.
  func expectSound(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try rows("PRAGMA integrity_check") == [["ok"]], sourceLocation: sourceLocation)
    #expect(try rows("PRAGMA foreign_key_check").isEmpty, sourceLocation: sourceLocation)
  }
}
