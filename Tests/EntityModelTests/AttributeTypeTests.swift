import EntityModel
import Testing

@Suite struct AttributeTypes {
  static let types: [AttributeType] = [
    .text, .integer(bits: 16), .integer(bits: 32), .integer(bits: 64), .decimal(precision: 10, scale: 2),
    .decimal(precision: nil, scale: nil), .double, .boolean, .date, .datetime, .binary, .uuid, .uri,
  ]

  @Test(arguments: types) func `a type is found by the name it has`(_ type: AttributeType) {
    #expect(AttributeType(name: type.name) == type)
    #expect(AttributeType(name: type.name.uppercased()) == type)
  }

  @Test(arguments: [
    "", "txt", "integer8", "decimal(", "decimal()", "decimal(2,3)", "decimal(0,0)", "decimal(1,2,3)", "decimal(-1)",
  ])
  func `other names are no types`(_ name: String) {
    #expect(AttributeType(name: name) == nil)
  }

  @Test func `decimals past fifteen digits are declared as text, for SQLite's numbers would round them`() {
    #expect(AttributeType.decimal(precision: 15, scale: 2).declaredType == "DECIMAL(15,2)")
    #expect(AttributeType.decimal(precision: 16, scale: 2).declaredType == "DECIMAL_TEXT(16,2)")
    #expect(!AttributeType.decimal(precision: 15, scale: 2).isStoredAsText)
    #expect(AttributeType.decimal(precision: 16, scale: 2).isStoredAsText)
    #expect(AttributeType.decimal(precision: nil, scale: nil).isStoredAsText)
  }
}

@Suite struct FindingEntities {
  @Test func `an entity is found by its name, else by the only one that differs in case alone`() {
    let model = EntityModel(entities: ["Note", "note", "Label"].map { Entity(name: $0) })
    #expect(model.entity(named: "note")?.name == "note")
    #expect(model.entity(named: "label")?.name == "Label")
    #expect(model.entity(named: "NOTE") == nil)
    #expect(model.entity(named: "artist") == nil)
  }
}
