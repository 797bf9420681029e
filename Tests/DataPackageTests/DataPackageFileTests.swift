import DataPackage
import Diagnostics
import EntityModel
import Testing

@Suite struct DataPackageFileTests {
  @Test func `a resource names its entity by 'entity', else by its name`() throws {
    let file = try readPackage(
      #"""
      {"profile": "tabular-data-package", "resources": [
        {"name": "people", "path": "./data/people.csv", "entity": "Person", "encoding": "iso-8859-1",
         "schema": {"fields": [{"name": "nick"}], "missingValues": ["", "NA"]}},
        {"name": "notes", "path": ["a.txt", "b.txt"], "format": "txt", "schema": {"fields": [{"name": "title"}]}},
        {"name": "picture", "path": "p.png", "mediatype": "image/png"}
      ]}
      """#
    )
    #expect(file.resources.map(\.entity.name) == ["Person", "notes", "picture"])
    #expect(file.model.entities.map(\.name) == ["Person", "notes"])
    #expect(file.resources[0].paths == ["data/people.csv"])
    #expect(file.resources[0].encoding == "iso-8859-1")
    #expect(file.resources[0].missingValues == ["", "NA"])
    #expect(file.resources[1].missingValues == [""])
    #expect(file.resources.map(\.format) == [nil, .text, nil])
    #expect(file.resource(forFile: "data/people.csv")?.name == "people")
    #expect(file.resource(forFile: "./b.txt")?.name == "notes")
    #expect(file.resource(forFile: "people.csv") == nil)
    #expect(file.resource(forFile: "../a.txt") == nil)
  }

  @Test(arguments: [
    (#"{"fields":[{"name":"a"}]}"#, "x/contacts.schema.json", "contacts", false),
    (#"{"fields":[{"name":"a"}],"name":"people"}"#, "contacts.json", "people", true),
    (#"{"fields":[{"name":"a"}],"name":"people","entity":"Person"}"#, "contacts.json", "Person", true),
  ])
  func `a bare schema is one resource without a file`(text: String, path: String, name: String, isNamed: Bool) throws {
    let file = try readPackage(text, path: path)
    #expect(file.resources.count == 1)
    #expect(file.resources[0].entity.name == name)
    #expect(file.resources[0].isNamed == isNamed)
    #expect(file.resources[0].paths.isEmpty && file.resources[0].hasSchema)
    #expect(file.model.entities[0].attributes.map(\.name) == ["a"])
  }

  @Test func `a single resource is read like a package of one`() throws {
    let file = try readPackage(#"{"name":"r","path":"r.tsv","mediatype":"text/tab-separated-values; x"}"#)
    #expect(file.resources[0].format == .tsv)
    #expect(file.resource(forFile: "r.tsv")?.hasSchema == false)
  }

  @Test func `schemas and dialects may stand in files of the folder`() throws {
    let text = #"{"resources":[{"name":"r","path":"r.csv","schema":"s/r.json","dialect":"d.json"}]}"#
    let files = ["s/r.json": #"{"fields":[{"name":"a","type":"date"}]}"#, "d.json": #"{"delimiter":";"}"#]
    let resource = try readPackage(text, files: files).resources[0]
    #expect(resource.entity.attributes[0].type == .date)
    #expect(resource.dialect.delimiter == ";")
    #expect(complaint(text, files: ["d.json": "{}"]) == "s/r.json: there is no such file")
    #expect(
      complaint(text, files: ["d.json": "{}", "s/r.json": "\n{\"fields\":[{}]}"])
        == "in/s/r.json:2: a field has no 'name'"
    )
  }

  @Test func `keys, and fields of a key are required unless they say otherwise`() throws {
    let entity = try readPackage(
      #"""
      {"fields": [{"name": "a"}, {"name": "b", "constraints": {"required": false}}, {"name": "c"}, {"name": "d"}],
       "primaryKey": ["b", "a"], "uniqueKeys": [["c"], ["c", "d"]]}
      """#
    ).resources[0].entity
    #expect(entity.key == ["b", "a"])
    #expect(entity.attributes.map(\.isRequired) == [true, false, false, false])
    #expect(entity.attributes.map(\.isUnique) == [false, false, true, false])
    #expect(entity.uniqueSets == [["c", "d"]])
    #expect(try readPackage(#"{"fields":[{"name":"a"}],"primaryKey":"a"}"#).resources[0].entity.key == ["a"])
  }

  @Test func `missing values may be objects, and differ by field`() throws {
    let resource = try readPackage(
      #"{"fields":[{"name":"a","missingValues":["-"]}],"missingValues":["",{"value":"NA","label":"none"}]}"#
    ).resources[0]
    #expect(resource.missingValues == ["", "NA"])
    #expect(resource.missingValuesByField == ["a": ["-"]])
  }

  @Test func `number fields of one file share a decimal mark`() throws {
    func text(_ second: String) -> String {
      #"{"fields":[{"name":"a","type":"number","decimalChar":","},{"name":"b","type":"number"\#(second)}]}"#
    }
    #expect(try readPackage(text(#","decimalChar":",""#)).resources[0].decimalMark == ",")
    #expect(complaint(text("")) == "in/datapackage.json:1: the numbers of one file are written with ',' and '.'")
    #expect(try readPackage(#"{"fields":[{"name":"b","type":"number"}]}"#).resources[0].decimalMark == nil)
  }

  @Test func `inline data is told, not read`() throws {
    let file = try readPackage(#"{"resources":[{"name":"r","data":[{"a":1}],"schema":{"fields":[{"name":"a"}]}}]}"#)
    #expect(file.resources[0].hasInlineData)
    #expect(file.remarks.map(\.message) == ["inline data is not read"])
  }

  static let refused: [(String, String)] = [
    ("", ":1: this is not JSON, from column 1 on: expected a value, found the end of the text"),
    ("{\n \"resources\": [,]}", ":2: this is not JSON, from column 16 on: expected a value or ']', found ','"),
    ("[]", ":1: the descriptor must be an object, found an array"),
    (
      "{}", ":1: this is neither a data package, which has 'resources', nor a table schema, which has 'fields'"
    ),
    (#"{"resources":[]}"#, ":1: the package has no resources"),
    (#"{"resources":["a"]}"#, ":1: an element of 'resources' must be an object, found a string"),
    (#"{"resources":[{}]}"#, ":1: a resource has neither 'name' nor 'path'"),
    (#"{"resources":[{"name":"a"},{"name":"a"}]}"#, ":1: two resources are named 'a'"),
    (#"{"resources":[{"name":"a","path":"/etc/passwd"}]}"#, ":1: the path '/etc/passwd' is absolute"),
    (#"{"resources":[{"name":"a","path":"b/../../c"}]}"#, ":1: the path 'b/../../c' leads out of the package's folder"),
    (#"{"resources":[{"name":"a","path":["x","http://h/c"]}]}"#, ":1: the path 'http://h/c' is a URL"),
    (#"{"resources":[{"name":"a","path":""}]}"#, ":1: the path '' is empty"),
    (#"{"resources":[{"name":"a","path":"."}]}"#, ":1: the path '.' is empty"),
    (#"{"resources":[{"name":"a","path":"x\u0000"}]}"#, #":1: the path 'x\x00' holds a NUL"#),
    (
      #"{"resources":[{"name":"a","schema":"../s.json"}]}"#,
      ":1: the path '../s.json' leads out of the package's folder"
    ),
    (#"{"resources":[{"name":"a","schema":{}}]}"#, ":1: the schema has no 'fields'"),
    (#"{"fields":[{"name":"a"},{"name":"a"}]}"#, ":1: two fields are named 'a'"),
    (#"{"fields":[{"name":""}]}"#, ":1: 'name' must not be the empty string"),
    (
      #"{"fields":[{"name":"nome"}],"primaryKey":"nme"}"#,
      ":1: 'primaryKey' names 'nme', which is no field; did you mean 'nome'?"
    ),
    (#"{"fields":[{"name":"a"}],"primaryKey":["a","a"]}"#, ":1: 'primaryKey' names a field twice"),
    (#"{"fields":[{"name":"a"}],"primaryKey":[]}"#, ":1: 'primaryKey' must not be an empty array"),
    (
      #"{"resources":[{"name":"a","entity":"E","schema":{"fields":[{"name":"x"}]}},\#n{"name":"b","entity":"E","schema":{"fields":[]}}]}"#,
      ":2: two resources are of the entity 'E' with different schemas"
    ),
  ]
  @Test(arguments: refused) func `a wrong descriptor is refused with its place`(text: String, message: String) {
    #expect(complaint(text) == "in/datapackage.json" + message)
  }
}
