import EntityModel

/// The names that a model's entities and properties have in Xcode, where names are identifiers.
///
/// A child has its ancestors' properties under their names. Attributes and relationships share one space of names, so
/// that one of a pair with the same name gets another; relationships choose first.
struct XcodeNames {
  /// By the names in the model.
  private(set) var entities: [String: String] = [:]
  private var properties: [String: Properties] = [:]

  /// The names of one entity's properties, by those in the model.
  struct Properties {
    var attributes: [String: String] = [:]
    var relationships: [String: String] = [:]
    fileprivate var taken: Set<String> = []

    fileprivate mutating func add(_ entity: Entity) {
      for link in entity.relationships where relationships[link.name] == nil {
        relationships[link.name] = XcodeNames.unused(link.name, &taken)
      }
      for attribute in entity.attributes where attributes[attribute.name] == nil {
        attributes[attribute.name] = XcodeNames.unused(attribute.name, &taken)
      }
    }
  }

  /// Chooses the names.
  ///
  /// - Parameter lineages: The entities that inherit in Xcode, each with the parent.
  init(of model: EntityModel, parents: [String: Entity]) {
    var taken: Set<String> = []
    for entity in model.entities { entities[entity.name] = Self.unused(entity.name, &taken) }
    for entity in model.entities { addProperties(of: entity, parents) }
  }

  private mutating func addProperties(of entity: Entity, _ parents: [String: Entity]) {
    guard properties[entity.name] == nil else { return }
    var own = Properties()
    if let parent = parents[entity.name] {
      addProperties(of: parent, parents)
      own = properties[parent.name] ?? own
    }
    own.add(entity)
    properties[entity.name] = own
  }

  /// The names of an entity's properties.
  subscript(entity: String) -> Properties { properties[entity] ?? Properties() }

  /// Names that Objective-C's objects take for themselves.
  private static let reserved: Set = [
    "class", "self", "superclass", "hash", "description", "debugDescription", "init", "copy", "zone", "retain",
    "release", "autorelease", "entity", "objectID", "managedObjectContext", "isDeleted", "isUpdated", "isInserted",
    "isFault", "isProxy", "hasChanges",
  ]

  /// A name as an identifier that no other has.
  private static func unused(_ name: String, _ taken: inout Set<String>) -> String {
    var identifier = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      let isLetter = scalar.properties.isAlphabetic && scalar.properties.canonicalCombiningClass == .notReordered
      identifier.append(isLetter || ("0"..."9").contains(scalar) ? scalar : "_")
    }
    if identifier.first?.properties.isAlphabetic != true { identifier.insert("x", at: identifier.startIndex) }
    var proposal = String(identifier)
    if reserved.contains(proposal) { proposal += "_" }
    var result = proposal
    var number = 2
    while !taken.insert(result).inserted {
      result = "\(proposal)_\(number)"
      number += 1
    }
    return result
  }
}
