import Diagnostics
import EntityModel
import Records

/// Lists of what the rows at the other end of a to-many relationship are known by.
extension RecordValidator {
  /// Finds the list that a record gives for an attribute: every value of its columns, each taken apart by the separator if
  /// one was told.
  ///
  /// A single value that is empty is the list without items.
  ///
  /// - Parameter repeats: The batch's further values of the record.
  mutating func itemList(
    of cell: Cell,
    kind: Int,
    in batch: borrowing RecordBatch,
    record: Int,
    repeats: Range<Int>,
    respelledStart: Int,
    faults: inout [Diagnostic]
  ) -> Value {
    var fields: [Field] = []
    let columns = cell.column < 0 ? [] : [cell.column] + routes[kind].alternatives[cell.alternatives]
    for column in columns {
      let field = batch.field(column, of: record)
      guard !field.isAbsent else { continue }
      fields.append(field)
      for index in repeats where batch.repeats[index].column == column { fields.append(batch.repeats[index].field) }
    }
    guard let only = fields.first else { return plan.tellsAbsence ? .absent : .null }
    if fields.count == 1, only.count == 0 || isNullToken(only, rule: cell.rule, in: batch) { return .null }
    var items = ListItems()
    let faultCount = faults.count
    for field in fields {
      for item in parts(of: field, in: batch) {
        take(item, of: field, as: cell, in: batch, record: record, respelledStart: respelledStart, &items, &faults)
      }
    }
    guard faults.count == faultCount else { return .null }
    let start = respelled.count
    respelled.append(items.text.bytes)
    ItemList.end(&respelled)
    return .text(TextSlice(respelledStart + start..<respelledStart + respelled.count))
  }

  /// What has been read of a list.
  private struct ListItems: ~Copyable {
    var text = TextBuffer()
    var count = 0
    /// The items so far, as they stand in the list.
    var known: Set<[UInt8]> = []
  }

  /// The parts of a value that the separator makes; the value itself without one.
  func parts(of field: Field, in batch: borrowing RecordBatch) -> [Field] {
    guard let separator = plan.listSeparator, !separator.isEmpty, !field.isBase64 else { return [field] }
    let bytes = batch.text.bytes(of: field.text)
    let offset = Int(field.text.offset)
    var parts: [Field] = []
    var start = 0
    var index = 0
    while index + separator.count <= bytes.count {
      guard separator.indices.allSatisfy({ bytes[index + $0] == separator[$0] }) else {
        index += 1
        continue
      }
      parts.append(Field(TextSlice(offset + start..<offset + index), isQuoted: true))
      index += separator.count
      start = index
    }
    parts.append(Field(TextSlice(offset + start..<offset + bytes.count), isQuoted: true))
    return parts
  }

  private mutating func take(
    _ item: Field,
    of field: Field,
    as cell: Cell,
    in batch: borrowing RecordBatch,
    record: Int,
    respelledStart: Int,
    _ items: inout ListItems,
    _ faults: inout [Diagnostic]
  ) {
    let attribute = rules[cell.rule].attribute
    guard item.count > 0 else {
      faults.append(.emptyItem(attribute, at: batch.location(of: field, in: record)))
      return
    }
    let start = respelled.count
    // What is respelled of an item has its place in the list alone.
    defer { respelled.truncate(to: start) }
    switch read(item, as: cell, text: batch.text, respelledStart: respelledStart) {
    case .fault(let fault):
      faults.append(diagnostic(for: fault, field: item, rule: cell.rule, in: batch, record: record))
    case .value(let value):
      let before = items.text.count
      var bytes = TextBuffer()
      if case .text(let slice) = value {
        if slice.range.lowerBound >= respelledStart {
          let range = slice.range.lowerBound - respelledStart..<slice.range.upperBound - respelledStart
          bytes.append(respelled.bytes.extracting(range))
        } else {
          bytes.append(batch.text.bytes(of: slice))
        }
      }
      ItemList.append(value, bytes: bytes.bytes, isFirst: items.count == 0, to: &items.text)
      items.count += 1
      guard !attribute.isPartOfListedKey else { return }
      var copy: [UInt8] = []
      for index in before + 1..<items.text.count { copy.append(items.text.bytes[index]) }
      guard !items.known.insert(copy).inserted else { return }
      let shown = excerpt(of: batch.text.bytes(of: item.text))
      faults.append(.repeatedItem(shown, attribute, at: batch.location(of: item, in: record)))
    }
  }

