import Diagnostics
import EntityModel
import Glibc
import Records
import SQLiteStore
import Testing

@Suite struct Loading {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = folder.file("out.sqlite")
  }

  @Test func `a new database appears whole, and only at the commit`() throws {
    var writer = try EntityWriter(
      EntityWriter.Settings(database: database, model: EntityModel(entities: [entity("t", ["a", "b"])]))
    )
    #expect(try writer.write([["1", "x"], ["2", .null]]).isEmpty)
    #expect(folder.names == ["out.sqlite.lock", "out.sqlite.partial-\(getpid())"])
    #expect(writer.insertedCounts == [2])
    try writer.commit()
    #expect(folder.names == ["out.sqlite", "out.sqlite.lock"])
    let foreign = try ForeignDatabase(database)
    #expect(try foreign.rows("SELECT * FROM t") == [["1", "x"], ["2", "null"]])
    #expect(try foreign.value("PRAGMA page_size") == "8192")
    #expect(try foreign.value("PRAGMA journal_mode") == "delete")
    try foreign.expectSound()
  }

  @Test func `nothing is left of a run that was rolled back or forgotten`() throws {
    let settings = EntityWriter.Settings(database: database, model: EntityModel(entities: [entity("t", ["a"])]))
    var writer = try EntityWriter(settings)
    _ = try writer.write([["1"]])
    writer.rollBack()
    #expect(folder.names.isEmpty)
    do {
      var forgotten = try EntityWriter(settings)
      _ = try forgotten.write([["1"]])
    }
    #expect(folder.names.isEmpty)
  }

  @Test(arguments: ["delete", "wal"])
  func `a database that exists keeps its journal mode, and its rows when a run is undone`(mode: String) throws {
    let foreign = try ForeignDatabase(database)
    try foreign.execute("PRAGMA journal_mode = \(mode); CREATE TABLE t(a TEXT); INSERT INTO t VALUES ('old')")
    var writer = try EntityWriter(
      EntityWriter.Settings(database: database, model: EntityModel(entities: [entity("t", ["a"])]))
    )
    _ = try writer.write([["new"]])
    writer.rollBack()
    #expect(try foreign.rows("SELECT a FROM t") == [["old"]])
    #expect(try load([["new"]], as: entity("t", ["a"]), into: database).inserted == 1)
    #expect(try foreign.rows("SELECT a FROM t") == [["old"], ["new"]])
    #expect(try foreign.value("PRAGMA journal_mode") == mode)
    try foreign.expectSound()
  }

  @Test func `rows of several entities go to their tables in any order`() throws {
    let model = EntityModel(entities: [entity("a", ["x"]), entity("b", ["y", "z"], key: ["y"])])
    var writer = try EntityWriter(EntityWriter.Settings(database: database, model: model))
    let refused = try writer.write([["1"], ["k", "1"], ["2"], ["k", "2"], ["l", "3"]], entities: [0, 1, 0, 1, 1])
    #expect(refused.map(\.record) == [3])
    #expect(writer.insertedCounts == [2, 2])
    try writer.commit()
    let foreign = try ForeignDatabase(database)
    #expect(try foreign.rows("SELECT x FROM a") == [["1"], ["2"]])
    #expect(try foreign.rows("SELECT y, z FROM b") == [["k", "1"], ["l", "3"]])
  }

  @Test func `every kind of value comes back as it went in`() throws {
    var all = Entity(name: "alles 'und \"so", key: [])
    let types: [AttributeType] = [
      .text, .integer(bits: 64), .decimal(precision: 10, scale: 2), .decimal(precision: 20, scale: 2), .double,
      .boolean, .date, .datetime, .binary, .uuid, .uri, .decimal(precision: nil, scale: nil),
    ]
    all.attributes = types.enumerated().map { Attribute(name: "c;\($0) \"x\"", type: $1) }
    let rows: [[Cell]] = [
      [
        "007", .integer(.min), 12.5, "00012345678901234567.10", 0.1, 1, "2024-01-31", "2024-01-31T10:00:00+02:00",
        .blob([0, 255, 0]), "00000000-0000-0000-0000-000000000001", "http://x/%20", "1.10",
      ],
      ["", .integer(.max), 12, "-0.00", -0.5, 0, "0000-01-01", "9999-12-31T23:59:60Z", .blob([]), "1e5", "12", "+1"],
      [.text([0x65, 0xCC, 0x81]), .null, .null, .null, .null, .null, .null, .null, .null, .null, .null, .null],
    ]
    #expect(try load(rows, as: all, into: database).refused.isEmpty)
    #expect(try read(all, from: database) == rows)
    #expect(try SchemaReader.readModel(ofDatabase: database) == EntityModel(entities: [all]))
    try ForeignDatabase(database).expectSound()
  }

  @Test func `a decimal that is whole is stored as the same number`() throws {
    let money = Entity(
      name: "m",
      attributes: [Attribute(name: "v", type: .decimal(precision: 10, scale: 2)), Attribute(name: "d", type: .double)]
    )
    try load([[12.0, 3.0]], as: money, into: database)
    #expect(try read(money, from: database) == [[12, 3.0]])
  }

  @Test func `names that would be SQL are only names`() throws {
    let hostile = entity(#"x"; DROP TABLE t; --"#, [#"a"),(""#, "select", "[b]", "c'd", "é"], key: ["select"])
    #expect(
      try load([["1", "2", "3", "4", "5"], ["1", "2", "3", "4", "5"]], as: hostile, into: database).inserted == 1
    )
    #expect(try SchemaReader.readModel(ofDatabase: database).entities == [hostile])
    #expect(try read(hostile, from: database) == [["1", "2", "3", "4", "5"]])
  }

  @Test func `an interrupted writer stops and leaves nothing`() throws {
    let interrupter = StoreInterrupter()
    var settings = EntityWriter.Settings(database: database, model: EntityModel(entities: [entity("t", ["a"])]))
    settings.interrupter = interrupter
    var writer = try EntityWriter(settings)
    _ = try writer.write([["1"]])
    writer.interrupter.interrupt()
    #expect(throws: StoreError.interrupted) { _ = try writer.write([["2"]]) }
    #expect(commitFailure(of: writer) == .interrupted)
    #expect(folder.names.isEmpty)
    interrupter.interrupt()
  }

  @Test func `the lock's file goes with a run that made no database, and nobody is let in by that`() async throws {
    var settings = EntityWriter.Settings(database: database, model: EntityModel(entities: [entity("t", ["a"])]))
    settings.lockWait = .seconds(60)
    let waiting = settings
    var writer = try EntityWriter(settings)
    _ = try writer.write([["1"]])
    let second = Task.detached {
      var writer = try EntityWriter(waiting)
      _ = try writer.write([["2"]])
      var impatient = waiting
      impatient.lockWait = .zero
      #expect(throws: StoreError.locked(path: waiting.database)) { _ = try EntityWriter(impatient) }
      try writer.commit()
    }
    // Not Task.sleep: it would give this thread away, and get one back only when the suite's other tests have one to spare.
    usleep(200_000)
    writer.rollBack()
    try await second.value
    #expect(folder.names == ["out.sqlite", "out.sqlite.lock"])
    #expect(try read(entity("t", ["a"]), from: database) == [["2"]])
  }
}
