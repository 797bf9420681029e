import Diagnostics
import EntityModel
import JSONSyntax

/// What stands in an element's `<userInfo>`, and in attributes of Xcode's that say nothing of the data.
struct UserInfo {
  /// Keys that begin like this are ours: what Core Data cannot say of a model.
  static let ownPrefix = "importer."
  /// Attributes of Xcode's such as `representedClassName`, kept under such keys so that they can be written again.
  static let xcodePrefix = "xcode."

  /// All but ours.
  private(set) var entries: [String: String] = [:]
  /// Ours, without the prefix.
  private(set) var own: [String: [String]?] = [:]

  /// Reads an element's entries.
  init(of element: XMLElement, path: String) throws(ModelError) {
    for entry in element.first("userInfo")?.all("entry") ?? [] {
      guard let key = entry["key"], let value = entry["value"] else { continue }
      if key.hasPrefix(Self.ownPrefix) {
        own[String(key.dropFirst(Self.ownPrefix.count))] = .some(try Self.decoded(value, at: entry, path: path))
      } else {
        entries[key] = value
      }
    }
  }

  /// Takes an entry out.
  mutating func take(_ key: String) -> String? { entries.removeValue(forKey: key) }

  /// Takes `KEY`, `KEY.1` to `KEY.9` out, in this order.
  mutating func takeAlternatives(_ key: String) -> [String] {
    Self.alternatives(key).compactMap { take($0) }
  }

  /// `KEY`, `KEY.1` to `KEY.9`.
  static func alternatives(_ key: String) -> [String] { [key] + (1...9).map { "\(key).\($0)" } }

  /// The entries together with the attributes of Xcode's that nothing here understands.
  func all(of element: XMLElement, understood: Set<String>) -> [String: String] {
    var result = entries
    for (name, value) in element.attributes where !understood.contains(name) {
      // What Xcode writes everywhere says nothing.
      if name == "syncable", value == "YES" { continue }
      result[Self.xcodePrefix + name] = value
    }
    return result
  }

  // MARK: Our own values

  /// A property's texts as an entry's value: the text itself where there is one, else JSON.
  static func encoded(_ values: [String]?) -> String {
    guard let values else { return "null" }
    if values.count == 1, values[0] != "null", !values[0].hasPrefix("["), XMLText.canHold(values[0]) {
      return values[0]
    }
    var json = JSONWriter(layout: .compact)
    json.beginArray()
    for value in values { json.string(value) }
    json.endArray()
    return json.text
  }

  private static func decoded(_ text: String, at entry: XMLElement, path: String) throws(ModelError) -> [String]? {
    if text == "null" { return nil }
    guard text.hasPrefix("[") else { return [text] }
    let values = (try? JSONParser.parse(Array(text.utf8).span))?.elements?.map(\.string)
    guard let values, !values.contains(nil) else {
      throw ModelError(
        source: path,
        line: entry.line,
        message: "'\(excerpt(of: text))' is no list of texts in JSON",
        remedy: "mend the entry, or take it out"
      )
    }
    return values.compactMap(\.self)
  }
}

/// Whether Objective-C's `boolValue` is true of a text, as MagicalRecord asks.
func isTrue(_ text: String?) -> Bool {
  guard let first = text?.drop(while: { " +-0".contains($0) }).first else { return false }
  return "YyTt123456789".contains(first)
}
