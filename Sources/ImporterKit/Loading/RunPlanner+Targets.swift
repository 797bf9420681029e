import DataPackage
import Diagnostics
import EntityModel
import Records
import Reporting

/// Which entity the records of an input become, and what files call its parts.
extension RunPlanner {
  /// What an input's records become, as far as that is known before they are read.
  enum Target {
    /// This entity of a model, whatever the records call themselves.
    case entity(Entity)
    /// The entities of a model that the records name.
    case named(EntityModel)
    /// Entities made of the columns; of the known ones where a name is theirs.
    case inferred(name: String?, known: EntityModel?)
  }

  /// Chooses what an input's records become: `--entity`, else the model's word, the records' own, the file's name.
  func target(of path: String, kind: InputFormat.Kind, source: ModelSource?) throws -> Target {
    let stem = FilePath.subject(of: path)
    let told = job.model.entity
    guard let source else { return .inferred(name: told ?? (kind.namesItsRecords ? nil : stem), known: nil) }
    let isDatabase = source.origin == .database
    if let resource = source.resource {
      guard resource.hasSchema else { return .inferred(name: told ?? resource.entity.name, known: nil) }
      var entity = resource.entity
      if let told { entity.name = told }
      return .entity(entity)
    }
    if let told {
      if let entity = source.model.entity(named: told) { return .entity(entity) }
      if isDatabase { return .inferred(name: told, known: nil) }
      guard source.model.entities.count == 1, var only = source.model.entities.first else {
        throw unknownEntity(told, in: source.model)
      }
      only.name = told
      return .entity(only)
    }
    if isDatabase {
      let name = source.model.entity(ofPath: path)?.name ?? stem
      return .inferred(name: kind.namesItsRecords ? nil : name, known: source.model)
    }
    let concrete = source.model.entities.filter { !$0.isAbstract }
    if concrete.count == 1 { return .entity(concrete[0]) }
    if kind.namesItsRecords { return .named(source.model) }
    if let entity = source.model.entity(ofPath: path) { return .entity(entity) }
    throw UsageFailure(
      "the model has \(concrete.count) entities, and none is named like the file '\(excerpt(of: path))'",
      remedy: "tell --entity with one of " + concrete.prefix(12).map(\.name).joined(separator: ", ")
    )
  }

  private func unknownEntity(_ name: String, in model: EntityModel) -> UsageFailure {
    let names = model.entities.map(\.name)
    return UsageFailure(
      "the model has no entity '\(excerpt(of: name))'",
      remedy: suggestion(for: name, among: names) ?? "it has " + names.prefix(12).joined(separator: ", ")
    )
  }

  /// What files call the attributes of an input's entity, if that is known.
  func knownNames(of target: Target) -> [String] {
    knownEntity(of: target).map(names) ?? []
  }

  /// What files call the lists of an input's entities, and of those whose records may stand within theirs, in lower case.
  func listNames(of target: Target, in model: EntityModel?) -> Set<String> {
    let known = knownEntity(of: target).map { [$0] + (model?.nested(in: [$0.name]) ?? []) }
    let entities = known ?? model?.entities ?? []
    let lists = entities.flatMap(\.attributes).filter(\.isList)
    let mapped = job.model.mappings.filter { mapping in lists.contains { $0.name == mapping.attribute } }.map(\.source)
    let elements = entities.flatMap { entity in
      entity.relationships.filter { link in entity.attributes.contains { $0.isList && $0.keyPath[0] == link.name } }
        .flatMap { [$0.name] + (model?.elementNames(of: $0, in: entity) ?? []) }
    }
    return Set((lists.flatMap { [$0.name] + $0.sourceNames } + elements + mapped).map(lowercasedASCII))
  }

  /// The entity that all of an input's records become, if it is known.
  func knownEntity(of target: Target) -> Entity? {
    switch target {
    case .entity(let entity): entity
    case .inferred(let name?, let known?): known.entity(named: name)
    case .inferred, .named: nil
    }
  }

  private func names(of entity: Entity) -> [String] {
    entity.attributes.flatMap { [$0.name] + $0.sourceNames } + job.model.mappings.map(\.source)
  }
}
