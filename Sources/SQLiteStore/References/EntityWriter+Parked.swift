package import Diagnostics
import EntityModel
import Records

/// What becomes of a reference to nothing.
package enum OrphanPolicy: String, Sendable, Hashable, CaseIterable {
  /// The record is rejected.
  case reject
  /// The reference becomes NULL where that is allowed.
  case null
  /// A row with nothing but the key is made where that is allowed.
  case stub
}

/// A record that waited for what it refers to and was rejected in the end.
package struct ParkedRejection: Sendable {
  /// Position of its entity in the run's model.
  package var entity: Int
  /// Its untouched bytes; none where those of another rejected record hold them.
  package var raw: [UInt8]
  /// Why, with its place.
  package var diagnostics: [Diagnostic]
}

extension EntityWriter {
  /// Ends the waiting, after the last input: rows go in whose targets were written or wait themselves; what becomes of
  /// the others is for the policy to say.
  ///
  /// Rows go in wave by wave, so that a row which a constraint refuses takes with it those that refer to it. Rows that
  /// refer to one another in a circle go in together, and so does what is left after many waves.
  ///
  /// - Parameters:
  ///   - policy: What becomes of references to nothing.
  ///   - reject: Told every record that is rejected now, by entity in the order of the input.
  package mutating func settleParked(
    _ policy: OrphanPolicy,
    _ reject: (ParkedRejection) throws -> Void
  ) throws {
    guard parkedCount > 0 || !bounds.isEmpty else { return }
    try addIndexes()
    try resolveLinks(policy)
    try claimChildren(policy)
    try completePartial()
    let waveLimit = max(32, tables.count)
    var round = 0
    repeat {
      var wave = 0
      while parkedCount > 0 {
        guard !interrupter.isInterrupted else { throw StoreError.interrupted }
        try dropOrphans(policy, &round)
        wave += 1
        if wave <= waveLimit, try writeWave(round, reject) > 0 { continue }
        if parkedCount > 0 { try writeTogether(round, reject) }
      }
      if try takeBackListsToNothing(round) { continue }
      try adoptChildren()
      guard try refuseWrongCounts(round, reject) else { break }
    } while true
    try countAdoptions()
    if !ways.tables.isEmpty || !hasMadeOfObjects.isEmpty { hasRefusedCarriers = true }
    for position in tables.indices { try tellOrphans(of: position, reject) }
  }

  private func addIndexes() throws(StoreError) {
    for reference in tables.flatMap(\.references) {
      guard let target = reference.targetPosition else { continue }
      let attributes = reference.targetAttributes.compactMap { $0 }
      guard attributes.count == reference.values.count else { continue }
      try tables[target].parked?.addIndex(on: attributes)
      try tables[target].lost?.addIndex(on: attributes)
    }
  }

  /// Applies the policy to waiting rows whose targets neither were written nor wait, until none is left.
  ///
  /// All are looked at in the first round; in each later one only those that refer to a row rejected in the one before.
  private mutating func dropOrphans(_ policy: OrphanPolicy, _ round: inout Int) throws(StoreError) {
    var changedCount: Int64
    repeat {
      let isFirst = round == 0
      round += 1
      changedCount = 0
      for position in tables.indices {
        guard let parked = tables[position].parked, parked.waitingCount > 0 else { continue }
        try releaseChildren(at: position, since: isFirst ? 0 : round - 1)
        for (number, reference) in tables[position].references.enumerated() {
          guard !interrupter.isInterrupted else { throw StoreError.interrupted }
          var condition = reference.isDangling(others: waitingPlaces(of: reference))
          if !isFirst {
            guard let mayHaveLost = try mayHaveLost(reference, of: parked, in: round - 1) else { continue }
            condition = "\(mayHaveLost) AND \(condition)"
          }
          try makeTargetsOfObjects(for: reference, of: parked)
          switch reference.makesTarget ? .stub : policy {
          case .reject: break
          case .null where reference.items != nil: try leaveOut(of: reference, in: parked)
          case .null:
            let attributes = clearable(reference, of: tables[position].entity)
            if !attributes.isEmpty { try parked.clear(attributes, where: condition) }
          case .stub:
            let missing = reference.isMissing(others: waitingPlaces(of: reference))
            try makeStubs(for: reference, of: parked, where: missing)
          }
          let count = try parked.reject(where: condition, cause: number, round: round)
          changedCount += count
          if mode == .sync, count > 0, reference.isByNumber, isInKey(reference, of: position) {
            let isPartial = reference.values.map { "\($0) IS NULL" }.joined(separator: " OR ")
            unreadableCount += try parked.rejectedCount(where: isPartial, cause: number, round: round)
          }
        }
      }
      changedCount += try rejectListsToNothing(policy, round)
      changedCount += try rejectCarriers(ofRound: round)
    } while changedCount > 0
  }

