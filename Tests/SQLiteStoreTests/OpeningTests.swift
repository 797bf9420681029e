import CSQLite
import Diagnostics
import EntityModel
import Glibc
import Records
import SQLiteStore
import Synchronization
import Testing

@Suite struct Opening {
  private let folder: TemporaryFolder
  private let database: String
  private let model = EntityModel(entities: [entity("t", ["a"])])

  init() throws {
    folder = try TemporaryFolder()
    database = folder.file("out.sqlite")
  }

  private func failure(_ path: String, lockWait: Duration = .zero) -> StoreError? {
    do throws(StoreError) {
      let writer = try EntityWriter(EntityWriter.Settings(database: path, model: model, lockWait: lockWait))
      writer.rollBack()
      return nil
    } catch { return error }
  }

  @Test func `what is no database is refused in a sentence, and nothing is made`() throws {
    folder.write(String(repeating: "this is text, and no database. ", count: 100), to: "text")
    unsafe mkdir(folder.file("folder"), 0o755)
    unsafe mkfifo(folder.file("pipe"), 0o644)
    unsafe symlink(folder.file("nowhere"), folder.file("link"))
    defer { unsafe rmdir(folder.file("folder")) }
    let names = folder.names
    #expect(failure(folder.file("text"))?.kind == .model)
    #expect(failure(folder.file("folder"))?.description.hasSuffix("it is a directory") == true)
    #expect(failure(folder.file("pipe"))?.description.hasSuffix("it is no regular file") == true)
    #expect(failure(folder.file("link"))?.kind == .cannotCreate)
    #expect(failure(folder.file("no/such/folder"))?.kind == .cannotCreate)
    #expect(failure(folder.path + "/")?.kind == .cannotCreate)
    #expect(failure("")?.kind == .cannotCreate)
    #expect(folder.names == names)
    #expect(throws: StoreError.missing(path: folder.file("x"))) {
      try SchemaReader.readModel(ofDatabase: folder.file("x"))
    }
    for (name, kind) in [("text", FailureKind.model), ("folder", .model), ("pipe", .model), ("link", .input)] {
      let error = #expect(throws: StoreError.self) { try SchemaReader.readModel(ofDatabase: folder.file(name)) }
      #expect(error?.kind == kind)
    }
    #expect(folder.names == names)
  }

  @Test func `an empty file is an empty database`() throws {
    folder.write("", to: "out.sqlite")
    #expect(try SchemaReader.readModel(ofDatabase: database).entities.isEmpty)
    #expect(try load([["1"]], as: entity("t", ["a"]), into: database).inserted == 1)
    try ForeignDatabase(database).expectSound()
  }

  @Test func `a damaged database is told as one`() throws {
    try load(
      (0..<2_000).map { [.integer($0)] },
      as: Entity(name: "t", attributes: [Attribute(name: "a", type: .integer(bits: 64))]),
      into: database
    )
    let number = unsafe open(database, O_WRONLY)
    _ = unsafe pwrite(number, String(repeating: "x", count: 8_000), 8_000, 100)
    close(number)
    let error = #expect(throws: StoreError.self) { try SchemaReader.readModel(ofDatabase: database) }
    #expect(error?.kind == .model)
    #expect(failure(database)?.kind == .model)
  }

  @Test func `a second run waits for the first, and says so when it has waited enough`() throws {
    let first = try EntityWriter(EntityWriter.Settings(database: database, model: model))
    let start = ContinuousClock.now
    #expect(failure(database, lockWait: .milliseconds(100)) == .locked(path: database))
    #expect(start.duration(to: .now) >= .milliseconds(100))
    try first.commit()
    let second = try EntityWriter(EntityWriter.Settings(database: database, model: model))
    #expect(failure(database) == .locked(path: database))
    second.rollBack()
    #expect(failure(database) == nil)
  }

  @Test func `a foreign writer is waited for`() throws {
    let foreign = try ForeignDatabase(database)
    try foreign.execute("CREATE TABLE t(a TEXT); BEGIN IMMEDIATE")
    let start = ContinuousClock.now
    #expect(failure(database, lockWait: .milliseconds(100)) == .locked(path: database))
    #expect(start.duration(to: .now) < .seconds(60))
    try foreign.execute("COMMIT")
    #expect(failure(database) == nil)
  }

  @Test func `a reader that stays holds up the commit, which is then undone`() throws {
    let foreign = try ForeignDatabase(database)
    try foreign.execute("CREATE TABLE t(a TEXT); BEGIN; SELECT * FROM t")
    var writer = try EntityWriter(EntityWriter.Settings(database: database, model: model, lockWait: .milliseconds(50)))
    _ = try writer.write([["1"]])
    #expect(commitFailure(of: writer) == .locked(path: database))
    try foreign.execute("COMMIT")
    #expect(try foreign.value("SELECT count(*) FROM t") == "0")
  }

  @Test func `what dead runs left is removed, and nothing that only looks like it`() throws {
    folder.write("x", to: "out.sqlite.partial-12345")
    folder.write("x", to: "out.sqlite.partial-old")
    folder.write("x", to: "other.partial-12345")
    try load([["1"]], as: entity("t", ["a"]), into: database)
    #expect(folder.names == ["other.partial-12345", "out.sqlite", "out.sqlite.lock", "out.sqlite.partial-old"])
  }

  @Test(arguments: ["-wal", "-shm", "-journal"])
  func `no database is built beside another's journal`(suffix: String) throws {
    folder.write("x", to: "out.sqlite" + suffix)
    #expect(failure(database)?.kind == .cannotCreate)
    #expect(folder.names == ["out.sqlite" + suffix])
  }

  @Test func `a database that appeared meanwhile is not replaced`() throws {
    var writer = try EntityWriter(EntityWriter.Settings(database: database, model: model))
    _ = try writer.write([["1"]])
    folder.write("mine", to: "out.sqlite")
    #expect(commitFailure(of: writer)?.kind == .cannotCreate)
    #expect(folder.bytes(of: "out.sqlite") == Array("mine".utf8))
    #expect(folder.names == ["out.sqlite", "out.sqlite.lock"])
  }

  @Test func `waiting for a lock can be ended`() throws {
    let first = try EntityWriter(EntityWriter.Settings(database: database, model: model))
    let interrupter = StoreInterrupter()
    interrupter.interrupt()
    let settings = EntityWriter.Settings(
      database: database,
      model: model,
      lockWait: .seconds(60),
      interrupter: interrupter
    )
    #expect(throws: StoreError.interrupted) { _ = try EntityWriter(settings) }
    first.rollBack()
  }

  @Test func `a link leads to the database itself`() throws {
    try load([["1"]], as: entity("t", ["a"]), into: database)
    unsafe symlink(database, folder.file("link"))
    try load([["2"]], as: entity("t", ["a"]), into: folder.file("link"))
    #expect(try read(entity("t", ["a"]), from: database) == [["1"], ["2"]])
    #expect(folder.names == ["link", "out.sqlite", "out.sqlite.lock"])
  }

  @Test func `a journal that a killed writer left is played back before reading`() throws {
    let foreign = try ForeignDatabase(database)
    try foreign.execute("CREATE TABLE t(a TEXT); INSERT INTO t VALUES ('old')")
    try foreign.execute("PRAGMA cache_size = 1; BEGIN; UPDATE t SET a = 'new'")
    try foreign.execute(
      """
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 200)
      INSERT INTO t SELECT hex(randomblob(500)) FROM n
      """
    )
    // What a kill would leave at this moment.
    for name in ["out.sqlite", "out.sqlite-journal"] {
      folder.write(folder.bytes(of: name), to: name.replacingPrefix("out", by: "killed"))
    }
    try #require(folder.bytes(of: "killed.sqlite-journal").count > 512)
    #expect(try read(entity("t", ["a"]), from: folder.file("killed.sqlite")) == [["old"]])
    try ForeignDatabase(folder.file("killed.sqlite")).expectSound()
  }
}

extension String {
  fileprivate func replacingPrefix(_ prefix: String, by other: String) -> String {
    hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
  }
}
