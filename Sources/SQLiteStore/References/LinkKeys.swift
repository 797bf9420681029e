import CSQLite
import Diagnostics
import EntityModel
import Records

/// What the records of one entity are told apart by in this run alone, and the keys that rows refer to them by.
///
/// They stand in a temporary table of SQLite's whose columns are named like those of the feed, those of rejected records
/// too: who refers to one of them is told why it is missing.
final class LinkKeys {
  /// The table's name in SQL.
  let table: String
  /// The entity's position among the run's.
  let position: Int
  /// The attribute by whose values its records are told apart.
  let attribute: Int
  /// How many records gave a value.
  private(set) var count: Int64 = 0
  private let name: String
  private let insert: Statement
  private let connection: Connection

  /// - Parameters:
  ///   - position: The entity's among the run's.
  ///   - attribute: The one whose values tell its records apart.
  ///   - others: The attributes that rows refer to it by, and those that tell where links among them lead.
  ///   - feed: The feed of its rows in SQL.
  ///   - connection: The run's.
  init(
    _ position: Int,
    attribute: Int,
    others: Set<Int>,
    feed: String,
    on connection: Connection
  ) throws(StoreError) {
    name = "importer_link_\(position)_\(attribute)"
    table = "\(connection.workSchema).\(name)"
    self.position = position
    self.attribute = attribute
    self.connection = connection
    let columns = others.union([attribute]).sorted().map { "c\($0)" }.joined(separator: ", ")
    // `broken` is a record whose key is not known, `lost` one that was rejected.
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS \(table) (file, line, lost INTEGER NOT NULL, broken INTEGER NOT NULL DEFAULT 0, \(columns))"
    )
    insert = try Statement(
      """
      INSERT INTO \(table) (file, line, lost, \(columns)) SELECT ?1, ?2, ?3, \(columns) FROM \(feed)
      WHERE c\(attribute) IS NOT NULL
      """,
      on: connection
    )
  }

  /// Notes the records of some rows.
  ///
  /// - Parameters:
  ///   - range: Positions in `rows.rows`, or in `rows.lost` if `areLost`.
  ///   - rows: Where the values stand.
  ///   - batch: The records.
  ///   - file: The number of the input.
  ///   - feed: The run's.
  ///   - areLost: Whether they were rejected.
  func add(
    _ range: Range<Int>,
    of rows: borrowing ValueBatch,
    from batch: borrowing RecordBatch,
    file: UInt16,
    feed: RowFeed,
    areLost: Bool
  ) throws(StoreError) {
    try insert.bind(Int64(file), at: 1)
    try insert.bind(areLost ? 1 : 0, at: 3)
    for row in range {
      let record = Int((areLost ? rows.lost : rows.rows)[row].record)
      try insert.bind(Int64(batch.records[record].line), at: 2)
      let code = feed.run(insert, over: row..<row + 1, of: rows, text: batch.text, areLost: areLost)
      guard code == SQLITE_DONE else { throw connection.failure(code) }
      count += connection.changeCount
    }
  }

  /// Adds the rows of a stored table that waiting rows may mean.
  ///
  /// - Parameters:
  ///   - value: What they are told apart by, of a row `t`.
  ///   - keys: What rows refer to them by: attributes, and the values of a row `t`.
  ///   - place: The table, as it stands in SQL.
  ///   - wanted: A query for the values that are looked for.
  func addStored(value: String, keys: [(attribute: Int, value: String)], in place: String, wanted: String)
    throws(StoreError)
  {
    let columns = keys.filter { $0.attribute != attribute }
    let names = ["c\(attribute)"] + columns.map { "c\($0.attribute)" }
    let values = [value] + columns.map(\.value)
    try connection.execute(
      """
      INSERT INTO \(table) (lost, \(names.joined(separator: ", ")))
      SELECT 0, \(values.joined(separator: ", ")) FROM \(place) AS t WHERE \(value) IN (\(wanted))
      """
    )
  }

  /// Counts the records that an earlier run has noted.
  func takeUp() throws(StoreError) { count = try connection.integer(of: "SELECT count(*) FROM \(table)") }

  /// Makes look-ups fast; called when all records are there.
  func addIndex() throws(StoreError) {
    try connection.execute("CREATE INDEX IF NOT EXISTS \(table)_by_value ON \(name) (c\(attribute))")
  }

  /// Notes that the keys of some records will not be known.
  ///
  /// - Parameter condition: Over a row `f` of the table.
  func breakKeys(where condition: String) throws(StoreError) {
    try connection.execute("UPDATE \(table) AS f SET broken = 1 WHERE \(condition)")
  }
}

/// A to-one reference that rows may tell by an attribute of their target, besides its key.
struct LinkedReference {
  /// The attribute of the row that tells it.
  let attribute: Int
  /// The reference by the target's key.
  let reference: Reference
  /// The position of the reference among the entity's.
  let number: Int
  let keys: LinkKeys
  /// The name of the target's attribute.
  let targetName: String
  /// The attributes of the row that give the target's key, and those of the target that they take.
  let parts: [(own: Int, target: Int)]

  /// The condition that a row `f` tells a target, and its key is not known.
  var isOpen: String {
    (["f.c\(attribute) IS NOT NULL"] + parts.map { "f.c\($0.own) IS NULL" }).joined(separator: " AND ")
  }

  /// The rows `k` that a row `f` may mean, each key once; those whose key is not known are one.
  var candidates: String {
    let columns = ["k.broken"] + parts.map { "CASE WHEN k.broken THEN NULL ELSE k.c\($0.target) END AS p\($0.own)" }
    return "SELECT DISTINCT \(columns.joined(separator: ", ")) FROM \(keys.table) AS k "
      + "WHERE k.c\(keys.attribute) = f.c\(attribute)"
  }

  /// The columns of a row that hold the target's key.
  var ownColumns: String { parts.map { "c\($0.own)" }.joined(separator: ", ") }
}
