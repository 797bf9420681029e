import Diagnostics
import EntityModel

/// One `<entity>` by itself, before what it inherits is known.
struct OwnEntity {
  /// A property under its name in Xcode.
  struct Named<Property> {
    let name: String
    var property: Property
    let element: XMLElement
  }

  /// Its name in Xcode, which others refer to.
  let name: String
  let element: XMLElement
  let info: UserInfo
  /// The entity without its properties.
  var entity: Entity
  var attributes: [Named<Attribute>] = []
  var relationships: [Named<Relationship>] = []
  /// The parent's name in Xcode.
  var parent: String? { element.told("parentEntity") }

  private static let understood: Set = ["name", "isAbstract", "parentEntity"]

  /// Reads it.
  ///
  /// - Parameters:
  ///   - element: The `<entity>`.
  ///   - path: The model's, for messages.
  ///   - composites: The composite types of the model.
  ///   - remarks: Told of what no store holds.
  init(
    _ element: XMLElement,
    path: String,
    composites: CompositeTypes,
    remarks: inout ModelRemarks
  ) throws(ModelError) {
    guard let name = element["name"], !name.isEmpty else {
      throw ModelError(source: path, line: element.line, message: "<entity> has no 'name'")
    }
    self.name = name
    self.element = element
    var info = try UserInfo(of: element, path: path)
    entity = Entity(name: info.own["name"]??.first ?? name)
    entity.isAbstract = isYes(element["isAbstract"])
    entity.documentation = info.take("documentation")
    entity.userInfo = info.all(of: element, understood: Self.understood)
    self.info = info
    for child in element.all("attribute") {
      if remarks.leavesOut(attribute: child, of: name) { continue }
      for part in try composites.parts(of: child, path: path) {
        var attribute = try AttributeTranslator(path: path, element: part).attribute()
        let own = try UserInfo(of: part, path: path).own["name"]??.first
        attributes.append(Named(name: attribute.name, property: attribute, element: part))
        attribute.name = own ?? attribute.name
        attributes[attributes.count - 1].property = attribute
        remarks.note(attribute: part, of: name)
      }
    }
    for child in element.all("relationship") {
      if remarks.leavesOut(relationship: child, of: name) { continue }
      var relationship = try RelationshipTranslator(path: path, element: child).relationship()
      let own = try UserInfo(of: child, path: path).own["name"]??.first
      relationships.append(Named(name: relationship.name, property: relationship, element: child))
      relationship.name = own ?? relationship.name
      relationships[relationships.count - 1].property = relationship
    }
  }
}
