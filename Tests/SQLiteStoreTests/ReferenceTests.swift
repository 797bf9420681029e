import Diagnostics
import EntityModel
import Records
import SQLiteStore
import TestSupport
import Testing

@Suite struct References {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = folder.file("out.sqlite")
  }

  /// Labels by name, artists by number with a label and a boss, albums without a key.
  private static let music: [Entity] = {
    func attribute(_ name: String, _ type: AttributeType = .text, isRequired: Bool = false) -> Attribute {
      var attribute = Attribute(name: name, type: type)
      attribute.isRequired = isRequired
      return attribute
    }
    func link(_ name: String, to target: String) -> Relationship {
      var link = Relationship(name: name, target: target, deleteRule: .noAction)
      link.attributes = [name]
      return link
    }
    var label = Entity(
      name: "Label",
      attributes: [attribute("name", isRequired: true), attribute("genre")],
      key: ["name"]
    )
    label.relationships = [Relationship(name: "artists", target: "Artist", isToMany: true, deleteRule: .cascade)]
    label.relationships[0].inverse = "label"
    var artist = Entity(name: "Artist", key: ["id"])
    artist.attributes = [
      attribute("id", .integer(bits: 64), isRequired: true), attribute("label"), attribute("boss", .integer(bits: 64)),
    ]
    artist.relationships = [link("label", to: "Label"), link("boss", to: "Artist")]
    artist.relationships[0].inverse = "artists"
    var album = Entity(
      name: "Album",
      attributes: [attribute("title"), attribute("artist", .integer(bits: 64), isRequired: true)]
    )
    album.relationships = [link("artist", to: "Artist")]
    return [label, artist, album]
  }()

  private struct Outcome {
    var refused: [Diagnostic] = []
    var inserted: [Int64] = []
    var made: [Int64] = []
  }

  /// Writes rows of several entities, batch by batch, and settles those that wait.
  private func load(
    _ batches: [[(entity: Int, cells: [Cell])]],
    of entities: [Entity] = music,
    purpose: EntityWriter.Purpose = .load,
    orphans: OrphanPolicy = .reject
  ) throws -> Outcome {
    var writer = try EntityWriter(
      EntityWriter.Settings(database: database, purpose: purpose, model: EntityModel(entities: entities))
    )
    var outcome = Outcome()
    var line = 2
    for batch in batches {
      outcome.refused += try writer.write(batch.map(\.cells), entities: batch.map(\.entity), firstLine: line)
        .map(\.diagnostic)
      line += batch.count
    }
    try writer.settleParked(orphans) { outcome.refused += $0.diagnostics }
    outcome.inserted = writer.insertedCounts
    outcome.made = writer.madeCounts
    try writer.commit()
    if case .load = purpose { try ForeignDatabase(database).expectSound() }
    return outcome
  }

  private func rows(of position: Int) throws -> [[Cell]] { try read(Self.music[position], from: database) }

  // MARK: Resolving

  @Test func `references resolve forwards, to themselves and in a circle, over batches`() throws {
    let outcome = try load([
      [(2, ["Drukqs", 1]), (2, ["Geogaddi", 2])], [(1, [1, "Warp", 2]), (1, [2, "Warp", 1]), (1, [3, .null, 3])],
      [(0, ["Warp", "electronic"])],
    ])
    #expect(outcome.refused.isEmpty)
    #expect(outcome.inserted == [1, 3, 2])
    #expect(try rows(of: 1) == [[1, "Warp", 2], [2, "Warp", 1], [3, .null, 3]])
    #expect(try rows(of: 2) == [["Drukqs", 1], ["Geogaddi", 2]])
  }

  @Test func `references resolve to rows that were there before`() throws {
    _ = try load([[(0, ["Warp", .null])], [(1, [1, "Warp", .null])]])
    let outcome = try load([[(1, [2, "Warp", 1]), (2, ["Drukqs", 1])]])
    #expect(outcome.refused.isEmpty)
    #expect(outcome.inserted == [0, 1, 1])
  }

  @Test func `a reference to nothing rejects its record, and those that depend on it with the cause`() throws {
    let outcome = try load([[(2, ["Lost", 9]), (2, ["Below", 3]), (1, [3, "Nonja", .null]), (1, [5, .null, 3])]])
    #expect(
      outcome.refused.map { "\($0.location.line) \($0.code.rawValue): \($0.message)" }.sorted() == [
        "2 unresolved-reference: no 'Artist' has id '9'",
        "3 depends-on-rejected: the 'Artist' with id '3' was rejected at a.csv:4",
        "4 unresolved-reference: no 'Label' has name 'Nonja'",
        "5 depends-on-rejected: the 'Artist' with id '3' was rejected at a.csv:4",
      ]
    )
    #expect(outcome.inserted == [0, 0, 0])
    let fault = try #require(outcome.refused.first { $0.location.line == 2 })
    #expect(fault.field == "artist")
    #expect(fault.value == "9")
    #expect(fault.entity == "Album")
  }

  @Test func `a row that the database refuses takes those that refer to it with it`() throws {
    try ForeignDatabase(database).execute(
      """
      CREATE TABLE Label (name TEXT PRIMARY KEY NOT NULL, genre TEXT CHECK (length(genre) % 2 = 0));
      CREATE TABLE Artist (id INTEGER PRIMARY KEY, label TEXT REFERENCES Label, boss INTEGER REFERENCES Artist);
      CREATE TABLE Album (title TEXT, artist INTEGER NOT NULL REFERENCES Artist);
      """
    )
    let outcome = try load([
      [(2, ["A", 1])], [(1, [1, "Odd", .null]), (1, [2, "Even", .null])], [(0, ["Odd", "x"]), (0, ["Even", "xy"])],
    ])
    #expect(
      outcome.refused.map { "\($0.location.line) \($0.code.rawValue)" }.sorted() == [
        "2 depends-on-rejected", "3 depends-on-rejected", "5 database-constraint",
      ]
    )
    #expect(outcome.inserted == [1, 1, 0])
  }

  @Test func `a key of several columns refers to nothing when one is NULL`() throws {
    var place = entity("Place", ["land", "town"], key: ["land", "town"])
    for position in place.attributes.indices { place.attributes[position].isRequired = true }
    var person = entity("Person", ["name", "land", "town"])
    var link = Relationship(name: "home", target: "Place", deleteRule: .noAction)
    link.attributes = ["land", "town"]
    person.relationships = [link]
    let outcome = try load(
      [[(1, ["a", "it", "Roma"]), (1, ["b", "it", .null]), (1, ["c", "it", "Bonn"]), (0, ["it", "Roma"])]],
      of: [place, person]
    )
    #expect(outcome.refused.map(\.message) == ["no 'Place' has land, town 'it, Bonn'"])
    #expect(outcome.inserted == [1, 2])
  }

  // MARK: Orphans

  @Test func `orphans may lose their reference where that is allowed`() throws {
    let outcome = try load([[(1, [1, "Nonja", 7]), (2, ["Lost", 9])]], orphans: .null)
    #expect(outcome.refused.map(\.code) == [.unresolvedReference])
    #expect(outcome.inserted == [0, 1, 0])
    #expect(try rows(of: 1) == [[1, .null, .null]])
  }

  @Test func `orphans may get a row that has nothing but the key`() throws {
    let outcome = try load(
      [[(1, [1, "Nonja", .null]), (1, [2, "Nonja", .null]), (2, ["Found", 9])]],
      orphans: .stub
    )
    #expect(outcome.refused.isEmpty)
    #expect(outcome.made == [1, 1, 0])
    #expect(outcome.inserted == [0, 2, 1])
    #expect(try rows(of: 0) == [["Nonja", .null]])
    #expect(try rows(of: 1) == [[1, "Nonja", .null], [2, "Nonja", .null], [9, .null, .null]])
  }

  @Test func `the delete rule of the other end stands in the table's SQL`() throws {
    _ = try load([[(0, ["Warp", .null]), (1, [1, "Warp", .null])]])
    let foreign = try ForeignDatabase(database)
    try foreign.execute("PRAGMA foreign_keys = ON; DELETE FROM Label")
    #expect(try rows(of: 1).isEmpty)
  }

  // MARK: Any graph

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `of any graph, in any order, the rows go in whose references all hold`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var records: [(entity: Int, cells: [Cell])] = []
    for name in 0..<4 where Bool.random(using: &random) { records.append((0, [.text(Array("L\(name)".utf8)), .null])) }
    func reference(_ count: Int) -> Cell {
      Int.random(in: 0..<4, using: &random) == 0 ? .null : .integer(Int64.random(in: 0..<Int64(count), using: &random))
    }
    for id in 0..<12 where Int.random(in: 0..<4, using: &random) > 0 {
      let label: Cell =
        Bool.random(using: &random) ? .null : .text(Array("L\(Int.random(in: 0..<4, using: &random))".utf8))
      records.append((1, [.integer(Int64(id)), label, reference(13)]))
    }
    for title in 0..<8 {
      records.append((2, [.text(Array("T\(title)".utf8)), .integer(Int64.random(in: 0..<13, using: &random))]))
    }
    records.shuffle(using: &random)
    let expected = accepted(records)
    var batches: [[(entity: Int, cells: [Cell])]] = []
    var rest = records[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...8, using: &random)
      batches.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    let checked = try load(batches, purpose: .check)
    let outcome = try load(batches)
    for position in 0..<3 {
      let found = try rows(of: position)
      #expect(Set(found) == Set(expected.filter { $0.entity == position }.map(\.cells)))
      #expect(outcome.inserted[position] == Int64(found.count))
    }
    // Each may have several faults.
    #expect(Set(outcome.refused.map(\.location)).count == records.count - expected.count)
    #expect(checked.inserted == outcome.inserted)
    #expect(Set(checked.refused) == Set(outcome.refused))
  }

  /// The greatest set of records whose references lead to records of the set.
  private func accepted(_ records: [(entity: Int, cells: [Cell])]) -> [(entity: Int, cells: [Cell])] {
    var kept = records
    while true {
      let labels = Set(kept.filter { $0.entity == 0 }.map { $0.cells[0] })
      let artists = Set(kept.filter { $0.entity == 1 }.map { $0.cells[0] })
      let next = kept.filter { entity, cells in
        switch entity {
        case 1: (cells[1] == .null || labels.contains(cells[1])) && (cells[2] == .null || artists.contains(cells[2]))
        case 2: artists.contains(cells[1])
        default: true
        }
      }
      if next.count == kept.count { return kept }
      kept = next
    }
  }
}
