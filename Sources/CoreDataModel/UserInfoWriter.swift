import EntityModel

/// Gathers the entries of an element's `<userInfo>`.
struct UserInfoWriter {
  private var entries: [String: String] = [:]

  /// Begins with a model's own information; what Xcode says in attributes becomes attributes again.
  init(of userInfo: [String: String], for element: inout XMLElement) {
    for (key, value) in userInfo where XMLText.canHold(key) && XMLText.canHold(value) {
      if key.hasPrefix(UserInfo.xcodePrefix) {
        let name = String(key.dropFirst(UserInfo.xcodePrefix.count))
        if Self.isName(name), element[name] == nil { element.attributes[name] = value }
      } else if !key.hasPrefix(UserInfo.ownPrefix) {
        entries[key] = value
      }
    }
  }

  /// Begins with what an element has.
  init(continuing element: XMLElement) {
    for entry in element.first("userInfo")?.all("entry") ?? [] { entries[entry["key"] ?? ""] = entry["value"] }
  }

  /// Whether a text is a plain name of an XML attribute.
  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, (0x41...0x5A).contains(first & 0xDF) else { return false }
    return text.utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) || (0x30...0x39).contains($0) }
  }

  /// Adds an entry, if there is a value that XML can hold.
  mutating func add(_ key: String, _ value: String?) {
    guard let value, XMLText.canHold(value) else { return }
    entries[key] = value
  }

  /// Adds `KEY`, `KEY.1` to `KEY.9` for texts that are no more than ten.
  mutating func addAlternatives(_ key: String, _ values: [String]) {
    let keys = UserInfo.alternatives(key)
    guard values.count <= keys.count, values.allSatisfy(XMLText.canHold) else { return }
    for (key, value) in zip(keys, values) { entries[key] = value }
  }

  /// Adds one of our own entries.
  mutating func addOwn(_ property: String, _ values: [String]?) {
    entries[UserInfo.ownPrefix + property] = UserInfo.encoded(values)
  }

  /// Puts the entries, in the order of their keys, where Xcode puts them: last.
  func write(to element: inout XMLElement) {
    element.children.removeAll { $0.name == "userInfo" }
    guard !entries.isEmpty else { return }
    var list = XMLElement(name: "userInfo", line: 1)
    for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
      var entry = XMLElement(name: "entry", line: 1)
      entry.attributes = ["key": key, "value": value]
      list.children.append(entry)
    }
    element.children.append(list)
  }
}
