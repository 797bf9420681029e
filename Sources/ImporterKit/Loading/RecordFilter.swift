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
  /// - Throws: `UsageFailure` where they may hold records of several; `PredicateError` where the condition does not fit.
  init(_ predicate: Predicate, entities: [Entity], targets: Set<Int>) throws {
    let candidates = entities.indices.filter { !targets.contains($0) }
    guard candidates.count == 1 else {
      let names = candidates.prefix(6).map { "'\(excerpt(of: entities[$0].name, limit: 40))'" }.joined(separator: ", ")
      throw UsageFailure(
        candidates.isEmpty
          ? "--where: the inputs have no records that a condition could be asked of"
          : "--where: the inputs hold records of \(candidates.count) entities, \(names), and a condition is for one",
        remedy: "load the files of one entity at a time, tell --entity, or take one kind of records with --record-path"
      )
    }
    self.predicate = predicate
    entity = candidates[0]
    // What does not fit is said before anything is read.
    _ = try RowCondition(predicate, on: entities[entity], of: EntityModel(entities: entities))
  }
}
