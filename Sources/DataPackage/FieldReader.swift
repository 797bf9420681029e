import Diagnostics
import EntityModel

/// Reads one field of a Table Schema into an attribute.
struct FieldReader {
  /// What Table Schema takes for true and false where a field does not say.
  static let standardTrueValues = ["true", "True", "TRUE", "1"]
  static let standardFalseValues = ["false", "False", "FALSE", "0"]

  /// What the model cannot enforce.
  private(set) var remarks: [ModelError] = []
  /// The decimal marks of number fields and where they are told, in file order.
  private(set) var decimalMarks: [(mark: String, node: DescriptorNode)] = []
  /// What fields say of missing values on their own, by name.
  private(set) var missingValues: [String: [String]] = [:]

  mutating func attribute(named name: String, from node: DescriptorNode) throws(ModelError) -> Attribute {
    let type = try node["type"].map { type throws(ModelError) in try FieldType.named(type) } ?? .string
    let format = try node["format"]?.string()
    var attribute = Attribute(name: name, type: type.attributeType(format: format))
    if let exact = node["importerType"] { attribute.type = try exactType(exact, of: type, attribute.type) }
    attribute.pattern = type.pattern(format: format)
    if type.isUnchecked(format: format) {
      remarks.append(
        node.error(
          "the values of '\(excerpt(of: name))' are kept as text; that they are of the type '\(type.rawValue)' is not checked"
        )
      )
    }
    try readSpelling(of: node, type: type, format: format, into: &attribute)
    if let constraints = node["constraints"] {
      try constraints.requireObject()
      try readConstraints(constraints, type: type, into: &attribute)
    }
    if try node["allowsEmptyText"]?.boolean() == true { attribute.refusesEmptyText = false }
    attribute.defaultValue = try node["default"]?.spelling()
    attribute.sourceNames = try node["sourceNames"]?.strings() ?? []
    attribute.usesDefaultWhenAbsent = try node["usesDefaultWhenAbsent"]?.boolean() ?? false
    attribute.documentation = try node.documentation()
    attribute.userInfo = try node["userInfo"]?.texts() ?? [:]
    if let missing = node["missingValues"] { missingValues[name] = try missing.missingValues() }
    return attribute
  }

  /// Reads `importerType`, our property for what Table Schema's types cannot say, such as `decimal(10,2)`.
  private func exactType(
    _ node: DescriptorNode,
    of type: FieldType,
    _ standard: AttributeType
  ) throws(ModelError) -> AttributeType {
    let name = try node.string()
    guard let exact = AttributeType(name: name) else {
      throw node.error(
        "'importerType' names the unknown type '\(excerpt(of: name, limit: 40))'",
        remedy: "use one of \(AttributeType.names.joined(separator: ", "))"
      )
    }
    let fits =
      switch (type, exact) {
      case (.integer, .integer), (.number, .decimal), (.number, .double): true
      default: exact == standard
      }
    guard fits else {
      throw node.error(
        "'importerType' \(exact.name) does not fit the type '\(type.rawValue)'",
        remedy: "integers refine 'integer', and decimals refine 'number'"
      )
    }
    return exact
  }

  /// Reads how a field's values are written.
  private mutating func readSpelling(
    of node: DescriptorNode,
    type: FieldType,
    format: String?,
    into attribute: inout Attribute
  ) throws(ModelError) {
    switch type {
    case .date, .datetime: attribute.dateFormats = try dateFormats(of: node, format: format)
    case .boolean:
      let trueValues = try node["trueValues"]?.oneOrMoreStrings() ?? Self.standardTrueValues
      let falseValues = try node["falseValues"]?.oneOrMoreStrings() ?? Self.standardFalseValues
      // These two are what a model's empty lists mean.
      attribute.trueValues = trueValues == ["true", "1"] ? [] : trueValues
      attribute.falseValues = falseValues == ["false", "0"] ? [] : falseValues
    case .number, .integer:
      if let group = node["groupChar"], try !group.string().isEmpty {
        throw group.error(
          "numbers with grouped digits are not read",
          remedy: "take the groups out of the file, or give the field the type 'string'"
        )
      }
      if let bare = node["bareNumber"], try !bare.boolean() {
        throw bare.error(
          "numbers with a currency or a percent sign are not read",
          remedy: "take the signs out of the file, or give the field the type 'string'"
        )
      }
      if type == .number {
        decimalMarks.append((try node["decimalChar"]?.nonEmptyString() ?? ".", node["decimalChar"] ?? node))
      }
    default: break
    }
  }

