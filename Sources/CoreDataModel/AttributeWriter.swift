import Diagnostics
import EntityModel

/// Turns an attribute into an `<attribute>`.
struct AttributeWriter {
  let attribute: Attribute
  /// Its name in Xcode.
  let name: String

  /// The element; what Xcode's words do not give back stands in its `<userInfo>`.
  func element() throws(ModelError) -> XMLElement {
    var element = XMLElement(name: "attribute", line: 1)
    let told = attribute.userInfo[AttributeTranslator.typeKey]
    let isOurs = told.flatMap(AttributeTranslator.type) == attribute.type
    element.attributes = [
      "name": name, "attributeType": (isOurs ? told : nil) ?? AttributeTranslator.name(of: attribute.type),
    ]
    if !attribute.isRequired { element.attributes["optional"] = "YES" }
    addValues(to: &element)
    if let pattern = attribute.pattern, XMLText.canHold(pattern) {
      element.attributes["regularExpressionString"] = pattern
    }
    var entries = UserInfoWriter(of: attribute.userInfo, for: &element)
    element.attributes["syncable"] = element["syncable"] ?? "YES"
    entries.addAlternatives("mappedKeyName", attribute.sourceNames)
    entries.addAlternatives("dateFormat", attribute.dateFormats)
    if attribute.usesDefaultWhenAbsent { entries.add("useDefaultValueWhenNotPresent", "YES") }
    entries.add("documentation", attribute.documentation)
    if name != attribute.name { entries.addOwn("name", [attribute.name]) }
    entries.write(to: &element)
    let read = try AttributeTranslator(path: "contents", element: element).attribute()
    // What must be unique stands among the entity's constraints.
    for property in AttributeProperty.all where property.name != "unique" {
      let wanted = property.get(attribute)
      if property.get(read) != wanted { entries.addOwn(property.name, wanted) }
    }
    entries.write(to: &element)
    return element
  }

  /// Writes the default and the limits in Xcode's words, where it has any.
  private func addValues(to element: inout XMLElement) {
    func add(_ name: String, _ value: String?) {
      if let value, XMLText.canHold(value) { element.attributes[name] = value }
    }
    switch attribute.type {
    case .datetime, .date:
      add("defaultDateTimeInterval", attribute.defaultValue.flatMap(ReferenceDate.interval))
      add("minDateTimeInterval", attribute.minimum.flatMap(ReferenceDate.interval))
      add("maxDateTimeInterval", attribute.maximum.flatMap(ReferenceDate.interval))
    case .boolean:
      switch attribute.defaultValue {
      case "true": add("defaultValueString", "YES")
      case "false": add("defaultValueString", "NO")
      default: break
      }
    case .text:
      add("defaultValueString", attribute.defaultValue)
      add("minValueString", attribute.minimumLength.map { String($0) })
      add("maxValueString", attribute.maximumLength.map { String($0) })
    case .integer, .decimal, .double:
      add("defaultValueString", attribute.defaultValue)
      add("minValueString", attribute.minimum)
      add("maxValueString", attribute.maximum)
    case .uuid, .uri: add("defaultValueString", attribute.defaultValue)
    case .binary: break
    }
  }
}
