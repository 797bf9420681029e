import Diagnostics
import EntityModel
import Records

extension ExportJob {
  /// Whether a row is cells, each of one value.
  var writesCells: Bool { format == .csv || format == .tsv }

  /// Whether pairs go into files of their own.
  var writesJoins: Bool { folder != nil && entity == nil }

  /// An entity with those lists that the format can hold: of relationships that their join tables are named after.
  func withLists(_ entity: Entity, of model: EntityModel) -> Entity {
    var written = entity
    written.attributes.removeAll { attribute in
      guard attribute.isList, let link = entity.relationships.first(where: { $0.name == attribute.keyPath.first })
      else {
        return false
      }
      // In a folder the pairs have a file of their own.
      return writesJoins || writesCells && listSeparator == nil
        || !(model.join(of: link, from: entity)?.isForward ?? false)
    }
    return written
  }
}

/// Lists of keys on their way into a file: what no file could give back is refused, and items of one cell are joined.
struct ListCells {
  private let columns: [(position: Int, attribute: Attribute)]
  private let width: Int
  private let separator: [UInt8]?

  /// - Parameter separator: What parts the items in a cell; nil where each is written by itself.
  init(of entity: Entity, separator: String?) {
    columns = entity.attributes.enumerated().filter(\.element.isList).map { ($0.offset, $0.element) }
    width = entity.attributes.count
    self.separator = separator.map { Array($0.utf8) }
  }

  /// Joins the items of the rows' lists, if they go into cells.
  ///
  /// - Parameter count: How many rows were written before.
  mutating func respell(_ rows: inout ValueBatch, _ text: inout TextBuffer, after count: Int64) throws(WriteError) {
    guard !columns.isEmpty else { return }
    var items = TextBuffer()
    var cell = TextBuffer()
    for (index, row) in rows.rows.enumerated() {
      for (position, attribute) in columns {
        guard case .text(let list) = rows.values[Int(row.valueStart) + position] else { continue }
        cell.truncate(to: 0)
        var place = 0
        var isFirst = true
        while let item = ItemList.next(in: text.bytes(of: list), at: &place) {
          items.truncate(to: 0)
          let value = ItemList.value(of: text.bytes(of: list).extracting(item), into: &items)
          let start = items.count
          ValueSpelling.append(value, as: attribute.type, from: copy(items), to: &items)
          let spelled = items.bytes.extracting(start..<items.count)
          guard value != .null, spelled.count > 0 else {
            throw refusal("an item without a value", attribute, count, index)
          }
          guard let separator else { continue }
          guard !holds(spelled, separator) else {
            throw refusal("'\(excerpt(of: spelled))', which has the separator in it", attribute, count, index)
          }
          if !isFirst { cell.append(separator.span) }
          isFirst = false
          cell.append(spelled)
        }
        guard separator != nil else { continue }
        let start = text.count
        text.append(cell.bytes)
        rows.values[Int(row.valueStart) + position] = .text(TextSlice(start..<text.count))
      }
    }
  }

  private func copy(_ text: borrowing TextBuffer) -> TextBuffer {
    var copy = TextBuffer()
    copy.append(text.bytes)
    return copy
  }

  private func holds(_ bytes: Span<UInt8>, _ separator: [UInt8]) -> Bool {
    guard bytes.count >= separator.count else { return false }
    return (0...bytes.count - separator.count).contains { start in
      separator.indices.allSatisfy { bytes[start + $0] == separator[$0] }
    }
  }

  private func refusal(_ what: String, _ attribute: Attribute, _ count: Int64, _ index: Int) -> WriteError {
    .cannotHold(
      "row \(count + Int64(index) + 1): the list '\(excerpt(of: attribute.name))' has \(what); write the pairs by "
        + "themselves, with --entity and the name of their table\(separator == nil ? "" : ", or tell another separator")"
    )
  }
}
