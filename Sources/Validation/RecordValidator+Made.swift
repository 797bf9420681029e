import Diagnostics
import EntityModel
import Records

/// How records of one shape lead to rows of another entity that are found by their keys or made: by fields that are named
/// with the way to them.
///
/// ```text
/// title, artist.name, artist.hometown, artist.label.name, artist.label.genre
///        artist                        artist.label
/// ```
struct WayRoute: Sendable {
  /// Its name's position in `ValueBatch.ways`, counted from 1.
  var way: UInt8
  var name: String
  var entity: Int
  /// How many relationships it has.
  var depth: Int
  var cells: [RecordValidator.Cell]
  /// The columns that give the row itself something.
  var columns: [Int]
  /// The columns that give more than a key, of the row itself or of those that it leads on to: a record makes the row only
  /// where it has one of them.
  var more: [Int] = []
  /// The columns that give a key, of a list, where nothing else takes them.
  var keys: [Int] = []
  /// The way that this one goes on from, by its position in the route; nil for one that begins at the record's own row.
  var parent: Int?
  /// What the row before takes from this one: positions of attributes.
  var values: [(own: Int, enclosing: Int)]
  /// What its columns begin with, in lower case.
  var starts: [String] = []
  /// Which of its attributes may be given by objects; see `RecordValidator.Route.objects`.
  var objects: [Int: [(column: Int, depth: UInt8)]] = [:]
}

extension RecordValidator {
  /// The most ways that a run can have.
  private static let wayLimit = 255

  /// Finds the ways by which the columns of a shape lead to rows of other entities, the longest first.
  ///
  /// Only those are ways along which some column gives more than a key: what gives a key alone refers to a row that must be
  /// there.
  ///
  /// - Returns: The ways, and further columns of their cells, which stand behind those of the route.
  mutating func ways(
    from entity: Int,
    columns: [String],
    without taken: [Bool],
    alternatives: inout [Int]
  ) -> [WayRoute] {
    guard columns.indices.contains(where: { !taken[$0] && columns[$0].utf8.contains(UInt8(ascii: ".")) }) else {
      return []
    }
    var found: [WayRoute] = []
    addWays(from: entity, parent: nil, prefix: "", columns: columns, taken: taken, to: &found, &alternatives)
    // The rows that others lead to come first.
    let order = found.indices.sorted { (-found[$0].depth, $0) < (-found[$1].depth, $1) }
    return order.map { position in
      var way = found[position]
      way.parent = way.parent.flatMap { order.firstIndex(of: $0) }
      return way
    }
  }

  private mutating func addWays(
    from entity: Int,
    parent: Int?,
    prefix: String,
    columns: [String],
    taken: [Bool],
    to found: inout [WayRoute],
    _ alternatives: inout [Int]
  ) {
    let depth = parent.map { found[$0].depth + 1 } ?? 1
    guard depth <= 16 else { return }
    for link in plan.entities[entity].relationships where link.isHeldHere && plan.entities[entity].isGiven(link) {
      guard let target = plan.entities.firstIndex(where: { $0.name == link.target }),
        !plan.entities[target].key.isEmpty, !plan.entities[target].numbersRows,
        let values = plan.values(from: entity, to: target, by: link)
      else { continue }
      let name = prefix.isEmpty ? link.name : "\(prefix).\(link.name)"
      let starts = ([link.name] + link.sourceNames).map {
        lowercasedASCII(prefix.isEmpty ? $0 : "\(prefix).\($0)") + "."
      }
      let inner = columns.map { column -> String in
        let folded = lowercasedASCII(column)
        guard plan.mappings[column] == nil, let start = starts.first(where: folded.hasPrefix) else { return "\u{0}" }
        return String(decoding: column.utf8.dropFirst(start.utf8.count), as: UTF8.self)
      }
      guard inner.contains(where: { $0 != "\u{0}" }) else { continue }
      let sources = plan.columns(of: plan.entities[target], among: inner)
      var way = WayRoute(
        way: 0,
        name: name,
        entity: target,
        depth: depth,
        cells: [],
        columns: [],
        parent: parent,
        values: values,
        starts: starts
      )
      let key = Set(values.map(\.enclosing))
      for (index, places) in sources.enumerated() {
        let untaken = addCell(index, from: places, to: &way, &alternatives).filter { !taken[$0] }
        if !key.contains(index) { way.more += untaken }
      }
      let position = found.count
      found.append(way)
      addWays(from: target, parent: position, prefix: name, columns: columns, taken: taken, to: &found, &alternatives)
      for next in found[(position + 1)...] where next.parent == position { found[position].more += next.more }
      // A way on which nothing more is given is no way.
      guard !found[position].more.isEmpty else {
        found.removeLast(found.count - position)
        continue
      }
      guard let number = number(ofWay: name) else {
        found.removeLast(found.count - position)
        return
      }
      found[position].way = number
    }
  }

