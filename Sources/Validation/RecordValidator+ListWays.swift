import Diagnostics
import EntityModel
import Records

/// Rows at the other end of a to-many relationship that records give in full, as items of a list: each is found by its key
/// or made, and the list leads to it.
///
/// ```text
/// {"title": "Low Tide", "tags": [{"name": "sea", "colour": "blue"}, {"name": "night"}]}
///                       tags.name, tags.colour: a value for each item
/// ```
extension RecordValidator {
  /// Finds the lists whose items give rows in full.
  mutating func listWays(
    from entity: Int,
    columns: [String],
    without taken: [Bool],
    alternatives: inout [Int]
  ) -> [WayRoute] {
    let own = plan.entities[entity]
    guard own.hasLists, columns.indices.contains(where: { !taken[$0] && columns[$0].utf8.contains(UInt8(ascii: ".")) })
    else { return [] }
    var found: [WayRoute] = []
    for link in own.relationships where link.isToMany {
      let lists = own.attributes.indices.filter {
        own.attributes[$0].isList && own.attributes[$0].runUse == nil && own.attributes[$0].keyPath.first == link.name
      }
      guard !lists.isEmpty, let target = plan.entities.firstIndex(where: { $0.name == link.target }),
        !plan.entities[target].key.isEmpty, !plan.entities[target].numbersRows
      else { continue }
      let values = lists.compactMap { position -> (own: Int, enclosing: Int)? in
        let path = Array(own.attributes[position].keyPath.dropFirst())
        let part = plan.entities[target].attributes.firstIndex {
          $0.runUse == nil && (path.count == 1 ? $0.name == path[0] : $0.keyPath == path)
        }
        return part.map { (position, $0) }
      }
      guard values.count == lists.count else { continue }
      let elements = EntityModel(entities: plan.entities).elementNames(of: link, in: own)
      let names = [link.name] + elements + lists.flatMap { own.attributes[$0].sourceNames }
      // A file may call the items otherwise in each record, but not in one.
      let starts = Set(names.map { lowercasedASCII($0) + "." }).sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
      for start in starts {
        let inner = columns.map { column -> String in
          let folded = lowercasedASCII(column)
          guard plan.mappings[column] == nil, starts.first(where: folded.hasPrefix) == start else { return "\u{0}" }
          return String(decoding: column.utf8.dropFirst(start.utf8.count), as: UTF8.self)
        }
        guard var way = listWay(link, to: target, values: values, columns: inner, taken: taken, &alternatives) else {
          continue
        }
        way.starts = [start]
        found.append(way)
      }
    }
    return found
  }

  private mutating func listWay(
    _ link: Relationship,
    to target: Int,
    values: [(own: Int, enclosing: Int)],
    columns inner: [String],
    taken: [Bool],
    _ alternatives: inout [Int]
  ) -> WayRoute? {
    guard inner.indices.contains(where: { inner[$0] != "\u{0}" && !taken[$0] }) else { return nil }
    var way = WayRoute(
      way: 0,
      name: link.name,
      entity: target,
      depth: 1,
      cells: [],
      columns: [],
      parent: nil,
      values: values
    )
    let key = Set(values.map(\.enclosing))
    for (index, places) in plan.columns(of: plan.entities[target], among: inner).enumerated() {
      let untaken = addCell(index, from: places, to: &way, &alternatives).filter { !taken[$0] }
      if key.contains(index) { way.keys += untaken } else { way.more += untaken }
    }
    guard !way.more.isEmpty || !way.keys.isEmpty, let number = number(ofWay: link.name) else { return nil }
    way.way = number
    return way
  }

  /// What a record's list says of rows at the other end.
  struct ListedRows {
    /// Where the values of each item's row begin.
    var starts: [Int] = []
    /// The values of the attributes that give the list, by position.
    var lists: [Int: Value] = [:]
  }

