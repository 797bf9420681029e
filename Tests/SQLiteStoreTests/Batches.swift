import Diagnostics
import EntityModel
import Predicates
import Records
import SQLiteStore

/// A value of a test's row.
enum Cell: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  case null
  case absent
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])

  init(stringLiteral value: String) { self = .text(Array(value.utf8)) }
  init(integerLiteral value: Int64) { self = .integer(value) }
  init(floatLiteral value: Double) { self = .real(value) }
}

/// Rows as a batch carries them, from records that stand one on a line below a header.
struct TestBatch: ~Copyable {
  var records: RecordBatch
  var rows = ValueBatch()

  init(_ cells: [[Cell]], entities: [Int] = [], file: String = "a.csv", firstLine: Int = 2) {
    records = RecordBatch(file: file)
    for (position, row) in cells.enumerated() {
      let entity = UInt16(entities.isEmpty ? 0 : entities[position])
      rows.rows.append(
        ValueBatch.Row(entity: entity, record: UInt32(position), valueStart: UInt32(rows.values.count))
      )
      let start = records.text.count
      for cell in row {
        let from = records.text.count
        switch cell {
        case .null: rows.values.append(.null)
        case .absent: rows.values.append(.absent)
        case .integer(let number): rows.values.append(.integer(number))
        case .real(let number): rows.values.append(.real(number))
        case .text(let bytes):
          records.text.append(bytes.span)
          rows.values.append(.text(TextSlice(from..<records.text.count)))
        case .blob(let bytes):
          records.text.append(bytes.span)
          rows.values.append(.blob(TextSlice(from..<records.text.count)))
        }
      }
      records.records.append(
        RecordHeader(
          ordinal: Int64(firstLine + position - 1),
          line: firstLine + position,
          raw: TextSlice(start..<records.text.count),
          fieldStart: 0,
          fieldCount: 0
        )
      )
    }
  }
}

extension EntityWriter {
  /// Writes rows and gives the diagnostics of those that were refused, by record.
  mutating func write(
    _ cells: [[Cell]],
    entities: [Int] = [],
    file: String = "a.csv",
    firstLine: Int = 2
  ) throws -> [(record: Int, diagnostic: Diagnostic)] {
    var batch = TestBatch(cells, entities: entities, file: file, firstLine: firstLine)
    try write(&batch.rows, of: batch.records)
    return batch.rows.rejections.flatMap { rejection in
      rejection.diagnostics.map { (rejection.record, $0) }
    }
  }
}

/// Loads rows into a database and gives the refusals.
@discardableResult
func load(
  _ cells: [[Cell]],
  as entity: Entity,
  into database: String,
  purpose: EntityWriter.Purpose = .load
) throws -> (inserted: Int64, refused: [(record: Int, diagnostic: Diagnostic)]) {
  var writer = try EntityWriter(
    EntityWriter.Settings(database: database, purpose: purpose, model: EntityModel(entities: [entity]))
  )
  var refused = try writer.write(cells)
  try writer.settleParked(.reject) { rejection in
    refused += rejection.diagnostics.map { (Int($0.location.record) - 1, $0) }
  }
  let inserted = writer.insertedCounts[0]
  try writer.commit()
  return (inserted, refused)
}

/// Reads all rows of an entity.
func read(
  _ entity: Entity,
  from database: String,
  order: EntityReader.Order = .key,
  filter: Predicate? = nil
) throws -> [[Cell]] {
  var reader = try EntityReader(database: database, entity: entity, order: order, filter: filter)
  var rows = ValueBatch()
  var text = TextBuffer()
  var result: [[Cell]] = []
  func bytes(_ slice: TextSlice, of text: borrowing TextBuffer) -> [UInt8] {
    let span = text.bytes(of: slice)
    return span.indices.map { span[$0] }
  }
  while try reader.fill(&rows, text: &text) {
    for row in rows.rows {
      var cells: [Cell] = []
      for position in 0..<entity.attributes.count {
        switch rows.values[Int(row.valueStart) + position] {
        case .null, .absent: cells.append(.null)
        case .integer(let number): cells.append(.integer(number))
        case .real(let number): cells.append(.real(number))
        case .text(let slice): cells.append(.text(bytes(slice, of: text)))
        case .blob(let slice): cells.append(.blob(bytes(slice, of: text)))
        }
      }
      result.append(cells)
    }
  }
  return result
}

/// An entity of text attributes.
func entity(_ name: String, _ attributes: [String], key: [String] = []) -> Entity {
  Entity(name: name, attributes: attributes.map { Attribute(name: $0) }, key: key)
}

/// What a commit throws.
func commitFailure(of writer: consuming EntityWriter) -> StoreError? {
  do throws(StoreError) {
    try writer.commit()
    return nil
  } catch { return error }
}
