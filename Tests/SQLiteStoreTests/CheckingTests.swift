import Diagnostics
import EntityModel
import Records
import SQLiteStore
import TestSupport
import Testing

@Suite struct Checking {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = folder.file("out.sqlite")
  }

  @Test func `a check of a database that is not there makes no file`() throws {
    let row = entity("t", ["k", "v"], key: ["k"])
    let checked = try load([["a", "1"], ["a", "2"], ["b", "3"]], as: row, into: database, purpose: .check)
    #expect(checked.inserted == 2)
    #expect(checked.refused.map(\.diagnostic.message) == ["the key k='a' is already in line 2 (record 1)"])
    #expect(folder.names.isEmpty)
    let counted = try load([["a", "1"], ["a", "2"]], as: entity("u", ["k", "v"]), into: database, purpose: .check)
    #expect(counted.inserted == 2)
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `a check says what a load does`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let isWriteAhead = Bool.random(using: &random)
    let schema = [
      "CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT UNIQUE, v TEXT)",
      "CREATE TABLE t(id INTEGER, k TEXT PRIMARY KEY, v TEXT, UNIQUE(v, id))",
      "CREATE TABLE t(id INTEGER, k TEXT COLLATE NOCASE, v TEXT); CREATE UNIQUE INDEX i ON t(k, v)",
      "CREATE TABLE t(id INTEGER NOT NULL, k TEXT, v TEXT, PRIMARY KEY (k, id)) WITHOUT ROWID",
      "CREATE TABLE t(id INTEGER UNIQUE, k TEXT, v TEXT); CREATE UNIQUE INDEX i ON t(k) WHERE v = 'v1'",
    ][Int(seed % 5)]
    let foreign = try ForeignDatabase(database)
    if isWriteAhead { try foreign.execute("PRAGMA journal_mode = wal") }
    try foreign.execute(schema)
    var table = try SchemaReader.readModel(ofDatabase: database).entities[0]
    for position in table.attributes.indices { table.attributes[position].isRequired = false }
    func rows() -> [[Cell]] {
      (0..<40).map { _ in
        [
          Int.random(in: 0..<8, using: &random) == 0 ? .null : .integer(Int64.random(in: 0..<60, using: &random)),
          .text(
            Array("\(["k", "K"].randomElement(using: &random) ?? "")\(Int.random(in: 0..<40, using: &random))".utf8)
          ),
          .text(Array("v\(Int.random(in: 0..<4, using: &random))".utf8)),
        ]
      }
    }
    func run(_ purpose: EntityWriter.Purpose, _ batches: [[[Cell]]]) throws -> (Int64, [[Diagnostic]]) {
      var writer = try EntityWriter(
        EntityWriter.Settings(database: database, purpose: purpose, model: EntityModel(entities: [table]))
      )
      let refused = try batches.enumerated().map { number, cells in
        try writer.write(cells, file: "\(number % 2).csv", firstLine: number * 100 + 2).map(\.diagnostic)
      }
      let inserted = writer.insertedCounts[0]
      try writer.commit()
      return (inserted, refused)
    }
    _ = try run(.load, [rows()])
    let batches = [rows(), rows(), rows()]
    let before = folder.bytes(of: "out.sqlite")
    let checked = try run(.check, batches)
    #expect(folder.bytes(of: "out.sqlite") == before)
    let loaded = try run(.load, batches)
    #expect(checked.0 == loaded.0)
    #expect(checked.1 == loaded.1)
    #expect(loaded.0 + Int64(loaded.1.joined().count) == 120)
    try foreign.expectSound()
  }

  @Test func `a check reads a database that others write in`() throws {
    let foreign = try ForeignDatabase(database)
    try foreign.execute("CREATE TABLE t(k TEXT PRIMARY KEY); INSERT INTO t VALUES ('a'); BEGIN IMMEDIATE")
    let checked = try load([["a"], ["b"]], as: entity("t", ["k"], key: ["k"]), into: database, purpose: .check)
    #expect(checked.inserted == 1)
    try foreign.execute("INSERT INTO t VALUES ('c'); COMMIT")
  }

  @Test func `a check holds no lock between batches`() throws {
    let foreign = try ForeignDatabase(database)
    try foreign.execute("CREATE TABLE t(k TEXT PRIMARY KEY); INSERT INTO t VALUES ('a')")
    var writer = try EntityWriter(
      EntityWriter.Settings(
        database: database,
        purpose: .check,
        model: EntityModel(entities: [entity("t", ["k"], key: ["k"])])
      )
    )
    _ = try writer.write([["a"]])
    try foreign.execute("INSERT INTO t VALUES ('b')")
    #expect(try writer.write([["b"]]).map(\.diagnostic.message) == ["the key k='b' is already in the database"])
    writer.rollBack()
  }

  @Test func `a database in UTF-16 is loaded, checked and read like any other`() throws {
    let foreign = try ForeignDatabase(database)
    try foreign.execute("PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(k TEXT PRIMARY KEY); INSERT INTO t VALUES ('é')")
    let table = entity("t", ["k"], key: ["k"])
    for purpose in [EntityWriter.Purpose.check, .load] {
      let outcome = try load([["é"], ["😀"]], as: table, into: database, purpose: purpose)
      #expect(outcome.refused.map(\.diagnostic.message) == ["the key k='é' is already in the database"])
    }
    // SQLite compares the bytes of its own encoding.
    #expect(try Set(read(table, from: database)) == [["é"], ["😀"]])
  }
}