  /// Says what is wrong with the lists of a record that together give keys of several parts.
  func faultOfKeys(
    in route: borrowing Route,
    entity: Int,
    values: Range<Int>,
    of rows: borrowing ValueBatch,
    batch: borrowing RecordBatch,
    respelledStart: Int,
    at location: SourceLocation
  ) -> Diagnostic? {
    for names in route.keyLists {
      let lists = names.compactMap { position -> [[UInt8]]? in
        guard case .text(let slice) = rows.values[values.lowerBound + position] else { return nil }
        let range = slice.range.lowerBound - respelledStart..<slice.range.upperBound - respelledStart
        let bytes = respelled.bytes.extracting(range)
        var items: [[UInt8]] = []
        var place = 0
        while let item = ItemList.next(in: bytes, at: &place) { items.append(item.map { bytes[$0] }) }
        return items
      }
      guard let first = lists.first else { continue }
      let attributes = names.map { plan.entities[entity].attributes[$0] }
      guard lists.allSatisfy({ $0.count == first.count }) else {
        return .unequalLists(attributes, counts: lists.map(\.count), at: location)
      }
      var known: Set<[[UInt8]]> = []
      for index in first.indices {
        let key = lists.map { $0[index] }
        guard !known.insert(key).inserted else { continue }
        var text = TextBuffer()
        let shown = key.map { item in
          switch ItemList.value(of: item.span, into: &text) {
          case .text(let slice): excerpt(of: text.bytes(of: slice), limit: 40)
          default: excerpt(of: item.span, limit: 40)
          }
        }.joined(separator: ", ")
        return .repeatedItem(shown, attributes[0], at: location)
      }
    }
    return nil
  }
}

extension Attribute {
  /// Whether other attributes give the rest of what its items are known by.
  fileprivate var isPartOfListedKey: Bool { keyPath.count > 2 || name != keyPath.first }
}

extension Diagnostic {
  /// A list has an item without a value.
  fileprivate static func emptyItem(_ attribute: Attribute, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .required,
      location: location,
      field: attribute.name,
      value: "",
      expected: "a value between two separators",
      message: "an item of the list '\(excerpt(of: attribute.name))' is empty",
      remedy: "leave it out; an empty value alone is a list without items"
    )
  }

  /// A list names the same row twice.
  static func repeatedItem(
    _ shown: String,
    _ attribute: Attribute,
    at location: SourceLocation
  ) -> Diagnostic {
    Diagnostic(
      code: .uniqueError,
      location: location,
      field: attribute.name,
      value: shown,
      expected: "each item once",
      message: "'\(shown)' stands twice in the list '\(excerpt(of: attribute.name))'",
      remedy: "name it once; two rows have one link at most"
    )
  }

  /// Lists whose items belong together have different numbers of them.
  fileprivate static func unequalLists(
    _ attributes: [Attribute],
    counts: [Int],
    at location: SourceLocation
  ) -> Diagnostic {
    let names = attributes.map { "'\(excerpt(of: $0.name))'" }.joined(separator: ", ")
    let found = counts.map { String($0) }.joined(separator: ", ")
    return Diagnostic(
      code: .missingCell,
      location: location,
      field: attributes.map(\.name).joined(separator: ", "),
      expected: "lists of the same length",
      message: "the lists \(names) belong together, but have \(found) items",
      remedy: "give each of them an item for every link"
    )
  }
}
