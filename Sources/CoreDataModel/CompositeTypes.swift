import Diagnostics

/// The composite types of a model, whose parts become attributes of their own.
struct CompositeTypes {
  private let types: [String: XMLElement]

  init(of model: XMLElement) {
    let elements = model.all("composite") + model.all("compositeAttribute")
    types = Dictionary(elements.map { ($0["name"] ?? "", $0) }) { first, _ in first }
  }

  /// The attributes that stand for one: itself, or the parts of its composite type under names with a dot.
  ///
  /// A part is optional where it or the whole is.
  func parts(of element: XMLElement, path: String, depth: Int = 0) throws(ModelError) -> [XMLElement] {
    guard element["attributeType"] == "Composite" else { return [element] }
    let name = element["name"] ?? ""
    func error(_ message: String) -> ModelError {
      ModelError(
        source: path,
        line: element.line,
        message: "the composite attribute '\(excerpt(of: name))' \(message)",
        remedy: "choose a composite type for it in Xcode"
      )
    }
    guard depth < 16 else { throw error("holds itself") }
    // Which attribute of the element names the type depends on Xcode's version.
    let told = element.attributes.filter { $0.key != "name" && $0.key != "attributeType" }
    guard let type = told.sorted(by: { $0.key < $1.key }).compactMap({ types[$0.value] }).first else {
      throw error("names no composite type of the model")
    }
    var parts: [XMLElement] = []
    for var part in type.all("attribute") {
      part.attributes["name"] = name + "." + (part["name"] ?? "")
      if isYes(element["optional"]) { part.attributes["optional"] = "YES" }
      part.line = element.line
      parts += try self.parts(of: part, path: path, depth: depth + 1)
    }
    guard !parts.isEmpty else { throw error("has a type without attributes") }
    return parts
  }
}
