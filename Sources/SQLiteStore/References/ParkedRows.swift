import CSQLite
import Diagnostics
import EntityModel
import Records

/// Rows of one entity that wait, since what they refer to has not been read yet.
///
/// They stand in a temporary table of SQLite's, on disk once they are many, with their raw bytes and their place; so
/// they can be looked up by key, written later in the order of the input, or rejected as if they had never waited.
final class ParkedRows {
  /// What becomes of a row.
  private enum State: Int64 {
    case waiting = 0
    case rejected = 1
    case written = 2
  }

  /// A parked row as it was read.
  struct Origin {
    let location: SourceLocation
    let raw: [UInt8]
  }

  /// The table's name in SQL.
  let table: String
  /// How many rows wait.
  private(set) var waitingCount: Int64 = 0
  private var nextNumber: Int64 = 1
  private let width: Int
  private let connection: Connection
  private let insert: Statement
  private let update: Statement
  private let select: Statement

  /// The columns before the values.
  private static let origin = "file, line, record, byte, length, raw, absent"

  init(_ position: Int, width: Int, feed: String, on connection: Connection) throws(StoreError) {
    table = "temp.importer_parked_\(position)"
    self.width = width
    self.connection = connection
    let columns = (0..<width).map { "c\($0)" }.joined(separator: ", ")
    try connection.execute(
      "CREATE TABLE \(table) (n INTEGER PRIMARY KEY, state INTEGER NOT NULL DEFAULT 0, cause INTEGER, \(Self.origin), \(columns))"
    )
    insert = try Statement(
      "INSERT INTO \(table) (\(Self.origin), n, \(columns)) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, \(columns) FROM \(feed)",
      on: connection
    )
    update = try Statement("UPDATE \(table) SET state = ?2 WHERE n = ?1", on: connection)
    select = try Statement("SELECT \(Self.origin) FROM \(table) WHERE n = ?1", on: connection)
  }

  /// Sets numbers aside for rows that may wait; they go in by them, whichever is parked first.
  ///
  /// - Returns: The first number.
  func reserve(_ count: Int) -> Int64 {
    defer { nextNumber += Int64(count) }
    return nextNumber
  }

  /// Lets a row of a batch wait.
  func park(
    row: Int,
    as number: Int64,
    of rows: borrowing ValueBatch,
    from batch: borrowing RecordBatch,
    file: UInt16,
    feed: RowFeed
  ) throws(StoreError) {
    let record = Int(rows.rows[row].record)
    let location = batch.location(of: record)
    let numbers = [
      Int64(file), Int64(location.line), location.record, location.byteOffset, Int64(location.byteCount),
    ]
    for (index, number) in numbers.enumerated() { try insert.bind(.integer(number), from: batch.text, at: index + 1) }
    var raw = TextBuffer()
    let outermost = batch.outermost(of: record)
    if outermost != record {
      // What is around it goes with it.
      raw.append(batch.raw(outermost, keeping: [record]).span)
      try insert.bind(.blob(TextSlice(0..<raw.count)), from: raw, at: numbers.count + 1)
    } else if batch.source == nil {
      try insert.bind(.blob(batch.records[record].raw), from: batch.text, at: numbers.count + 1)
    } else {
      raw.append(batch.raw(record))
      try insert.bind(.blob(TextSlice(0..<raw.count)), from: raw, at: numbers.count + 1)
    }
    var absent = TextBuffer()
    absent.append(absence(of: row, of: rows).span)
    try insert.bind(absent.count > 0 ? .blob(TextSlice(0..<absent.count)) : .null, from: absent, at: numbers.count + 2)
    try insert.bind(number, at: numbers.count + 3)
    let code = feed.run(insert, over: row..<row + 1, of: rows, text: batch.text)
    // SQLite reads the bytes where they are until here.
    absent.truncate(to: 0)
    raw.truncate(to: 0)
    guard code == SQLITE_DONE else { throw connection.failure(code) }
    waitingCount += 1
  }

  /// A byte for each value, 1 where it is absent, since SQL has NULL alone; nothing if all are there.
  private func absence(of row: Int, of rows: borrowing ValueBatch) -> [UInt8] {
    let start = Int(rows.rows[row].valueStart)
    guard (start..<start + width).contains(where: { rows.values[$0] == .absent }) else { return [] }
    return (start..<start + width).map { rows.values[$0] == .absent ? 1 : 0 }
  }

  /// Makes look-ups by some attributes fast.
  func addIndex(on attributes: [Int]) throws(StoreError) {
    let name = table.dropFirst("temp.".count)
    let columns = attributes.map { "c\($0)" }
    try connection.execute(
      """
      CREATE INDEX IF NOT EXISTS temp.\(name)_by_\(columns.joined(separator: "_"))
      ON \(name) (\((columns + ["state"]).joined(separator: ", ")))
      """
    )
  }

