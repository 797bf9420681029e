import Diagnostics
import EntityModel
import Records
import SQLiteStore
import TestSupport
import Testing

/// Random loads in random modes, compared with a table in plain memory that handles one record after the other.
@Suite struct WriteModesAgainstAModel {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = folder.file("out.sqlite")
  }

  private struct Counts: Equatable {
    var inserted: Int64 = 0
    var updated: Int64 = 0
    var unchanged: Int64 = 0
    var skipped: Int64 = 0
    var deleted: Int64 = 0
    var rejected: [Int] = []
  }

  /// A table with a key, and a column whose values differ.
  private struct Table {
    let keyColumns: [Int]
    let uniqueColumn: Int
    let required: Int
    var rows: [[Cell]] = []

    func position(of record: [Cell]) -> Int? {
      rows.firstIndex { row in keyColumns.allSatisfy { row[$0] == record[$0] } }
    }

    func allows(_ row: [Cell], besides position: Int?) -> Bool {
      guard row[required] != .null else { return false }
      return row[uniqueColumn] == .null
        || !rows.indices.contains { $0 != position && rows[$0][uniqueColumn] == row[uniqueColumn] }
    }

    mutating func run(_ mode: WriteMode, _ records: [[Cell]]) -> Counts {
      var counts = Counts()
      if mode == .replace {
        counts.deleted = Int64(rows.count)
        rows = []
      }
      let old = rows
      var named: Set<[Cell]> = []
      for (number, record) in records.enumerated() {
        named.insert(keyColumns.map { record[$0] })
        let present = position(of: record)
        switch (mode, present) {
        case (.insert, .some), (.replace, .some): counts.rejected.append(number)
        case (.skip, .some), (.update, nil): counts.skipped += 1
        case (_, nil):
          let row = record.map { $0 == .absent ? .null : $0 }
          guard allows(row, besides: nil) else {
            counts.rejected.append(number)
            continue
          }
          rows.append(row)
          counts.inserted += 1
        case (_, .some(let position)):
          let row = zip(record, rows[position]).map { $0 == .absent ? $1 : $0 }
          guard row != rows[position] else {
            counts.unchanged += 1
            continue
          }
          guard allows(row, besides: position) else {
            counts.rejected.append(number)
            continue
          }
          rows[position] = row
          counts.updated += 1
        }
      }
      guard mode == .sync else { return counts }
      func key(_ row: [Cell]) -> [Cell] { keyColumns.map { row[$0] } }
      let gone = Set(old.map(key)).subtracting(named)
      rows.removeAll { gone.contains(key($0)) }
      counts.deleted = Int64(gone.count)
      return counts
    }
  }

  private static let schemas = [
    nil,
    "CREATE TABLE t(k INTEGER PRIMARY KEY, g TEXT, v TEXT NOT NULL, u TEXT UNIQUE)",
    "CREATE TABLE t(k INTEGER, g TEXT, v TEXT NOT NULL, u TEXT UNIQUE, PRIMARY KEY (g, k))",
    "CREATE TABLE t(k INTEGER NOT NULL, g TEXT, v TEXT NOT NULL, u TEXT UNIQUE, PRIMARY KEY (k)) WITHOUT ROWID",
    """
    CREATE TABLE t(k INTEGER UNIQUE, g TEXT, v TEXT NOT NULL, u TEXT);
    CREATE UNIQUE INDEX i ON t(u); CREATE TRIGGER r AFTER UPDATE ON t BEGIN SELECT 1; END
    """,
    "CREATE TABLE t(k INTEGER PRIMARY KEY, g TEXT, v TEXT NOT NULL, u TEXT UNIQUE, UNIQUE (g, k))",
  ]

  @Test(arguments: 0..<120 as Range<UInt64>)
  func `a load does to a table what one record after the other would, and a check says so`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let schema = Self.schemas[Int(seed) % Self.schemas.count]
    if let schema { try ForeignDatabase(database).execute(schema) }
    var entity = Entity(name: "t", key: seed % 6 == 2 ? ["k", "g"] : ["k"])
    entity.attributes = ["k", "g", "v", "u"].map { Attribute(name: $0) }
    entity.attributes[0].type = .integer(bits: 64)
    entity.attributes[2].isRequired = true
    entity.attributes[3].isUnique = true
    var table = Table(keyColumns: seed % 6 == 2 ? [0, 1] : [0], uniqueColumn: 3, required: 2)
    let keyCount = Int64([3, 12, 40].randomElement(using: &random) ?? 12)
    for _ in 0..<6 {
      let mode = WriteMode.allCases.randomElement(using: &random) ?? .upsert
      func text(_ count: Int) -> Cell { .text(Array("\(Int.random(in: 0..<count, using: &random))".utf8)) }
      func value(_ count: Int, _ mode: WriteMode) -> Cell {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: .null
        case 1 where mode.updatesRows: .absent
        default: text(count)
        }
      }
      let records: [[Cell]] = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
        let group = seed % 6 == 2 ? text(2) : value(2, mode)
        var required = value(3, mode)
        // The validator rejects a NULL; absence is for the writer to judge.
        if required == .null { required = "0" }
        return [.integer(Int64.random(in: 0..<keyCount, using: &random)), group, required, value(50, mode)]
      }
      let expected = table.run(mode, records)
      let before = folder.names.isEmpty ? [] : folder.bytes(of: "out.sqlite")
      let sizes = (0..<4).map { _ in Int.random(in: 1...30, using: &random) }
      let checked = try run(mode, records, sizes, as: entity, purpose: .check)
      #expect(folder.names.contains("out.sqlite") ? folder.bytes(of: "out.sqlite") == before : before.isEmpty)
      let loaded = try run(mode, records, sizes, as: entity, purpose: .load)
      #expect(loaded.0 == expected, "\(mode)")
      #expect(checked.0 == expected, "\(mode), check")
      #expect(checked.1 == loaded.1)
      let stored = try read(entity, from: database, order: .rowid)
      #expect(Set(stored) == Set(table.rows) && stored.count == table.rows.count)
    }
    try ForeignDatabase(database).expectSound()
  }

  private func run(
    _ mode: WriteMode,
    _ records: [[Cell]],
    _ sizes: [Int],
    as entity: Entity,
    purpose: EntityWriter.Purpose
  ) throws -> (Counts, [Diagnostic]) {
    var settings = EntityWriter.Settings(
      database: database,
      purpose: purpose,
      model: EntityModel(entities: [entity]),
      mode: mode
    )
    if mode.updatesRows { settings.defaults = [entity.attributes.map { _ in nil }] }
    var writer = try EntityWriter(settings)
    var counts = Counts()
    var refused: [Diagnostic] = []
    var start = 0
    var batch = 0
    while start < records.count {
      let end = min(start + sizes[batch % sizes.count], records.count)
      for (record, diagnostic) in try writer.write(Array(records[start..<end]), firstLine: start + 2) {
        if counts.rejected.last != start + record { counts.rejected.append(start + record) }
        refused.append(diagnostic)
      }
      start = end
      batch += 1
    }
    if mode == .sync { #expect(try writer.deleteUnseen(of: [0], limit: .percent(100)) == .done) }
    counts.inserted = writer.insertedCounts[0]
    counts.updated = writer.updatedCounts[0]
    counts.unchanged = writer.unchangedCounts[0]
    counts.skipped = writer.skippedCounts[0]
    counts.deleted = writer.deletedCounts[0]
    try writer.commit()
    return (counts, refused)
  }
}
