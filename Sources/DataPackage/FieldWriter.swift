import EntityModel
import JSONSyntax

/// Writes attributes as fields of a Table Schema.
struct FieldWriter {
  let spelling: DataPackageFile.Spelling

  /// Writes one field.
  ///
  /// - Parameters:
  ///   - attribute: What the field holds.
  ///   - isInKey: Whether the standard takes it for required unless it says that it is not.
  ///   - json: Receives the field.
  func write(_ attribute: Attribute, isInKey: Bool, to json: inout JSONWriter) {
    json.beginObject()
    json.member("name", attribute.name)
    writeType(attribute.type, to: &json)
    if spelling == .ofModel { writeDateFormats(attribute.dateFormats, to: &json) }
    if attribute.type == .boolean {
      let isOfModel = spelling == .ofModel
      let trueValues = isOfModel ? attribute.trueValues : []
      let falseValues = isOfModel ? attribute.falseValues : []
      json.member("trueValues", trueValues.isEmpty ? ["true", "1"] : trueValues)
      json.member("falseValues", falseValues.isEmpty ? ["false", "0"] : falseValues)
    }
    json.member("description", attribute.documentation)
    if let value = attribute.defaultValue { write(value, of: attribute.type, as: "default", to: &json) }
    if !attribute.refusesEmptyText { json.member("allowsEmptyText", true) }
    if !attribute.sourceNames.isEmpty { json.member("sourceNames", attribute.sourceNames) }
    if attribute.usesDefaultWhenAbsent { json.member("usesDefaultWhenAbsent", true) }
    json.userInfo(attribute.userInfo)
    writeConstraints(of: attribute, isInKey: isInKey, to: &json)
    json.endObject()
  }

  /// Writes `type`, with `format` or our `importerType` where the type alone does not say it.
  func writeType(_ type: AttributeType, to json: inout JSONWriter) {
    switch type {
    case .text: json.member("type", "string")
    case .integer(let bits):
      json.member("type", "integer")
      if bits != 64 { json.member("importerType", type.name) }
    case .decimal:
      json.member("type", "number")
      json.member("importerType", type.name)
    case .double: json.member("type", "number")
    case .boolean, .date, .datetime: json.member("type", type.name)
    case .binary, .uuid, .uri:
      json.member("type", "string")
      json.member("format", type.name)
    }
  }

  /// Writes `format` for one pattern of the standard's kind, else our `dateFormats` for us and `any` for others.
  private func writeDateFormats(_ formats: [String], to json: inout JSONWriter) {
    guard !formats.isEmpty else { return }
    if formats.count == 1, formats[0].utf8.contains(UInt8(ascii: "%")), !formats[0].hasPrefix("fmt:") {
      json.member("format", formats[0])
    } else {
      json.member("format", "any")
      json.member("dateFormats", formats)
    }
  }

  private func writeConstraints(of attribute: Attribute, isInKey: Bool, to json: inout JSONWriter) {
    let hasRules =
      attribute.isRequired || isInKey || attribute.isUnique || attribute.minimum != nil
      || attribute.maximum != nil || attribute.minimumLength != nil || attribute.maximumLength != nil
      || attribute.pattern != nil || attribute.allowedValues != nil
    guard hasRules else { return }
    json.name("constraints")
    json.beginObject()
    if attribute.isRequired || isInKey { json.member("required", attribute.isRequired) }
    if attribute.isUnique { json.member("unique", true) }
    json.member("minLength", attribute.minimumLength)
    json.member("maxLength", attribute.maximumLength)
    if let minimum = attribute.minimum { write(minimum, of: attribute.type, as: "minimum", to: &json) }
    if let maximum = attribute.maximum { write(maximum, of: attribute.type, as: "maximum", to: &json) }
    json.member("pattern", attribute.pattern)
    if let allowed = attribute.allowedValues, !allowed.isEmpty {
      json.name("enum")
      json.beginArray()
      for value in allowed { write(value, of: attribute.type, to: &json) }
      json.endArray()
    }
    json.endObject()
  }

  private func write(_ value: String, of type: AttributeType, as name: String, to json: inout JSONWriter) {
    json.name(name)
    write(value, of: type, to: &json)
  }

  /// Writes a value in JSON's own way where its spelling survives that, else as a string.
  private func write(_ value: String, of type: AttributeType, to json: inout JSONWriter) {
    switch type {
    case .integer, .decimal, .double:
      if JSONNumber.isValid(Array(value.utf8).span) { json.number(spelled: value) } else { json.string(value) }
    case .boolean where value == "true" || value == "false": json.boolean(value == "true")
    default: json.string(value)
    }
  }
}

extension JSONWriter {
  /// Writes the member `userInfo`, if there is any, in the order of its keys.
  mutating func userInfo(_ userInfo: [String: String]) {
    guard !userInfo.isEmpty else { return }
    name("userInfo")
    beginObject()
    for (key, value) in userInfo.sorted(by: { $0.key < $1.key }) { member(key, value) }
    endObject()
  }
}
