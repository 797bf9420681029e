import EntityModel
import TestSupport
import Testing

@Suite struct ReferenceAttributes {
  @Test(arguments: 0..<300 as Range<UInt64>)
  func `what is added for references can be taken out again`(seed: UInt64) {
    var random = RandomModel(seed: seed)
    let model = random.model()
    let full = model.withReferenceAttributes()
    #expect(full.withReferenceAttributes() == full)
    let plain = full.withoutReferenceAttributes()
    #expect(!plain.entities.contains { $0.surrogate != nil || $0.numbersRows })
    #expect(plain.withReferenceAttributes().withoutReferenceAttributes() == plain)
  }

  @Test func `attributes and links are the author's again, but for a few that stay where keys hang on each other`() {
    var others = 0
    for seed in 0..<300 as Range<UInt64> {
      var random = RandomModel(seed: seed)
      let model = random.model()
      let plain = model.withReferenceAttributes().withoutReferenceAttributes()
      // Whoever refers to certain attributes makes them unique for good, so whole attributes are not compared.
      let isSame = zip(plain.entities, model.entities).allSatisfy { plain, entity in
        plain.attributes.map(\.name) == entity.attributes.map(\.name) && plain.relationships == entity.relationships
          && plain.documentation == entity.documentation
      }
      if !isSame { others += 1 }
    }
    #expect(others <= 3)
  }

  @Test func `the model is the author's again`() {
    var label = Entity(name: "Label", attributes: [Attribute(name: "name")], key: ["name"])
    label.attributes[0].isRequired = true
    var artist = Entity(name: "Artist", attributes: [Attribute(name: "name")], key: ["label", "name"])
    artist.relationships = [Relationship(name: "label", target: "Label")]
    var album = Entity(name: "Album", attributes: [Attribute(name: "title")])
    album.relationships = [
      Relationship(name: "artist", target: "Artist"), Relationship(name: "before", target: "Album"),
    ]
    let model = EntityModel(entities: [label, artist, album])
    #expect(model.withReferenceAttributes().withoutReferenceAttributes() == model)
  }
}
