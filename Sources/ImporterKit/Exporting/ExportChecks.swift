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
  /// How many rows have passed.
  private(set) var count: Int64 = 0

  /// - Parameters:
  ///   - separator: What parts the items of lists that are written in one cell.
  ///   - isNested: Whether rows of other entities stand in the same output.
  init(of entity: Entity, separator: String?, isNested: Bool = false) {
    self.entity = entity
    name = isNested ? " of '\(excerpt(of: entity.name))'" : ""
    lists = ListCells(of: entity, separator: separator)
  }

  /// Looks at a batch, and joins the items of its lists, if they go into cells.
  mutating func check(
    _ rows: inout ValueBatch,
    _ text: inout TextBuffer,
    from reader: borrowing EntityReader
  ) throws(WriteError) {
    try refuseForeignValues(in: rows)
    if let column = reader.dangling { try refuseDangling(in: rows, column: column, links: reader.links) }
    try lists.respell(&rows, &text, after: count)
    count += Int64(rows.rows.count)
  }

  /// Refuses references to rows that are not there, which no load would take.
  private func refuseDangling(
    in rows: borrowing ValueBatch,
    column: Int,
    links: [Relationship]
  ) throws(WriteError) {
    for (index, row) in rows.rows.enumerated() {
      guard case .integer(let position) = rows.values[Int(row.valueStart) + column] else { continue }
      let link = links[Int(position)]
      throw .cannotHold(
        "row \(count + Int64(index) + 1)\(name): '\(excerpt(of: link.name))' refers to a row of "
          + "'\(excerpt(of: link.target))' that is not there; make the row, or the reference NULL (PRAGMA foreign_key_check lists all)"
      )
    }
  }

  /// Refuses what would come back as something else: bytes in a column that is not for bytes, numbers in one for text, and
  /// anything else in one for bytes.
  private func refuseForeignValues(in rows: borrowing ValueBatch) throws(WriteError) {
    for (column, attribute) in entity.attributes.enumerated() {
      let isBinary = attribute.type == .binary
      let isText = attribute.type == .text || attribute.type == .uuid || attribute.type == .uri
      for (index, row) in rows.rows.enumerated() {
        let found: String
        switch rows.values[Int(row.valueStart) + column] {
        case .blob where !isBinary: found = "bytes"
        case .integer where isText || isBinary, .real where isText || isBinary: found = "a number"
        case .text where isBinary && !attribute.isList: found = "a text"
        default: continue
        }
        let remedy =
          isBinary ? "make it bytes" : found == "bytes" ? "declare it as BLOB" : "declare it as INTEGER or REAL"
        throw .cannotHold(
          "row \(count + Int64(index) + 1)\(name): the column '\(excerpt(of: attribute.name))' holds \(found), but its type is "
            + "'\(attribute.type.name)'; \(remedy)\(isBinary ? "" : ", or make it a text")"
        )
      }
    }
  }
}