  private func dateFormats(of node: DescriptorNode, format: String?) throws(ModelError) -> [String] {
    if let formats = node["dateFormats"] { return try formats.strings() }
    guard let format, format != "default" else { return [] }
    guard format != "any" else {
      throw (node["format"] ?? node).error(
        "the format 'any' does not say which of day, month and year comes first",
        remedy: "give the pattern that the file uses, such as '%d/%m/%Y'"
      )
    }
    // Drafts of the standard wrote patterns as `fmt:%d/%m/%Y`.
    let pattern = format.hasPrefix("fmt:") ? String(format.dropFirst(4)) : format
    guard pattern.utf8.contains(UInt8(ascii: "%")) else {
      throw (node["format"] ?? node).error(
        "'\(excerpt(of: format, limit: 40))' is no format of dates",
        remedy: "write 'default' for ISO 8601, or a pattern such as '%d/%m/%Y'"
      )
    }
    return [pattern]
  }

  private mutating func readConstraints(
    _ node: DescriptorNode,
    type: FieldType,
    into attribute: inout Attribute
  ) throws(ModelError) {
    attribute.isRequired = try node["required"]?.boolean() ?? false
    attribute.isUnique = try node["unique"]?.boolean() ?? false
    if let pattern = try node["pattern"]?.string() { attribute.pattern = pattern }
    for (name, path) in [("minLength", \Attribute.minimumLength), ("maxLength", \Attribute.maximumLength)]
      as [(String, WritableKeyPath<Attribute, Int?>)]
    {
      guard let length = node[name] else { continue }
      attribute[keyPath: path] = try length.count()
      guard !type.hasLength else { continue }
      attribute[keyPath: path] = nil
      remarks.append(length.error("'\(name)' of a field of the type '\(type.rawValue)' is not checked"))
    }
    for (name, path) in [("minimum", \Attribute.minimum), ("maximum", \Attribute.maximum)]
      as [(String, WritableKeyPath<Attribute, String?>)]
    {
      guard let limit = node[name] else { continue }
      attribute[keyPath: path] = try limit.spelling()
      guard !type.hasOrder else { continue }
      attribute[keyPath: path] = nil
      remarks.append(limit.error("'\(name)' of a field of the type '\(type.rawValue)' is not checked"))
    }
    try readExclusiveLimits(node, into: &attribute)
    if let allowed = node["enum"] {
      var values: [String] = []
      for element in try allowed.elements() { values.append(try element.spelling()) }
      guard !values.isEmpty else {
        throw allowed.error("'enum' allows nothing at all", remedy: "list the allowed values")
      }
      attribute.allowedValues = values
    }
    if let schema = node["jsonSchema"] { remarks.append(schema.error("'jsonSchema' is not checked")) }
  }

  /// Reads limits that are not allowed themselves; the model has them for whole numbers only.
  private mutating func readExclusiveLimits(
    _ node: DescriptorNode,
    into attribute: inout Attribute
  ) throws(ModelError) {
    for (name, path, step) in [
      ("exclusiveMinimum", \Attribute.minimum, 1), ("exclusiveMaximum", \Attribute.maximum, -1),
    ] as [(String, WritableKeyPath<Attribute, String?>, Int64)] {
      guard let limit = node[name] else { continue }
      guard case .integer = attribute.type, let bound = Int64(try limit.spelling()) else {
        remarks.append(
          limit.error(
            "'\(name)' is checked for whole numbers only",
            remedy: "give a '\(name == "exclusiveMinimum" ? "minimum" : "maximum")'"
          )
        )
        continue
      }
      let (inclusive, overflows) = bound.addingReportingOverflow(step)
      guard !overflows else { throw limit.error("'\(name)' allows nothing at all") }
      let told = attribute[keyPath: path].flatMap { Int64($0) }
      attribute[keyPath: path] = String(told.map { step > 0 ? max($0, inclusive) : min($0, inclusive) } ?? inclusive)
    }
  }
}
