import DataPackage
import Diagnostics
import EntityModel
import Testing

@Suite struct RelationshipTests {
  static func text(_ keys: String, required: Bool = false) -> String {
    let constraint = required ? #","constraints":{"required":true}"# : ""
    return #"""
      {"resources": [
        {"name": "albums", "entity": "Album", "path": "albums.csv", "schema": {
          "fields": [{"name": "title"}, {"name": "artist"\#(constraint)}, {"name": "band.label"}, {"name": "band.name"},
            {"name": "next"}],
          "primaryKey": "title",
          "foreignKeys": [\#(keys)]}},
        {"name": "artists", "entity": "Artist", "path": "artists.csv", "schema": {
          "fields": [{"name": "name"}, {"name": "label"}, {"name": "number", "type": "integer"}],
          "primaryKey": "name"}}
      ]}
      """#
  }

  static func relationships(_ keys: String, required: Bool = false) throws -> [Relationship] {
    try readPackage(text(keys, required: required)).model.entities[0].relationships
  }

  static func relationship(_ name: String, _ target: String, _ own: [String], _ targets: [String]) -> Relationship {
    var relationship = Relationship(name: name, target: target, deleteRule: .noAction)
    relationship.attributes = own
    relationship.targetAttributes = targets
    return relationship
  }

  static let cases: [(String, [Relationship])] = [
    (
      #"{"fields":"artist","reference":{"resource":"artists","fields":"name"}}"#,
      [relationship("artist", "Artist", ["artist"], [])]
    ),
    (
      #"{"fields":["artist"],"reference":{"resource":"artists","fields":["number"]}}"#,
      [relationship("artist", "Artist", ["artist"], ["number"])]
    ),
    (
      #"{"fields":["band.label","band.name"],"reference":{"resource":"artists","fields":["label","name"]}}"#,
      [relationship("band", "Artist", ["band.label", "band.name"], ["label", "name"])]
    ),
    (
      #"{"fields":["artist","title"],"reference":{"resource":"artists","fields":["label","name"]}}"#,
      [relationship("Artist", "Artist", ["artist", "title"], ["label", "name"])]
    ),
    (
      #"{"fields":"next","reference":{"resource":"","fields":"title"}},{"fields":"next","reference":{"fields":"title"}}"#,
      [relationship("next", "Album", ["next"], []), relationship("next_2", "Album", ["next"], [])]
    ),
  ]
  @Test(arguments: cases) func `a foreign key is a relationship`(keys: String, expected: [Relationship]) throws {
    #expect(try Self.relationships(keys) == expected)
  }

  @Test func `it is required where its fields are`() throws {
    #expect(try Self.relationships(Self.cases[0].0, required: true)[0].isRequired)
    #expect(try readPackage(Self.text(Self.cases[0].0)).model.entities[0].attributes.count == 5)
  }

  static let refused: [(String, String)] = [
    (
      #"{"fields":"artist","reference":{"resource":"artist","fields":"name"}}"#,
      "a foreign key refers to 'artist', which is no resource of the package; did you mean 'artists'?"
    ),
    (
      #"{"fields":"artist","reference":{"resource":"artists","fields":"nam"}}"#,
      "a foreign key refers to 'nam', which is no field of 'Artist'"
    ),
    (
      #"{"fields":"artst","reference":{"resource":"artists","fields":"name"}}"#,
      "'fields' names 'artst', which is no field; did you mean 'artist'?"
    ),
    (
      #"{"fields":"artist","reference":{"resource":"artists","fields":["name","label"]}}"#,
      "a foreign key and what it refers to differ in their number of fields: 1 and 2"
    ),
    (#"{"fields":"artist"}"#, "a foreign key has no 'reference'"),
    (#"{"reference":{}}"#, "a foreign key has no 'fields'"),
    (
      #"],"relationships":[{"name":"r","target":"Artist","fields":["x"]}"#,
      "the relationship 'r' names 'x', which is no field"
    ),
    (#"],"relationships":[{"name":"r"}"#, "a relationship has no 'target'"),
    (#"],"relationships":[{"name":"r","target":"Artist","deleteRule":"x"}"#, "'x' is no delete rule"),
    (
      #"{"fields":"artist","reference":{"package":"http://x/","resource":"artists","fields":"name"}}"#,
      "a foreign key refers to another package"
    ),
  ]
  @Test(arguments: refused) func `a foreign key to nothing is refused`(keys: String, message: String) {
    #expect(complaint(Self.text(keys)) == "in/datapackage.json:6: " + message)
  }

  @Test func `a package of one resource cannot refer to others`() {
    let text = """
      {"resources":[{"name":"a","path":"a.csv","schema":{"fields":[{"name":"id"},{"name":"b"}],
      "foreignKeys":[{"fields":"b","reference":{"resource":"nope","fields":"id"}}]}}]}
      """
    #expect(
      complaint(text) == "in/datapackage.json:2: a foreign key refers to 'nope', which is no resource of the package"
    )
  }

  @Test func `a schema that stands alone may refer to its neighbours`() throws {
    let text =
      #"{"fields":[{"name":"a"}],"foreignKeys":[{"fields":"a","reference":{"resource":"others","fields":"x"}}]}"#
    #expect(try readPackage(text).model.entities[0].relationships == [Self.relationship("a", "others", ["a"], [])])
  }
}
