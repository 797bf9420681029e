import Diagnostics
import Records

/// What a database holds of a load that commits by batches, until the load has ended: how far it has come, and what it must
/// remember to go on.
///
/// | table | holds |
/// |---|---|
/// | `importer_progress` | the load, as names and values |
/// | `importer_progress_faults` | why records were refused when they were written |
/// | `importer_progress_rows` | rowids of its rows, as far as they are not greater than all of before |
///
/// Beside them stand the tables that other runs keep in `temp`; see `Connection.workSchema`.
struct ProgressTable {
  static let name = "importer_progress"
  static let faultsName = "importer_progress_faults"
  static let rowsName = "importer_progress_rows"

  private let connection: Connection

  init(of connection: Connection) { self.connection = connection }

  /// Whether there is an unfinished load.
  func exists() throws(StoreError) -> Bool {
    try connection.integer(
      of: "SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = '\(Self.name)'"
    ) != 0
  }

  /// The unfinished load; nil where there is none.
  func read() throws(StoreError) -> UnfinishedLoad? {
    guard try exists() else { return nil }
    let list = try Statement("SELECT name, value FROM main.\(Self.name)", on: connection)
    var members: [String: String] = [:]
    while try list.step() { members[list.text(0) ?? ""] = list.text(1) ?? "" }
    guard let load = UnfinishedLoad(members) else {
      throw .schema(
        path: connection.path,
        message: "another version of importer has left a load unfinished in it",
        remedy: "complete it with that version, or forget it with --start-over"
      )
    }
    return load
  }

  func create() throws(StoreError) {
    try connection.execute(
      """
      CREATE TABLE main.\(Self.name) (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE main.\(Self.faultsName) (n INTEGER PRIMARY KEY, batch INTEGER NOT NULL, position INTEGER NOT NULL,
        continues INTEGER NOT NULL, severity TEXT NOT NULL, code TEXT NOT NULL, file TEXT NOT NULL, record INTEGER NOT NULL,
        line INTEGER NOT NULL, "column" INTEGER, byte INTEGER NOT NULL, length INTEGER NOT NULL, entity TEXT, field TEXT,
        value TEXT, expected TEXT, message TEXT NOT NULL, hint TEXT NOT NULL);
      CREATE TABLE main.\(Self.rowsName) (entity INTEGER NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (entity, row))
        WITHOUT ROWID
      """
    )
  }

  /// Writes what differs from what was written last.
  func write(_ load: UnfinishedLoad, over last: UnfinishedLoad?) throws(StoreError) {
    let known = last?.members ?? [:]
    let insert = try Statement("INSERT OR REPLACE INTO main.\(Self.name) VALUES (?1, ?2)", on: connection)
    for (name, value) in load.members where known[name] != value {
      try insert.bind(name, at: 1)
      try insert.bind(value, at: 2)
      _ = try insert.step()
    }
  }

  /// What the names of the tables begin with that are gone once a load has ended.
  private static let names = [
    name, "importer_parked_", "importer_link_", "importer_links_", "importer_lost_", KeptRecords.name, "importer_way_",
    "importer_said_", "importer_says_", "importer_twins_", "importer_leads_",
  ]

  /// Forgets the load, and all that it had to remember.
  func drop() throws(StoreError) {
    let conditions = Self.names.map { "substr(name, 1, \($0.count)) = '\($0)'" }.joined(separator: " OR ")
    let list = try Statement(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND (\(conditions))",
      on: connection
    )
    var found: [String] = []
    while try list.step() { found.append(list.text(0) ?? "") }
    for table in found { try connection.execute("DROP TABLE main.\(SQLText.identifier(table))") }
  }
}
