import Diagnostics
import EntityModel
import Records
import SQLiteStore

/// Refuses rows that no load would take as they are, batch by batch, and counts the others.
struct ExportChecks {
  private let entity: Entity
  /// What a row is called in messages.
  private let name: String
  private var lists: ListCells
  /// Where a row says which of its links leads to nothing, if it does, and those links.
  private let dangling: Int?
  private let links: [Relationship]
  /// How many rows have passed.
  private(set) var count: Int64 = 0

  /// - Parameters:
  ///   - reader: Reads the rows.
  ///   - separator: What parts the items of lists that are written in one cell.
  ///   - isNested: Whether rows of other entities stand in the same output.
  init(of entity: Entity, from reader: borrowing EntityReader, separator: String?, isNested: Bool = false) {
    self.entity = entity
    dangling = reader.dangling
    links = reader.links
    name = isNested ? " of '\(excerpt(of: entity.name))'" : ""
    lists = ListCells(of: entity, separator: separator)
  }

  /// Looks at a batch, and joins the items of its lists, if they go into cells.
  mutating func check(_ rows: inout ValueBatch, _ text: inout TextBuffer) throws(WriteError) {
    try refuseForeignValues(in: rows, text)
    if let dangling { try refuseDangling(in: rows, column: dangling) }
    try lists.respell(&rows, &text, after: count)
    count += Int64(rows.rows.count)
  }

  /// Refuses references to rows that are not there, which no load would take.
  private func refuseDangling(in rows: borrowing ValueBatch, column: Int) throws(WriteError) {
    for (index, row) in rows.rows.enumerated() {
      guard case .integer(let position) = rows.values[Int(row.valueStart) + column] else { continue }
      let link = links[Int(position)]
      throw .cannotHold(
        "row \(count + Int64(index) + 1)\(name): '\(excerpt(of: link.name))' refers to a row of "
          + "'\(excerpt(of: link.target))' that is not there, or whose key is NULL; make the row, give it a key, or make the reference NULL "
          + "(PRAGMA foreign_key_check lists those that lead to nothing)"
      )
    }
  }

  /// Refuses what would come back as something else, or not at all.
  private func refuseForeignValues(in rows: borrowing ValueBatch, _ text: borrowing TextBuffer) throws(WriteError) {
    for (column, attribute) in entity.attributes.enumerated() where !attribute.isList {
      let check = ValueCheck(attribute)
      for (index, row) in rows.rows.enumerated() {
        let value = rows.values[Int(row.valueStart) + column]
        if check.holds(value, in: text) { continue }
        throw .cannotHold(
          "row \(count + Int64(index) + 1)\(name): the column '\(excerpt(of: attribute.name))' holds "
            + check.objection(to: value, in: text)
        )
      }
    }
  }
}