  /// Marks the waiting rows that fulfil a condition as rejected because of a reference, by its number.
  ///
  /// - Returns: How many.
  func reject(where condition: String, cause: Int) throws(StoreError) -> Int64 {
    try connection.execute("UPDATE \(table) AS f SET state = 1, cause = \(cause) WHERE state = 0 AND \(condition)")
    let count = connection.changeCount
    waitingCount -= count
    return count
  }

  /// Takes the values of some attributes away from waiting rows that fulfil a condition.
  func clear(_ attributes: [Int], where condition: String) throws(StoreError) {
    let values = attributes.map { "c\($0) = NULL" }.joined(separator: ", ")
    try connection.execute("UPDATE \(table) AS f SET \(values) WHERE state = 0 AND \(condition)")
  }

  /// Fills a batch with waiting rows of one input that fulfil a condition, in the order of the input.
  ///
  /// - Parameters:
  ///   - last: The number of the last row seen; 0 at first.
  ///   - rows: Replaced; every row has its own position as its record.
  ///   - batch: Replaced; it has no raw bytes.
  /// - Returns: The rows' numbers; none at the end.
  func fill(
    _ rows: inout ValueBatch,
    of batch: inout RecordBatch,
    after last: Int64,
    where condition: String,
    entity: UInt16,
    files: [String]
  ) throws(StoreError) -> [Int64] {
    rows.reset()
    batch.reset()
    let columns = (0..<width).map { ", c\($0)" }.joined()
    let list = try Statement(
      """
      SELECT n, file, line, record, absent\(columns) FROM \(table) AS f
      WHERE n > \(last) AND state = 0 AND \(condition) ORDER BY n LIMIT 1000
      """,
      on: connection
    )
    var numbers: [Int64] = []
    var file: Int64 = -1
    while batch.text.count < 128 << 10, try list.step() {
      guard numbers.isEmpty || list.integer(1) == file else { break }
      file = list.integer(1)
      numbers.append(list.integer(0))
      rows.rows.append(
        ValueBatch.Row(entity: entity, record: UInt32(batch.count), valueStart: UInt32(rows.values.count))
      )
      let valueStart = rows.values.count
      for column in 0..<width { rows.values.append(list.value(column + 5, into: &batch.text)) }
      if case .blob(let slice) = list.value(4, into: &batch.text) {
        let absent = batch.text.bytes(of: slice)
        for column in 0..<width where absent[column] == 1 { rows.values[valueStart + column] = .absent }
      }
      batch.records.append(
        RecordHeader(
          ordinal: list.integer(3),
          line: Int(list.integer(2)),
          raw: TextSlice(0..<0),
          fieldStart: 0,
          fieldCount: 0
        )
      )
    }
    batch.file = Int(file) >= 0 && Int(file) < files.count ? files[Int(file)] : ""
    return numbers
  }

  /// Notes that a row was written, or was refused.
  func settle(_ number: Int64, isWritten: Bool) throws(StoreError) {
    try bind(number, to: update)
    let state = isWritten ? State.written : .rejected
    try update.bind(.integer(state.rawValue), from: TextBuffer(), at: 2)
    _ = try update.step()
    waitingCount -= 1
  }

  /// Where a row came from.
  func origin(of number: Int64, files: [String]) throws(StoreError) -> Origin {
    try bind(number, to: select)
    defer { select.reset() }
    guard try select.step() else { preconditionFailure("a parked row is there until the run ends") }
    let file = Int(select.integer(0))
    var text = TextBuffer()
    var raw: [UInt8] = []
    if case .blob(let slice) = select.value(5, into: &text) {
      let bytes = text.bytes(of: slice)
      raw = bytes.indices.map { bytes[$0] }
    }
    let location = SourceLocation(
      file: file < files.count ? files[file] : "",
      record: select.integer(2),
      line: Int(select.integer(1)),
      byteOffset: select.integer(3),
      byteCount: Int(select.integer(4))
    )
    return Origin(location: location, raw: raw)
  }

  /// The rows that were rejected because of a reference, in the order of the input, with its number.
  func rejected() throws(StoreError) -> [(number: Int64, cause: Int)] {
    let list = try Statement(
      "SELECT n, cause FROM \(table) WHERE state = 1 AND cause IS NOT NULL ORDER BY n",
      on: connection
    )
    var result: [(number: Int64, cause: Int)] = []
    while try list.step() { result.append((list.integer(0), Int(list.integer(1)))) }
    return result
  }

  private func bind(_ number: Int64, to statement: Statement) throws(StoreError) {
    try statement.bind(.integer(number), from: TextBuffer(), at: 1)
  }
}
