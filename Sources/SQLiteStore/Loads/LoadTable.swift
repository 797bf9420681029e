import Diagnostics
import Predicates

/// The loads that a database has seen, in its tables `importer_loads`, with a row for each file of a run, and
/// `importer_load_counts`, with one for each entity of a run.
///
/// Both are written in the run's own transaction, so that a run is listed if, and only if, its rows are there.
struct LoadTable {
  static let name = "importer_loads"
  static let countsName = "importer_load_counts"

  private let connection: Connection

  private static let columns = [
    "run", "command", "mode", "started", "seconds", "fingerprint", "file", "size", "sha256", "format", "records",
    "rejected", "filtered",
  ]
  private static let countColumns = ["run", "entity"] + LoadEntry.countNames

  init(of connection: Connection) { self.connection = connection }

  /// Whether the database has the tables.
  ///
  /// - Throws: `.schema` where one of the names is something else's.
  func exists() throws(StoreError) -> Bool {
    let loads = try columnCounts(of: Self.name, among: Self.columns)
    let counts = try columnCounts(of: Self.countsName, among: Self.countColumns)
    if loads.all == 0, counts.all == 0 { return false }
    guard loads.known == Self.columns.count, counts.known == Self.countColumns.count else {
      throw .schema(
        path: connection.path,
        message: "it has a table '\(loads.all > 0 ? Self.name : Self.countsName)' that is none of ours",
        remedy: "rename it; importer keeps the list of its loads under that name"
      )
    }
    return true
  }

  private func columnCounts(
    of table: String,
    among names: [String]
  ) throws(StoreError) -> (all: Int64, known: Int64) {
    let list = try Statement(
      """
      SELECT count(*), total(name IN (\(names.map(SQLText.literal).joined(separator: ", "))))
      FROM pragma_table_info('\(table)', 'main')
      """,
      on: connection
    )
    return try list.step() ? (list.integer(0), list.integer(1)) : (0, 0)
  }

  // MARK: Writing

  /// Adds a run, under the next number.
  func add(_ entry: LoadEntry) throws(StoreError) {
    if try !exists() { try create() }
    let run = try connection.integer(of: "SELECT coalesce(max(run), 0) + 1 FROM main.\(Self.name)")
    // A run without files, such as a deletion, has a row all the same.
    let head: [PredicateSQL.Parameter?] = [
      .integer(run), .text(entry.command), entry.mode.map { .text($0) }, .text(try time(entry.started)),
      .real(entry.seconds), entry.fingerprint.map { .text($0) },
    ]
    if entry.files.isEmpty { try insert(head, into: Self.name, columns: Self.columns) }
    for file in entry.files {
      let values: [PredicateSQL.Parameter?] = [
        .text(file.path), file.byteCount.map { .integer($0) }, file.sha256.map { .text($0) }, .text(file.format),
        .integer(file.recordCount), .integer(file.rejectedCount), .integer(file.filteredCount),
      ]
      try insert(head + values, into: Self.name, columns: Self.columns)
    }
    for count in entry.counts {
      let values: [PredicateSQL.Parameter?] = [.integer(run), .text(count.entity)]
      try insert(values + count.numbers.map { .integer($0) }, into: Self.countsName, columns: Self.countColumns)
    }
  }

  private func create() throws(StoreError) {
    try connection.execute(
      """
      CREATE TABLE main.\(Self.name) (
        run INTEGER NOT NULL,
        command TEXT NOT NULL,
        mode TEXT,
        started TEXT NOT NULL,
        seconds REAL NOT NULL,
        fingerprint TEXT,
        file TEXT,
        size INTEGER,
        sha256 TEXT,
        format TEXT,
        records INTEGER,
        rejected INTEGER,
        filtered INTEGER
      );
      CREATE TABLE main.\(Self.countsName) (
        run INTEGER NOT NULL,
        entity TEXT NOT NULL,
        \(LoadEntry.countNames.map { $0 + " INTEGER NOT NULL" }.joined(separator: ",\n  "))
      )
      """
    )
  }

  /// An instant as the table spells it, such as `2026-11-30T15:03:30Z`.
  private func time(_ seconds: Int64) throws(StoreError) -> String {
    try connection.text(of: "SELECT strftime('%Y-%m-%dT%H:%M:%SZ', \(seconds), 'unixepoch')") ?? ""
  }

  private func insert(
    _ values: [PredicateSQL.Parameter?],
    into table: String,
    columns: [String]
  ) throws(StoreError) {
    let statement = try Statement(
      """
      INSERT INTO main.\(table) (\(columns.joined(separator: ", ")))
      VALUES (\(columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")))
      """,
      on: connection
    )
    for (index, value) in values.enumerated() {
      if let value { try statement.bind(value, at: index + 1) }
    }
    _ = try statement.step()
  }

  // MARK: Reading

  /// The runs, the newest first; their files and counts with them.
  ///
  /// - Parameters:
  ///   - condition: Of the table's columns.
  ///   - limit: The most runs; nil is all.
  func entries(where condition: String = "1", limit: Int? = nil) throws(StoreError) -> [LoadEntry] {
    guard try exists() else { return [] }
    let runs = """
      SELECT run FROM main.\(Self.name) WHERE \(condition) GROUP BY run ORDER BY run DESC LIMIT \(limit ?? -1)
      """
    let list = try Statement(
      """
      SELECT run, command, mode, strftime('%s', started), seconds, fingerprint, file, size, sha256, format, records, rejected,
        filtered
      FROM main.\(Self.name) WHERE run IN (\(runs)) ORDER BY run DESC, rowid
      """,
      on: connection
    )
    var entries: [LoadEntry] = []
    while try list.step() {
      if entries.last?.run != list.integer(0) {
        var entry = LoadEntry(command: list.text(1) ?? "", mode: list.text(2), started: list.integer(3))
        entry.run = list.integer(0)
        entry.seconds = list.real(4)
        entry.fingerprint = list.text(5)
        entries.append(entry)
      }
      guard let path = list.text(6) else { continue }
      entries[entries.count - 1].files.append(
        LoadEntry.File(
          path: path,
          byteCount: list.isNull(7) ? nil : list.integer(7),
          sha256: list.text(8),
          format: list.text(9) ?? "",
          recordCount: list.integer(10),
          rejectedCount: list.integer(11),
          filteredCount: list.integer(12)
        )
      )
    }
    let positions = Dictionary(entries.indices.map { (entries[$0].run, $0) }) { first, _ in first }
    let counts = try Statement(
      """
      SELECT \(Self.countColumns.joined(separator: ", ")) FROM main.\(Self.countsName)
      WHERE run IN (\(runs)) ORDER BY rowid
      """,
      on: connection
    )
    while try counts.step() {
      guard let position = positions[counts.integer(0)] else { continue }
      let numbers = LoadEntry.countNames.indices.map { counts.integer($0 + 2) }
      entries[position].counts.append(LoadEntry.Count(entity: counts.text(1) ?? "", numbers: numbers))
    }
    return entries
  }

  /// How many runs there are.
  func runCount() throws(StoreError) -> Int64 {
    guard try exists() else { return 0 }
    return try connection.integer(of: "SELECT count(DISTINCT run) FROM main.\(Self.name)")
  }
}
