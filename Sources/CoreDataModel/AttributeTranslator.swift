import Diagnostics
import EntityModel

/// Turns one `<attribute>` of a Core Data model into an attribute.
struct AttributeTranslator {
  let path: String
  let element: XMLElement

  /// What it says; its name is the one in Xcode.
  func attribute() throws(ModelError) -> Attribute {
    guard let name = element["name"], !name.isEmpty else { throw error("<attribute> has no 'name'") }
    var understood: Set = ["name", "optional", "attributeType", "regularExpressionString", "transient"]
    var info = try UserInfo(of: element, path: path)
    var attribute = Attribute(name: name, type: try type(of: name))
    attribute.isRequired = !isYes(element["optional"])
    attribute.defaultValue = try defaultValue(type: attribute.type, &understood)
    try limit(&attribute, &understood)
    attribute.pattern = element.told("regularExpressionString")
    // MagicalRecord's import keys: alternatives are tried in the order of their numbers.
    attribute.sourceNames = info.takeAlternatives("mappedKeyName")
    attribute.dateFormats = info.takeAlternatives("dateFormat")
    attribute.usesDefaultWhenAbsent = isTrue(info.take("useDefaultValueWhenNotPresent"))
    attribute.documentation = info.take("documentation")
    attribute.userInfo = info.all(of: element, understood: understood)
    if let told = element["attributeType"], told != Self.name(of: attribute.type) {
      attribute.userInfo[Self.typeKey] = told
    }
    for property in AttributeProperty.all {
      if let values = info.own[property.name] { property.set(&attribute, values) }
    }
    return attribute
  }

  private func error(_ message: String, remedy: String? = nil) -> ModelError {
    ModelError(source: path, line: element.line, message: message, remedy: remedy)
  }

  // MARK: Types

  /// The key that keeps Xcode's name of a type where ours stands for several.
  static let typeKey = UserInfo.xcodePrefix + "attributeType"

  /// The type that one of Xcode's is read as; nil for others.
  static func type(named name: String) -> AttributeType? {
    switch name {
    case "String": .text
    case "Integer 16": .integer(bits: 16)
    case "Integer 32": .integer(bits: 32)
    case "Integer 64": .integer(bits: 64)
    case "Decimal": .decimal(precision: nil, scale: nil)
    case "Double", "Float": .double
    case "Boolean": .boolean
    case "Date": .datetime
    case "Binary", "Transformable": .binary
    case "UUID": .uuid
    case "URI": .uri
    default: nil
    }
  }

  /// Xcode's type that is nearest to one of ours.
  static func name(of type: AttributeType) -> String {
    switch type {
    case .text: "String"
    case .integer(let bits): "Integer \(bits)"
    case .decimal: "Decimal"
    case .double: "Double"
    case .boolean: "Boolean"
    case .date, .datetime: "Date"
    case .binary: "Binary"
    case .uuid: "UUID"
    case .uri: "URI"
    }
  }

  private func type(of name: String) throws(ModelError) -> AttributeType {
    guard let told = element["attributeType"] else {
      throw error("the attribute '\(excerpt(of: name))' has no type", remedy: Self.typeRemedy)
    }
    guard let type = Self.type(named: told) else {
      throw error(
        "the attribute '\(excerpt(of: name))' has the type '\(excerpt(of: told))', which is not supported",
        remedy: Self.typeRemedy
      )
    }
    return type
  }

  private static let typeRemedy =
    "give it one of Xcode's types: String, Integer 16, 32 or 64, Decimal, Double, Float, Boolean, Date, "
    + "Binary Data, UUID, URI, Transformable or Composite"

  // MARK: Values

  /// The default as a file would spell it.
  private func defaultValue(type: AttributeType, _ understood: inout Set<String>) throws(ModelError) -> String? {
    switch type {
    case .datetime:
      understood.insert("defaultDateTimeInterval")
      guard let interval = element["defaultDateTimeInterval"] else { return nil }
      return try datetime(interval, of: "defaultDateTimeInterval")
    case .binary: return nil
    default: understood.insert("defaultValueString")
    }
    guard let value = element["defaultValueString"], type == .boolean else { return element["defaultValueString"] }
    switch value {
    case "YES", "1", "true": return "true"
    case "NO", "0", "false": return "false"
    default: throw error("'\(excerpt(of: value))' is no default for a boolean", remedy: "choose YES or NO")
    }
  }

  /// The limits; those of a string are lengths, those of a date instants.
  private func limit(_ attribute: inout Attribute, _ understood: inout Set<String>) throws(ModelError) {
    switch attribute.type {
    case .text:
      understood.formUnion(["minValueString", "maxValueString"])
      attribute.minimumLength = try length("minValueString")
      attribute.maximumLength = try length("maxValueString")
    case .datetime:
      understood.formUnion(["minDateTimeInterval", "maxDateTimeInterval"])
      if let value = element["minDateTimeInterval"] {
        attribute.minimum = try datetime(value, of: "minDateTimeInterval")
      }
      if let value = element["maxDateTimeInterval"] {
        attribute.maximum = try datetime(value, of: "maxDateTimeInterval")
      }
    case .integer, .decimal, .double:
      understood.formUnion(["minValueString", "maxValueString"])
      attribute.minimum = element["minValueString"]
      attribute.maximum = element["maxValueString"]
    case .boolean, .date, .binary, .uuid, .uri: break
    }
  }

  private func length(_ name: String) throws(ModelError) -> Int? {
    guard let text = element[name] else { return nil }
    guard let number = Int(text), number >= 0 else { throw error("'\(excerpt(of: text))' is no length for '\(name)'") }
    return number
  }

  /// An instant counted in seconds from 2001-01-01T00:00:00Z, in ISO 8601.
  private func datetime(_ text: String, of name: String) throws(ModelError) -> String {
    guard let interval = Double(text), interval.magnitude < 1e11 else {
      throw error("'\(excerpt(of: text))' is no number of seconds for '\(name)'")
    }
    return ReferenceDate.string(secondsSince2001: interval)
  }
}