  /// Reads the rows that the items of a list give; none where the record gives keys alone, or nothing.
  mutating func readList(
    _ way: WayRoute,
    kind: Int,
    in batch: borrowing RecordBatch,
    record: Int,
    repeats: Range<Int>,
    respelledStart: Int,
    into rows: inout ValueBatch,
    faults: inout [Diagnostic]
  ) -> ListedRows? {
    let givesMore = way.more.contains { !batch.field($0, of: record).isAbsent }
    guard givesMore || way.keys.contains(where: { !batch.field($0, of: record).isAbsent }) else { return nil }
    var fields: [Int: [Field]] = [:]
    for column in way.columns where !batch.field(column, of: record).isAbsent {
      fields[column] = members(of: batch.field(column, of: record), in: batch)
    }
    for index in repeats where fields[batch.repeats[index].column] != nil {
      fields[batch.repeats[index].column]? += members(of: batch.repeats[index].field, in: batch)
    }
    let counts = fields.mapValues(\.count)
    let count = counts.values.max() ?? 0
    // A list whose only item has no value at all has no items.
    if count == 1, fields.values.allSatisfy({ !hasValue($0[0], in: batch) }) {
      return ListedRows(lists: Dictionary(way.values.map { ($0.own, .null) }) { first, _ in first })
    }
    let name = plan.entities[routes[kind].entity ?? 0].name
    let location = batch.location(of: record)
    guard counts.values.allSatisfy({ $0 == count }) else {
      let given = way.columns.filter { counts[$0] != nil }
      faults.append(
        .unequalMembers(
          given.map { batch.shapes[kind].columns[$0] },
          counts: given.map { counts[$0] ?? 0 },
          of: way.name,
          entity: name,
          at: location
        )
      )
      return ListedRows()
    }
    var items: [[Int: Field]] = Array(repeating: [:], count: count)
    for (column, values) in fields {
      for (index, field) in values.enumerated() { items[index][column] = field }
    }
    var found = ListedRows()
    let faultCount = faults.count
    let target = plan.entities[way.entity]
    for item in items {
      let start = rows.values.count
      for cell in way.cells {
        rows.values.append(
          memberValue(cell, item, kind: kind, in: batch, record: record, respelledStart: respelledStart, &faults)
        )
      }
      found.starts.append(start)
      if faults.count == faultCount { faults += keyFaults(of: way, from: start, in: rows, at: location) }
    }
    for position in faultCount..<faults.count where faults[position].entity == nil {
      faults[position].entity = target.name
      faults[position].field = faults[position].field.map { "\(way.name).\($0)" }
    }
    guard faults.count == faultCount else { return found }
    listKeys(of: way, &found, kind: kind, batch, respelledStart, rows, at: location, &faults)
    // What gives keys alone refers to rows that must be there.
    if !givesMore { found.starts = [] }
    return found
  }

  /// Whether a record also gives a list of keys by itself.
  func givesOwnList(_ cell: Cell, kind: Int, in batch: borrowing RecordBatch, record: Int) -> Bool {
    let members = Set(routes[kind].listWays.flatMap(\.columns))
    let columns = cell.column < 0 ? [] : [cell.column] + routes[kind].alternatives[cell.alternatives]
    return columns.contains { !members.contains($0) && !batch.field($0, of: record).isAbsent }
  }

  /// The values that a field has for the items of a list; an empty one between two separators is none.
  private func members(of field: Field, in batch: borrowing RecordBatch) -> [Field] {
    let parts = parts(of: field, in: batch)
    return parts.count == 1 ? [field] : parts.map { $0.count > 0 ? $0 : Field($0.text) }
  }

