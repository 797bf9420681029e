import Diagnostics
import EntityModel
import Records
import SQLiteStore
import TestSupport
import Testing

@Suite struct Schemas {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = folder.file("out.sqlite")
  }

  // MARK: What was written is read

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `a model written and read again is the same model`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let model = randomModel(using: &random)
    let writer = try EntityWriter(EntityWriter.Settings(database: database, model: model))
    try writer.commit()
    #expect(try SchemaReader.readModel(ofDatabase: database) == model)
    try ForeignDatabase(database).expectSound()
  }

  @Test func `links, parents and remarks are kept too`() throws {
    var album = entity("album", ["title"], key: ["title"])
    var link = Relationship(name: "the \"tracks\"", target: "track", isToMany: true, deleteRule: .cascade)
    link.inverse = "album"
    link.isOrdered = true
    link.minimumCount = 1
    album.relationships = [link, Relationship(name: "label", target: "label")]
    album.parent = "work"
    album.documentation = "a round thing"
    let model = EntityModel(entities: [album])
    try EntityWriter(EntityWriter.Settings(database: database, model: model)).commit()
    #expect(try SchemaReader.readModel(ofDatabase: database) == model)
  }

  @Test func `the rules stand in the table's own SQL`() throws {
    var row = Entity(name: "t", key: ["k"])
    var key = Attribute(name: "k")
    key.isRequired = true
    key.maximumLength = 5
    var number = Attribute(name: "n", type: .integer(bits: 16))
    number.minimum = "-5"
    number.maximum = "9"
    number.defaultValue = "3"
    var choice = Attribute(name: "c")
    choice.allowedValues = ["a", "it's"]
    choice.isUnique = true
    row.attributes = [key, number, choice]
    try EntityWriter(EntityWriter.Settings(database: database, model: EntityModel(entities: [row]))).commit()
    let foreign = try ForeignDatabase(database)
    #expect(
      try foreign.value("SELECT sql FROM sqlite_schema WHERE name = 't'") == """
        CREATE TABLE "t" (
          "k" TEXT NOT NULL CHECK ("k" <> '') CHECK (length("k") <= 5) PRIMARY KEY,
          "n" INTEGER16 DEFAULT 3 CHECK ("n" >= -5) CHECK ("n" <= 9),
          "c" TEXT CHECK ("c" IN ('a', 'it''s')) UNIQUE
        )
        """
    )
    // Nothing is left over for the table beside it but the model's format.
    #expect(try foreign.rows("SELECT property FROM importer_model") == [["format"]])
  }

  @Test func `a table that is made again forgets what was said of the first`() throws {
    var row = entity("t", ["a"])
    row.attributes[0].pattern = "x+"
    try EntityWriter(EntityWriter.Settings(database: database, model: EntityModel(entities: [row]))).commit()
    try ForeignDatabase(database).execute("DROP TABLE t")
    let plain = EntityModel(entities: [entity("t", ["a"])])
    try EntityWriter(EntityWriter.Settings(database: database, model: plain)).commit()
    #expect(try SchemaReader.readModel(ofDatabase: database) == plain)
  }

  @Test func `a database of a newer importer is not misread`() throws {
    try EntityWriter(EntityWriter.Settings(database: database, model: EntityModel(entities: [entity("t", ["a"])])))
      .commit()
    try ForeignDatabase(database).execute("UPDATE importer_model SET value = '2' WHERE property = 'format'")
    let error = #expect(throws: StoreError.self) { try SchemaReader.readModel(ofDatabase: database) }
    #expect(error?.kind == .model)
  }

  // MARK: Foreign schemas

  private func foreignEntity(_ sql: String, named name: String = "t") throws -> Entity {
    try ForeignDatabase(database).execute(sql)
    return try #require(try SchemaReader.readModel(ofDatabase: database).entity(named: name))
  }

  @Test func `declared types are read as SQLite takes them`() throws {
    let types = [
      ("INT", AttributeType.integer(bits: 64)), ("BIGINT", .integer(bits: 64)), ("SMALLINT", .integer(bits: 64)),
      ("VARCHAR(20)", .text), ("NVARCHAR(5)", .text), ("CLOB", .text), ("", .text), ("BLOB", .binary),
      ("LONGBLOB", .binary), ("DOUBLE PRECISION", .double), ("FLOAT", .double), ("NUMERIC", .double),
      ("DECIMAL(10,5)", .decimal(precision: 10, scale: 5)), ("decimal(8)", .decimal(precision: 8, scale: 0)),
      ("NUMERIC(6, 2)", .decimal(precision: 6, scale: 2)), ("DECIMAL(20,5)", .double), ("BOOLEAN", .boolean),
      ("bool", .boolean), ("date", .date), ("DATETIME", .datetime), ("TIMESTAMP", .text), ("STRING", .text),
      ("INTEGER16", .integer(bits: 16)), ("DECIMAL_TEXT", .decimal(precision: nil, scale: nil)),
      ("DECIMAL_TEXT(20,5)", .decimal(precision: 20, scale: 5)), ("UUID_TEXT", .uuid), ("URI_TEXT", .uri),
      ("POINT", .integer(bits: 64)), ("CHARINT", .integer(bits: 64)),
    ]
    let columns = types.enumerated().map { "c\($0) \($1.0)" }.joined(separator: ", ")
    let table = try foreignEntity("CREATE TABLE t(\(columns))")
    for (attribute, (declared, type)) in zip(table.attributes, types) {
      #expect(attribute.type == type, "\(declared)")
    }
  }

  @Test func `keys, uniqueness, defaults and rules are read, and what is not ours is left to SQLite`() throws {
    let table = try foreignEntity(
      """
      CREATE TABLE parent(id INTEGER PRIMARY KEY);
      CREATE VIEW v AS SELECT 1; CREATE VIRTUAL TABLE f USING fts5(x);
      CREATE TABLE [t](
        id INTEGER PRIMARY KEY AUTOINCREMENT, -- CHECK (id > 5)
        `name` VARCHAR(20) NOT NULL CHECK(length(name) BETWEEN 1 AND 5),
        age INT CHECK (age >= 0 AND age <= 150) DEFAULT -1,
        kind TEXT NOT NULL DEFAULT 'a' CHECK (kind IN ('a', /* CHECK ( */ 'b')) UNIQUE,
        price DECIMAL(8,2) CHECK (price BETWEEN 0.5 AND 1e3),
        flag BOOLEAN DEFAULT 1 CHECK (flag IN (0, 1)),
        born DATE DEFAULT CURRENT_DATE CHECK (born >= '1900-01-01'),
        made TEXT DEFAULT (datetime('now')),
        low TEXT COLLATE NOCASE CHECK (low IN ('x')),
        double INT GENERATED ALWAYS AS (age * 2),
        parent INT NOT NULL REFERENCES parent(id) ON DELETE CASCADE,
        UNIQUE (age, kind), CHECK (length(name) >= 2)
      );
      CREATE UNIQUE INDEX partial ON t(price) WHERE age > 5;
      CREATE UNIQUE INDEX plain ON t(born, flag);
      """
    )
    #expect(try SchemaReader.readModel(ofDatabase: database).entities.map(\.name) == ["parent", "t"])
    #expect(
      table.attributes.map(\.name)
        == ["id", "name", "age", "kind", "price", "flag", "born", "made", "low", "parent"]
    )
    #expect(table.key == ["id"])
    #expect(table.uniqueSets == [["age", "kind"], ["born", "flag"]])
    let attribute = { (name: String) in try #require(table.attribute(named: name)) }
    #expect(try !attribute("id").isRequired)
    #expect(try attribute("name").isRequired && !attribute("name").refusesEmptyText)
    #expect(try attribute("name").minimumLength == 2)
    #expect(try attribute("name").maximumLength == nil)
    #expect(try attribute("age").minimum == "0" && attribute("age").maximum == "150")
    #expect(try attribute("age").defaultValue == "-1")
    #expect(try attribute("kind").allowedValues == ["a", "b"] && attribute("kind").isUnique)
    #expect(try attribute("kind").defaultValue == "a")
    #expect(try attribute("price").minimum == "0.5" && attribute("price").maximum == "1e3")
    #expect(try attribute("flag").defaultValue == "true" && attribute("flag").allowedValues == nil)
    #expect(try attribute("born").defaultValue == "now" && attribute("born").minimum == "1900-01-01")
    #expect(try attribute("made").defaultValue == nil)
    #expect(try attribute("low").allowedValues == nil)
    #expect(table.relationships.map(\.name) == ["parent"])
    #expect(table.relationships.first?.target == "parent" && table.relationships.first?.inverse == "t")
    let parent = try #require(try SchemaReader.readModel(ofDatabase: database).entity(named: "parent"))
    #expect(parent.relationships.map(\.name) == ["t"] && parent.relationships.map(\.deleteRule) == [.cascade])
    #expect(table.relationships.first?.isRequired == true)
  }

  // MARK: Tables that do not fit

  struct Misfit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sql: String
    let words: String
  }

  static let misfits = [
    Misfit(testDescription: "a column is missing", sql: "CREATE TABLE t(b TEXT)", words: "no column 'a'"),
    Misfit(testDescription: "numbers only", sql: "CREATE TABLE t(a INT)", words: "has 'INT', which does not hold text"),
    Misfit(
      testDescription: "another column wants a value",
      sql: "CREATE TABLE t(a TEXT, c TEXT NOT NULL)",
      words: "column 'c' of 't' needs a value"
    ),
    Misfit(testDescription: "a view", sql: "CREATE VIEW t AS SELECT 1 AS a", words: "'t' is a view there"),
    Misfit(
      testDescription: "a virtual table",
      sql: "CREATE VIRTUAL TABLE t USING fts5(a)",
      words: "'t' is a virtual table there"
    ),
    Misfit(
      testDescription: "an index",
      sql: "CREATE TABLE u(a TEXT); CREATE INDEX t ON u(a)",
      words: "'t' is an index there"
    ),
    Misfit(
      testDescription: "keys may repeat",
      sql: "CREATE TABLE t(a TEXT)",
      words: "the table 't' lets rows share 'a'"
    ),
  ]

  @Test(arguments: misfits)
  func `a table that cannot take the rows is refused with a remedy`(example: Misfit) throws {
    let foreign = try ForeignDatabase(database)
    try foreign.execute(example.sql)
    for purpose in [EntityWriter.Purpose.load, .check] {
      let error = #expect(throws: StoreError.self) {
        try load([], as: entity("t", ["a"], key: ["a"]), into: database, purpose: purpose)
      }
      #expect(error?.description.contains(example.words) == true, "\(error?.description ?? "")")
      #expect(error?.remedy != nil)
    }
    #expect(try foreign.value("SELECT count(*) FROM sqlite_schema WHERE name = 'importer_model'") == "0")
  }

  @Test func `columns that a run does not give keep their defaults`() throws {
    let foreign = try ForeignDatabase(database)
    try foreign.execute("CREATE TABLE T(x TEXT, A TEXT, y TEXT NOT NULL DEFAULT 'd')")
    try load([["1"]], as: entity("t", ["a"]), into: database)
    #expect(try foreign.rows("SELECT * FROM T") == [["null", "1", "d"]])
  }

  @Test func `an entity that can be no table is refused before anything is made`() throws {
    let bad: [[Entity]] = [
      [entity("", ["a"])], [entity("sqlite_x", ["a"])], [entity("Importer_x", ["a"])], [entity("t", [])],
      [entity("t", ["a", "A"])], [entity("t", (0...2_000).map { "c\($0)" })], [entity("t", ["a\0"])],
      [entity("t", ["a"], key: ["b"])],
    ]
    for entities in bad {
      let error = #expect(throws: StoreError.self) {
        _ = try EntityWriter(EntityWriter.Settings(database: database, model: EntityModel(entities: entities)))
      }
      #expect(error?.kind == .model && error?.remedy != nil)
    }
    #expect(folder.names.isEmpty)
    let twins = EntityModel(entities: [entity("t", ["a"]), entity("T", ["a"])])
    #expect(throws: StoreError.self) {
      _ = try EntityWriter(EntityWriter.Settings(database: database, model: twins))
    }
    #expect(folder.names.isEmpty)
  }

  @Test func `dates never become numbers, in whatever column`() throws {
    let foreign = try ForeignDatabase(database)
    try foreign.execute("CREATE TABLE d(a DATE, b DATETIME)")
    let dates = try #require(try SchemaReader.readModel(ofDatabase: database).entity(named: "d"))
    let rows: [[Cell]] = [
      ["0001-01-01", "0001-01-01T00:00:00"], ["9999-12-31", "9999-12-31T23:59:59.999999Z"],
      ["2024-02-29", "2024-02-29 10:00"], ["2024-12-01", "2024-12-01T00:00-12:00"],
    ]
    #expect(try load(rows, as: dates, into: database).refused.isEmpty)
    #expect(try read(dates, from: database) == rows)
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `a text in a column that takes numbers comes back as it was, or is refused`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let foreign = try ForeignDatabase(database)
    try foreign.execute("CREATE TABLE t(a TIMESTAMP)")
    let table = try #require(try SchemaReader.readModel(ofDatabase: database).entity(named: "t"))
    let alphabet = Array("0012379+-.eE \t\u{0B}x".utf8)
    let cells: [[Cell]] = (0..<100).map { _ in
      [.text((0..<Int.random(in: 0...5, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0x30 })]
    }
    let refused = Set(try load(cells, as: table, into: database).refused.map(\.record))
    let kept = cells.indices.filter { !refused.contains($0) }.map { cells[$0][0] }
    let stored = try foreign.rows("SELECT a FROM t ORDER BY rowid").map { Cell.text(Array($0[0].utf8)) }
    #expect(stored == kept)
    // Not everything may be refused: what SQLite leaves alone goes in.
    for record in refused {
      guard case .text(let bytes) = cells[record][0] else { continue }
      let kind = try foreign.value("SELECT typeof(CAST('\(String(decoding: bytes, as: UTF8.self))' AS NUMERIC))")
      #expect(kind != "text")
    }
  }
}

