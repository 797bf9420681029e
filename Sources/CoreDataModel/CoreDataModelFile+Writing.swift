package import Diagnostics
package import EntityModel

extension CoreDataModelFile {
  /// Writes a `contents` that gives the same model when it is read again.
  ///
  /// What Core Data's own words give back stands in them alone. Every property that they do not give back, found by
  /// reading each element as it is written, becomes an entry of the element's `<userInfo>` whose key begins with
  /// `importer.`.
  ///
  /// - Returns: UTF-8 as Xcode writes it; the same bytes for the same model.
  /// - Throws: `ModelError` for what could not be read back; a fault of this program.
  package static func write(_ model: EntityModel, path: String = "contents") throws(ModelError) -> [UInt8] {
    for entity in model.entities {
      for link in entity.relationships where !model.entities.contains(where: { $0.name == link.target }) {
        throw ModelError(
          source: path,
          message: "the relationship '\(excerpt(of: link.name))' of '\(excerpt(of: entity.name))' leads to "
            + "'\(excerpt(of: link.target))', which the model does not have and Core Data asks for",
          remedy: "add the entity to the model"
        )
      }
    }
    let root = try ModelWriter(model).root()
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
    root.write(to: &text)
    let bytes = Array(text.utf8)
    guard try read(bytes, path: path).model == model else {
      throw ModelError(
        source: path,
        message: "the model would not be the same when it is read again from a Core Data model",
        remedy: "choose another form, such as --as datapackage"
      )
    }
    return bytes
  }
}

/// Turns entities into the elements of a Core Data model.
struct ModelWriter {
  private let model: EntityModel
  /// The parents of the entities that inherit in Xcode's sense.
  private let parents: [String: Entity]
  private let names: XcodeNames

  init(_ model: EntityModel) {
    self.model = model
    var parents: [String: Entity] = [:]
    for entity in model.entities {
      guard let parent = model.entities.first(where: { $0.name == entity.parent }), entity.extends(parent) else {
        continue
      }
      parents[entity.name] = parent
    }
    // Nobody is among the own ancestors.
    for entity in model.entities {
      var ancestor = parents[entity.name]
      var visited: Set = [entity.name]
      while let name = ancestor?.name, visited.insert(name).inserted { ancestor = parents[name] }
      if ancestor != nil { parents[entity.name] = nil }
    }
    self.parents = parents
    names = XcodeNames(of: model, parents: parents)
  }

  func root() throws(ModelError) -> XMLElement {
    var root = XMLElement(name: "model", line: 1)
    root.attributes = [
      "type": "com.apple.IDECoreDataModeler.DataModel", "documentVersion": "1.0", "minimumToolsVersion": "Automatic",
      "sourceLanguage": "Swift", "userDefinedModelVersionIdentifier": "",
    ]
    for entity in model.entities { root.children.append(try element(of: entity)) }
    try addEntityEntries(to: &root)
    return root
  }

  private func element(of entity: Entity) throws(ModelError) -> XMLElement {
    var element = XMLElement(name: "entity", line: 1)
    let name = names.entities[entity.name] ?? entity.name
    element.attributes = ["name": name, "syncable": "YES"]
    if entity.isAbstract { element.attributes["isAbstract"] = "YES" }
    let parent = parents[entity.name]
    if let parent { element.attributes["parentEntity"] = names.entities[parent.name] }
    let own = names[entity.name]
    for attribute in entity.attributes.dropFirst(parent?.attributes.count ?? 0) {
      let writer = AttributeWriter(attribute: attribute, name: own.attributes[attribute.name] ?? attribute.name)
      element.children.append(try writer.element())
    }
    for link in entity.relationships.dropFirst(parent?.relationships.count ?? 0) {
      let writer = RelationshipWriter(
        relationship: link,
        name: own.relationships[link.name] ?? link.name,
        target: names.entities[link.target] ?? link.target,
        inverse: link.inverse.flatMap { names[link.target].relationships[$0] }
      )
      element.children.append(try writer.element())
    }
    addConstraints(of: entity, names: own, to: &element)
    var entries = UserInfoWriter(of: entity.userInfo, for: &element)
    entries.add("documentation", entity.documentation)
    if name != entity.name { entries.addOwn("name", [entity.name]) }
    entries.write(to: &element)
    return element
  }

  /// Writes the key, unique attributes and sets that no ancestor gives.
  private func addConstraints(of entity: Entity, names: XcodeNames.Properties, to element: inout XMLElement) {
    var known = parents[entity.name]?.constraints ?? []
    var list = XMLElement(name: "uniquenessConstraints", line: 1)
    for constraint in entity.constraints where !known.contains(constraint) {
      known.append(constraint)
      var item = XMLElement(name: "uniquenessConstraint", line: 1)
      for name in constraint {
        var part = XMLElement(name: "constraint", line: 1)
        part.attributes["value"] = names.attributes[name] ?? names.relationships[name]
        item.children.append(part)
      }
      // A set of what is not there can only be kept in our own words.
      if item.children.allSatisfy({ $0["value"] != nil }) { list.children.append(item) }
    }
    if !list.children.isEmpty { element.children.append(list) }
  }

  /// Reads all that has been written, and keeps beside each entity what differs.
  private func addEntityEntries(to root: inout XMLElement) throws(ModelError) {
    var translator = try ModelTranslator(path: "contents", root: root)
    let read = try translator.model()
    for (position, entity) in model.entities.enumerated() {
      var entries = UserInfoWriter(continuing: root.children[position])
      for property in EntityEntry.all {
        let wanted = property.get(entity)
        if wanted != property.get(read.entities[position]) { entries.addOwn(property.name, wanted) }
      }
      entries.write(to: &root.children[position])
    }
  }
}

extension Entity {
  /// What must be unique, the key first.
  fileprivate var constraints: [[String]] {
    (key.isEmpty ? [] : [key]) + attributes.filter(\.isUnique).map { [$0.name] } + uniqueSets
  }

  /// Whether all that a parent has stands before what is its own, but for what must be unique.
  fileprivate func extends(_ parent: Entity) -> Bool {
    func plain(_ attributes: some Sequence<Attribute>) -> [Attribute] {
      attributes.map { attribute in
        var attribute = attribute
        attribute.isUnique = false
        return attribute
      }
    }
    let own = attributes.dropFirst(parent.attributes.count)
    let names = Set(parent.attributes.map(\.name))
    let links = Set(parent.relationships.map(\.name))
    return plain(attributes.prefix(parent.attributes.count)) == plain(parent.attributes)
      && relationships.starts(with: parent.relationships) && !own.contains { names.contains($0.name) }
      && !relationships.dropFirst(parent.relationships.count).contains { links.contains($0.name) }
  }
}
