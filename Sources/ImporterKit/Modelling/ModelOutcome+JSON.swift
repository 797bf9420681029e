import Diagnostics
import EntityModel
import JSONSyntax

extension ModelOutcome {
  /// The version of the form that `json` writes; it grows when a field changes its meaning or goes.
  public static let jsonVersion = 1

  /// The model as one JSON object, for programs; it ends with a line end.
  ///
  /// Fields that have nothing to say are left out; new fields may appear in the same version.
  public func json() -> String {
    var json = JSONWriter(layout: .pretty)
    json.beginObject()
    json.member("version", Self.jsonVersion)
    json.member("command", "model")
    json.member("source", source)
    json.member("origin", origin.rawValue)
    json.array("entities", model.entities) { json, entity in entity.write(to: &json) }
    json.array("remarks", remarks) { json, remark in
      json.member("file", remark.source)
      json.member("line", remark.line)
      json.member("message", remark.message)
      json.member("hint", remark.remedy)
    }
    json.endObject()
    return json.text + "\n"
  }
}

extension Entity {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("name", name)
    json.member("abstract", isAbstract)
    json.member("parent", parent)
    json.member("key", key)
    if !uniqueSets.isEmpty {
      json.name("uniqueSets")
      json.beginArray()
      for set in uniqueSets {
        json.beginArray()
        for name in set { json.string(name) }
        json.endArray()
      }
      json.endArray()
    }
    json.member("documentation", documentation)
    json.texts("userInfo", userInfo)
    json.array("attributes", attributes) { json, attribute in attribute.write(to: &json) }
    json.array("relationships", relationships) { json, link in link.write(to: &json) }
  }
}

extension Attribute {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("name", name)
    json.member("type", type.name)
    json.member("required", isRequired)
    if isRequired { json.member("refusesEmptyText", refusesEmptyText) }
    json.member("unique", isUnique)
    json.member("default", defaultValue)
    if usesDefaultWhenAbsent { json.member("usesDefaultWhenAbsent", true) }
    json.member("minimum", minimum)
    json.member("maximum", maximum)
    json.member("minimumLength", minimumLength)
    json.member("maximumLength", maximumLength)
    json.member("pattern", pattern)
    if let allowedValues { json.member("allowedValues", allowedValues) }
    if !dateFormats.isEmpty { json.member("dateFormats", dateFormats) }
    if !trueValues.isEmpty { json.member("trueValues", trueValues) }
    if !falseValues.isEmpty { json.member("falseValues", falseValues) }
    if !sourceNames.isEmpty { json.member("sourceNames", sourceNames) }
    json.member("documentation", documentation)
    json.texts("userInfo", userInfo)
  }
}

extension Relationship {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("name", name)
    json.member("target", target)
    json.member("inverse", inverse)
    json.member("toMany", isToMany)
    json.member("ordered", isOrdered)
    json.member("required", isRequired)
    json.member("minimumCount", minimumCount)
    json.member("maximumCount", maximumCount)
    json.member("deleteRule", deleteRule.rawValue)
    if !attributes.isEmpty { json.member("attributes", attributes) }
    if !targetAttributes.isEmpty { json.member("targetAttributes", targetAttributes) }
    if !sourceNames.isEmpty { json.member("sourceNames", sourceNames) }
    json.member("documentation", documentation)
    json.texts("userInfo", userInfo)
  }
}

extension JSONWriter {
  /// Writes a member that is an object of texts, in the order of their names; none where there are none.
  fileprivate mutating func texts(_ name: String, _ texts: [String: String]) {
    guard !texts.isEmpty else { return }
    self.name(name)
    beginObject()
    for (key, value) in texts.sorted(by: { $0.key < $1.key }) { member(key, value) }
    endObject()
  }
}
