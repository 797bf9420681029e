import Diagnostics
import EntityModel

/// What is said of records that were rejected for what they refer to.
extension EntityWriter {
  /// Tells the rows that were rejected for what they refer to.
  func tellOrphans(of position: Int, _ reject: (ParkedRejection) throws -> Void) throws {
    guard let parked = tables[position].parked else { return }
    let references = tables[position].references
    let conditions = references.map { reference in
      guard reference.targetPosition == position, let columns = reference.targetFeedColumns, reference.items == nil
      else { return reference.isDangling() }
      // That a row refers to itself is no reason.
      let isItself = zip(columns, reference.values).map { "f.\($0) IS \($1)" }.joined(separator: " AND ")
      return "\(reference.isDangling()) AND NOT (\(isItself))"
    }
    let links = tables[position].links
    let own = givesChildren ? childLists(of: position) : []
    let lists = own.map { $0.isBroken(waiting: tables[$0.child].parked?.table) }
    try parked.visitRejected(conditions + links.map(\.isOpen) + lists) { number, broken in
      guard !interrupter.isInterrupted else { throw StoreError.interrupted }
      let origin = try parked.origin(of: number, files: files)
      guard !origin.isOnWay else { return }
      var faults = try faultsOnWays(of: number, in: parked)
      // A row that was not made is no further fault.
      if faults.isEmpty { faults = try orphanFaults(of: number, in: parked, at: position, broken: broken) }
      try reject(ParkedRejection(entity: position, raw: bytesToKeep(of: origin), diagnostics: faults))
    }
  }

  /// What is wrong with a waiting row's references.
  ///
  /// - Parameter broken: Positions of references, and behind them of links that are told otherwise, which lead to nothing.
  func orphanFaults(
    of number: Int64,
    in parked: ParkedRows,
    at position: Int,
    broken: [Int]
  ) throws(StoreError) -> [Diagnostic] {
    let origin = try parked.origin(of: number, files: files)
    let entity = tables[position].entity
    let references = tables[position].references
    let links = tables[position].links
    var faults: [Diagnostic] = []
    for index in broken.map({ $0 - references.count }) where index >= 0 {
      if index < links.count {
        faults.append(try fault(of: links[index], at: origin.location, of: number, in: parked, entity: entity))
      } else {
        let list = childLists(of: position)[index - links.count]
        faults += try self.faults(of: list, of: number, at: origin.location)
      }
    }
    let broken = broken.filter { references.indices.contains($0) }
    for reference in broken.map({ references[$0] }) {
      for item in try missingItems(of: number, in: parked, reference, at: position) {
        faults.append(try orphan(number, item: item, of: parked, at: origin.location, reference, entity: entity))
      }
    }
    if faults.isEmpty, let reference = broken.first.map({ references[$0] }) {
      let item: Int64? = reference.items == nil ? nil : 0
      faults.append(try orphan(number, item: item, of: parked, at: origin.location, reference, entity: entity))
    }
    return faults
  }

  /// The items of a row's list that lead to nothing, by their positions; nil for what is no list.
  private func missingItems(
    of number: Int64,
    in parked: ParkedRows,
    _ reference: Reference,
    at position: Int
  ) throws(StoreError) -> [Int64?] {
    guard reference.items != nil else { return [nil] }
    // A row that is in its own list is missing there only because it is rejected for others.
    let isOwn =
      reference.targetPosition == position
      ? reference.targetFeedColumns.map { zip($0, reference.values).map { "f.\($0) IS \($1)" } } ?? ["0"] : ["0"]
    let list = try Statement(
      """
      SELECT e.key FROM \(reference.source(parked.table)) WHERE f.n = \(number) AND \(reference.isMissing())
        AND NOT (\(isOwn.joined(separator: " AND ")))
      ORDER BY e.key LIMIT \(Self.itemLimit)
      """,
      on: session.connection
    )
    var items: [Int64?] = []
    while try list.step() { items.append(list.integer(0)) }
    return items
  }

  /// How many faults of one list are told.
  private static let itemLimit = 1000

