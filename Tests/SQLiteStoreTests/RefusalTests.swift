import Diagnostics
import EntityModel
import Records
import SQLiteStore
import Testing

@Suite struct Refusals {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = folder.file("out.sqlite")
  }

  @Test func `a key that is there already is told with the line of the first`() throws {
    let contact = entity("Contatto", ["nome", "nick"], key: ["nick"])
    var writer = try EntityWriter(
      EntityWriter.Settings(database: database, model: EntityModel(entities: [contact]))
    )
    var refused = try writer.write([["Ada", "adab"], ["Bo", "bo"], ["Ada", "adab"], ["Cy", "cy"]])
    #expect(refused.count == 1)
    #expect(refused[0].record == 2)
    let diagnostic = refused[0].diagnostic
    #expect(diagnostic.message == "the key nick='adab' is already in line 2 (record 1)")
    #expect(diagnostic.code == .duplicateKey)
    #expect(diagnostic.entity == "Contatto" && diagnostic.field == "nick" && diagnostic.value == "adab")
    #expect(diagnostic.location.line == 4 && diagnostic.location.record == 3 && diagnostic.location.file == "a.csv")
    refused = try writer.write([["Ada", "adab"]], file: "b.csv")
    #expect(refused.map(\.diagnostic.message) == ["the key nick='adab' is already in line 2 of 'a.csv' (record 1)"])
    #expect(writer.insertedCounts == [3])
    try writer.commit()
    let again = try load([["Ada", "adab"], ["Di", "di"]], as: contact, into: database)
    #expect(again.refused.map(\.diagnostic.message) == ["the key nick='adab' is already in the database"])
    #expect(again.inserted == 1)
    try ForeignDatabase(database).expectSound()
  }

  @Test func `composite keys, unique attributes and unique sets name their fields`() throws {
    var album = Entity(
      name: "album",
      attributes: [
        Attribute(name: "artist"), Attribute(name: "year", type: .integer(bits: 16)), Attribute(name: "code"),
        Attribute(name: "shelf"), Attribute(name: "place", type: .integer(bits: 64)),
      ],
      key: ["artist", "year"]
    )
    album.attributes[2].isUnique = true
    album.uniqueSets = [["shelf", "place"]]
    let refused = try load(
      [["X", 1, "c1", "s", 1], ["X", 1, "c2", "s", 2], ["X", 2, "c1", "s", 3], ["X", 3, "c3", "s", 1]],
      as: album,
      into: database
    ).refused.map(\.diagnostic)
    #expect(
      refused.map(\.message) == [
        "the key artist='X', year='1' is already in line 2 (record 1)",
        "the unique value code='c1' is already in line 2 (record 1)",
        "the unique value shelf='s', place='1' is already in line 2 (record 1)",
      ]
    )
    #expect(refused.map(\.code) == [.duplicateKey, .uniqueError, .uniqueError])
    #expect(refused.map(\.field) == ["artist, year", "code", "shelf, place"])
  }

  @Test func `a number as key is the rowid, and SQLite numbers rows without one`() throws {
    let row = Entity(
      name: "t",
      attributes: [Attribute(name: "id", type: .integer(bits: 64)), Attribute(name: "v")],
      key: ["id"]
    )
    let refused = try load(
      [[7, "a"], [.null, "b"], [.null, "c"], [9, "d"], [3, "e"], [.null, "f"], [8, "g"]],
      as: row,
      into: database
    ).refused
    #expect(refused.map(\.record) == [3, 6])
    #expect(
      refused.map(\.diagnostic.message) == [
        "the key id='9' is already in line 4 (record 3)", "the key id='8' is already in line 3 (record 2)",
      ]
    )
    #expect(try read(row, from: database) == [[3, "e"], [7, "a"], [8, "b"], [9, "c"], [10, "f"]])
  }

  @Test(arguments: [false, true])
  func `the first is found among many rows, whatever their order`(isAscending: Bool) throws {
    let row = Entity(name: "t", attributes: [Attribute(name: "id", type: .integer(bits: 64))], key: ["id"])
    var writer = try EntityWriter(EntityWriter.Settings(database: database, model: EntityModel(entities: [row])))
    let count = 150_000
    // A step that is prime to the count visits every number once.
    let cells = (0..<count).map { [Cell.integer(Int64(isAscending ? $0 : $0 * 7_919 % count))] }
    for start in stride(from: 0, to: count, by: 30_000) {
      #expect(try writer.write(Array(cells[start..<start + 30_000]), firstLine: start + 2).isEmpty)
    }
    for line in [2, 65_537, 65_538, 131_073, 131_074, count + 1] {
      let refused = try writer.write([cells[line - 2]], firstLine: 200_000)
      #expect(
        refused.map { $0.diagnostic.message.hasSuffix("is already in line \(line) (record \(line - 1))") } == [true]
      )
    }
    #expect(writer.insertedCounts == [Int64(count)])
    writer.rollBack()
  }

  @Test func `half of a batch may be refused and the other half is kept`() throws {
    let row = entity("t", ["k"], key: ["k"])
    let cells = (0..<4_000).map { [Cell.text(Array("\($0 / 2)".utf8))] }
    let (inserted, refused) = try load(cells, as: row, into: database)
    #expect(inserted == 2_000)
    #expect(refused.map(\.record) == Array(stride(from: 1, to: 4_000, by: 2)))
    #expect(refused.last?.diagnostic.message == "the key k='1999' is already in line 4000 (record 3999)")
  }

  struct Foreign: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sql: String
    let rows: [[Cell]]
    let refused: [Int]
    let words: String
  }

  static let foreign = [
    Foreign(
      testDescription: "NOT NULL",
      sql: "CREATE TABLE t(a TEXT NOT NULL, b)",
      rows: [["1", "x"], [.null, "y"], ["3", "z"]],
      refused: [1],
      words: "the database refuses the row: NOT NULL constraint failed: t.a"
    ),
    Foreign(
      testDescription: "CHECK",
      sql: "CREATE TABLE t(a TEXT, b, CONSTRAINT odd CHECK (length(b) % 2 = 1))",
      rows: [["1", "x"], ["2", "yy"], ["3", "z"]],
      refused: [1],
      words: "the database refuses the row: CHECK constraint failed: odd"
    ),
    Foreign(
      testDescription: "trigger that raises",
      sql: """
        CREATE TABLE t(a TEXT, b);
        CREATE TRIGGER g AFTER INSERT ON t WHEN new.a = '2' BEGIN SELECT RAISE(ABORT, 'no twos'); END
        """,
      rows: [["1", "x"], ["2", "y"], ["3", "z"], ["2", "w"]],
      refused: [1, 3],
      words: "the database refuses the row: no twos"
    ),
    Foreign(
      testDescription: "trigger that ignores",
      sql: """
        CREATE TABLE t(a TEXT, b);
        CREATE TRIGGER g BEFORE INSERT ON t WHEN new.a = '2' BEGIN SELECT RAISE(IGNORE); END
        """,
      rows: [["1", "x"], ["2", "y"], ["3", "z"]],
      refused: [1],
      words: "the database refuses the row: a trigger left the row out"
    ),
    Foreign(
      testDescription: "foreign key",
      sql: "CREATE TABLE p(x PRIMARY KEY); INSERT INTO p VALUES ('1'),('3'); CREATE TABLE t(a TEXT REFERENCES p, b)",
      rows: [["1", "x"], ["2", "y"], ["3", "z"], [.null, "w"]],
      refused: [1],
      words: "no 'p' has x '2'"
    ),
    Foreign(
      testDescription: "unique index over an expression",
      sql: "CREATE TABLE t(a TEXT, b); CREATE UNIQUE INDEX i ON t(lower(a))",
      rows: [["a", "x"], ["A", "y"], ["b", "z"]],
      refused: [1],
      words: "the database refuses the row: UNIQUE constraint failed: index 'i'"
    ),
    Foreign(
      testDescription: "unique without regard to case, and told to replace",
      sql: "CREATE TABLE t(a TEXT COLLATE NOCASE UNIQUE ON CONFLICT REPLACE, b)",
      rows: [["a", "x"], ["A", "y"], ["b", "z"]],
      refused: [1],
      words: "the unique value a='A' is already in line 2 (record 1)"
    ),
    Foreign(
      testDescription: "without rowid",
      sql: "CREATE TABLE t(a TEXT PRIMARY KEY, b) WITHOUT ROWID",
      rows: [["a", "x"], ["a", "y"], ["b", "z"]],
      refused: [1],
      words: "the key a='a' is already in this run or in the database"
    ),
    Foreign(
      testDescription: "text that a column would take for a number",
      sql: "CREATE TABLE t(a TIMESTAMP, b)",
      rows: [["2024-01-31 10:00:00", "x"], ["007", "y"], ["7", "z"], ["1e5", "w"], [" 7", "v"]],
      refused: [1, 3, 4],
      words: "the column's type 'TIMESTAMP' would turn '007' into a number"
    ),
  ]

  @Test(arguments: foreign)
  func `rules of the database refuse single rows, and a check says the same`(example: Foreign) throws {
    let foreign = try ForeignDatabase(database)
    try foreign.execute(example.sql)
    let model = try SchemaReader.readModel(ofDatabase: database)
    var table = try #require(model.entity(named: "t"))
    // As if the run had a model of its own that knows no rules.
    for position in table.attributes.indices { table.attributes[position].isRequired = false }
    let before = folder.bytes(of: "out.sqlite")
    let checked = try load(example.rows, as: table, into: database, purpose: .check)
    #expect(folder.bytes(of: "out.sqlite") == before)
    #expect(folder.names == ["out.sqlite"])
    let loaded = try load(example.rows, as: table, into: database)
    #expect(loaded.refused.map(\.record) == example.refused)
    #expect(loaded.refused.first?.diagnostic.message == example.words)
    #expect(loaded.inserted == Int64(example.rows.count - example.refused.count))
    #expect(try foreign.value("SELECT count(*) FROM t") == "\(loaded.inserted)")
    #expect(checked.inserted == loaded.inserted)
    #expect(checked.refused.map(\.diagnostic) == loaded.refused.map(\.diagnostic))
    try foreign.expectSound()
  }

  @Test func `a trigger that undoes the transaction stops the run`() throws {
    let foreign = try ForeignDatabase(database)
    try foreign.execute(
      "CREATE TABLE t(a TEXT); CREATE TRIGGER g BEFORE INSERT ON t WHEN new.a = '2' BEGIN SELECT RAISE(ROLLBACK, 'x'); END"
    )
    #expect(throws: StoreError.self) { try load([["1"], ["2"]], as: entity("t", ["a"]), into: database) }
    #expect(try foreign.value("SELECT count(*) FROM t") == "0")
  }

  @Test func `a default that only SQLite can work out fills a row without a value`() throws {
    let foreign = try ForeignDatabase(database)
    try foreign.execute("CREATE TABLE t(a TEXT NOT NULL DEFAULT (upper('x' || 'y')), b TEXT)")
    let table = try SchemaReader.readModel(ofDatabase: database).entities[0]
    #expect(!table.attributes[0].isRequired)
    try load([[.null, "1"], ["z", "2"]], as: table, into: database)
    #expect(try foreign.rows("SELECT * FROM t") == [["XY", "1"], ["z", "2"]])
  }
}
