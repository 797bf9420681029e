import Diagnostics
import EntityModel
import Records
import SQLiteStore
import TestSupport
import Testing

@Suite struct WriteModes {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = folder.file("out.sqlite")
  }

  /// What a run counts of one entity.
  struct Counts: Equatable {
    var inserted: Int64 = 0
    var updated: Int64 = 0
    var unchanged: Int64 = 0
    var skipped: Int64 = 0
    var deleted: Int64 = 0
    var rejected: Int64 = 0
  }

  /// Writes batches of rows in a mode and counts what became of them.
  private func run(
    _ mode: WriteMode,
    _ batches: [[[Cell]]],
    as entity: Entity,
    defaults: [ConstantValue?] = [],
    purpose: EntityWriter.Purpose = .load,
    limit: DeleteLimit = .percent(100),
    deletion: Deletion = .done
  ) throws -> (Counts, [Diagnostic]) {
    var settings = EntityWriter.Settings(
      database: database,
      purpose: purpose,
      model: EntityModel(entities: [entity]),
      mode: mode
    )
    if mode.updatesRows {
      settings.defaults = [entity.attributes.indices.map { $0 < defaults.count ? defaults[$0] : nil }]
    }
    var writer = try EntityWriter(settings)
    var refused: [Diagnostic] = []
    for (number, cells) in batches.enumerated() {
      refused += try writer.write(cells, firstLine: 1000 * number + 2).map(\.diagnostic)
    }
    try writer.settleParked(.reject) { refused += $0.diagnostics }
    #expect(try mode != .sync || writer.deleteUnseen(of: [0], limit: limit) == deletion)
    let counts = Counts(
      inserted: writer.insertedCounts[0],
      updated: writer.updatedCounts[0],
      unchanged: writer.unchangedCounts[0],
      skipped: writer.skippedCounts[0],
      deleted: writer.deletedCounts[0],
      rejected: Int64(Set(refused.map(\.location.record)).count)
    )
    try writer.commit()
    return (counts, refused)
  }

  private let contact = entity("contact", ["nick", "name", "city"], key: ["nick"])

  @Test func `an upsert inserts, updates what is given, and leaves what is the same`() throws {
    _ = try run(.insert, [[["a", "Ada", "Rome"], ["b", "Bob", "Oslo"], ["c", "Cy", "Bern"]]], as: contact)
    let (counts, refused) = try run(
      .upsert,
      [[["a", "Ada", "Rome"], ["b", .absent, "Bonn"], ["c", .null, .absent], ["d", "Dan", .absent]]],
      as: contact
    )
    #expect(counts == Counts(inserted: 1, updated: 2, unchanged: 1))
    #expect(refused.isEmpty)
    #expect(
      try read(contact, from: database) == [
        ["a", "Ada", "Rome"], ["b", "Bob", "Bonn"], ["c", .null, "Bern"], ["d", "Dan", .null],
      ]
    )
  }

  @Test func `of two records of a key, an upsert takes the later values, a skip the earlier`() throws {
    let twice: [[Cell]] = [
      ["a", "1", "x"], ["b", "1", "x"], ["a", "2", .absent], ["a", "2", "x"], ["b", "1", "x"],
    ]
    #expect(try run(.upsert, [twice], as: contact).0 == Counts(inserted: 2, updated: 1, unchanged: 2))
    #expect(try read(contact, from: database) == [["a", "2", "x"], ["b", "1", "x"]])
    let more: [[Cell]] = [["a", "3", "x"], ["c", "1", "x"], ["c", "2", "x"]]
    #expect(try run(.skip, [more], as: contact).0 == Counts(inserted: 1, skipped: 2))
    #expect(try read(contact, from: database) == [["a", "2", "x"], ["b", "1", "x"], ["c", "1", "x"]])
  }

  @Test func `an update skips keys that are not there`() throws {
    _ = try run(.insert, [[["a", "1", "x"]]], as: contact)
    #expect(
      try run(.update, [[["b", "1", "x"], ["a", "2", .absent], ["b", "1", "x"]]], as: contact).0
        == Counts(updated: 1, skipped: 2)
    )
    #expect(try read(contact, from: database) == [["a", "2", "x"]])
  }

  @Test func `a replace empties the table first, and needs no key`() throws {
    let keyless = entity("contact", ["nick", "name", "city"])
    _ = try run(.insert, [[["a", "1", "x"], ["b", "1", "x"]]], as: keyless)
    #expect(try run(.replace, [[["c", "1", "x"]]], as: keyless).0 == Counts(inserted: 1, deleted: 2))
    #expect(try read(keyless, from: database, order: .rowid) == [["c", "1", "x"]])
  }

  @Test func `a sync deletes what no record has, within its limit`() throws {
    _ = try run(.insert, [(0..<10).map { [.text([0x61 + UInt8($0)]), "1", "x"] }], as: contact)
    let records: [[[Cell]]] = [(1..<10).map { [.text([0x61 + UInt8($0)]), "1", "y"] }]
    #expect(try run(.sync, records, as: contact, limit: .percent(5)).0 == Counts(updated: 9, deleted: 1))
    #expect(try read(contact, from: database).count == 9)
  }

  @Test(arguments: [
    (DeleteLimit.percent(10), 1 as Int64), (.percent(19), 2), (.percent(0), 0), (.rows(3), 3), (.percent(100), 10),
  ])
  func `a share of the rows that may go is rounded up`(_ limit: DeleteLimit, _ count: Int64) {
    #expect(limit.count(of: 10) == count)
    #expect(limit.count(of: 0) == (limit == .rows(3) ? 3 : 0))
  }

  @Test func `a sync past its limit deletes nothing`() throws {
    _ = try run(.insert, [[["a", "1", "x"], ["b", "1", "x"]]], as: contact)
    var writer = try EntityWriter(
      EntityWriter.Settings(database: database, model: EntityModel(entities: [contact]), mode: .sync)
    )
    #expect(
      try writer.deleteUnseen(of: [0], limit: .percent(50))
        == .pastLimit(entity: "contact", count: 2, total: 2, limit: 1)
    )
    writer.rollBack()
    #expect(try read(contact, from: database).count == 2)
  }

  @Test func `a sync keeps the row of a rejected record, and all when a key cannot be read`() throws {
    var strict = contact
    strict.attributes[1].isUnique = true
    _ = try run(.insert, [[["a", "1", "x"], ["b", "2", "x"]]], as: strict)
    let (counts, refused) = try run(.sync, [[["a", "1", "x"], ["b", "1", "x"]]], as: strict)
    #expect(counts == Counts(unchanged: 1, rejected: 1))
    #expect(refused.map(\.code) == [.uniqueError])
    for (key, isKnown) in [("b" as Cell, true), (.null, false)] {
      var writer = try EntityWriter(
        EntityWriter.Settings(database: database, model: EntityModel(entities: [strict]), mode: .sync)
      )
      var batch = TestBatch([["a", "1", "x"], [key, "1", "x"]])
      batch.rows.lost = [batch.rows.rows.removeLast()]
      batch.rows.rejections = [Rejection(record: 1, diagnostics: refused)]
      try writer.write(&batch.rows, of: batch.records)
      let deletion = try writer.deleteUnseen(of: [0], limit: .rows(0))
      #expect(deletion == (isKnown ? .done : .withheld(count: 1, unreadable: 1)))
      try writer.commit()
      #expect(try read(strict, from: database).count == 2)
    }
  }

  @Test(arguments: [WriteMode.skip, .upsert, .update, .sync])
  func `a mode that finds rows needs a key, in the model and in the record`(_ mode: WriteMode) throws {
    #expect(throws: StoreError.withoutKey(entity: "t", mode: mode.rawValue)) {
      try run(mode, [], as: entity("t", ["a"]))
    }
    let (counts, refused) = try run(mode, [[[.null, "1", "x"], [.absent, "1", "x"]]], as: contact)
    #expect(counts == Counts(rejected: 2))
    #expect(refused.map(\.code) == [.required, .required])
    #expect(refused.first?.field == "nick")
  }

  @Test func `defaults fill new rows alone, and what is required may be absent of a row that is there`() throws {
    var model = contact
    model.attributes[1].isRequired = true
    model.attributes[2].isRequired = true
    let defaults: [ConstantValue?] = [nil, nil, .text(Array("it's".utf8))]
    let rows: [[Cell]] = [["a", "1", .absent], ["b", "1", .null], ["c", .absent, "x"], ["d", "1", "x"]]
    let (counts, refused) = try run(.upsert, [rows], as: model, defaults: defaults)
    #expect(counts == Counts(inserted: 3, rejected: 1))
    #expect(refused.map(\.field) == ["name"])
    let (again, more) = try run(
      .upsert,
      [[["a", .absent, "y"], ["b", "2", .absent], ["d", "1", .null]]],
      as: model,
      defaults: defaults
    )
    #expect(again == Counts(updated: 2, rejected: 1))
    #expect(more.map(\.field) == ["city"])
    #expect(try read(model, from: database) == [["a", "1", "y"], ["b", "2", "it's"], ["d", "1", "x"]])
  }

  @Test func `a row that a rule of the table refuses is rejected alone, and the row stays as it was`() throws {
    let foreign = try ForeignDatabase(database)
    try foreign.execute(
      """
      CREATE TABLE contact(nick TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, city TEXT CHECK (city GLOB '[A-Z]*'));
      INSERT INTO contact VALUES ('a', '1', 'X'), ('b', '2', 'Y'), ('c', '3', 'Z')
      """
    )
    let rows: [[Cell]] = [
      ["a", "2", "X"], ["b", .null, "Y"], ["c", "3", "z"], ["a", "9", "X"], ["d", "9", "X"], ["e", "1", "E"],
    ]
    let (counts, refused) = try run(.upsert, [rows], as: contact)
    #expect(counts == Counts(inserted: 1, updated: 1, rejected: 4))
    #expect(refused.map(\.code) == [.uniqueError, .databaseConstraint, .databaseConstraint, .uniqueError])
    #expect(
      try read(contact, from: database) == [["a", "9", "X"], ["b", "2", "Y"], ["c", "3", "Z"], ["e", "1", "E"]]
    )
  }

  @Test func `values are compared as they are stored, not as SQLite compares them`() throws {
    let foreign = try ForeignDatabase(database)
    try foreign.execute(
      """
      CREATE TABLE t(k TEXT COLLATE NOCASE PRIMARY KEY, t TEXT COLLATE NOCASE, n DECIMAL(5,1), r REAL, b BLOB, d DATE);
      INSERT INTO t VALUES ('k', 'x', 5, 5.0, x'00', '2020-01-01')
      """
    )
    let table = try SchemaReader.readModel(ofDatabase: database).entities[0]
    func upsert(_ cells: [Cell]) throws -> Counts { try run(.upsert, [[cells]], as: table).0 }
    let same: [Cell] = ["k", "x", 5.0, 5.0, .blob([0]), "2020-01-01"]
    #expect(try upsert(same) == Counts(unchanged: 1))
    #expect(try upsert(["k", "X", .absent, .absent, .absent, .absent]) == Counts(updated: 1))
    #expect(try foreign.rows("SELECT k, t FROM t") == [["k", "X"]])
    #expect(try upsert(["K", "X", 5, .absent, .blob([0, 0]), .absent]) == Counts(updated: 1))
    #expect(try foreign.rows("SELECT k, hex(b) FROM t") == [["K", "0000"]])
    try foreign.execute("UPDATE t SET t = x'58'")
    #expect(try upsert(["K", "X", .absent, .absent, .absent, .absent]) == Counts(updated: 1))
    #expect(try foreign.rows("SELECT typeof(t) FROM t") == [["text"]])
  }

  @Test func `an update touches no column but those that change`() throws {
    let foreign = try ForeignDatabase(database)
    try foreign.execute(
      """
      CREATE TABLE contact(nick TEXT PRIMARY KEY, name TEXT, city TEXT); CREATE TABLE log(what);
      CREATE TRIGGER n AFTER UPDATE OF name ON contact BEGIN INSERT INTO log VALUES ('name ' || new.nick); END;
      CREATE TRIGGER c BEFORE UPDATE OF city ON contact WHEN new.city = 'no' BEGIN SELECT RAISE(IGNORE); END;
      CREATE TRIGGER d BEFORE UPDATE OF city ON contact WHEN new.city = 'never' BEGIN SELECT RAISE(ABORT, 'never'); END;
      INSERT INTO contact VALUES ('a', '1', 'x'), ('b', '1', 'x'), ('c', '1', 'x')
      """
    )
    for purpose in [EntityWriter.Purpose.check, .load] {
      let (counts, refused) = try run(
        .upsert,
        [[["a", "1", "y"], ["b", "2", "x"], ["c", "1", "no"], ["c", "1", "never"], ["c", "2", "x"]]],
        as: contact,
        purpose: purpose
      )
      #expect(counts == Counts(updated: 3, rejected: 2))
      #expect(refused.map(\.code) == [.databaseConstraint, .databaseConstraint])
    }
    #expect(try foreign.rows("SELECT what FROM log") == [["name b"], ["name c"]])
  }

  @Test func `more columns than a word has bits are compared and set`() throws {
    let names = (0..<150).map { "c\($0)" }
    let wide = entity("wide", names, key: ["c0"])
    func row(_ key: String, _ changed: Int? = nil) -> [Cell] {
      names.indices.map { $0 == 0 ? .text(Array(key.utf8)) : $0 == changed ? "new" : $0 % 3 == 0 ? .absent : "old" }
    }
    _ = try run(.upsert, [[row("a"), row("b"), row("c")]], as: wide)
    let (counts, _) = try run(.upsert, [[row("a", 140), row("b"), row("c", 141)]], as: wide)
    #expect(counts == Counts(updated: 2, unchanged: 1))
    let rows = try read(wide, from: database)
    #expect(rows[0][140] == "new" && rows[0][141] == .null && rows[0][149] == "old" && rows[2][141] == "new")
  }

  @Test(arguments: [WriteMode.skip, .upsert, .sync])
  func `a link to nothing is part of a key like any other`(_ mode: WriteMode) throws {
    var artist = entity("artist", ["label", "name", "town"], key: ["label", "name"])
    artist.attributes[1].isRequired = true
    var link = Relationship(name: "label", target: "artist", deleteRule: .noAction)
    link.attributes = ["label"]
    artist.relationships = [link]
    try ForeignDatabase(database).execute("CREATE TABLE artist(label TEXT, name TEXT, town TEXT, UNIQUE(label, name))")
    let rows: [[Cell]] = [[.null, "a", "x"], [.null, "b", "x"], [.null, "a", "x"]]
    let same = mode == .skip ? Counts(inserted: 2, skipped: 1) : Counts(inserted: 2, unchanged: 1)
    #expect(try run(mode, [rows], as: artist).0 == same)
    let again = mode == .skip ? Counts(skipped: 3) : Counts(unchanged: 3)
    #expect(try run(mode, [rows], as: artist, limit: .rows(0)).0 == again)
    // A record without the rest of its key may mean either row, so neither goes.
    let (counts, refused) = try run(
      mode,
      [[[.null, .null, "x"]]],
      as: artist,
      deletion: .withheld(count: 2, unreadable: 1)
    )
    #expect(counts.rejected == 1 && refused.map(\.field) == ["name"])
  }

  @Test func `an insert finds a row that holds others there already, if nothing else differs`() throws {
    _ = try run(.insert, [[["a", "1", "x"]]], as: contact)
    for (row, unchanged) in [(["a", "1", .absent] as [Cell], 1 as Int64), (["a", "2", "x"], 0)] {
      var settings = EntityWriter.Settings(database: database, model: EntityModel(entities: [contact]))
      settings.defaults = [[nil, nil, nil]]
      var writer = try EntityWriter(settings)
      var batch = TestBatch([["b", "1", "x"], row, row])
      batch.rows.rows[1].holdsOthers = true
      try writer.write(&batch.rows, of: batch.records)
      #expect(writer.unchangedCounts == [unchanged])
      #expect(batch.rows.rejections.count == (unchanged == 1 ? 1 : 2))
      #expect(writer.insertedCounts == [1])
      writer.rollBack()
    }
  }
}
