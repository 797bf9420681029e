import Diagnostics
import EntityModel
import Glibc
import Testing

@testable import CoreDataModel

private func model(_ entities: String) throws -> EntityModel {
  try CoreDataModelFile.read(
    Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<model type=\"x\">\n\(entities)\n<elements/></model>".utf8),
    path: "contents"
  ).model
}

@Suite struct CoreDataAttributes {
  @Test(
    arguments: [
      ("String", .text), ("Integer 16", .integer(bits: 16)), ("Integer 32", .integer(bits: 32)),
      ("Integer 64", .integer(bits: 64)), ("Decimal", .decimal(precision: nil, scale: nil)), ("Double", .double),
      ("Float", .double), ("Boolean", .boolean), ("Date", .datetime), ("Binary", .binary), ("Transformable", .binary),
      ("UUID", .uuid), ("URI", .uri),
    ] as [(String, AttributeType)]
  )
  func `every type of Xcode has one of ours`(name: String, type: AttributeType) throws {
    let model = try model("<entity name='E'><attribute name='a' attributeType='\(name)'/></entity>")
    #expect(model.entities.first?.attributes.map(\.type) == [type])
  }

  @Test func `what does not say that it is optional is required`() throws {
    let model = try model(
      "<entity name='E'><attribute name='a' attributeType='String' optional='YES'/><attribute name='b' attributeType='String'/></entity>"
    )
    #expect(model.entities.first?.attributes.map(\.isRequired) == [false, true])
  }

  @Test func `limits, patterns, defaults and import keys are taken over`() throws {
    let model = try model(
      """
      <entity name='E'>
        <attribute name='s' attributeType='String' minValueString='2' maxValueString='9' regularExpressionString='[a-z]+' defaultValueString='ab'>
          <userInfo>
            <entry key='mappedKeyName.2' value='third'/><entry key='mappedKeyName' value='first.name'/>
            <entry key='mappedKeyName.1' value='second'/>
          </userInfo>
        </attribute>
        <attribute name='n' attributeType='Integer 16' minValueString='-5' maxValueString='7' defaultValueString='0'/>
        <attribute name='b' attributeType='Boolean' defaultValueString='YES'/>
        <attribute name='d' attributeType='Date' defaultDateTimeInterval='378691199' minDateTimeInterval='-978307200'>
          <userInfo><entry key='dateFormat' value='M/d/yyyy'/></userInfo>
        </attribute>
        <attribute name='t' attributeType='String' transient='YES'/>
      </entity>
      """
    )
    let attributes = try #require(model.entities.first).attributes
    #expect(attributes.map(\.name) == ["s", "n", "b", "d"])
    #expect(attributes[0].minimumLength == 2 && attributes[0].maximumLength == 9 && attributes[0].minimum == nil)
    #expect(attributes[0].pattern == "[a-z]+" && attributes[0].defaultValue == "ab")
    #expect(attributes[0].sourceNames == ["first.name", "second", "third"])
    #expect(attributes[1].minimum == "-5" && attributes[1].maximum == "7" && attributes[1].defaultValue == "0")
    #expect(attributes[2].defaultValue == "true")
    #expect(attributes[3].defaultValue == "2012-12-31T23:59:59Z" && attributes[3].minimum == "1970-01-01T00:00:00Z")
    #expect(attributes[3].dateFormats == ["M/d/yyyy"])
  }

  @Test(
    arguments: [
      (0, "2001-01-01T00:00:00Z"), (-1, "2000-12-31T23:59:59Z"), (0.25, "2001-01-01T00:00:00.250Z"),
      (-26_611_200, "2000-02-28T00:00:00Z"), (-26_524_800, "2000-02-29T00:00:00Z"),
      (-26_438_400, "2000-03-01T00:00:00Z"),
      (252_460_800, "2009-01-01T00:00:00Z"), (3_124_137_600, "2100-01-01T00:00:00Z"),
    ] as [(Double, String)]
  )
  func `instants are counted from 2001`(seconds: Double, text: String) {
    #expect(ReferenceDate.string(secondsSince2001: seconds) == text)
  }
}

@Suite struct CoreDataEntities {
  @Test func `what a parent entity has is inherited, key and all`() throws {
    let model = try model(
      """
      <entity name='Cat' parentEntity='Pet'><attribute name='lives' attributeType='Integer 16'/></entity>
      <entity name='Pet' parentEntity='Thing' isAbstract='YES'>
        <attribute name='name' attributeType='String'/>
        <relationship name='owner' destinationEntity='Thing' maxCount='1' optional='YES' deletionRule='Deny'/>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value='name'/><constraint value='id'/></uniquenessConstraint>
          <uniquenessConstraint><constraint value='name'/></uniquenessConstraint>
        </uniquenessConstraints>
      </entity>
      <entity name='Thing'><attribute name='id' attributeType='UUID'/></entity>
      """
    )
    let cat = try #require(model.entity(named: "Cat"))
    #expect(cat.attributes.map(\.name) == ["id", "name", "lives"])
    #expect(cat.key == ["name", "id"])
    #expect(cat.attribute(named: "name")?.isUnique == true)
    #expect(cat.parent == "Pet" && !cat.isAbstract)
    #expect(cat.relationships.map(\.deleteRule) == [.deny])
    #expect(model.entity(named: "Pet")?.isAbstract == true)
  }

