import Diagnostics
import EntityModel
import Predicates
import Records

/// Which records of a run are loaded: those of one entity that fulfil a condition; a record that stands within one that is
/// left out is left out with it.
struct RecordFilter: Sendable {
  let predicate: Predicate
  /// Position of the entity whose records are judged.
  let entity: Int
  /// What stands for values that a record lacks, where the writer fills them in; empty where the validator has.
  var defaults: [ConstantValue?] = []

  /// Chooses the entity that a run's inputs are for.
  ///
  /// - Parameters:
  ///   - told: What `--entity` says; of several entities it tells the one whose records are judged.
  ///   - areManyInputs: Whether the records come from more than one input.
  /// - Throws: `UsageFailure` where they may hold records of several; `PredicateError` where the condition does not fit.
  init(
    _ predicate: Predicate,
    entities: [Entity],
    targets: Set<Int>,
    told: String?,
    areManyInputs: Bool
  ) throws {
    let candidates = entities.indices.filter { !targets.contains($0) }
    let named = told.flatMap { told in candidates.first { entities[$0].name == told } }
    guard let chosen = candidates.count == 1 ? candidates[0] : named else {
      throw UsageFailure(
        candidates.isEmpty
          ? "--where: the inputs have no records that a condition could be asked of"
          : "--where: the inputs hold records of \(candidates.count) entities, "
            + "\(Self.names(of: candidates, in: entities)), and a condition is for one",
        remedy: areManyInputs
          ? "load each file by itself, with a condition of its own"
          : Self.remedy(for: candidates, of: entities)
      )
    }
    self.predicate = predicate
    entity = chosen
    // What does not fit is said before anything is read.
    _ = try RowCondition(predicate, on: entities[entity], of: EntityModel(entities: entities))
  }

  private static func names(of positions: [Int], in entities: [Entity]) -> String {
    positions.prefix(6).map { "'\(excerpt(of: entities[$0].name, limit: 40))'" }.joined(separator: ", ")
  }

  /// Names the entities whose records stand within no others: those that `--entity` can mean.
  private static func remedy(for candidates: [Int], of entities: [Entity]) -> String {
    let all = Set(candidates.map { entities[$0].name })
    let outer = candidates.filter { position in
      !entities[position].relationships.contains { link in
        link.isHeldHere && link.target != entities[position].name && all.contains(link.target)
      }
    }
    let either = names(of: outer.isEmpty ? candidates : outer, in: entities)
    return "tell --entity with the one that is meant, such as \(either), and what stands within a record goes with it; "
      + "or take one kind of records with --record-path"
  }
}
