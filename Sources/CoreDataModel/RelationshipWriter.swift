import Diagnostics
import EntityModel

/// Turns a relationship into a `<relationship>`.
struct RelationshipWriter {
  let relationship: Relationship
  /// Its name in Xcode.
  let name: String
  /// The target's name in Xcode.
  let target: String
  /// The inverse's name in Xcode; nil where the target has no such relationship.
  let inverse: String?

  /// The element; what Xcode's words do not give back stands in its `<userInfo>`.
  func element() throws(ModelError) -> XMLElement {
    var element = XMLElement(name: "relationship", line: 1)
    element.attributes = [
      "name": name, "destinationEntity": target,
      "deletionRule": RelationshipTranslator.name(of: relationship.deleteRule),
    ]
    if relationship.isToMany {
      element.attributes["toMany"] = "YES"
      if relationship.minimumCount == nil { element.attributes["optional"] = "YES" }
      if let count = relationship.minimumCount, count != 1 { element.attributes["minCount"] = String(count) }
      if let count = relationship.maximumCount { element.attributes["maxCount"] = String(count) }
    } else {
      element.attributes["maxCount"] = "1"
      if !relationship.isRequired { element.attributes["optional"] = "YES" }
    }
    if relationship.isOrdered { element.attributes["ordered"] = "YES" }
    if let inverse {
      element.attributes["inverseName"] = inverse
      element.attributes["inverseEntity"] = target
    }
    var entries = UserInfoWriter(of: relationship.userInfo, for: &element)
    element.attributes["syncable"] = element["syncable"] ?? "YES"
    entries.addAlternatives("mappedKeyName", relationship.sourceNames)
    entries.add("documentation", relationship.documentation)
    if name != relationship.name { entries.addOwn("name", [relationship.name]) }
    entries.write(to: &element)
    var read = try RelationshipTranslator(path: "contents", element: element).relationship()
    // Names are put back by whoever knows the whole model.
    read.inverse = inverse == nil ? nil : relationship.inverse
    if relationship.userInfo["relatedByAttribute"] != nil { read.targetAttributes = ["?"] }
    for property in RelationshipProperty.all {
      let wanted = property.get(relationship)
      if property.get(read) != wanted { entries.addOwn(property.name, wanted) }
    }
    entries.write(to: &element)
    return element
  }
}
