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
  enum State: Int64 {
    case waiting = 0
    case rejected = 1
    case written = 2
  }

  /// A parked row as it was read.
  struct Origin {
    let location: SourceLocation
    let raw: [UInt8]
    /// Whether it is on the way of its record to others.
    let isOnWay: Bool
    /// Where the outermost record around it begins; nil where no record stands in others.
    let outermost: Int64?
  }

  /// The table's name in SQL.
  let table: String
  /// How many rows wait.
  var waitingCount: Int64 = 0
  /// Whether some of them refer by objects, so that what they refer to is made if need be.
  private(set) var referByObjects: Bool
  /// Their number among the run's entities.
  let position: Int
  var nextNumber: Int64 = 1
  let width: Int
  let connection: Connection
  private let insert: Statement
  private let update: Statement
  private let updateWritten: Statement
  private let select: Statement

  /// The columns before the values.
  private static let origin = "file, line, record, byte, length, raw, absent, holds, outermost, depths"

  init(_ position: Int, width: Int, feed: String, on connection: Connection) throws(StoreError) {
    table = "\(connection.workSchema).importer_parked_\(position)"
    self.position = position
    self.width = width
    self.connection = connection
    let columns = (0..<width).map { "c\($0)" }.joined(separator: ", ")
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS \(table) (n INTEGER PRIMARY KEY, state INTEGER NOT NULL DEFAULT 0, cause INTEGER, round INTEGER,
      written INTEGER, fate INTEGER, level INTEGER, \(Self.origin), \(columns));
      CREATE INDEX IF NOT EXISTS \(table)_by_round ON importer_parked_\(position) (round) WHERE round IS NOT NULL;
      CREATE INDEX IF NOT EXISTS \(table)_by_place ON importer_parked_\(position) (file, outermost)
      WHERE outermost IS NOT NULL
      """
    )
    referByObjects = try connection.integer(of: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE depths IS NOT NULL)") != 0
    insert = try Statement(
      "INSERT INTO \(table) (\(Self.origin), n, \(columns)) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, \(columns) FROM \(feed)",
      on: connection
    )
    update = try Statement(
      "UPDATE \(table) SET state = ?2, round = ?3, written = ?4, fate = ?5 WHERE n = ?1",
      on: connection
    )
    updateWritten = try Statement("UPDATE \(table) SET state = 2 WHERE n BETWEEN ?1 AND ?2", on: connection)
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
  ///
  /// - Parameters:
  ///   - row: Its position in `rows.rows`.
  ///   - number: One that was reserved.
  ///   - rows: Where its values stand.
  ///   - batch: Where its record stands.
  ///   - file: The number of the input.
  ///   - feed: The run's.
  ///   - raw: What is kept of the input if it is rejected.
  func park(
    row: Int,
    as number: Int64,
    of rows: borrowing ValueBatch,
    from batch: borrowing RecordBatch,
    file: UInt16,
    feed: RowFeed,
    raw: [UInt8]
  ) throws(StoreError) {
    let record = Int(rows.rows[row].record)
    let location = batch.location(of: record)
    let numbers = [
      Int64(file), Int64(location.line), location.record, location.byteOffset, Int64(location.byteCount),
    ]
    for (index, number) in numbers.enumerated() { try insert.bind(.integer(number), from: batch.text, at: index + 1) }
    let outermost = batch.outermost(of: record)
    var bytes = TextBuffer()
    bytes.append(raw.span)
    try insert.bind(.blob(TextSlice(0..<bytes.count)), from: bytes, at: numbers.count + 1)
    var absent = TextBuffer()
    absent.append(absence(of: row, of: rows).span)
    try insert.bind(absent.count > 0 ? .blob(TextSlice(0..<absent.count)) : .null, from: absent, at: numbers.count + 2)
    // What is above the lowest bit is the row's way.
    try insert.bind((rows.rows[row].holdsOthers ? 1 : 0) + 2 * Int64(rows.rows[row].way), at: numbers.count + 3)
    let start = batch.standsAmongOthers(record) ? batch.location(of: outermost).byteOffset : nil
    try insert.bind(start.map(Value.integer) ?? .null, from: batch.text, at: numbers.count + 4)
    var depths = TextBuffer()
    let depthStart = Int(rows.rows[row].depthStart)
    if depthStart >= 0 {
      depths.append(rows.objectDepths.span.extracting(depthStart..<depthStart + width))
      referByObjects = true
    }
    try insert.bind(depthStart >= 0 ? .blob(TextSlice(0..<depths.count)) : .null, from: depths, at: numbers.count + 5)
    try insert.bind(number, at: numbers.count + 6)
    let code = feed.run(insert, over: row..<row + 1, of: rows, text: batch.text)
    // SQLite reads the bytes where they are until here.
    absent.truncate(to: 0)
    bytes.truncate(to: 0)
    depths.truncate(to: 0)
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
    let name = Connection.unqualified(table)
    let columns = attributes.map { "c\($0)" }
    try connection.execute(
      """
      CREATE INDEX IF NOT EXISTS \(table)_by_\(columns.joined(separator: "_"))
      ON \(name) (\(columns.joined(separator: ", ")))
      """
    )
  }

  /// Marks the waiting rows that fulfil a condition as rejected because of a reference, by its number.
  ///
  /// - Parameter round: Which round of rejections this is.
  /// - Returns: How many.
  func reject(where condition: String, cause: Int, round: Int) throws(StoreError) -> Int64 {
    try connection.execute(
      "UPDATE \(table) AS f SET state = 1, cause = \(cause), round = \(round) WHERE state = 0 AND \(condition)"
    )
    let count = connection.changeCount
    waitingCount -= count
    return count
  }

  /// How many of the rows that were rejected because of a reference fulfil a condition.
  func rejectedCount(where condition: String, cause: Int, round: Int) throws(StoreError) -> Int64 {
    try connection.integer(
      of: """
        SELECT count(*) FROM \(table) AS f WHERE state = 1 AND cause = \(cause) AND round = \(round) AND (\(condition))
        """
    )
  }

  /// Takes the values of some attributes away from waiting rows that fulfil a condition.
  func clear(_ attributes: [Int], where condition: String) throws(StoreError) {
    let values = attributes.map { "c\($0) = NULL" }.joined(separator: ", ")
    try connection.execute("UPDATE \(table) AS f SET \(values) WHERE state = 0 AND \(condition)")
  }

  /// Notes that some rows were written.
  ///
  /// - Parameter numbers: Theirs, ascending.
  func settleWritten(_ numbers: some Sequence<Int64>) throws(StoreError) {
    var first: Int64?
    var last: Int64 = 0
    func settleRun() throws(StoreError) {
      guard let start = first else { return }
      try bind(start, to: updateWritten)
      try updateWritten.bind(.integer(last), from: TextBuffer(), at: 2)
      _ = try updateWritten.step()
      waitingCount -= last - start + 1
    }
    for number in numbers {
      if first == nil || number != last + 1 {
        try settleRun()
        first = number
      }
      last = number
    }
    try settleRun()
  }

  /// Notes that a row was refused.
  ///
  /// - Parameters:
  ///   - number: The row's.
  ///   - round: The round of rejections that it belongs to.
  func settleRefused(_ number: Int64, round: Int) throws(StoreError) {
    try settle(number, .rejected, round: round)
  }

  /// Notes that a row was written, and may have to be taken back.
  ///
  /// - Parameters:
  ///   - number: The row's.
  ///   - fate: What was done with it.
  ///   - rowid: That of the row which was inserted, or was there.
  ///   - round: The round of rejections that it belongs to, if it is not there.
  func settle(_ number: Int64, as fate: Fate, rowid: Int64?, round: Int? = nil) throws(StoreError) {
    try settle(number, .written, round: round, written: rowid, fate: fate)
  }

  private func settle(
    _ number: Int64,
    _ state: State,
    round: Int? = nil,
    written: Int64? = nil,
    fate: Fate? = nil
  ) throws(StoreError) {
    try bind(number, to: update)
    let values = [state.rawValue, round.map(Int64.init), written, fate?.rawValue]
    for (index, value) in values.enumerated() {
      try update.bind(value.map(Value.integer) ?? .null, from: TextBuffer(), at: index + 2)
    }
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
      raw = Array(copying: bytes)
    }
    let location = SourceLocation(
      file: file < files.count ? files[file] : "",
      record: select.integer(2),
      line: Int(select.integer(1)),
      byteOffset: select.integer(3),
      byteCount: Int(select.integer(4))
    )
    let isOnWay = select.integer(7) > 1
    return Origin(location: location, raw: raw, isOnWay: isOnWay, outermost: select.isNull(8) ? nil : select.integer(8))
  }

  /// Visits the rows that were rejected because of a reference, in the order of the input.
  ///
  /// - Parameters:
  ///   - references: Conditions over a row `f`, one for each reference: that it leads to nothing.
  ///   - visit: Gets the row's number, and which references lead to nothing, at least one.
  func visitRejected(_ references: [String], _ visit: (Int64, [Int]) throws -> Void) throws {
    let conditions = references.map { ", \($0)" }.joined()
    let list = try Statement(
      "SELECT n, cause\(conditions) FROM \(table) AS f WHERE state = 1 AND cause IS NOT NULL ORDER BY n",
      on: connection
    )
    while try list.step() {
      let broken = references.indices.filter { list.integer($0 + 2) != 0 }
      try visit(list.integer(0), broken.isEmpty ? [Int(list.integer(1))] : broken)
    }
  }

  private func bind(_ number: Int64, to statement: Statement) throws(StoreError) {
    try statement.bind(.integer(number), from: TextBuffer(), at: 1)
  }
}