  /// Adds the cell of one of the target's attributes to a way.
  ///
  /// - Returns: The columns that it takes; none for a list, which rows on ways do not have.
  func addCell(_ attribute: Int, from places: [Int], to way: inout WayRoute, _ alternatives: inout [Int]) -> [Int] {
    let position = ruleStarts[way.entity] + attribute
    let rule = rules[position]
    let places = rule.attribute.isList ? [] : places
    let start = alternatives.count
    alternatives += places.dropFirst()
    way.cells.append(
      Cell(
        column: places.first ?? -1,
        type: rule.attribute.type,
        rule: position,
        alternatives: start..<alternatives.count,
        hasValueRules: rule.hasValueRules,
        refusesEmptyText: rule.attribute.isRequired && rule.attribute.refusesEmptyText,
        isList: rule.attribute.isList
      )
    )
    way.columns += places
    return places
  }

  /// The number that a way is known by in the run.
  mutating func number(ofWay name: String) -> UInt8? {
    if let known = wayNames.firstIndex(of: name) { return UInt8(known + 1) }
    guard wayNames.count < Self.wayLimit else { return nil }
    wayNames.append(name)
    return UInt8(wayNames.count)
  }

  /// Reads what a record gives of the rows on its ways.
  ///
  /// - Returns: Where the values of each way's row begin; -1 where the record says nothing of it.
  mutating func readWays(
    kind: Int,
    in batch: borrowing RecordBatch,
    record: Int,
    respelledStart: Int,
    into rows: inout ValueBatch,
    faults: inout [Diagnostic]
  ) -> [Int] {
    var starts = [Int](repeating: -1, count: routes[kind].ways.count)
    for index in routes[kind].ways.indices {
      guard routes[kind].ways[index].more.contains(where: { !batch.field($0, of: record).isAbsent }) else { continue }
      let isGiven =
        routes[kind].ways[index].columns.contains { hasValue(batch.field($0, of: record), in: batch) }
        || routes[kind].ways.indices.contains { routes[kind].ways[$0].parent == index && starts[$0] >= 0 }
      guard isGiven else { continue }
      let faultCount = faults.count
      let start = rows.values.count
      let entity = routes[kind].ways[index].entity
      for position in routes[kind].ways[index].cells.indices {
        if let value = valueFromWay(for: position, of: index, kind: kind, starts, rows) {
          rows.values.append(value)
          continue
        }
        rows.values.append(
          valueOnWay(
            routes[kind].ways[index].cells[position],
            kind: kind,
            in: batch,
            record: record,
            respelledStart: respelledStart,
            faults: &faults
          )
        )
      }
      for position in faultCount..<faults.count {
        faults[position].entity = plan.entities[entity].name
        faults[position].field = faults[position].field.map { "\(routes[kind].ways[index].name).\($0)" }
      }
      starts[index] = start
    }
    return starts
  }

  /// The value that an attribute takes from the row on a way that begins at its own; nil where there is none.
  ///
  /// - Parameter way: The way whose row the attribute is of; nil for the record's own.
  func valueFromWay(
    for attribute: Int,
    of way: Int?,
    kind: Int,
    _ starts: [Int],
    _ rows: borrowing ValueBatch
  ) -> Value? {
    for (index, next) in routes[kind].ways.enumerated() where next.parent == way && starts[index] >= 0 {
      guard let pair = next.values.first(where: { $0.own == attribute }) else { continue }
      // What the row there lacks, this one refers to as lacking.
      let value = rows.values[starts[index] + pair.enclosing]
      return value == .absent ? .null : value
    }
    return nil
  }