  @Test func `relationships keep their counts, order and rules`() throws {
    let model = try model(
      """
      <entity name='A'>
        <relationship name='one' maxCount='1' destinationEntity='B' inverseName='many' deletionRule='Nullify'/>
        <userInfo><entry key='relatedByAttribute' value='id'/></userInfo><attribute name='id' attributeType='String'/>
      </entity>
      <entity name='B'>
        <relationship name='many' toMany='YES' ordered='YES' optional='YES' minCount='2' maxCount='5' destinationEntity='A' inverseName='one' deletionRule='Cascade'/>
        <relationship name='any' toMany='YES' destinationEntity='A' deletionRule='No Action'/>
      </entity>
      """
    )
    let one = try #require(model.entities.first?.relationships.first)
    #expect(one.target == "B" && one.inverse == "many" && one.isRequired && !one.isToMany && one.maximumCount == nil)
    #expect(model.entities.first?.key == ["id"])
    let many = model.entities[1].relationships
    #expect(many[0].isToMany && many[0].isOrdered && !many[0].isRequired && many[0].deleteRule == .cascade)
    #expect(many[0].minimumCount == 2 && many[0].maximumCount == 5)
    #expect(many[1].minimumCount == 1 && many[1].deleteRule == .noAction)
  }

  @Test(arguments: [
    ("<entity/>", "has no 'name'"), ("<entity name='A'/>\n<entity name='A'/>", "twice"),
    ("<entity name='A' parentEntity='B'/>", "parent entity 'B'"),
    ("<entity name='A' parentEntity='B'/><entity name='B' parentEntity='A'/>", "its own ancestor"),
    ("<entity name='A'><attribute name='x' attributeType='Complex'/></entity>", "'Complex'"),
    ("<entity name='A'><attribute name='x'/></entity>", "no type"),
    ("<entity name='A'><relationship name='x' destinationEntity='Z'/></entity>", "'Z'"),
    ("<entity name='A'><relationship name='x' destinationEntity='A' deletionRule='Maybe'/></entity>", "'Maybe'"),
    ("<entity name='A'><attribute name='x' attributeType='String' maxValueString='-1'/></entity>", "no length"),
    (
      "<entity name='A'><uniquenessConstraints><uniquenessConstraint><constraint value='q'/></uniquenessConstraint></uniquenessConstraints></entity>",
      "'q'"
    ),
    ("<entity", "cannot be read"), ("<!-- --><entity name='&x;'/>", "entity 'x'"),
  ]) func `a model that makes no sense is refused with its line`(entities: String, words: String) {
    let error = #expect(throws: ModelError.self) { try model(entities) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect((error?.line ?? 0) >= 3)
  }

  @Test func `other documents are refused`() {
    for text in ["<plist/>", "bplist00", "", "a,b"] {
      #expect(throws: ModelError.self) { try CoreDataModelFile.read(Array(text.utf8), path: "contents") }
    }
  }
}

@Suite struct CoreDataModelPaths {
  /// A folder that goes away with the test.
  private static func inFolder(_ body: (String) throws -> Void) throws {
    let base = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/importer-model-XXXXXX".utf8CString)
    let name = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) }.map { unsafe String(cString: $0) }
    }
    let folder = try #require(name)
    defer { _ = unsafe system("rm -rf '\(folder)'") }
    try body(folder)
  }

  private static func write(_ text: String, to path: String) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT, 0o600)
    defer { close(descriptor) }
    var text = text
    _ = text.withUTF8 { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }

  private static func makeVersion(_ name: String, in folder: String, entity: String) {
    _ = unsafe mkdir("\(folder)/\(name)", 0o700)
    write("<model><entity name='\(entity)'/></model>", to: "\(folder)/\(name)/contents")
  }

  @Test func `the current version of a bundle is read`() throws {
    try Self.inFolder { folder in
      Self.makeVersion("M.xcdatamodel", in: folder, entity: "First")
      Self.makeVersion("M 10.xcdatamodel", in: folder, entity: "Tenth")
      Self.makeVersion("M 9.xcdatamodel", in: folder, entity: "Ninth")
      let names1 = try CoreDataModelFile.read(path: folder).model.entities.map(\.name)
      #expect(names1 == ["Tenth"])
      let names2 = try CoreDataModelFile.read(path: folder + "/M.xcdatamodel").model.entities.map(\.name)
      #expect(names2 == ["First"])
      let names3 = try CoreDataModelFile.read(path: folder + "/M.xcdatamodel/contents").model.entities.map(\.name)
      #expect(names3 == ["First"])
      let list = "<plist><dict><key>_XCCurrentVersionName</key><string>%</string></dict></plist>"
      Self.write(String(list.map { $0 == "%" ? "#" : $0 }), to: folder + "/.xccurrentversion")
      #expect(throws: ModelError.self) { try CoreDataModelFile.read(path: folder) }
      _ = unsafe unlink(folder + "/.xccurrentversion")
      let parts = list.split(separator: "%")
      Self.write(parts[0] + "M 9.xcdatamodel" + parts[1], to: folder + "/.xccurrentversion")
      let names4 = try CoreDataModelFile.read(path: folder).model.entities.map(\.name)
      #expect(names4 == ["Ninth"])
    }
  }

  @Test func `what cannot be read is told`() throws {
    try Self.inFolder { folder in
      #expect(throws: ModelError.self) { try CoreDataModelFile.read(path: folder) }
      #expect(throws: ModelError.self) { try CoreDataModelFile.read(path: folder + "/none") }
      Self.write("bplist00", to: folder + "/elements")
      let error = #expect(throws: ModelError.self) { try CoreDataModelFile.read(path: folder) }
      #expect(error?.message.contains("binary form") == true)
    }
  }
}
