import Diagnostics
import EntityModel
import SQLiteStore
import TestSupport
import Testing

@Suite struct SchemaWriting {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = folder.file("model.sqlite")
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `a model written as SQL and run in SQLite is the same model`(seed: UInt64) throws {
    var random = RandomModel(seed: seed)
    let model = random.model().withReferenceAttributes()
    let plain = model.withoutReferenceAttributes()
    let sql: String
    do {
      sql = try SchemaWriter.sql(for: model)
    } catch {
      // Attributes and relationships may claim one column.
      #expect(error.remedy?.contains("rename one of them") == true, "\(error)")
      return
    }
    try ForeignDatabase(database).execute(sql)
    let read = try SchemaReader.readModel(ofDatabase: database)
    #expect(read.withoutReferenceAttributes() == plain)
    try ForeignDatabase(database).expectSound()
  }

  @Test func `what has no table is kept beside the tables, in its place`() throws {
    var name = Attribute(name: "name")
    name.pattern = "it's\0"
    var thing = Entity(name: "Thing", attributes: [name], key: ["name"])
    thing.isAbstract = true
    var pet = Entity(name: "Pet", attributes: [name], key: ["name"])
    pet.parent = "Thing"
    let model = EntityModel(entities: [thing, pet, Entity(name: "Nothing")])
    let sql = try SchemaWriter.sql(for: model)
    try ForeignDatabase(database).execute(sql)
    #expect(try SchemaReader.readModel(ofDatabase: database) == model)
    let tables = try ForeignDatabase(database).rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    #expect(tables == [["Pet"], ["importer_model"]])
    // A table that goes away by hand takes nothing else along.
    try ForeignDatabase(database).execute("DROP TABLE Pet")
    #expect(try SchemaReader.readModel(ofDatabase: database).entities.map(\.name) == ["Thing", "Nothing"])
  }

  @Test func `what can be no table is refused by name`() {
    for (entities, words) in [
      (["a", "A"], "'a' and 'A' are one table"), (["sqlite_x"], "'sqlite_x' is reserved"),
    ] {
      let model = EntityModel(entities: entities.map { Entity(name: $0, attributes: [Attribute(name: "x")]) })
      let error = #expect(throws: StoreError.self) { try SchemaWriter.sql(for: model) }
      #expect(error?.description.contains(words) == true && error?.kind == .model)
    }
  }
}
