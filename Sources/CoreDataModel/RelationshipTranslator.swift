import Diagnostics
import EntityModel

/// Turns one `<relationship>` of a Core Data model into a relationship.
struct RelationshipTranslator {
  let path: String
  let element: XMLElement

  private static let understood: Set = [
    "name", "optional", "toMany", "minCount", "maxCount", "ordered", "deletionRule", "destinationEntity", "inverseName",
    "inverseEntity", "transient",
  ]

  /// What it says; its name, its target and its inverse are those in Xcode.
  func relationship() throws(ModelError) -> Relationship {
    var info = try UserInfo(of: element, path: path)
    var relationship = Relationship(
      name: try required("name"),
      target: try required("destinationEntity"),
      isToMany: isYes(element["toMany"])
    )
    relationship.inverse = element.told("inverseName")
    relationship.isOrdered = isYes(element["ordered"])
    let isOptional = isYes(element["optional"])
    relationship.isRequired = !isOptional && !relationship.isToMany
    if relationship.isToMany {
      relationship.minimumCount = try count("minCount") ?? (isOptional ? nil : 1)
      relationship.maximumCount = try count("maxCount")
    }
    relationship.deleteRule = try deleteRule()
    relationship.sourceNames = info.takeAlternatives("mappedKeyName")
    relationship.documentation = info.take("documentation")
    if let name = info.entries["relatedByAttribute"], !name.isEmpty { relationship.targetAttributes = [name] }
    relationship.userInfo = info.all(of: element, understood: Self.understood)
    return relationship
  }

  /// Lays our own entries over what Xcode says, once names are those of the model.
  func applyOwnEntries(to relationship: inout Relationship) throws(ModelError) {
    let own = try UserInfo(of: element, path: path).own
    for property in RelationshipProperty.all {
      if let values = own[property.name] { property.set(&relationship, values) }
    }
  }

  private func error(_ message: String, remedy: String? = nil) -> ModelError {
    ModelError(source: path, line: element.line, message: message, remedy: remedy)
  }

  private func required(_ name: String) throws(ModelError) -> String {
    guard let value = element[name], !value.isEmpty else { throw error("<relationship> has no '\(name)'") }
    return value
  }

  private func deleteRule() throws(ModelError) -> Relationship.DeleteRule {
    switch element["deletionRule"] {
    case "Cascade": return .cascade
    case "Deny": return .deny
    case "No Action": return .noAction
    case "Nullify", nil: return .nullify
    case let other?:
      throw error(
        "the deletion rule '\(excerpt(of: other))' is not known",
        remedy: "use Nullify, Cascade, Deny or No Action"
      )
    }
  }

  /// Xcode's name of a rule.
  static func name(of rule: Relationship.DeleteRule) -> String {
    switch rule {
    case .cascade: "Cascade"
    case .deny: "Deny"
    case .noAction: "No Action"
    case .nullify: "Nullify"
    }
  }

  /// A count; 0 is no limit, as Xcode writes it.
  private func count(_ name: String) throws(ModelError) -> Int? {
    guard let text = element[name] else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw error("'\(excerpt(of: text))' is no count for '\(name)'")
    }
    return number == 0 ? nil : number
  }
}
