import Diagnostics
import EntityModel
import Records

/// A link that records tell by an attribute of the target which need not be its key.
struct ToldLink: Sendable {
  /// The position of the attribute that tells it.
  let value: Int
  /// Those of the attributes that give the target's key.
  let keys: [Int]
  /// Whether there must be a target.
  let isRequired: Bool
}

extension Entity {
  /// Its links that one run tells so.
  var toldLinks: [ToldLink] {
    attributes.indices.compactMap { position in
      guard case .link(let name, _) = attributes[position].runUse,
        let link = relationships.first(where: { $0.name == name })
      else { return nil }
      let keys = attributes(giving: link)
      let isRequired = link.isRequired || keys.contains { attributes[$0].isRequired }
      return ToldLink(value: position, keys: keys, isRequired: isRequired)
    }
  }
}

extension RecordValidator {
  /// Leaves what a row gives of a link in one place: what tells it, or else the key of its target.
  ///
  /// - Returns: What is wrong with it, if anything.
  func settle(
    _ link: ToldLink,
    from valueStart: Int,
    in rows: inout ValueBatch,
    kind: Int,
    entity: Int,
    batch: borrowing RecordBatch,
    record: Int
  ) -> Diagnostic? {
    let attribute = plan.entities[entity].attributes[link.value]
    let location = batch.location(of: record)
    let given = link.keys.filter { !rows.values[valueStart + $0].isMissing }
    switch rows.values[valueStart + link.value] {
    case .absent, .null:
      if rows.values[valueStart + link.value] == .null, plan.tellsAbsence, given.isEmpty {
        for position in link.keys { rows.values[valueStart + position] = .null }
      }
      guard link.isRequired, given.isEmpty else { return nil }
      // A row that is there keeps its link.
      if rows.values[valueStart + link.value] == .absent { return nil }
      return .required(attribute, at: location, value: nil)
    default:
      // What comes from the record around it, or from a default, gives way.
      let own = given.filter { position in
        let cell = routes[kind].cells[position]
        let columns = cell.column < 0 ? [] : [cell.column] + routes[kind].alternatives[cell.alternatives]
        return columns.contains { !batch.field($0, of: record).isAbsent }
      }
      guard own.isEmpty else {
        return .toldTwice(attribute, own.map { plan.entities[entity].attributes[$0].name }, at: location)
      }
      for position in link.keys { rows.values[valueStart + position] = .null }
      return nil
    }
  }
}

extension Diagnostic {
  /// A record gives the key of what it refers to, and another attribute of it.
  fileprivate static func toldTwice(
    _ attribute: Attribute,
    _ others: [String],
    at location: SourceLocation
  ) -> Diagnostic {
    let names = others.map { "'\(excerpt(of: $0))'" }.joined(separator: ", ")
    return Diagnostic(
      code: .ambiguousReference,
      location: location,
      field: attribute.name,
      expected: "one of them",
      message: "'\(excerpt(of: attribute.name))' and \(names) both tell what is referred to",
      remedy: "give one of them alone"
    )
  }
}