  private func orphan(
    _ number: Int64,
    item: Int64?,
    of parked: ParkedRows,
    at location: SourceLocation,
    _ reference: Reference,
    entity: Entity
  ) throws(StoreError) -> Diagnostic {
    let values = try Statement(
      """
      SELECT \(reference.values.joined(separator: ", ")) FROM \(reference.source(parked.table))
      WHERE \(reference.isRow(number, item: item))
      """,
      on: session.connection
    )
    _ = try values.step()
    let shown = reference.values.indices.compactMap { values.text($0).map { excerpt(of: $0, limit: 40) } }
      .joined(separator: ", ")
    let target = excerpt(of: reference.key.target)
    let columns = reference.targetNames.map { excerpt(of: $0) }.joined(separator: ", ")
    let meant = try ambiguities(of: number, item: item, in: parked, reference)
    guard meant.isEmpty else {
      return ambiguity(meant, shown: shown, at: location, reference, entity: entity)
    }
    let rejectedAt = try placeOfRejected(number, item: item, of: parked, reference)
    return Diagnostic(
      code: rejectedAt == nil ? .unresolvedReference : .dependsOnRejected,
      location: location,
      entity: entity.name,
      field: reference.attributes.allSatisfy { $0 != nil }
        ? reference.attributes.compactMap { $0 }.map { entity.attributes[$0].name }.joined(separator: ", ")
        : reference.key.columns.joined(separator: ", "),
      value: shown,
      expected: "\(columns) of '\(target)'",
      message: rejectedAt.map { "the '\(target)' with \(columns) '\(shown)' was rejected at \($0)" }
        ?? "no '\(target)' has \(columns) '\(shown)'",
      remedy: rejectedAt == nil
        ? "correct the reference, load the '\(target)' in the same run or before, or tell --orphans null or stub"
        : "mend that record first, then load both again"
    )
  }

  /// A reference that several rows fit.
  private func ambiguity(
    _ candidates: [String],
    shown: String,
    at location: SourceLocation,
    _ reference: Reference,
    entity: Entity
  ) -> Diagnostic {
    let list = candidates.prefix(3).map { "(\($0))" }.joined(separator: ", ") + (candidates.count > 3 ? ", …" : "")
    return Diagnostic(
      code: .ambiguousReference,
      location: location,
      entity: entity.name,
      field: reference.attributes.compactMap { $0 }.map { entity.attributes[$0].name }.joined(separator: ", "),
      value: shown,
      expected: "the key of one '\(excerpt(of: reference.key.target))'",
      message: "several '\(excerpt(of: reference.key.target))' fit '\(shown)': \(list)",
      remedy: "give the other parts of its key too, as columns "
        + reference.attributes.compactMap { $0 }.map { "'\(excerpt(of: entity.attributes[$0].name))'" }.joined(
          separator: ", "
        )
    )
  }

  /// Where the target of a parked row was rejected; nil when it never was there.
  private func placeOfRejected(
    _ number: Int64,
    item: Int64?,
    of parked: ParkedRows,
    _ reference: Reference
  ) throws(StoreError) -> String? {
    guard let target = reference.targetPosition, let columns = reference.targetFeedColumns else { return nil }
    var places = tables[target].lost.map { [($0.table, "1")] } ?? []
    if let others = tables[target].parked {
      places.append((others.table, "t.state = 1" + (others === parked ? " AND t.n <> f.n" : "")))
    }
    for (table, condition) in places {
      let matches = [reference.isSame(columns), condition]
      let select = try Statement(
        """
        SELECT t.file, t.line FROM \(reference.source(parked.table)) CROSS JOIN \(table) AS t
        WHERE \(reference.isRow(number, item: item)) AND \(matches.joined(separator: " AND ")) LIMIT 1
        """,
        on: session.connection
      )
      if try select.step() {
        let file = Int(select.integer(0))
        return "\(file < files.count ? excerpt(of: files[file]) : "?"):\(select.integer(1))"
      }
    }
    return nil
  }
}
