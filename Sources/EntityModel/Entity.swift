/// A kind of thing: a table whose rows are the records of some files.
public struct Entity: Sendable, Hashable {
  /// The name, which is also the table's.
  public var name: String
  /// Its attributes, in the order of the table's columns.
  public var attributes: [Attribute]
  /// The names of what tells one row from another, attributes or to-one relationships; empty without a key.
  public var key: [String]
  /// The column that numbers the rows for those that refer to them; nil where the key serves, or nothing refers to them.
  public var surrogate: String?
  /// Whether the key is a number that a row without one is given.
  public var numbersRows: Bool
  /// Further sets of attributes that must be unique together; single ones are `Attribute.isUnique`.
  public var uniqueSets: [[String]]
  /// Its links to other entities.
  public var relationships: [Relationship]
  /// Whether it only serves as a parent of others.
  public var isAbstract: Bool
  /// The entity whose attributes it inherits.
  public var parent: String?
  /// A sentence for people.
  public var documentation: String?
  /// What else its source says of it, kept for those who know what it means.
  public var userInfo: [String: String]
  /// The relationship whose pairs are its rows, one of the entity that its `source` leads to; nil for all that are no join
  /// tables.
  public var joinedRelationship: String?
  /// Whether the delimited text that its rows first came from had a header, or was given names.
  public var sourceHasHeader: Bool

  /// Makes an entity without key or links.
  public init(name: String, attributes: [Attribute] = [], key: [String] = []) {
    self.name = name
    self.attributes = attributes
    self.key = key
    uniqueSets = []
    relationships = []
    isAbstract = false
    userInfo = [:]
    numbersRows = false
    sourceHasHeader = true
  }

  /// The attribute of that name.
  public func attribute(named name: String) -> Attribute? {
    attributes.first { $0.name == name }
  }
}

extension Entity {
  /// The entity without the attributes that serve one run alone.
  package var withoutRunAttributes: Entity {
    var entity = self
    entity.attributes.removeAll { $0.runUse != nil }
    return entity
  }

  /// The positions of the attributes that give a to-one relationship's target by its key.
  package func attributes(giving link: Relationship) -> [Int] {
    attributes.indices.filter { position in
      attributes[position].runUse == nil && !attributes[position].isList
        && (link.attributes.isEmpty
          ? attributes[position].keyPath.first == link.name : link.attributes.contains(attributes[position].name))
    }
  }
}

/// A link from one entity to another.
public struct Relationship: Sendable, Hashable {
  /// What becomes of the other end when a row is deleted.
  public enum DeleteRule: String, Sendable, Hashable {
    case cascade, nullify, deny
    case noAction = "no action"
  }

  /// The name; a to-one's column is named after it.
  public var name: String
  /// The entity at the other end.
  public var target: String
  /// The relationship that leads back.
  public var inverse: String?
  /// Whether there may be many.
  public var isToMany: Bool
  /// Whether a to-many keeps its order.
  public var isOrdered: Bool
  /// Whether a to-one must be set.
  public var isRequired: Bool
  /// The least and greatest count of a to-many; nil is no limit.
  public var minimumCount: Int?
  /// See `minimumCount`.
  public var maximumCount: Int?
  /// What becomes of the other end when a row is deleted.
  public var deleteRule: DeleteRule
  /// The entity's own attributes that hold a to-one's reference, in the order of `targetAttributes`.
  ///
  /// Empty means a column of the relationship's own name, which is no attribute. A single attribute may have the name of
  /// the relationship.
  public var attributes: [String]
  /// The target's attributes that a to-one refers to; empty means the target's key.
  public var targetAttributes: [String]
  /// Whether a target that is not there is made, with nothing but what it is referred to by.
  ///
  /// So are those of MagicalRecord's `relatedByAttribute`.
  public var makesTarget: Bool { userInfo["relatedByAttribute"] != nil && !isToMany }
  /// Whether a to-one is stored at the other end, by the to-one that leads back.
  public var isHeldByTarget: Bool
  /// Whether a column of the entity itself leads to the other end.
  public var isHeldHere: Bool { !isToMany && !isHeldByTarget }
  /// The names under which files may carry it, besides its own; tried in order.
  public var sourceNames: [String]
  /// A sentence for people.
  public var documentation: String?
  /// What else its source says of it, kept for those who know what it means.
  public var userInfo: [String: String]

  /// Makes an optional link.
  public init(name: String, target: String, isToMany: Bool = false, deleteRule: DeleteRule = .nullify) {
    self.name = name
    self.target = target
    self.isToMany = isToMany
    isOrdered = false
    isRequired = false
    isHeldByTarget = false
    self.deleteRule = deleteRule
    attributes = []
    targetAttributes = []
    sourceNames = []
    userInfo = [:]
  }
}
