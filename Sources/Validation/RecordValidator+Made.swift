import Diagnostics
import EntityModel
import Records

/// The rows on the ways of a record: what it gives of each, and how they go into its batch; see `WayRoute`.
extension RecordValidator {
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
