package import Diagnostics
import EntityModel
package import Records

/// The bytes of rejected records that stand in ones which wait: if those are rejected in the end, theirs hold them.
final class KeptRecords {
  static let name = "importer_kept"
  private let table: String
  private let connection: Connection
  private let insert: Statement

  init(on connection: Connection) throws(StoreError) {
    self.connection = connection
    table = "\(connection.workSchema).\(Self.name)"
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS \(table) (n INTEGER PRIMARY KEY, file, outermost, byte, length, raw)"
    )
    insert = try Statement(
      "INSERT INTO \(table) (file, outermost, byte, length, raw) VALUES (?1, ?2, ?3, ?4, ?5)",
      on: connection
    )
  }

  /// Keeps a rejected record of a batch, within what is around it.
  func add(
    _ record: Int,
    of batch: borrowing RecordBatch,
    file: UInt16,
    bytes: [UInt8]
  ) throws(StoreError) {
    let outermost = batch.outermost(of: record)
    let place = batch.location(of: record)
    let numbers = [
      Int64(file), batch.location(of: outermost).byteOffset, place.byteOffset, Int64(place.byteCount),
    ]
    for (index, number) in numbers.enumerated() { try insert.bind(.integer(number), from: batch.text, at: index + 1) }
    var raw = TextBuffer()
    raw.append(bytes.span)
    try insert.bind(.blob(TextSlice(0..<raw.count)), from: raw, at: numbers.count + 1)
    _ = try insert.step()
    // SQLite reads the bytes where they are until here.
    insert.reset()
    raw.truncate(to: 0)
  }

  /// Visits what is kept, in the order of the input: file, places, bytes.
  func visit(_ visit: (_ file: Int, _ place: RecordPlace, _ raw: [UInt8]) throws -> Void) throws {
    let list = try Statement("SELECT file, outermost, byte, length, raw FROM \(table) ORDER BY n", on: connection)
    while try list.step() {
      var text = TextBuffer()
      var raw: [UInt8] = []
      if case .blob(let slice) = list.value(4, into: &text) {
        let bytes = text.bytes(of: slice)
        raw = Array(copying: bytes)
      }
      let place = RecordPlace(outermost: list.integer(1), byte: list.integer(2), length: list.integer(3))
      try visit(Int(list.integer(0)), place, raw)
    }
  }
}

/// Where a record stands in its input, among others.
struct RecordPlace {
  /// Where the outermost record around it begins.
  let outermost: Int64
  /// Where it begins itself.
  let byte: Int64
  /// How many bytes it has.
  let length: Int64
}

/// Records that are rejected in records: each stands in the rejects once.
extension EntityWriter {
  /// Keeps the bytes of rejected records that stand in ones which wait, until `visitKept`.
  ///
  /// - Parameters:
  ///   - rows: The rows that were written last, with their rejections.
  ///   - batch: Their records.
  ///   - areKept: Whether they have been kept before.
  /// - Returns: The positions of the records whose bytes are kept, or are in those of a kept one.
  package mutating func keepWithinWaiting(
    of rows: borrowing ValueBatch,
    from batch: borrowing RecordBatch,
    areKept: Bool = false
  ) throws(StoreError) -> Set<Int> {
    guard !rows.rejections.isEmpty, !waitingRecords.isEmpty, let first = batch.records.first?.ordinal else { return [] }
    let rejected = Set(rows.rejections.map(\.record))
    let file = number(of: batch.file)
    var found: Set<Int> = []
    for record in rejected.sorted() {
      var isHeld = false
      var isKept = false
      var parent = batch.records[record].parent - first
      while parent >= 0, batch.contains(record, within: Int(parent)) {
        isHeld = isHeld || rejected.contains(Int(parent))
        isKept = isKept || waitingRecords.contains(Int(parent))
        parent = batch.records[Int(parent)].parent - first
      }
      guard isKept else { continue }
      found.insert(record)
      guard !isHeld, !areKept else { continue }
      if kept == nil { kept = try KeptRecords(on: session.connection) }
      try kept?.add(record, of: batch, file: file, bytes: keptBytes(of: record, rows, batch))
    }
    return found
  }

  /// The untouched bytes of a record, within those of the records around it without what else stands in them.
  func keptBytes(of record: Int, _ rows: borrowing ValueBatch, _ batch: borrowing RecordBatch) -> [UInt8] {
    let outermost = batch.outermost(of: record)
    var numbers: [Int: (name: String, number: Int64)] = [:]
    var around = record
    while around > outermost {
      around -= Int(batch.records[around].ordinal - batch.records[around].parent)
      numbers[around] = givenNumber(of: around, rows, batch)
    }
    return batch.raw(outermost, keeping: [record]) { position in
      guard let format, let number = numbers[position] else { return nil }
      return batch.insertion(of: number, into: position, format: format)
    }
  }

  /// The number that the row of a record has got without giving it.
  private func givenNumber(
    of record: Int,
    _ rows: borrowing ValueBatch,
    _ batch: borrowing RecordBatch
  ) -> (name: String, number: Int64)? {
    guard tables.contains(where: \.entity.numbersRows), let row = rows.rows.first(where: { $0.record == record }) else {
      return nil
    }
    let entity = tables[Int(row.entity)].entity
    guard entity.numbersRows, let name = entity.key.first,
      let column = entity.attributes.firstIndex(where: { $0.name == name }),
      case .integer(let number) = rows.values[Int(row.valueStart) + column],
      !batch.hasField(named: name, in: record)
    else { return nil }
    return (name, number)
  }

  /// Visits the bytes that `keepWithinWaiting` has kept and that no record rejected since then holds.
  ///
  /// - Parameter visit: Gets the input's path, and the bytes.
  package func visitKept(_ visit: (_ file: String, _ raw: [UInt8]) throws -> Void) throws {
    guard let kept else { return }
    try kept.visit { file, place, raw in
      guard file < files.count, try !isWithinRejected(place, file: files[file]) else { return }
      try visit(files[file], raw)
    }
  }

  /// Whether a record stands in one that has waited and is rejected now.
  func isWithinRejected(_ place: RecordPlace, file: String) throws(StoreError) -> Bool {
    guard let file = files.firstIndex(of: file) else { return false }
    for table in tables {
      guard let parked = table.parked else { continue }
      let sql = """
        SELECT 1 FROM \(parked.table) WHERE file = \(file) AND outermost = \(place.outermost) AND state = 1
        AND byte <= \(place.byte) AND byte + length >= \(place.byte + place.length) AND length > \(place.length) LIMIT 1
        """
      if try session.connection.integer(of: sql) != 0 { return true }
    }
    return false
  }

  /// The bytes of a record that is rejected after it has waited; none where another one's hold them.
  func bytesToKeep(of origin: ParkedRows.Origin) throws(StoreError) -> [UInt8] {
    guard let outermost = origin.outermost else { return origin.raw }
    let place = RecordPlace(
      outermost: outermost,
      byte: origin.location.byteOffset,
      length: Int64(origin.location.byteCount)
    )
    return try isWithinRejected(place, file: origin.location.file) ? [] : origin.raw
  }
}

extension RecordBatch {
  /// Whether the bytes of a record are within another one's.
  fileprivate func contains(_ record: Int, within other: Int) -> Bool {
    let inner = records[record].raw.range
    let outer = records[other].raw.range
    return outer.lowerBound <= inner.lowerBound && inner.upperBound <= outer.upperBound
  }
}