  func hasValue(_ field: Field, in batch: borrowing RecordBatch) -> Bool {
    !field.isNull && !(hasNullTokens && isGeneralNull(field, in: batch))
  }

  private mutating func valueOnWay(
    _ cell: Cell,
    kind: Int,
    in batch: borrowing RecordBatch,
    record: Int,
    respelledStart: Int,
    faults: inout [Diagnostic]
  ) -> Value {
    guard cell.column >= 0, !cell.isList else { return .absent }
    for index in -1..<cell.alternatives.count {
      let column = index < 0 ? cell.column : routes[kind].alternatives[cell.alternatives.lowerBound + index]
      let field = batch.field(column, of: record)
      guard !field.isNull, !(hasNullTokens && isNullToken(field, rule: cell.rule, in: batch)) else { continue }
      switch read(field, as: cell, text: batch.text, respelledStart: respelledStart) {
      case .value(let value): return value
      case .fault(let fault):
        faults.append(diagnostic(for: fault, field: field, rule: cell.rule, in: batch, record: record))
        return .null
      }
    }
    return .absent
  }

  /// Says which of a row's needed parts of its key are missing, since without them it can be neither found nor made.
  func keyFaults(
    of way: WayRoute,
    from start: Int,
    in rows: borrowing ValueBatch,
    at location: SourceLocation
  ) -> [Diagnostic] {
    let entity = plan.entities[way.entity]
    let needed = way.values.map(\.enclosing).filter { position in
      entity.attributes[position].isRequired && rows.values[start + position].isMissing
    }
    let isEmpty = way.values.allSatisfy { rows.values[start + $0.enclosing].isMissing }
    let missing = needed.isEmpty && isEmpty ? way.values.prefix(1).map(\.enclosing) : needed
    return missing.map { position in
      var fault = Diagnostic.required(entity.attributes[position], at: location, value: nil)
      fault.entity = entity.name
      fault.field = "\(way.name).\(entity.attributes[position].name)"
      fault.message = "the key of '\(excerpt(of: entity.name))' has no value, and by it the row is found or made"
      fault.remedy =
        "give '\(excerpt(of: fault.field ?? ""))' a value, or leave all of '\(excerpt(of: way.name))' empty"
      return fault
    }
  }

  /// Adds the rows on a record's ways to those that are to be written; one that another record leads to already stands once.
  mutating func addWays(
    _ starts: [Int],
    kind: Int,
    record: Int,
    batch: borrowing RecordBatch,
    respelledStart: Int,
    to rows: inout ValueBatch
  ) {
    for (index, start) in starts.enumerated() where start >= 0 {
      let way = routes[kind].ways[index]
      addWay(way, at: start, record: record, batch: batch, respelledStart: respelledStart, to: &rows)
    }
  }

  /// Adds the row on one way.
  mutating func addWay(
    _ way: WayRoute,
    at start: Int,
    record: Int,
    batch: borrowing RecordBatch,
    respelledStart: Int,
    to rows: inout ValueBatch
  ) {
    let width = way.cells.count
    let hash = hash(of: start..<start + width, way: way.way, in: rows, batch, respelledStart)
    if let known = knownOnWays[hash], known.way == way.way,
      areSame(known.start..<known.start + width, start, in: rows, batch, respelledStart)
    {
      rows.carriers.append(ValueBatch.Carrier(record: record, valueStart: known.start))
      return
    }
    knownOnWays[hash] = (way.way, start)
    var row = ValueBatch.Row(
      entity: UInt16(truncatingIfNeeded: way.entity),
      record: UInt32(truncatingIfNeeded: record),
      valueStart: UInt32(truncatingIfNeeded: start)
    )
    row.way = way.way
    row.depthStart = depths(of: way.objects, count: width, in: batch, record: record, to: &rows)
    rows.rows.append(row)
    rows.carriers.append(ValueBatch.Carrier(record: record, valueStart: start))
  }
}