  /// Whether a reference is part of its entity's key: then a part of one does not tell which row is meant.
  private func isInKey(_ reference: Reference, of position: Int) -> Bool {
    reference.items == nil
      && reference.attributes.contains { $0.map(tables[position].entity.keyAttributes.contains) ?? false }
  }

  /// The condition that a parked row refers to one that was rejected in some round; nil where none was.
  private func mayHaveLost(_ reference: Reference, of parked: ParkedRows, in round: Int) throws(StoreError) -> String? {
    guard let target = reference.targetPosition, let others = tables[target].parked,
      let columns = reference.targetFeedColumns,
      try session.connection.integer(of: "SELECT 1 FROM \(others.table) WHERE round = \(round) LIMIT 1") != 0
    else { return nil }
    guard reference.items == nil else {
      return """
        f.n IN (SELECT f.n FROM \(reference.source(parked.table)) CROSS JOIN \(others.table) AS t \
        WHERE f.state = 0 AND t.round = \(round) AND \(reference.isSame(columns)))
        """
    }
    let attributes = reference.attributes.compactMap { $0 }
    if attributes.count == reference.values.count { try parked.addIndex(on: attributes) }
    return """
      f.n IN (SELECT f.n FROM \(others.table) AS t CROSS JOIN \(parked.table) AS f \
      WHERE t.round = \(round) AND \(reference.isSame(columns)))
      """
  }

  /// The parked rows that a reference may find its target among.
  func waitingPlaces(of reference: Reference) -> [(table: String, columns: [String], condition: String)] {
    guard let target = reference.targetPosition, let parked = tables[target].parked,
      let columns = reference.targetFeedColumns
    else { return [] }
    return [(parked.table, columns, "t.state = 0")]
  }

  /// The attributes of a reference that may become NULL.
  private func clearable(_ reference: Reference, of entity: Entity) -> [Int] {
    guard !reference.isRequired, !reference.isByNumber || !reference.key.columns.contains(where: entity.key.contains)
    else { return [] }
    return reference.attributes.compactMap { $0 }.filter { position in
      let attribute = entity.attributes[position]
      return !attribute.isRequired && !entity.key.contains(attribute.name)
    }
  }

  /// Takes the items out of waiting rows' lists that lead to nothing.
  private func leaveOut(of reference: Reference, in parked: ParkedRows) throws(StoreError) {
    guard let items = reference.items else { return }
    let missing = reference.isMissing(others: waitingPlaces(of: reference))
    let lists = reference.values.map { value in
      "(SELECT nullif(json_group_array(v), '[]') FROM "
        + "(SELECT \(value) AS v FROM \(items) AS e WHERE NOT \(missing) ORDER BY e.key LIMIT -1))"
    }
    let columns = reference.attributes.compactMap { $0 }.map { "c\($0)" }
    try session.connection.execute(
      """
      UPDATE \(parked.table) AS f SET (\(columns.joined(separator: ", "))) = (SELECT \(lists.joined(separator: ", ")))
      WHERE f.state = 0 AND EXISTS (SELECT 1 FROM \(items) AS e WHERE \(missing))
      """
    )
  }
}
