import Diagnostics
import EntityModel
import Records

/// Reads the descriptors of one kind of record as an entity, in the meaning of GNU recutils' manual.
///
/// ```text
/// %rec: Book                      the entity
/// %key: Id                        its key: required, and no two alike
/// %mandatory: Title Author        required; an empty value is one
/// %singular: ISBN                 no two alike
/// %allowed: Id Title Author Year  its attributes; %unique says what holds anyway, one value a field
/// %type: Year range 1450 2100     their types; %typedef names one
/// %doc: What is on the shelves
/// ```
struct RecordDescriptors {
  let file: String
  private(set) var entity: Entity
  private(set) var remarks: [ModelError] = []
  private var allowed: [String] = []
  /// The attributes whose type was declared.
  private var declared: Set<String> = []
  private var types: [String: [Substring]] = [:]

  init(_ lines: [DescriptorLine], name: String, file: String) {
    self.file = file
    entity = Entity(name: name)
    for line in lines where line.name == "typedef" { define(line) }
    for line in lines { take(line) }
    // The order of '%allowed' is that of the columns.
    let names = allowed
    let ranked = entity.attributes.enumerated().map { (names.firstIndex(of: $1.name) ?? names.count + $0, $1) }
    entity.attributes = ranked.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// The entity with what is to be said of it; nil where nothing was declared.
  var declaration: RecordDeclaration? {
    guard !entity.attributes.isEmpty || entity.documentation != nil || !remarks.isEmpty else { return nil }
    return RecordDeclaration(
      entity: entity,
      typedNames: declared,
      allowedNames: allowed.isEmpty ? nil : allowed,
      remarks: remarks
    )
  }

  private mutating func take(_ line: DescriptorLine) {
    let words = line.value.split(whereSeparator: { $0 == " " || $0 == "\t" })
    switch line.name {
    case "rec":
      if words.count > 1 { remark("the external source of '%rec' is not read", line) }
    case "typedef", "unique": break
    case "key":
      guard words.count == 1 else { return remark("'%key' names \(words.count) fields, and one is expected", line) }
      entity.key = [String(words[0])]
      update(words[0]) { $0.isRequired = true }
    case "mandatory":
      for word in words {
        update(word) {
          $0.isRequired = true
          $0.refusesEmptyText = false
        }
      }
    case "singular": for word in words { update(word) { $0.isUnique = true } }
    case "allowed":
      for word in words {
        update(word) { _ in }
        allowed.append(String(word))
      }
    case "type":
      guard words.count > 1 else { return remark("'%type' needs fields and a type", line) }
      for field in words[0].split(separator: ",") { declare(field, Array(words.dropFirst()), line) }
    case "doc": entity.documentation = line.value
    case let name?: remark("'%\(excerpt(of: name, limit: 40))' is not honoured", line)
    case nil: remark("a line that begins with '%' has no colon", line)
    }
  }

  private mutating func update(_ name: Substring, _ change: (inout Attribute) -> Void) {
    let index = entity.attributes.firstIndex { $0.name == name } ?? entity.attributes.count
    if index == entity.attributes.count { entity.attributes.append(Attribute(name: String(name), type: .text)) }
    change(&entity.attributes[index])
  }

  private mutating func remark(_ message: String, _ line: DescriptorLine) {
    remarks.append(ModelError(source: file, line: line.number, message: message))
  }

  // MARK: Types

  private mutating func define(_ line: DescriptorLine) {
    let words = line.value.split(whereSeparator: { $0 == " " || $0 == "\t" })
    guard words.count > 1 else { return remark("'%typedef' needs a name and a type", line) }
    types[String(words[0])] = Array(words.dropFirst())
  }

  private mutating func declare(_ field: Substring, _ type: [Substring], _ line: DescriptorLine) {
    var type = type
    // A name may stand for a name, but not for itself.
    for _ in 0..<16 {
      guard let first = type.first, let known = types[String(first)] else { break }
      type = known
    }
    guard let word = type.first else { return }
    var attribute = Attribute(name: String(field), type: .text)
    switch word {
    case "int": attribute.type = .integer(bits: 64)
    case "real": attribute.type = .double
    case "bool":
      attribute.type = .boolean
      attribute.trueValues = ["yes", "true", "1"]
      attribute.falseValues = ["no", "false", "0"]
    case "date": attribute.type = .date
    case "uuid": attribute.type = .uuid
    case "line": attribute.pattern = "[^\\r\\n]*"
    case "email": attribute.pattern = "[^@\\s]+@[^@\\s]+"
    case "field": attribute.pattern = "[A-Za-z%][A-Za-z0-9_]*:?"
    case "range":
      let bounds = type.count == 2 ? ["0", type[1]] : Array(type.dropFirst().prefix(2))
      guard bounds.count == 2, bounds.allSatisfy({ $0 == "MIN" || $0 == "MAX" || Int64($0) != nil }) else {
        return remark("'range' needs whole numbers", line)
      }
      attribute.type = .integer(bits: 64)
      if bounds[0] != "MIN" { attribute.minimum = String(bounds[0]) }
      if bounds[1] != "MAX" { attribute.maximum = String(bounds[1]) }
    case "size":
      guard type.count == 2, let size = Int(type[1]), size >= 0 else { return remark("'size' needs a count", line) }
      attribute.maximumLength = size
    case "enum":
      // What stands in parentheses is a comment.
      var values: [String] = []
      var depth = 0
      for part in type.dropFirst() {
        if part.hasPrefix("(") { depth += 1 }
        if depth == 0 { values.append(String(part)) }
        if part.hasSuffix(")"), depth > 0 { depth -= 1 }
      }
      attribute.allowedValues = values
    case "regexp":
      let text = type.dropFirst().joined(separator: " ")
      guard let pattern = Self.pattern(of: text) else {
        return remark("the pattern '\(excerpt(of: text))' cannot be read", line)
      }
      attribute.pattern = pattern
    default: return remark("the type '\(excerpt(of: String(word), limit: 40))' is not honoured", line)
    }
    declared.insert(attribute.name)
    update(field) {
      attribute.isRequired = $0.isRequired
      attribute.refusesEmptyText = $0.refusesEmptyText
      attribute.isUnique = $0.isUnique
      $0 = attribute
    }
  }

  /// A pattern for the whole value from one that may match within it, between two marks such as `/`.
  private static func pattern(of text: String) -> String? {
    guard text.count > 1, let first = text.first, first == text.last else { return nil }
    var body = String(text.dropFirst().dropLast())
    let isBegun = body.hasPrefix("^")
    let isEnded = body.hasSuffix("$") && !body.hasSuffix("\\$")
    if isBegun { body.removeFirst() }
    if isEnded { body.removeLast() }
    let pattern = (isBegun ? "" : "[\\s\\S]*") + "(?:" + body + ")" + (isEnded ? "" : "[\\s\\S]*")
    return (try? Regex(pattern)) == nil ? nil : pattern
  }
}
