import EntityModel
import Reporting

/// A run, planned: every input with its reader and rules, and the entities that are written.
struct RunPlan: Sendable {
  var inputs: [InputPlan]
  /// The entities that the run writes, in the order of their first input.
  var entities: [Entity]
  /// Those that no input was meant for: others refer to them, or may hold them.
  var targets: Set<Int>
  /// Those of them that no input holds either.
  var outsiders: Set<Int>
  /// Which records are loaded; nil for all.
  var filter: RecordFilter?
  /// Where the model came from, for the summary; that of the first input when they differ.
  var modelOrigin: RunReport.Model

  /// The entities that some links go to by an attribute that need not be their key.
  var linkTargets: Set<Int> {
    var names: Set<String> = []
    for entity in entities {
      for case .link(let name, _)? in entity.attributes.map(\.runUse) {
        names.formUnion(entity.relationships.filter { $0.name == name }.map(\.target))
      }
    }
    return Set(entities.indices.filter { names.contains(entities[$0].name) })
  }

  /// How many bytes there are to read; nil where an input does not tell.
  var byteCount: Int64? {
    inputs.reduce(0) { sum, input in
      guard let sum, let count = input.content.byteCount, !input.content.isCompressed else { return nil }
      return sum + count
    }
  }
}
