import Diagnostics
import JSONSyntax

/// A value of a descriptor together with the file it stands in, so that every complaint has a place.
struct DescriptorNode {
  let value: JSONValue
  /// The file, as messages name it.
  let source: String
  /// What the value is called in messages, such as `'delimiter'`.
  let label: String

  /// Reads a descriptor's text.
  init(parsing bytes: [UInt8], source: String) throws(ModelError) {
    do throws(JSONSyntaxError) {
      value = try JSONParser.parse(bytes.span)
    } catch {
      throw ModelError(
        source: source,
        line: error.place.line,
        message: "this is not JSON, from column \(error.place.column) on: \(error.description)",
        remedy: "mend the file; a JSON checker shows the place"
      )
    }
    self.source = source
    label = "the descriptor"
  }

  private init(_ value: JSONValue, source: String, label: String) {
    self.value = value
    self.source = source
    self.label = label
  }

  /// The property of that name; nil where it is absent or `null`.
  subscript(_ name: String) -> DescriptorNode? {
    guard let value = value[name], !value.isNull else { return nil }
    return DescriptorNode(value, source: source, label: "'\(name)'")
  }

  /// The names of an object's properties, in the order of the file.
  var propertyNames: [String] { value.members?.map(\.name) ?? [] }

  /// Whether the property of that name is `null`, and not just absent.
  func hasNull(_ name: String) -> Bool { value[name]?.isNull == true }

  /// The description, else the title.
  func documentation() throws(ModelError) -> String? {
    if let description = self["description"] { return try description.string() }
    return try self["title"]?.string()
  }

  /// The first of some properties that is there; a string that is not empty.
  func name(_ properties: String...) throws(ModelError) -> String? {
    for property in properties {
      if let node = self[property] { return try node.nonEmptyString() }
    }
    return nil
  }

  /// A complaint about this value.
  func error(_ message: String, remedy: String? = nil) -> ModelError {
    ModelError(source: source, line: value.place.line, message: message, remedy: remedy)
  }

  private func mismatch(_ expected: String) -> ModelError {
    error(
      "\(label) must be \(expected), found \(value.kindName)",
      remedy: "see the standard at https://datapackage.org"
    )
  }

  /// Whether this is a string.
  var isString: Bool { value.string != nil }

  /// Whether this is an array without elements.
  var isEmptyArray: Bool { value.elements?.isEmpty == true }

  /// Checks that this is an object.
  func requireObject() throws(ModelError) {
    guard value.members != nil else { throw mismatch("an object") }
  }

  /// The text of a string.
  func string() throws(ModelError) -> String {
    guard let text = value.string else { throw mismatch("a string") }
    return text
  }

  /// The text of a string that is not empty.
  func nonEmptyString() throws(ModelError) -> String {
    let text = try string()
    guard !text.isEmpty else { throw error("\(label) must not be the empty string") }
    return text
  }

  /// A truth value.
  func boolean() throws(ModelError) -> Bool {
    guard let flag = value.boolean else { throw mismatch("true or false") }
    return flag
  }

  /// A whole number, 0 or greater.
  func count() throws(ModelError) -> Int {
    guard let number = value.integer, number >= 0 else { throw mismatch("a whole number, 0 or greater") }
    return number
  }

  /// The elements of an array.
  func elements() throws(ModelError) -> [DescriptorNode] {
    guard let elements = value.elements else { throw mismatch("an array") }
    return elements.map { DescriptorNode($0, source: source, label: "an element of \(label)") }
  }

  /// The texts of an array of strings.
  func strings() throws(ModelError) -> [String] {
    var texts: [String] = []
    for element in try elements() { texts.append(try element.string()) }
    return texts
  }

  /// The properties of an object that are strings, each once.
  func texts() throws(ModelError) -> [String: String] {
    try requireObject()
    var texts: [String: String] = [:]
    for name in propertyNames {
      guard let property = self[name] else { continue }
      texts[name] = try property.string()
    }
    return texts
  }

  /// The texts of a string, or of an array of at least one.
  func oneOrMoreStrings() throws(ModelError) -> [String] {
    if let text = value.string { return [text] }
    guard value.elements != nil else { throw mismatch("a string or an array of strings") }
    let texts = try strings()
    guard !texts.isEmpty else { throw error("\(label) must not be an empty array") }
    return texts
  }

  /// A value of a field, spelled as in a file: a string's text, a number's digits, `true` or `false`.
  func spelling() throws(ModelError) -> String {
    switch value.content {
    case .string(let text): text
    case .number(let digits): digits
    case .boolean(let flag): flag ? "true" : "false"
    case .object, .array, .null: throw mismatch("a string, a number, true or false")
    }
  }

  /// What `missingValues` holds: strings, or objects whose `value` counts (version 2).
  func missingValues() throws(ModelError) -> [String] {
    var texts: [String] = []
    for element in try elements() {
      if element.value.members != nil {
        guard let value = element["value"] else { throw element.error("\(element.label) has no 'value'") }
        texts.append(try value.string())
      } else {
        texts.append(try element.string())
      }
    }
    return texts
  }
}