/// A model of entities without links.
private func randomModel(using random: inout SplitMix64) -> EntityModel {
  func flip(_ random: inout SplitMix64) -> Bool { Bool.random(using: &random) }
  func word(_ random: inout SplitMix64) -> String {
    let alphabet = Array("abcXYZ019 _\"'`[](),;-.é€😀\n%")
    return String(
      (0..<Int.random(in: 1...6, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "a" }
    )
  }
  func number(_ random: inout SplitMix64) -> String {
    ["0", "-5", "12", "1.50", "-0.25", "1e3", "+7", "1,5", "007", "x", "2020-01-31", "now"]
      .randomElement(using: &random) ?? "0"
  }
  let types: [AttributeType] = [
    .text, .integer(bits: 16), .integer(bits: 32), .integer(bits: 64), .decimal(precision: 10, scale: 2),
    .decimal(precision: 30, scale: 5), .decimal(precision: nil, scale: nil), .double, .boolean, .date, .datetime,
    .binary, .uuid, .uri,
  ]
  let entities = (0..<Int.random(in: 1...3, using: &random)).map { number in
    Entity(name: "e\(number)" + word(&random))
  }
  var model = EntityModel(entities: entities)
  for position in model.entities.indices {
    let names = (0..<Int.random(in: 1...6, using: &random)).map { "\($0)" + word(&random) }
    for name in names {
      var attribute = Attribute(name: name, type: types.randomElement(using: &random) ?? .text)
      attribute.isRequired = flip(&random)
      attribute.refusesEmptyText = flip(&random)
      attribute.isUnique = Int.random(in: 0..<4, using: &random) == 0
      if flip(&random) {
        attribute.defaultValue = [number(&random), word(&random), "true"].randomElement(using: &random)
      }
      if flip(&random) { attribute.minimum = number(&random) }
      if flip(&random) { attribute.maximum = number(&random) }
      if flip(&random) { attribute.minimumLength = Int.random(in: 0...9, using: &random) }
      if flip(&random) { attribute.maximumLength = Int.random(in: 0...9, using: &random) }
      if flip(&random) { attribute.pattern = word(&random) }
      if flip(&random) { attribute.allowedValues = [number(&random), word(&random)] }
      if flip(&random) { attribute.dateFormats = ["%d/%m/%Y", word(&random)] }
      if flip(&random) { attribute.trueValues = [word(&random)] }
      if flip(&random) { attribute.falseValues = [word(&random), word(&random)] }
      if flip(&random) { attribute.sourceNames = [word(&random), word(&random)] }
      if flip(&random) { attribute.documentation = word(&random) }
      model.entities[position].attributes.append(attribute)
    }
    if flip(&random) {
      model.entities[position].key = Array(names.shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random)))
    }
    if flip(&random), names.count > 2 {
      model.entities[position].uniqueSets = [Array(names.shuffled(using: &random).prefix(2)), [names[0], names[2]]]
    }
    if flip(&random) { model.entities[position].documentation = word(&random) }
  }
  return model
}
