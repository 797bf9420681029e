import Diagnostics

/// What a Core Data model says and this one does not take over, gathered so that each kind is told once.
struct ModelRemarks {
  private enum Kind: CaseIterable {
    case transient, derived, untyped, transformable, relatedByNothing, abstractTarget
  }

  private let path: String
  private var found: [Kind: [(name: String, line: Int)]] = [:]

  init(path: String) { self.path = path }

  private mutating func add(_ kind: Kind, _ owner: String, _ element: XMLElement, _ name: String? = nil) {
    let property = name ?? element["name"] ?? ""
    found[kind, default: []].append((property.isEmpty ? owner : owner + "." + property, element.line))
  }

  /// Whether no store holds an attribute, which is noted.
  mutating func leavesOut(attribute element: XMLElement, of entity: String) -> Bool {
    if isYes(element["transient"]) {
      add(.transient, entity, element)
    } else if isYes(element["derived"]) || element["derivationExpression"] != nil {
      add(.derived, entity, element)
    } else if element["attributeType"] == "Undefined" {
      add(.untyped, entity, element)
    } else {
      return false
    }
    return true
  }

  /// Whether no store holds a relationship, which is noted.
  mutating func leavesOut(relationship element: XMLElement, of entity: String) -> Bool {
    guard isYes(element["transient"]) else { return false }
    add(.transient, entity, element)
    return true
  }

  /// Notes what is special about an attribute.
  mutating func note(attribute element: XMLElement, of entity: String) {
    if element["attributeType"] == "Transformable" { add(.transformable, entity, element) }
  }

  /// Notes that `relatedByAttribute` names no attribute.
  mutating func noteRelatedByNothing(_ element: XMLElement, of entity: String, relationship: String = "") {
    add(.relatedByNothing, entity, element, relationship)
  }

  /// Notes that a relationship leads to an entity that has no table.
  mutating func noteAbstractTarget(_ element: XMLElement, of entity: String) {
    add(.abstractTarget, entity, element)
  }

  /// One remark a kind, at the line of its first place.
  var all: [ModelError] {
    Kind.allCases.compactMap { kind in
      guard let places = found[kind], let first = places.first else { return nil }
      let shown = places.prefix(5).map { "'\(excerpt(of: $0.name))'" }.joined(separator: ", ")
      let names = shown + (places.count > 5 ? " and \(places.count - 5) more" : "")
      let (message, remedy) = Self.words(for: kind, names)
      return ModelError(source: path, line: first.line, message: message, remedy: remedy)
    }
  }

  private static func words(for kind: Kind, _ names: String) -> (String, String) {
    switch kind {
    case .transient:
      ("these are transient, in no store, and left out: \(names)", "let them not be transient if they are to be loaded")
    case .derived:
      ("Core Data derives these itself, and they are left out: \(names)", "load what they are derived from")
    case .untyped:
      ("these have no type and are left out: \(names)", "give them a type in Xcode")
    case .transformable:
      (
        "these are transformable, and stored as the bytes that are given, without Core Data's transformer: \(names)",
        "give the bytes that the transformer makes, or choose a plain type"
      )
    case .relatedByNothing:
      ("'relatedByAttribute' names no attribute: \(names)", "name an attribute of the entity that is related to")
    case .abstractTarget:
      (
        "these lead to an abstract entity, which has no table, and cannot be loaded: \(names)",
        "let them lead to an entity that is not abstract"
      )
    }
  }
}
