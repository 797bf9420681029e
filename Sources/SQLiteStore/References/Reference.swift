import Diagnostics
import EntityModel

/// What rows of a table refer to, and where that is looked for.
struct Reference {
  let key: StoredTable.ForeignKey
  /// The attributes that give it, in the order of `targetNames`; nil for a column that only its default fills.
  let attributes: [Int?]
  /// What a row of the feed, or of parked rows, gives for each: an expression over `f`.
  let values: [String]
  /// What the target is known by, for messages.
  let targetNames: [String]
  /// The attributes of the target, if the run writes it, that hold what it is known by.
  let targetAttributes: [Int?]
  /// The condition that a stored row `t` is the target.
  let match: String
  /// The tables that may hold the target, as they stand in SQL; none when the database has no such table.
  let places: [String]
  /// The target among the run's entities.
  let targetPosition: Int?
  /// Whether the table's column holds the target's number, so that some of the values may be NULL.
  let isByNumber: Bool
  /// Whether every row must have it, though no single attribute says so.
  let isRequired: Bool
  /// Whether a target that is not there is made, whatever becomes of other references to nothing.
  let makesTarget: Bool
  /// The column that numbers the target's rows, as SQL, if several of them may have the same key, parts of it being NULL.
  var twins: String? = nil
  /// Whether a waiting row with the key of a stored one will be that one, a part being NULL or not.
  var findsRows = false
  /// What takes a row's list apart, in SQL; the values are expressions over its rows `e` then.
  ///
  /// Nil for a to-one.
  var items: String? = nil

  /// The condition that a row refers to something.
  ///
  /// A key of several columns refers to nothing when one of them is NULL (SQLite, "Foreign Key Support", section 2).
  var isGiven: String {
    "(" + values.map { "\($0) IS NOT NULL" }.joined(separator: isByNumber ? " OR " : " AND ") + ")"
  }

  /// The condition that the target of a row, or one of a list of them, is in none of the places: true of no row without a
  /// reference.
  ///
  /// - Parameter others: Further tables that may hold it, with the columns that they have for what it is known by, and
  ///   what else must be true of their rows.
  func isDangling(others: [(table: String, columns: [String], condition: String)] = []) -> String {
    guard let items else { return isMissing(others: others) }
    return "EXISTS (SELECT 1 FROM \(items) AS e WHERE \(isMissing(others: others)))"
  }

  /// The condition that the target of a row, or of one item of its list, is in none of the places.
  func isMissing(others: [(table: String, columns: [String], condition: String)] = []) -> String {
    var found = places.map { "\($0) AS t WHERE \(match)" }
    for other in others {
      found.append("\(other.table) AS t WHERE \(isSame(other.columns)) AND \(other.condition)")
    }
    let isMissing = found.map { "NOT EXISTS (SELECT 1 FROM \($0))" }
    guard let twins else { return "(" + ([isGiven] + isMissing).joined(separator: " AND ") + ")" }
    // Where a part is NULL, several rows may have all parts; none of them is meant then.
    let stored = places.map { "SELECT t.\(twins) FROM \($0) AS t WHERE \(match)" }
    let waiting = found.dropFirst(findsRows ? found.count : places.count).map { "SELECT -t.n FROM \($0)" }
    let all = (stored + waiting).joined(separator: " UNION ")
    let isSeveral = all.isEmpty ? "0" : "(SELECT count(*) FROM (\(all) LIMIT 2)) > 1"
    return "(\(isGiven) AND ((\(isMissing.joined(separator: " AND "))) OR (\(hasGap) AND \(isSeveral))))"
  }

  /// The condition that a part of the key is NULL.
  private var hasGap: String { "(" + values.map { "\($0) IS NULL" }.joined(separator: " OR ") + ")" }

  /// The condition that a waiting row gives some of the values by objects, one in the other.
  ///
  /// - Parameters:
  ///   - parts: Some of `values`.
  ///   - depth: How many objects at least.
  func isByObjects(_ parts: [String], depth: Int) -> String {
    let least = (depth < 16 ? "0" : "") + String(depth, radix: 16)
    let deep = zip(attributes, values).filter { parts.contains($0.1) }.compactMap { attribute, value in
      attribute.map { "(\(value) IS NULL OR substr(f.depths, \($0 + 1), 1) >= x'\(least)')" }
    }
    return "(" + (deep.isEmpty ? ["0"] : deep).joined(separator: " AND ") + ")"
  }

  /// The condition that only the last input can tell whether the target of a row is there, and the only one.
  var isOpen: String {
    guard twins != nil else { return isDangling() }
    return "(\(isDangling()) OR (\(isGiven) AND \(hasGap)))"
  }

  /// Rows `f` of a table as they stand behind FROM, a list with its items `e`.
  func source(_ table: String) -> String {
    "\(table) AS f" + (items.map { " CROSS JOIN \($0) AS e" } ?? "")
  }

  /// The condition that a parked row is that of a number, and its item the one of a position.
  func isRow(_ number: Int64, item: Int64?) -> String {
    "f.n = \(number)" + (item.map { " AND e.key = \($0)" } ?? "")
  }

  /// The condition that a row `t` that is not stored yet is the target, by the columns that it has for the values.
  func isSame(_ columns: [String]) -> String {
    zip(columns, values).map { "t.\($0) \(isByNumber ? "IS" : "=") \($1)" }.joined(separator: " AND ")
  }

  /// The columns of the feed's or parked rows of the target that hold what it is known by; nil if some are missing.
  var targetFeedColumns: [String]? {
    let columns = targetAttributes.compactMap { $0 }.map { "c\($0)" }
    return columns.count == values.count && !columns.isEmpty ? columns : nil
  }
}

extension StoredTable {
  /// Every foreign key that rows of an entity must heed: the table's own, and links of the model that the table lacks.
  func foreignKeys(for entity: Entity) -> [ForeignKey] {
    var keys = foreignKeys
    for link in entity.relationships where link.isHeldHere && entity.isGiven(link) {
      let columns = link.attributes.isEmpty ? [link.name] : link.attributes
      let isThere = foreignKeys.contains { key in
        SQLText.isSameName(key.target, link.target)
          && Set(key.columns.map(SQLText.folded)) == Set(columns.map(SQLText.folded))
      }
      guard !isThere else { continue }
      keys.append(
        ForeignKey(columns: columns, target: link.target, targetColumns: link.targetAttributes, onDelete: "")
      )
    }
    return keys
  }
}
