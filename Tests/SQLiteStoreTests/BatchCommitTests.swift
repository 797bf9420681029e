import Diagnostics
import EntityModel
import Records
import SQLiteStore
import Testing

/// Loads that commit by batches: what is there after each, and how another run takes them up.
@Suite struct BatchCommits {
  private let folder: TemporaryFolder
  private let database: String
  private let entity: Entity

  init() throws {
    folder = try TemporaryFolder()
    database = folder.file("out.sqlite")
    var attributes = ["k", "up"].map { Attribute(name: $0, type: .integer(bits: 64)) }
    attributes[0].isRequired = true
    entity = Entity(name: "t", attributes: attributes, key: ["k"])
  }

  private func load(_ settings: String = "s") -> UnfinishedLoad {
    UnfinishedLoad(settings: settings, plan: "p", mode: "insert", started: 1_000, inputs: ["a.csv"])
  }

  private func writer(goingOnWith unfinished: UnfinishedLoad? = nil) throws -> EntityWriter {
    var settings = EntityWriter.Settings(database: database, model: EntityModel(entities: [entity]))
    settings.batches = BatchSettings(load(), goingOnWith: unfinished)
    var writer = try EntityWriter(settings)
    try writer.beginBatches()
    return writer
  }

  @Test func `what is committed stays when the run ends, and what is not goes`() throws {
    var writer = try writer()
    #expect(try writer.write([[1, .null], [2, .null], [1, .null]]).map(\.record) == [2])
    var load = load()
    load.batchCount = 1
    load.recordCount = 3
    load.counts = ["read.0": 3]
    load.rejectNumbers = [4]
    load.firstNumbers = [0: 7]
    #expect(try writer.commitBatch(load))
    _ = try writer.write([[3, .null]], firstLine: 5)
    writer.rollBack()
    let foreign = try ForeignDatabase(database)
    #expect(try foreign.rows("SELECT k FROM t") == [["1"], ["2"]])
    try foreign.expectSound()
    let unfinished = try #require(try UnfinishedLoad.read(fromDatabase: database))
    #expect(unfinished.recordCount == 3 && unfinished.counts == ["read.0": 3] && unfinished.started == 1_000)
    #expect(unfinished.rejectNumbers == [4] && unfinished.firstNumbers == [0: 7] && unfinished.inputs == ["a.csv"])
    #expect(unfinished.tables.contains("t"))
    #expect(try SchemaReader.readModel(ofDatabase: database).entities.map(\.name) == ["t"])
    #expect(try SchemaReader.readModel(ofDatabase: database, besides: unfinished.tables).entities.isEmpty)
  }

  @Test func `another run passes over the records and goes on with the same faults, lines and counts`() throws {
    var first = try writer()
    let refused = try first.write([[1, .null], [2, .null], [1, .null]])
    #expect(try first.commitBatch(load()))
    first.rollBack()
    let unfinished = try UnfinishedLoad.read(fromDatabase: database)
    var second = try writer(goingOnWith: unfinished)
    var again = TestBatch([[1, .null], [2, .null], [1, .null]])
    #expect(try second.passOver(&again.rows, of: again.records).isEmpty)
    #expect(again.rows.rejections.flatMap(\.diagnostics) == refused.map(\.diagnostic))
    second.endPassingOver()
    let later = try second.write([[2, .null], [4, .null]], firstLine: 5)
    #expect(later.map(\.diagnostic.message) == ["the key k='2' is already in line 3 (record 2)"])
    #expect(second.insertedCounts == [3])
    try second.commit()
    let foreign = try ForeignDatabase(database)
    #expect(try foreign.rows("SELECT k FROM t") == [["1"], ["2"], ["4"]])
    #expect(try foreign.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'importer_p%'").isEmpty)
    #expect(try UnfinishedLoad.read(fromDatabase: database) == nil)
  }

  @Test func `without a commit nothing is left of a new database`() throws {
    var writer = try writer()
    _ = try writer.write([[1, .null]])
    writer.rollBack()
    #expect(folder.names.isEmpty)
  }

  @Test func `a load that another run has taken further since it was planned is not gone on with`() throws {
    var first = try writer()
    #expect(try first.commitBatch(load()))
    first.rollBack()
    let planned = try UnfinishedLoad.read(fromDatabase: database)
    var second = try writer(goingOnWith: planned)
    var later = load()
    later.recordCount = 9
    #expect(try second.commitBatch(later))
    second.rollBack()
    for known in [planned, nil] {
      do {
        let writer = try writer(goingOnWith: known)
        writer.rollBack()
        Issue.record("it was gone on with")
      } catch {
        #expect(error as? StoreError == .locked(path: database))
      }
    }
  }

  @Test func `what another version has left is told, and can be forgotten`() throws {
    var first = try writer()
    #expect(try first.commitBatch(load()))
    first.rollBack()
    let foreign = try ForeignDatabase(database)
    try foreign.execute("UPDATE importer_progress SET value = '99' WHERE name = 'format'")
    #expect(throws: StoreError.self) { try UnfinishedLoad.read(fromDatabase: database) }
    var settings = EntityWriter.Settings(database: database, model: EntityModel(entities: [entity]))
    settings.startsOver = true
    let writer = try EntityWriter(settings)
    try writer.commit()
    #expect(try UnfinishedLoad.read(fromDatabase: database) == nil)
  }
}
