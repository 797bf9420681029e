import Diagnostics
import EntityModel

/// Turns one `<attribute>` of a Core Data model into an attribute.
struct AttributeTranslator {
  let path: String
  let element: XMLElement

  func attribute() throws(ModelError) -> Attribute {
    guard let name = element["name"], !name.isEmpty else { throw error("<attribute> has no 'name'") }
    var attribute = Attribute(name: name, type: try type(of: name))
    attribute.isRequired = !isYes(element["optional"])
    attribute.defaultValue = try defaultValue(type: attribute.type)
    try limit(&attribute)
    attribute.pattern = element["regularExpressionString"]
    let info = userInfo(of: element)
    // MagicalRecord's import keys: alternatives are tried in the order of their numbers.
    let keys = ["mappedKeyName"] + (1...9).map { "mappedKeyName.\($0)" }
    attribute.sourceNames = keys.compactMap { info[$0] }
    attribute.dateFormats = (["dateFormat"] + (1...9).map { "dateFormat.\($0)" }).compactMap { info[$0] }
    attribute.documentation = info["documentation"]
    return attribute
  }

  private func error(_ message: String, remedy: String? = nil) -> ModelError {
    ModelError(source: path, line: element.line, message: message, remedy: remedy)
  }

  private func type(of name: String) throws(ModelError) -> AttributeType {
    switch element["attributeType"] {
    case "String": return .text
    case "Integer 16": return .integer(bits: 16)
    case "Integer 32": return .integer(bits: 32)
    case "Integer 64": return .integer(bits: 64)
    case "Decimal": return .decimal(precision: nil, scale: nil)
    case "Double", "Float": return .double
    case "Boolean": return .boolean
    case "Date": return .datetime
    case "Binary", "Transformable": return .binary
    case "UUID": return .uuid
    case "URI": return .uri
    case let other:
      throw error(
        "the attribute '\(excerpt(of: name))' has "
          + (other.map { "the type '\(excerpt(of: $0))', which is not supported" } ?? "no type"),
        remedy: "give it one of Xcode's types: String, Integer 16, 32 or 64, Decimal, Double, Float, Boolean, Date, "
          + "Binary Data, UUID, URI or Transformable"
      )
    }
  }

  /// The default as a file would spell it.
  private func defaultValue(type: AttributeType) throws(ModelError) -> String? {
    if type == .datetime {
      guard let interval = element["defaultDateTimeInterval"] else { return nil }
      return try datetime(interval, of: "defaultDateTimeInterval")
    }
    guard let value = element["defaultValueString"] else { return nil }
    if type == .boolean {
      switch value {
      case "YES", "1", "true": return "true"
      case "NO", "0", "false": return "false"
      default: throw error("'\(excerpt(of: value))' is no default for a boolean", remedy: "choose YES or NO")
      }
    }
    return value
  }

  /// The limits; those of a string are lengths, those of a date instants.
  private func limit(_ attribute: inout Attribute) throws(ModelError) {
    switch attribute.type {
    case .text:
      attribute.minimumLength = try length("minValueString")
      attribute.maximumLength = try length("maxValueString")
    case .datetime:
      if let value = element["minDateTimeInterval"] {
        attribute.minimum = try datetime(value, of: "minDateTimeInterval")
      }
      if let value = element["maxDateTimeInterval"] {
        attribute.maximum = try datetime(value, of: "maxDateTimeInterval")
      }
    case .integer, .decimal, .double:
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
