import EntityModel

/// One property of an entity as a list of texts; nil is its absence.
struct EntityProperty {
  let name: String
  let get: (Entity) -> [String]?
  let set: (inout Entity, [String]?) -> Void

  static var all: [EntityProperty] {
    [
      // First, since a key may name some.
      EntityProperty(
        name: "relationships",
        get: { $0.relationships.isEmpty ? nil : $0.relationships.map(spelling) }
      ) { entity, values in entity.relationships = (values ?? []).compactMap(relationship) },
      EntityProperty(name: "key", get: { $0.key.isEmpty ? nil : $0.key }) { entity, values in
        let names = values ?? []
        // Columns may have gone since.
        if names.allSatisfy(entity.hasColumn) { entity.key = names }
      },
      EntityProperty(name: "surrogate", get: { $0.surrogate.map { [$0] } }) { $0.surrogate = $1?.first },
      EntityProperty(name: "numbersRows", get: { [$0.numbersRows ? "true" : "false"] }) {
        $0.numbersRows = $1?.first == "true"
      },
      EntityProperty(name: "joins", get: { $0.joinedRelationship.map { [$0] } }) { $0.joinedRelationship = $1?.first },
      EntityProperty(name: "uniqueSets", get: { $0.uniqueSets.isEmpty ? nil : $0.uniqueSets.map(SQLText.list) }) {
        entity,
        values in
        let sets = (values ?? []).map(names)
        if sets.allSatisfy({ $0.allSatisfy(entity.hasColumn) }) { entity.uniqueSets = sets }
      },
      EntityProperty(name: "abstract", get: { [$0.isAbstract ? "true" : "false"] }) {
        $0.isAbstract = $1?.first == "true"
      },
      EntityProperty(name: "parent", get: { $0.parent.map { [$0] } }) { $0.parent = $1?.first },
      EntityProperty(name: "sourceHeader", get: { [$0.sourceHasHeader ? "true" : "false"] }) {
        $0.sourceHasHeader = $1?.first != "false"
      },
      EntityProperty(name: "documentation", get: { $0.documentation.map { [$0] } }) { $0.documentation = $1?.first },
      EntityProperty(name: "userInfo", get: { userInfoList($0.userInfo) }) { $0.userInfo = userInfo(of: $1) },
    ]
  }

  /// Reads names as `SQLText.list` writes them.
  private static func names(_ list: String) -> [String] {
    SQLToken.tokens(of: list).compactMap(\.name)
  }

  private static func spelling(_ link: Relationship) -> String {
    let basics = [
      link.name, link.target, link.inverse ?? "", link.isToMany ? "many" : "one", link.isOrdered ? "ordered" : "",
      link.isRequired ? "required" : "", link.minimumCount.map { String($0) } ?? "",
      link.maximumCount.map { String($0) } ?? "", link.deleteRule.rawValue, SQLText.list(link.attributes),
      SQLText.list(link.targetAttributes),
    ]
    guard !link.sourceNames.isEmpty || link.documentation != nil || !link.userInfo.isEmpty else {
      return SQLText.list(basics)
    }
    return SQLText.list(
      basics + [
        SQLText.list(link.sourceNames), SQLText.list(link.documentation.map { [$0] } ?? []),
        SQLText.list(userInfoList(link.userInfo) ?? []),
      ]
    )
  }

  private static func relationship(_ spelling: String) -> Relationship? {
    let parts = names(spelling)
    // Older databases say nothing of attributes; what comes after them is said only where there is something.
    guard [9, 11, 14].contains(parts.count) else { return nil }
    var link = Relationship(name: parts[0], target: parts[1], isToMany: parts[3] == "many")
    link.inverse = parts[2].isEmpty ? nil : parts[2]
    link.isOrdered = parts[4] == "ordered"
    link.isRequired = parts[5] == "required"
    link.minimumCount = Int(parts[6])
    link.maximumCount = Int(parts[7])
    link.deleteRule = Relationship.DeleteRule(rawValue: parts[8]) ?? .nullify
    if parts.count >= 11 {
      link.attributes = names(parts[9])
      link.targetAttributes = names(parts[10])
    }
    if parts.count == 14 {
      link.sourceNames = names(parts[11])
      link.documentation = names(parts[12]).first
      link.userInfo = userInfo(of: names(parts[13]))
    }
    return link
  }
}

extension Entity {
  /// Whether an attribute or a to-one relationship of that name may be a column.
  fileprivate func hasColumn(_ name: String) -> Bool {
    attribute(named: name) != nil || relationships.contains { $0.name == name && !$0.isToMany }
  }
}
