import Diagnostics
import EntityModel

/// Turns the elements of a Core Data model into entities.
struct ModelTranslator {
  let path: String
  /// The `<entity>` elements.
  let elements: [XMLElement]

  func model() throws(ModelError) -> EntityModel {
    var positions: [String: Int] = [:]
    var own: [Entity] = []
    for element in elements {
      let entity = try self.entity(element)
      guard positions.updateValue(own.count, forKey: entity.name) == nil else {
        throw error(element, "the entity '\(excerpt(of: entity.name))' is there twice", remedy: "rename one of them")
      }
      own.append(entity)
    }
    var entities: [Entity] = []
    for (position, element) in elements.enumerated() {
      entities.append(try inheriting(own[position], element, from: own, at: positions))
    }
    for (position, element) in elements.enumerated() {
      for relationship in entities[position].relationships where positions[relationship.target] == nil {
        throw error(
          element,
          "the relationship '\(excerpt(of: relationship.name))' leads to the entity "
            + "'\(excerpt(of: relationship.target))', which the model does not have",
          remedy: "add the entity, or take the relationship out"
        )
      }
    }
    return EntityModel(entities: entities)
  }

  private func error(_ element: XMLElement, _ message: String, remedy: String? = nil) -> ModelError {
    ModelError(source: path, line: element.line, message: message, remedy: remedy)
  }

  private func required(_ name: String, of element: XMLElement) throws(ModelError) -> String {
    guard let value = element[name], !value.isEmpty else {
      throw error(element, "<\(excerpt(of: element.name))> has no '\(name)'")
    }
    return value
  }

  // MARK: Entities

  private func entity(_ element: XMLElement) throws(ModelError) -> Entity {
    var entity = Entity(name: try required("name", of: element))
    entity.isAbstract = isYes(element["isAbstract"])
    entity.parent = element["parentEntity"]
    for child in element.all("attribute") where !isYes(child["transient"]) && child["attributeType"] != "Undefined" {
      entity.attributes.append(try AttributeTranslator(path: path, element: child).attribute())
    }
    for child in element.all("relationship") where !isYes(child["transient"]) {
      entity.relationships.append(try relationship(child))
    }
    return entity
  }

  /// An entity with all that its ancestors give it.
  private func inheriting(
    _ entity: Entity,
    _ element: XMLElement,
    from own: [Entity],
    at positions: [String: Int]
  ) throws(ModelError) -> Entity {
    var result = entity
    var constraints = constraints(of: element)
    var visited: Set<String> = [entity.name]
    var parent = entity.parent
    while let name = parent {
      guard visited.insert(name).inserted else {
        throw error(element, "the entity '\(excerpt(of: entity.name))' is its own ancestor")
      }
      guard let position = positions[name] else {
        throw error(element, "the parent entity '\(excerpt(of: name))' is not in the model")
      }
      result.attributes.insert(contentsOf: own[position].attributes, at: 0)
      result.relationships.insert(contentsOf: own[position].relationships, at: 0)
      constraints = self.constraints(of: elements[position]) + constraints
      parent = own[position].parent
    }
    var names: Set<String> = []
    for name in result.attributes.map(\.name) + result.relationships.map(\.name) where !names.insert(name).inserted {
      throw error(element, "the entity '\(excerpt(of: entity.name))' has the property '\(excerpt(of: name))' twice")
    }
    for constraint in constraints {
      for name in constraint where !names.contains(name) {
        throw error(
          element,
          "a uniqueness constraint of '\(excerpt(of: entity.name))' names '\(excerpt(of: name))', which it does not have"
        )
      }
    }
    apply(constraints, to: &result)
    return result
  }

  private func constraints(of element: XMLElement) -> [[String]] {
    guard let list = element.first("uniquenessConstraints") else { return [] }
    return list.all("uniquenessConstraint")
      .map { $0.all("constraint").compactMap { $0["value"] } }
      .filter { !$0.isEmpty }
  }

  private func apply(_ constraints: [[String]], to entity: inout Entity) {
    let attributes = Set(entity.attributes.map(\.name))
    for constraint in constraints {
      if entity.key.isEmpty, attributes.isSuperset(of: constraint) {
        entity.key = constraint
      } else if constraint.count == 1, let position = entity.attributes.firstIndex(where: { $0.name == constraint[0] })
      {
        if entity.key != constraint { entity.attributes[position].isUnique = true }
      } else if !entity.uniqueSets.contains(constraint), entity.key != constraint {
        entity.uniqueSets.append(constraint)
      }
    }
    // MagicalRecord's primary key, where the model has no constraint.
    guard entity.key.isEmpty, let element = elements.first(where: { $0["name"] == entity.name }) else { return }
    if let name = userInfo(of: element)["relatedByAttribute"], attributes.contains(name) { entity.key = [name] }
  }

  // MARK: Relationships

  private func relationship(_ element: XMLElement) throws(ModelError) -> Relationship {
    var relationship = Relationship(
      name: try required("name", of: element),
      target: try required("destinationEntity", of: element),
      isToMany: isYes(element["toMany"])
    )
    relationship.inverse = element["inverseName"]
    relationship.isOrdered = isYes(element["ordered"])
    let isOptional = isYes(element["optional"])
    relationship.isRequired = !isOptional && !relationship.isToMany
    if relationship.isToMany {
      relationship.minimumCount = try count("minCount", of: element) ?? (isOptional ? nil : 1)
      relationship.maximumCount = try count("maxCount", of: element)
    }
    switch element["deletionRule"] {
    case "Cascade": relationship.deleteRule = .cascade
    case "Deny": relationship.deleteRule = .deny
    case "No Action": relationship.deleteRule = .noAction
    case "Nullify", nil: relationship.deleteRule = .nullify
    case let other?:
      throw error(
        element,
        "the deletion rule '\(excerpt(of: other))' is not known",
        remedy: "use Nullify, Cascade, Deny or No Action"
      )
    }
    return relationship
  }

  /// A count; 0 is no limit, as Xcode writes it.
  private func count(_ name: String, of element: XMLElement) throws(ModelError) -> Int? {
    guard let text = element[name] else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw error(element, "'\(excerpt(of: text))' is no count for '\(name)'")
    }
    return number == 0 ? nil : number
  }
}

/// Whether Xcode says yes.
func isYes(_ text: String?) -> Bool { text == "YES" }

/// The entries of an element's `<userInfo>`.
func userInfo(of element: XMLElement) -> [String: String] {
  var result: [String: String] = [:]
  for entry in element.first("userInfo")?.all("entry") ?? [] {
    if let key = entry["key"], let value = entry["value"] { result[key] = value }
  }
  return result
}
