import Diagnostics
import EntityModel
import Records
import SQLiteStore
import TestSupport
import Testing

@Suite struct WriteModesAndReferences {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = folder.file("out.sqlite")
  }

  private static let model: [Entity] = {
    var label = Entity(name: "label", attributes: [Attribute(name: "name"), Attribute(name: "genre")], key: ["name"])
    label.attributes[0].isRequired = true
    var artist = Entity(name: "artist", key: ["id"])
    artist.attributes = ["id", "label", "town"].map { Attribute(name: $0) }
    artist.attributes[0].isRequired = true
    var link = Relationship(name: "label", target: "label", deleteRule: .noAction)
    link.attributes = ["label"]
    artist.relationships = [link]
    return [label, artist]
  }()

  private struct Outcome: Equatable {
    var inserted: [Int64] = [0, 0]
    var updated: [Int64] = [0, 0]
    var unchanged: [Int64] = [0, 0]
    var skipped: [Int64] = [0, 0]
    var rejected: Int64 = 0
  }

  /// What one record after the other would do, once it is known which references lead somewhere.
  private static func run(_ mode: WriteMode, _ records: [(Int, [Cell])], on tables: inout [[Cell: [Cell]]]) -> Outcome {
    var outcome = Outcome()
    var labels = Set(tables[0].keys)
    if mode != .update { labels.formUnion(records.filter { $0.0 == 0 }.map(\.1[0])) }
    for (entity, record) in records {
      if entity == 1, record[1] != .null, record[1] != .absent, !labels.contains(record[1]) {
        outcome.rejected += 1
        continue
      }
      guard let old = tables[entity][record[0]] else {
        if mode == .update {
          outcome.skipped[entity] += 1
        } else {
          outcome.inserted[entity] += 1
          tables[entity][record[0]] = record.map { $0 == .absent ? .null : $0 }
        }
        continue
      }
      let new = zip(record, old).map { $0 == .absent ? $1 : $0 }
      if mode == .skip {
        outcome.skipped[entity] += 1
      } else if new == old {
        outcome.unchanged[entity] += 1
      } else {
        outcome.updated[entity] += 1
        tables[entity][record[0]] = new
      }
    }
    return outcome
  }

  @Test(arguments: 0..<80 as Range<UInt64>)
  func `what waits for its reference is written in its turn all the same`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var tables: [[Cell: [Cell]]] = [[:], [:]]
    func text(_ prefix: String, _ count: Int) -> Cell {
      .text(Array("\(prefix)\(Int.random(in: 0..<count, using: &random))".utf8))
    }
    for _ in 0..<4 {
      let mode = [WriteMode.skip, .upsert, .update].randomElement(using: &random) ?? .upsert
      func value(_ cell: Cell) -> Cell {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: .null
        case 1 where mode.updatesRows: .absent
        default: cell
        }
      }
      let records: [(Int, [Cell])] = (0..<Int.random(in: 0..<50, using: &random)).map { _ in
        Int.random(in: 0..<4, using: &random) == 0
          ? (0, [text("L", 8), value(text("g", 3))]) : (1, [text("a", 6), value(text("L", 9)), value(text("t", 3))])
      }
      let expected = Self.run(mode, records, on: &tables)
      let size = Int.random(in: 1...20, using: &random)
      for purpose in [EntityWriter.Purpose.check, .load] {
        #expect(try run(mode, records, size, purpose: purpose) == expected, "\(mode) \(purpose)")
      }
      for (entity, rows) in zip(Self.model, tables) {
        #expect(try Set(read(entity, from: database)) == Set(rows.values))
      }
    }
    try ForeignDatabase(database).expectSound()
  }

  private func run(_ mode: WriteMode, _ records: [(Int, [Cell])], _ size: Int, purpose: EntityWriter.Purpose) throws
    -> Outcome
  {
    var settings = EntityWriter.Settings(
      database: database,
      purpose: purpose,
      model: EntityModel(entities: Self.model),
      mode: mode
    )
    if mode.updatesRows { settings.defaults = Self.model.map { $0.attributes.map { _ in nil } } }
    var writer = try EntityWriter(settings)
    var outcome = Outcome()
    for start in stride(from: 0, to: records.count, by: size) {
      let part = records[start..<min(start + size, records.count)]
      outcome.rejected += Int64(
        try writer.write(part.map(\.1), entities: part.map(\.0), firstLine: start + 2).count
      )
    }
    try writer.settleParked(.reject) { _ in outcome.rejected += 1 }
    outcome.inserted = writer.insertedCounts
    outcome.updated = writer.updatedCounts
    outcome.unchanged = writer.unchangedCounts
    outcome.skipped = writer.skippedCounts
    try writer.commit()
    return outcome
  }
}
