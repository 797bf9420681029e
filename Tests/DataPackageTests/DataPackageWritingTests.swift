import DataPackage
import Diagnostics
import EntityModel
import TestSupport
import Testing

@Suite struct DataPackageWritingTests {
  static func read(_ bytes: [UInt8]) throws -> DataPackageFile {
    try readPackage(String(decoding: bytes, as: UTF8.self))
  }

  @Test(arguments: 0..<300 as Range<UInt64>) func `a written package gives the same model`(seed: UInt64) throws {
    var random = RandomModel(seed: seed)
    let model = random.model()
    let files = model.entities.dropFirst().map {
      DataPackageFile.WrittenFile(entity: $0.name, path: "\($0.name.utf8.count).csv", format: .csv)
    }
    let written = DataPackageFile.write(model: model, files: Array(files), name: "x")
    let file = try Self.read(written)
    #expect(file.model == model)
    #expect(DataPackageFile.write(model: file.model, files: Array(files), name: "x") == written)
    #expect(file.resources.map(\.paths.count) == [0] + files.map { _ in 1 })
    #expect(file.remarks.isEmpty)
  }

  @Test(arguments: 0..<300 as Range<UInt64>) func `a damaged package is read or refused, and never traps`(seed: UInt64)
  {
    var random = SplitMix64(seed: seed)
    var models = RandomModel(seed: seed)
    var bytes = DataPackageFile.write(model: models.model())
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let index = Int.random(in: 0..<bytes.count, using: &random)
      let other = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[index] = bytes[other]
      case 1: bytes.remove(at: index)
      default: bytes.replaceSubrange(index..<index, with: bytes[other..<min(other + 20, bytes.count)])
      }
    }
    do throws(ModelError) {
      _ = try DataPackageFile.read(path: "p", bytes: bytes) { name throws(ModelError) in
        throw ModelError(source: name, message: "there is no such file")
      }
    } catch {
      #expect(!error.message.isEmpty && error.source == "p")
    }
  }

  @Test func `an export says how it is spelled, not how its source was`() throws {
    var date = Attribute(name: "d", type: .date)
    date.dateFormats = ["%d/%m/%Y"]
    var flag = Attribute(name: "b", type: .boolean)
    flag.trueValues = ["sì"]
    flag.falseValues = ["no"]
    let model = EntityModel(entities: [Entity(name: "E", attributes: [date, flag])])
    let file = try Self.read(DataPackageFile.write(model: model, spelling: .ofExport))
    #expect(
      file.model.entities[0].attributes == [Attribute(name: "d", type: .date), Attribute(name: "b", type: .boolean)]
    )
  }

  @Test func `the text is the standard's`() {
    var nick = Attribute(name: "nick")
    nick.isRequired = true
    var price = Attribute(name: "price", type: .decimal(precision: 10, scale: 2))
    price.minimum = "0.50"
    var entity = Entity(name: "Contatto", attributes: [nick, price], key: ["nick"])
    entity.relationships = [Relationship(name: "chief", target: "Contatto")]
    let written = DataPackageFile.write(
      model: EntityModel(entities: [entity]),
      files: [.init(entity: "Contatto", path: "Contatto.csv", format: .csv)]
    )
    #expect(
      String(decoding: written, as: UTF8.self) == """
        {
          "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
          "resources": [
            {
              "name": "contatto",
              "entity": "Contatto",
              "type": "table",
              "path": "Contatto.csv",
              "format": "csv",
              "mediatype": "text/csv",
              "encoding": "utf-8",
              "schema": {
                "fields": [
                  {
                    "name": "nick",
                    "type": "string",
                    "constraints": {
                      "required": true
                    }
                  },
                  {
                    "name": "price",
                    "type": "number",
                    "importerType": "decimal(10,2)",
                    "constraints": {
                      "minimum": 0.50
                    }
                  },
                  {
                    "name": "chief",
                    "type": "string",
                    "relationship": "chief"
                  }
                ],
                "missingValues": [
                  ""
                ],
                "primaryKey": [
                  "nick"
                ],
                "foreignKeys": [
                  {
                    "fields": [
                      "chief"
                    ],
                    "reference": {
                      "resource": "",
                      "fields": [
                        "nick"
                      ]
                    },
                    "relationship": "chief"
                  }
                ],
                "relationships": [
                  {
                    "name": "chief",
                    "target": "Contatto",
                    "deleteRule": "nullify"
                  }
                ]
              }
            }
          ]
        }

        """
    )
  }

  @Test func `resource names are the standard's and differ`() throws {
    let model = EntityModel(entities: ["Città", "citt_", "Citt?", ""].map { Entity(name: $0.isEmpty ? "-" : $0) })
    let file = try Self.read(DataPackageFile.write(model: model))
    #expect(file.resources.map(\.name) == ["citt-", "citt_", "citt--2", "-"])
    #expect(file.model == model)
  }
}
