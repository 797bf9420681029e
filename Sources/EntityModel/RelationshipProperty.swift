/// One property of a relationship as a list of texts; nil is its absence.
///
/// See `AttributeProperty`.
package struct RelationshipProperty {
  /// Its stable name.
  package let name: String
  /// Reads it.
  package let get: (Relationship) -> [String]?
  /// Writes it.
  package let set: (inout Relationship, [String]?) -> Void

  /// All properties but the name and the target.
  package static var all: [RelationshipProperty] {
    [
      text("inverse", \.inverse), flag("toMany", \.isToMany), flag("ordered", \.isOrdered),
      flag("required", \.isRequired), number("minimumCount", \.minimumCount), number("maximumCount", \.maximumCount),
      RelationshipProperty(name: "deleteRule", get: { [$0.deleteRule.rawValue] }) { link, values in
        if let rule = values?.first.flatMap(Relationship.DeleteRule.init) { link.deleteRule = rule }
      },
      list("attributes", \.attributes), list("targetAttributes", \.targetAttributes),
      list("sourceNames", \.sourceNames), text("documentation", \.documentation),
      RelationshipProperty(name: "userInfo", get: { userInfoList($0.userInfo) }) { $0.userInfo = userInfo(of: $1) },
    ]
  }

  private static func flag(_ name: String, _ path: WritableKeyPath<Relationship, Bool>) -> RelationshipProperty {
    RelationshipProperty(name: name, get: { [$0[keyPath: path] ? "true" : "false"] }) {
      $0[keyPath: path] = $1?.first == "true"
    }
  }

  private static func text(_ name: String, _ path: WritableKeyPath<Relationship, String?>) -> RelationshipProperty {
    RelationshipProperty(name: name, get: { $0[keyPath: path].map { [$0] } }) { $0[keyPath: path] = $1?.first }
  }

  private static func number(_ name: String, _ path: WritableKeyPath<Relationship, Int?>) -> RelationshipProperty {
    RelationshipProperty(name: name, get: { $0[keyPath: path].map { [String($0)] } }) {
      $0[keyPath: path] = $1?.first.flatMap { Int($0) }
    }
  }

  /// An empty list is an absent one.
  private static func list(_ name: String, _ path: WritableKeyPath<Relationship, [String]>) -> RelationshipProperty {
    RelationshipProperty(name: name, get: { $0[keyPath: path].isEmpty ? nil : $0[keyPath: path] }) {
      $0[keyPath: path] = $1 ?? []
    }
  }
}