  private mutating func memberValue(
    _ cell: Cell,
    _ item: [Int: Field],
    kind: Int,
    in batch: borrowing RecordBatch,
    record: Int,
    respelledStart: Int,
    _ faults: inout [Diagnostic]
  ) -> Value {
    guard cell.column >= 0, !cell.isList else { return .absent }
    for column in [cell.column] + routes[kind].alternatives[cell.alternatives] {
      guard let field = item[column], hasValue(field, in: batch),
        !(hasNullTokens && isNullToken(field, rule: cell.rule, in: batch))
      else { continue }
      switch read(field, as: cell, text: batch.text, respelledStart: respelledStart) {
      case .value(let value): return value
      case .fault(let fault):
        faults.append(diagnostic(for: fault, field: field, rule: cell.rule, in: batch, record: record))
        return .null
      }
    }
    return .absent
  }

  /// A value as an item of a list.
  private func spelledItem(
    _ value: Value,
    isFirst: Bool,
    _ batch: borrowing RecordBatch,
    _ respelledStart: Int
  ) -> [UInt8] {
    var bytes = TextBuffer()
    if case .text(let slice) = value {
      if let range = respelledRange(of: slice, respelledStart) {
        bytes.append(respelled.bytes.extracting(range))
      } else {
        bytes.append(batch.text.bytes(of: slice))
      }
    }
    var item = TextBuffer()
    ItemList.append(value, bytes: bytes.bytes, isFirst: isFirst, to: &item)
    var spelled: [UInt8] = []
    for index in 0..<item.count { spelled.append(item.bytes[index]) }
    return spelled
  }

  /// Makes the lists of keys that lead to the rows which items give.
  private mutating func listKeys(
    of way: WayRoute,
    _ found: inout ListedRows,
    kind: Int,
    _ batch: borrowing RecordBatch,
    _ respelledStart: Int,
    _ rows: borrowing ValueBatch,
    at location: SourceLocation,
    _ faults: inout [Diagnostic]
  ) {
    var keys: Set<[[UInt8]]> = []
    var texts = way.values.map { _ in [UInt8]() }
    for (index, start) in found.starts.enumerated() {
      var key: [[UInt8]] = []
      for (position, pair) in way.values.enumerated() {
        let value = rows.values[start + pair.enclosing]
        let spelled = spelledItem(value, isFirst: index == 0, batch, respelledStart)
        texts[position] += spelled
        key.append(Array(spelled.dropFirst()))
      }
      guard !keys.insert(key).inserted, let entity = routes[kind].entity, let first = way.values.first else { continue }
      let shown = key.map { excerpt(of: String(decoding: $0, as: UTF8.self), limit: 40) }.joined(separator: ", ")
      faults.append(.repeatedItem(shown, plan.entities[entity].attributes[first.own], at: location))
    }
    for (position, pair) in way.values.enumerated() {
      let start = respelled.count
      let text = texts[position]
      respelled.append(text.span)
      ItemList.end(&respelled)
      found.lists[pair.own] = .text(TextSlice(respelledStart + start..<respelledStart + respelled.count))
    }
  }
}

extension Diagnostic {
  /// A record gives a list by keys, and by rows in full.
  static func listedTwice(_ attribute: Attribute, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .ambiguousReference,
      location: location,
      field: attribute.name,
      expected: "one of them",
      message: "the list '\(excerpt(of: attribute.name))' is given by keys and by whole rows",
      remedy: "write all items as keys, or all as whole rows"
    )
  }

  /// The members of a list's items have different numbers of values, so that nobody can tell which belong together.
  fileprivate static func unequalMembers(
    _ columns: [String],
    counts: [Int],
    of list: String,
    entity: String,
    at location: SourceLocation
  ) -> Diagnostic {
    Diagnostic(
      code: .missingCell,
      location: location,
      entity: entity,
      field: list,
      expected: "a value of each for every item",
      message: "the items of '\(excerpt(of: list))' have "
        + zip(columns, counts).map { "\($1) times '\(excerpt(of: $0))'" }.joined(separator: ", "),
      remedy: "give every item all of them, an empty one where there is nothing"
    )
  }
}
