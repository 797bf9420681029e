import EntityModel
import Records
import SQLiteStore
import TestSupport
import Testing

@Suite struct LinkCounts {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = folder.file("out.sqlite")
  }

  /// Labels with 1 to 3 artists, artists with 1 to 2 albums.
  private static let model: [Entity] = {
    func many(_ name: String, _ target: String, _ inverse: String, upTo maximum: Int) -> Relationship {
      var link = Relationship(name: name, target: target, isToMany: true, deleteRule: .cascade)
      link.inverse = inverse
      link.minimumCount = 1
      link.maximumCount = maximum
      return link
    }
    func one(_ name: String, _ target: String, _ inverse: String) -> Relationship {
      var link = Relationship(name: name, target: target)
      link.inverse = inverse
      link.attributes = [name]
      link.targetAttributes = ["name"]
      return link
    }
    var label = entity("label", ["name"], key: ["name"])
    var artist = entity("artist", ["name", "label"], key: ["name"])
    var album = entity("album", ["name", "artist"], key: ["name"])
    label.attributes[0].isRequired = true
    artist.attributes[0].isRequired = true
    album.attributes[0].isRequired = true
    label.relationships = [many("artists", "artist", "label", upTo: 3)]
    artist.relationships = [one("label", "label", "artists"), many("albums", "album", "artist", upTo: 2)]
    album.relationships = [one("artist", "artist", "albums")]
    return [label, artist, album]
  }()

  private static let bounds = [1...3, 1...2]

  /// What stays of records that are loaded into nothing: whoever has too few or too many goes with all below, and again.
  private static func survivors(of records: [(Int, [Cell])]) -> [[Cell: [Cell]]] {
    var records = records
    var count: Int
    repeat {
      count = records.count
      let names = (0...2).map { entity in Set(records.filter { $0.0 == entity }.map { $0.1[0] }) }
      records.removeAll { $0.0 > 0 && $0.1[1] != .null && !names[$0.0 - 1].contains($0.1[1]) }
    } while records.count < count
    var tables: [[Cell: [Cell]]] = [[:], [:], [:]]
    for (entity, record) in records where tables[entity][record[0]] == nil { tables[entity][record[0]] = record }
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for child in 1...2 {
        let orphans = tables[child].filter { $0.value[1] != .null && tables[child - 1][$0.value[1]] == nil }
        for orphan in orphans.keys { tables[child][orphan] = nil }
        hasChanged = hasChanged || !orphans.isEmpty
      }
      guard !hasChanged else { continue }
      for owner in 0...1 {
        let wrong = tables[owner].keys.filter { key in
          !bounds[owner].contains(tables[owner + 1].values.count { $0[1] == key })
        }
        hasChanged = hasChanged || !wrong.isEmpty
        for key in wrong { tables[owner][key] = nil }
      }
    }
    return tables
  }

  private static func records(_ count: Int, mayBeNull: Bool, using random: inout SplitMix64) -> [(Int, [Cell])] {
    (0..<count).map { _ in
      func name(_ prefix: String, _ count: Int) -> Cell {
        .text(Array("\(prefix)\(Int.random(in: 0..<count, using: &random))".utf8))
      }
      func link(_ prefix: String, _ count: Int) -> Cell {
        mayBeNull && Int.random(in: 0..<8, using: &random) == 0 ? .null : name(prefix, count)
      }
      return switch Int.random(in: 0..<6, using: &random) {
      case 0: (0, [name("L", 7)])
      case 1...2: (1, [name("a", 12), link("L", 8)])
      default: (2, [name("t", 24), link("a", 13)])
      }
    }
  }

  private func run(_ mode: WriteMode, _ records: [(Int, [Cell])], _ size: Int, _ purpose: EntityWriter.Purpose) throws
    -> [Int64]
  {
    var settings = EntityWriter.Settings(
      database: database,
      purpose: purpose,
      model: EntityModel(entities: Self.model),
      mode: mode
    )
    if mode.updatesRows { settings.defaults = Self.model.map { $0.attributes.map { _ in nil } } }
    var writer = try EntityWriter(settings)
    var rejected: Int64 = 0
    for start in stride(from: 0, to: records.count, by: size) {
      let part = records[start..<min(start + size, records.count)]
      rejected += Int64(try writer.write(part.map(\.1), entities: part.map(\.0), firstLine: start + 2).count)
    }
    try writer.settleParked(.reject) { _ in rejected += 1 }
    let counts = [writer.insertedCounts, writer.updatedCounts, writer.unchangedCounts, writer.skippedCounts]
    let result = counts.map { $0.reduce(0, +) } + [rejected]
    try writer.commit()
    #expect(result.reduce(0, +) == Int64(records.count), "each record counts once")
    return result
  }

  private func rows() throws -> [[Cell: [Cell]]] {
    try Self.model.map { entity in
      Dictionary(uniqueKeysWithValues: try read(entity, from: database).map { ($0[0], $0) })
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `what is left of random records has all its links, and nothing more was rejected`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let records = Self.records(Int.random(in: 0..<90, using: &random), mayBeNull: true, using: &random)
    let size = Int.random(in: 1...30, using: &random)
    let expected = Self.survivors(of: records)
    let checked = try run(.insert, records, size, .check)
    let loaded = try run(.insert, records, size, .load)
    #expect(checked == loaded)
    #expect(try rows() == expected)
    try ForeignDatabase(database).expectSound()
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `a run takes no row further past its bounds, and keeps what rejected records would have changed`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    for _ in 0..<4 {
      let before = (try? rows()) ?? [[:], [:], [:]]
      let mode = [WriteMode.insert, .skip, .upsert, .update].randomElement(using: &random) ?? .upsert
      let records = Self.records(Int.random(in: 0..<50, using: &random), mayBeNull: true, using: &random)
      let size = Int.random(in: 1...20, using: &random)
      let checked = try run(mode, records, size, .check)
      let loaded = try run(mode, records, size, .load)
      #expect(checked == loaded, "\(mode)")
      let after = try rows()
      for owner in 0...1 {
        for key in after[owner].keys {
          let count = after[owner + 1].values.count { $0[1] == key }
          let old = before[owner + 1].values.count { $0[1] == key }
          #expect(Self.bounds[owner].contains(count) || (before[owner][key] != nil && count == old), "\(mode) \(key)")
        }
      }
      // Every value that stands there is an older one, or some record's.
      for entity in 0...2 {
        let known = Set(before[entity].values).union(records.filter { $0.0 == entity }.map(\.1))
        #expect(known.isSuperset(of: after[entity].values), "\(mode)")
        #expect(Set(after[entity].keys).isSuperset(of: before[entity].keys), "\(mode)")
      }
      try ForeignDatabase(database).expectSound()
    }
  }
}
