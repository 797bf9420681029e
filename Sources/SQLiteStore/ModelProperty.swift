import EntityModel

/// One property of an attribute as a list of texts; nil is its absence.
struct AttributeProperty {
  let name: String
  let get: (Attribute) -> [String]?
  let set: (inout Attribute, [String]?) -> Void

  static var all: [AttributeProperty] {
    [
      AttributeProperty(name: "type", get: { [$0.type.name] }) { attribute, values in
        if let type = values?.first.flatMap(AttributeType.init(name:)) { attribute.type = type }
      },
      flag("required", \.isRequired), flag("refusesEmptyText", \.refusesEmptyText), flag("unique", \.isUnique),
      text("default", \.defaultValue), text("minimum", \.minimum), text("maximum", \.maximum),
      number("minimumLength", \.minimumLength), number("maximumLength", \.maximumLength), text("pattern", \.pattern),
      AttributeProperty(name: "allowedValues", get: \.allowedValues) { $0.allowedValues = $1 },
      list("dateFormats", \.dateFormats), list("trueValues", \.trueValues), list("falseValues", \.falseValues),
      list("sourceNames", \.sourceNames), text("documentation", \.documentation),
    ]
  }

  private static func flag(_ name: String, _ path: WritableKeyPath<Attribute, Bool>) -> AttributeProperty {
    AttributeProperty(name: name, get: { [$0[keyPath: path] ? "true" : "false"] }) {
      $0[keyPath: path] = $1?.first == "true"
    }
  }

  private static func text(_ name: String, _ path: WritableKeyPath<Attribute, String?>) -> AttributeProperty {
    AttributeProperty(name: name, get: { $0[keyPath: path].map { [$0] } }) { $0[keyPath: path] = $1?.first }
  }

  private static func number(_ name: String, _ path: WritableKeyPath<Attribute, Int?>) -> AttributeProperty {
    AttributeProperty(name: name, get: { $0[keyPath: path].map { [String($0)] } }) {
      $0[keyPath: path] = $1?.first.flatMap { Int($0) }
    }
  }

  /// An empty list is an absent one.
  private static func list(_ name: String, _ path: WritableKeyPath<Attribute, [String]>) -> AttributeProperty {
    AttributeProperty(name: name, get: { $0[keyPath: path].isEmpty ? nil : $0[keyPath: path] }) {
      $0[keyPath: path] = $1 ?? []
    }
  }
}

/// One property of an entity as a list of texts; nil is its absence.
struct EntityProperty {
  let name: String
  let get: (Entity) -> [String]?
  let set: (inout Entity, [String]?) -> Void

  static var all: [EntityProperty] {
    [
      EntityProperty(name: "key", get: { $0.key.isEmpty ? nil : $0.key }) { entity, values in
        let names = values ?? []
        // Columns may have gone since.
        if names.allSatisfy({ entity.attribute(named: $0) != nil }) { entity.key = names }
      },
      EntityProperty(name: "uniqueSets", get: { $0.uniqueSets.isEmpty ? nil : $0.uniqueSets.map(SQLText.list) }) {
        entity,
        values in
        let sets = (values ?? []).map(names)
        if sets.allSatisfy({ $0.allSatisfy { entity.attribute(named: $0) != nil } }) { entity.uniqueSets = sets }
      },
      EntityProperty(
        name: "relationships",
        get: { $0.relationships.isEmpty ? nil : $0.relationships.map(spelling) }
      ) { entity, values in entity.relationships = (values ?? []).compactMap(relationship) },
      EntityProperty(name: "abstract", get: { [$0.isAbstract ? "true" : "false"] }) {
        $0.isAbstract = $1?.first == "true"
      },
      EntityProperty(name: "parent", get: { $0.parent.map { [$0] } }) { $0.parent = $1?.first },
      EntityProperty(name: "sourceHeader", get: { [$0.sourceHasHeader ? "true" : "false"] }) {
        $0.sourceHasHeader = $1?.first != "false"
      },
      EntityProperty(name: "documentation", get: { $0.documentation.map { [$0] } }) { $0.documentation = $1?.first },
    ]
  }

  /// Reads names as `SQLText.list` writes them.
  private static func names(_ list: String) -> [String] {
    SQLToken.tokens(of: list).compactMap(\.name)
  }

  private static func spelling(_ link: Relationship) -> String {
    SQLText.list([
      link.name, link.target, link.inverse ?? "", link.isToMany ? "many" : "one", link.isOrdered ? "ordered" : "",
      link.isRequired ? "required" : "", link.minimumCount.map { String($0) } ?? "",
      link.maximumCount.map { String($0) } ?? "", link.deleteRule.rawValue, SQLText.list(link.attributes),
      SQLText.list(link.targetAttributes),
    ])
  }

  private static func relationship(_ spelling: String) -> Relationship? {
    let parts = names(spelling)
    // Older databases say nothing of attributes.
    guard parts.count == 11 || parts.count == 9 else { return nil }
    var link = Relationship(name: parts[0], target: parts[1], isToMany: parts[3] == "many")
    link.inverse = parts[2].isEmpty ? nil : parts[2]
    link.isOrdered = parts[4] == "ordered"
    link.isRequired = parts[5] == "required"
    link.minimumCount = Int(parts[6])
    link.maximumCount = Int(parts[7])
    link.deleteRule = Relationship.DeleteRule(rawValue: parts[8]) ?? .nullify
    if parts.count == 11 {
      link.attributes = names(parts[9])
      link.targetAttributes = names(parts[10])
    }
    return link
  }
}
