import EntityModel
import Records
import SQLiteStore
import TextFormat

/// An entity whose rows are written, and those whose rows stand within them.
struct ExportTree {
  /// The entity, with the attributes that are written.
  var entity: Entity
  /// What a row of it is called within the one around it.
  var name: String
  /// What a row of it holds if it has nothing else: an empty element that is named like the relationship is a wrapper around
  /// no rows, and one that holds the entity's element a wrapper around a row.
  var filler: String? { name == entity.name ? nil : entity.name }
  /// The relationship that leads to the one around it.
  var link: Relationship?
  /// A relationship that must lead nowhere.
  var without: Relationship?
  /// What stands within a row, kind by kind.
  var children: [ExportTree] = []

  /// - Parameter unowned: Whether only rows that belong to none are meant.
  init(_ entity: Entity, of model: EntityModel, for job: ExportJob, unowned: Bool = false) {
    let ownerships = job.ownerships(in: model)
    self.init(entity, name: entity.name, of: model, ownerships, for: job)
    if unowned { without = ownerships[entity.name]?.link }
  }

  fileprivate init(
    _ entity: Entity,
    name: String,
    of model: EntityModel,
    _ ownerships: [String: Ownership],
    for job: ExportJob
  ) {
    self.entity = job.withLists(entity, of: model)
    self.name = name
    for child in model.entities {
      guard let ownership = ownerships[child.name], ownership.owner.name == entity.name else { continue }
      // Objects are named like the relationship, elements and lines like what they are.
      let names = job.format == .json || job.format == .ndjson ? ownership.names.reversed() : ownership.names
      var tree = ExportTree(child, name: names[0], of: model, ownerships, for: job)
      tree.link = ownership.link
      tree.entity.attributes.removeAll { attribute in
        ownership.link.attributes.contains(attribute.name)
          || attribute.keyPath.first == ownership.link.name && !attribute.isList
      }
      children.append(tree)
    }
  }

  /// The kinds of its rows and of those within them.
  ///
  /// - Parameter parent: The position of the kind around it.
  /// - Parameter position: Its own position.
  func kinds(parent: Int? = nil, position: Int = 0) -> [WrittenKind] {
    var kinds = [WrittenKind(name: name, columns: entity.attributes.map(WrittenColumn.init), parent: parent)]
    for child in children { kinds += child.kinds(parent: position, position: position + kinds.count) }
    return kinds
  }
}

extension ExportJob {
  /// The entities whose rows stand within those of others, by their names.
  func ownerships(in model: EntityModel) -> [String: Ownership] {
    guard !isFlat, format != .csv, format != .tsv else { return [:] }
    let ownerships = model.ownerships()
    guard format == .text else { return ownerships }
    // An outline knows a row by its entity's name alone, which no attribute around it may have then.
    let areKnown = ownerships.allSatisfy { name, ownership in ownership.names.contains(name) }
    let trees = model.entities.map { ExportTree($0, name: $0.name, of: model, ownerships, for: self) }
    let areFine = trees.allSatisfy { $0.children.isEmpty || OutlineWriter.objection(to: $0.kinds()) == nil }
    return areKnown && areFine ? ownerships : [:]
  }

  /// The entities of some that have a file, each with what stands within its rows: those whose rows all stand within others
  /// have none.
  func trees(of entities: [Entity], of model: EntityModel, from snapshot: ReadSnapshot) throws -> [ExportTree] {
    guard entity == nil else { return entities.map { ExportTree($0, of: model, for: self) } }
    let ownerships = ownerships(in: model)
    return try entities.compactMap { entity in
      guard let link = ownerships[entity.name]?.link else { return ExportTree(entity, of: model, for: self) }
      // By what may be, not by what is, so that the files of two exports are the same.
      guard try !link.isRequired || snapshot.hasRows(of: entity, without: link, model: model) else { return nil }
      return ExportTree(entity, of: model, for: self, unowned: true)
    }
  }
}
