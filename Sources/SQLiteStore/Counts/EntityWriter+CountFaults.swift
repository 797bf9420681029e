import Diagnostics
import EntityModel

/// What is said of rows with too few or too many links.
extension EntityWriter {
  /// The first owner whose count is wrong; nil without any.
  func wrongCount() throws(StoreError) -> String? {
    for bound in bounds {
      let name = keys.parts(of: tables[bound.owner].entity, alias: "t")
      let list = try Statement(
        """
        SELECT b.links\(name.map { ", \($0)" }.joined()) FROM \(Self.brokenTable) AS b
        CROSS JOIN \(bound.ownerTable) AS t ON t.\(bound.ownerRowid) = b.row WHERE b.bound = \(bound.number) LIMIT 1
        """,
        on: session.connection
      )
      guard try list.step() else { continue }
      return "\(shown(of: bound, in: list, from: 1)) would have \(list.integer(0)) '\(excerpt(of: bound.link.name))', "
        + "and must have \(bound.demand)"
    }
    return nil
  }

  /// Tells the records that were chosen, by entity in the order of the input.
  func tellWrongCounts(_ reject: (ParkedRejection) throws -> Void) throws {
    let details = try bounds.map { bound in
      let parts = keys.parts(of: tables[bound.owner].entity, alias: "t").map { ", \($0)" }.joined()
      return try Statement(
        """
        SELECT r.links, r.isOwn, b.isTooMany, b.isNew\(parts) FROM \(Self.refusedTable) AS r
        CROSS JOIN \(Self.brokenTable) AS b ON b.bound = r.bound AND b.row = r.row
        CROSS JOIN \(bound.ownerTable) AS t ON t.\(bound.ownerRowid) = r.row WHERE r.position = ?1 AND r.n = ?2
        """,
        on: session.connection
      )
    }
    let list = try Statement(
      "SELECT position, n, bound FROM \(Self.refusedTable) ORDER BY position, n",
      on: session.connection
    )
    while try list.step() {
      let position = Int(list.integer(0))
      let bound = Int(list.integer(2))
      guard let parked = tables[position].parked else { continue }
      let detail = details[bound]
      defer { detail.reset() }
      try detail.bind(list.integer(0), at: 1)
      try detail.bind(list.integer(1), at: 2)
      guard try detail.step() else { continue }
      let origin = try parked.origin(of: list.integer(1), files: files)
      let fault = fault(of: bounds[bound], in: detail, at: origin.location, entity: tables[position].entity.name)
      try reject(ParkedRejection(entity: position, raw: bytesToKeep(of: origin), diagnostics: [fault]))
    }
  }

  /// A row of an owner as messages name it: its key stands in a statement's row from some column on.
  private func shown(of bound: CountBound, in list: Statement, from column: Int) -> String {
    let entity = tables[bound.owner].entity
    let names = keys.partNames(of: entity)
    let pairs = names.indices.map { index in
      "\(excerpt(of: names[index]))='\(list.text(column + index).map { excerpt(of: $0) } ?? "NULL")'"
    }
    return "the '\(excerpt(of: entity.name))'" + (pairs.isEmpty ? "" : " " + pairs.joined(separator: ", "))
  }

  private func fault(of bound: CountBound, in list: Statement, at place: SourceLocation, entity: String) -> Diagnostic {
    let owner = shown(of: bound, in: list, from: 4)
    let count = list.integer(0)
    let link = excerpt(of: bound.link.name)
    let isOwn = list.integer(1) != 0
    let isTooMany = list.integer(2) != 0
    let what = "\(count) '\(link)', and must have \(bound.demand)"
    return Diagnostic(
      code: .linkCount,
      location: place,
      entity: entity,
      field: isOwn ? bound.link.name : nil,
      value: String(count),
      expected: bound.demand,
      message: isOwn
        ? "\(owner) \(list.integer(3) != 0 ? "has" : "would have") \(what)"
        : "with this record \(owner) would have \(what)",
      remedy: isTooMany
        ? "take some of them away, or raise the maximum in the model"
        : "load what leads to it in the same run, mend what of it was rejected, or "
          + (bound.minimum == 1 ? "make the relationship optional in the model" : "lower its minimum in the model")
    )
  }
}
