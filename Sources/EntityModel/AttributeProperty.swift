/// One property of an attribute as a list of texts; nil is its absence.
///
/// Whoever keeps a model in a form that cannot say everything compares what it reads back property by property, and puts
/// what differs elsewhere.
package struct AttributeProperty {
  /// Its stable name.
  package let name: String
  /// Reads it.
  package let get: (Attribute) -> [String]?
  /// Writes it.
  package let set: (inout Attribute, [String]?) -> Void

  /// All properties but the name.
  package static var all: [AttributeProperty] {
    [
      AttributeProperty(name: "type", get: { [$0.type.name] }) { attribute, values in
        if let type = values?.first.flatMap(AttributeType.init(name:)) { attribute.type = type }
      },
      flag("required", \.isRequired), flag("refusesEmptyText", \.refusesEmptyText), flag("unique", \.isUnique),
      text("default", \.defaultValue), text("minimum", \.minimum), text("maximum", \.maximum),
      number("minimumLength", \.minimumLength), number("maximumLength", \.maximumLength), text("pattern", \.pattern),
      AttributeProperty(name: "allowedValues", get: \.allowedValues) { $0.allowedValues = $1 },
      list("dateFormats", \.dateFormats), list("trueValues", \.trueValues), list("falseValues", \.falseValues),
      list("sourceNames", \.sourceNames), flag("usesDefaultWhenAbsent", \.usesDefaultWhenAbsent),
      text("documentation", \.documentation),
      AttributeProperty(name: "userInfo", get: { userInfoList($0.userInfo) }) { $0.userInfo = userInfo(of: $1) },
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

/// Further information as a list of keys and values by turns, in the order of the keys; nil where there is none.
package func userInfoList(_ userInfo: [String: String]) -> [String]? {
  userInfo.isEmpty ? nil : userInfo.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
}

/// Reads such a list.
package func userInfo(of list: [String]?) -> [String: String] {
  let list = list ?? []
  return Dictionary(
    stride(from: 0, to: list.count - 1, by: 2).map { (list[$0], list[$0 + 1]) },
    uniquingKeysWith: { first, _ in first }
  )
}
