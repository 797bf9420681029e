import Diagnostics
import EntityModel

extension EntityModel {
  /// The entities that a database has a table for: abstract ones are described beside them.
  var withTables: [Entity] { entities.filter { !$0.isAbstract && !$0.attributes.isEmpty } }

  /// The entity of a database that a command is for: the one that was told, or the only one.
  ///
  /// - Parameter purpose: What the command does with it, in a word or two.
  func chosenEntity(_ name: String?, of database: String, to purpose: String) throws(UsageFailure) -> Entity {
    let entities = withTables
    let names = entities.map(\.name)
    let list = names.prefix(12).map { "'\(excerpt(of: $0, limit: 60))'" }.joined(separator: ", ")
    guard let name else {
      guard let only = entities.first else {
        throw UsageFailure(
          "'\(excerpt(of: database))' has no entities to \(purpose)",
          remedy: "load something into it first"
        )
      }
      guard names.count == 1 else {
        throw UsageFailure(
          "'\(excerpt(of: database))' has \(names.count) entities",
          remedy: "tell --entity with one of \(list)"
        )
      }
      return only
    }
    guard let found = entity(named: name) else {
      throw UsageFailure(
        "'\(excerpt(of: database))' has no entity '\(excerpt(of: name))'",
        remedy: suggestion(for: name, among: names) ?? (names.isEmpty ? "it has none at all" : "it has \(list)")
      )
    }
    return found
  }
}
