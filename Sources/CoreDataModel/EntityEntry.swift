import EntityModel
import JSONSyntax

/// One property of an entity as an entry of ours keeps it where Xcode's own words do not give it back.
struct EntityEntry {
  let name: String
  let get: (Entity) -> [String]?
  /// Writes it; false where it names an attribute that is not there.
  let set: (inout Entity, [String]?) -> Bool

  static var all: [EntityEntry] {
    [
      EntityEntry(name: "key", get: { $0.key.isEmpty ? nil : $0.key }) { entity, values in
        entity.key = values ?? []
        return entity.has(entity.key)
      },
      EntityEntry(name: "unique", get: { names(ofUniqueIn: $0) }) { entity, values in
        let unique = Set(values ?? [])
        for index in entity.attributes.indices {
          entity.attributes[index].isUnique = unique.contains(entity.attributes[index].name)
        }
        return entity.has(values ?? [])
      },
      EntityEntry(name: "uniqueSets", get: { $0.uniqueSets.isEmpty ? nil : $0.uniqueSets.map(list) }) {
        entity,
        values in
        entity.uniqueSets = (values ?? []).map(self.names)
        return true
      },
      EntityEntry(name: "parent", get: { $0.parent.map { [$0] } }) { entity, values in
        entity.parent = values?.first
        return true
      },
      EntityEntry(name: "sourceHasHeader", get: { $0.sourceHasHeader ? nil : ["false"] }) { entity, values in
        entity.sourceHasHeader = values?.first != "false"
        return true
      },
      EntityEntry(name: "documentation", get: { $0.documentation.map { [$0] } }) { entity, values in
        entity.documentation = values?.first
        return true
      },
      EntityEntry(name: "userInfo", get: { userInfoList($0.userInfo) }) { entity, values in
        entity.userInfo = userInfo(of: values)
        return true
      },
    ]
  }

  private static func names(ofUniqueIn entity: Entity) -> [String]? {
    let names = entity.attributes.filter(\.isUnique).map(\.name)
    return names.isEmpty ? nil : names
  }

  private static func list(_ names: [String]) -> String {
    var json = JSONWriter(layout: .compact)
    json.beginArray()
    for name in names { json.string(name) }
    json.endArray()
    return json.text
  }

  private static func names(_ list: String) -> [String] {
    (try? JSONParser.parse(Array(list.utf8).span))?.elements?.compactMap(\.string) ?? []
  }
}

extension Entity {
  fileprivate func has(_ names: [String]) -> Bool {
    names.allSatisfy { name in attribute(named: name) != nil || relationships.contains { $0.name == name } }
  }
}
