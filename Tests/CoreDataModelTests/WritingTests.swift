import Diagnostics
import EntityModel
import TestSupport
import Testing

@testable import CoreDataModel

@Suite struct CoreDataWriting {
  @Test(arguments: 0..<400 as Range<UInt64>) func `a written model gives the same model`(seed: UInt64) throws {
    var random = RandomModel(seed: seed)
    let model = random.model()
    let written = try CoreDataModelFile.write(model)
    let read = try CoreDataModelFile.read(written, path: "contents").model
    #expect(read == model)
    #expect(try CoreDataModelFile.write(read) == written)
  }

  @Test func `what Core Data can say stands in its own words`() throws {
    var name = Attribute(name: "name")
    name.isRequired = true
    name.maximumLength = 9
    name.sourceNames = ["a.b", "c"]
    var date = Attribute(name: "made", type: .datetime)
    date.defaultValue = "2012-12-31T23:59:59.500Z"
    date.dateFormats = ["UnixTime"]
    var label = Entity(name: "Label", attributes: [name, date], key: ["name"])
    var link = Relationship(name: "artists", target: "Artist", isToMany: true, deleteRule: .cascade)
    link.inverse = "label"
    link.isOrdered = true
    label.relationships = [link]
    var artist = Entity(name: "Artist", attributes: [Attribute(name: "born", type: .integer(bits: 16))])
    artist.attributes[0].minimum = "1900"
    var back = Relationship(name: "label", target: "Label")
    back.inverse = "artists"
    back.isRequired = true
    artist.relationships = [back]
    let text = String(
      decoding: try CoreDataModelFile.write(EntityModel(entities: [label, artist])),
      as: UTF8.self
    )
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" minimumToolsVersion="Automatic" \
        sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
            <entity name="Label" syncable="YES">
                <attribute name="name" attributeType="String" maxValueString="9" syncable="YES">
                    <userInfo>
                        <entry key="mappedKeyName" value="a.b"/>
                        <entry key="mappedKeyName.1" value="c"/>
                    </userInfo>
                </attribute>
                <attribute name="made" optional="YES" attributeType="Date" defaultDateTimeInterval="378691199.5" \
        syncable="YES">
                    <userInfo>
                        <entry key="dateFormat" value="UnixTime"/>
                    </userInfo>
                </attribute>
                <relationship name="artists" optional="YES" toMany="YES" deletionRule="Cascade" ordered="YES" \
        destinationEntity="Artist" inverseName="label" inverseEntity="Artist" syncable="YES"/>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="name"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
            <entity name="Artist" syncable="YES">
                <attribute name="born" optional="YES" attributeType="Integer 16" minValueString="1900" syncable="YES"/>
                <relationship name="label" maxCount="1" deletionRule="Nullify" destinationEntity="Label" \
        inverseName="artists" inverseEntity="Label" syncable="YES"/>
            </entity>
        </model>

        """
    )
  }

  @Test func `what an ancestor gives is not written twice`() throws {
    var parent = Entity(name: "Thing", attributes: [Attribute(name: "id", type: .uuid)], key: ["id"])
    parent.isAbstract = true
    var child = Entity(name: "Pet", attributes: parent.attributes + [Attribute(name: "name")], key: ["id"])
    child.parent = "Thing"
    // Says that it inherits, and has an attribute otherwise.
    var other = Entity(name: "Odd", attributes: [Attribute(name: "id")])
    other.parent = "Thing"
    let model = EntityModel(entities: [child, parent, other])
    let written = try CoreDataModelFile.write(model)
    let text = String(decoding: written, as: UTF8.self)
    #expect(text.split(separator: "name=\"id\"").count == 3)
    #expect(text.split(separator: "parentEntity=\"Thing\"").count == 2)
    #expect(text.contains("<entry key=\"importer.parent\" value=\"Thing\"/>"))
    #expect(try CoreDataModelFile.read(written, path: "contents").model == model)
  }

  @Test func `names that are no identifiers are changed, and kept beside`() throws {
    let names = ["description", "2020", "a b", "a_b", "Città", "x\u{1}", ""]
    var entity = Entity(name: "person 2", attributes: names.map { Attribute(name: $0) }, key: ["a b"])
    entity.relationships = [Relationship(name: "a_b", target: "person 2")]
    let written = try CoreDataModelFile.write(EntityModel(entities: [entity]))
    let text = String(decoding: written, as: UTF8.self)
    for name in ["description_", "x2020", "a_b", "a_b_2", "a_b_3", "Città", "x_", "x"] {
      #expect(text.contains(" name=\"\(name)\""), "\(name)")
    }
    #expect(text.contains("<entity name=\"person_2\""))
    #expect(try CoreDataModelFile.read(written, path: "contents").model.entities == [entity])
  }

  @Test func `what Xcode alone understands is written again`() throws {
    let source = """
      <model><entity name="E" representedClassName="E" syncable="YES" codeGenerationType="class">
      <attribute name="a" attributeType="Float" usesScalarValueType="NO" elementID="b"/>
      <attribute name="c" attributeType="Transformable" valueTransformerName="T" allowsExternalBinaryDataStorage="YES"/>
      <userInfo><entry key="mogenerator" value="x"/></userInfo></entity></model>
      """
    let model = try CoreDataModelFile.read(Array(source.utf8), path: "contents").model
    let text = String(decoding: try CoreDataModelFile.write(model), as: UTF8.self)
    for part in [
      "representedClassName=\"E\"", "codeGenerationType=\"class\"", "attributeType=\"Float\"",
      "usesScalarValueType=\"NO\"", "elementID=\"b\"", "attributeType=\"Transformable\"", "valueTransformerName=\"T\"",
      "allowsExternalBinaryDataStorage=\"YES\"", "<entry key=\"mogenerator\" value=\"x\"/>",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(!text.contains("importer."))
  }

  @Test func `a relationship to an entity that is not there is refused by name`() throws {
    var entity = Entity(name: "E", attributes: [Attribute(name: "a")])
    entity.relationships = [Relationship(name: "owner", target: "Elsewhere")]
    let error = #expect(throws: ModelError.self) {
      try CoreDataModelFile.write(EntityModel(entities: [entity]))
    }
    #expect(error?.message.contains("'owner'") == true && error?.message.contains("'Elsewhere'") == true)
  }
}

@Suite struct CoreDataRemarks {
  private func read(_ entities: String) throws -> CoreDataModelFile {
    try CoreDataModelFile.read(Array("<model>\n\(entities)\n</model>".utf8), path: "contents")
  }

  @Test func `what no store holds is left out and told, one remark a kind`() throws {
    let file = try read(
      """
      <entity name='E'><attribute name='t' attributeType='String' transient='YES'/>
      <attribute name='u' attributeType='Undefined' transient='YES'/><attribute name='v' attributeType='Undefined'/>
      <attribute name='d' attributeType='String' derived='YES' derivationExpression='lowercase:(a)'/>
      <attribute name='x' attributeType='Transformable'/><relationship name='r' transient='YES' destinationEntity='E'/>
      <relationship name='p' destinationEntity='P' optional='YES'/><userInfo><entry key='relatedByAttribute' value='q'/></userInfo>
      </entity><entity name='P' isAbstract='YES'/>
      """
    )
    #expect(file.model.entities[0].attributes.map(\.name) == ["x"])
    #expect(file.model.entities[0].key.isEmpty)
    let remarks = file.remarks.map { "\($0.line ?? 0) \($0.message)" }
    #expect(
      remarks == [
        "2 these are transient, in no store, and left out: 'E.t', 'E.u', 'E.r'",
        "4 Core Data derives these itself, and they are left out: 'E.d'",
        "3 these have no type and are left out: 'E.v'",
        "5 these are transformable, and stored as the bytes that are given, without Core Data's transformer: 'E.x'",
        "2 'relatedByAttribute' names no attribute: 'E'",
        "6 these lead to an abstract entity, which has no table, and cannot be loaded: 'E.p'",
      ]
    )
  }

  @Test func `the parts of a composite attribute are attributes with a dot`() throws {
    let file = try read(
      """
      <composite name='Address'><attribute name='city' attributeType='String'/>
      <attribute name='place' attributeType='Composite' type='Point'/></composite>
      <composite name='Point'><attribute name='x' optional='YES' attributeType='Double'/></composite>
      <entity name='E'><attribute name='home' attributeType='Composite' compositeName='Address'/>
      <attribute name='work' optional='YES' attributeType='Composite' compositeName='Address'/></entity>
      """
    )
    let attributes = file.model.entities[0].attributes
    #expect(attributes.map(\.name) == ["home.city", "home.place.x", "work.city", "work.place.x"])
    #expect(attributes.map(\.isRequired) == [true, false, false, false])
    let written = try CoreDataModelFile.write(file.model)
    #expect(try CoreDataModelFile.read(written, path: "contents").model == file.model)
  }

  @Test(arguments: [
    "<entity name='E'><attribute name='a' attributeType='Composite'/></entity>",
    "<composite name='C'/><entity name='E'><attribute name='a' attributeType='Composite' t='C'/></entity>",
    "<composite name='C'><attribute name='a' attributeType='Composite' t='C'/></composite>"
      + "<entity name='E'><attribute name='a' attributeType='Composite' t='C'/></entity>",
  ]) func `a composite attribute without parts is refused`(entities: String) {
    let error = #expect(throws: ModelError.self) { try read(entities) }
    #expect(error?.message.contains("composite attribute 'a") == true)
  }

  @Test func `MagicalRecord's keys are honoured`() throws {
    let file = try read(
      """
      <entity name='A'><attribute name='n' attributeType='Integer 16' optional='YES' defaultValueString='0'>
      <userInfo><entry key='useDefaultValueWhenNotPresent' value='YES'/></userInfo></attribute>
      <relationship name='b' optional='YES' maxCount='1' destinationEntity='B'><userInfo>
      <entry key='mappedKeyName.1' value='x.y'/><entry key='mappedKeyName' value='owner'/>
      <entry key='relatedByAttribute' value='code'/></userInfo></relationship></entity>
      <entity name='B'><attribute name='code' attributeType='String'/></entity>
      """
    )
    #expect(file.model.entities[0].attributes[0].usesDefaultWhenAbsent)
    let link = file.model.entities[0].relationships[0]
    #expect(link.sourceNames == ["owner", "x.y"] && link.targetAttributes == ["code"])
    #expect(file.remarks.isEmpty)
  }
}
