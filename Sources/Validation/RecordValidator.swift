package import Diagnostics
import EntityModel
package import Records

/// Turns records into typed rows, or rejects them with every reason.
///
/// A value is checked in the bytes it was read into; only what must be respelled (a date in a declared pattern, base64)
/// is written behind them. One validator serves one input, on one thread.
package struct RecordValidator: ~Copyable {
  let plan: ValidationPlan
  /// The compiled attributes of all entities, one entity after another.
  let rules: [AttributeRule]
  /// Where an entity's attributes begin in `rules`.
  let ruleStarts: [Int]
  var routes: [Route] = []
  let nullTokens: [[UInt8]]
  /// The null tokens of attributes that have their own, by the position of their rule.
  private let ownNullTokens: [Int: [[UInt8]]]
  let hasNullTokens: Bool
  /// What the records that enclose others have become.
  private var enclosing = EnclosingRows()
  /// The next number of each entity whose rows are numbered here, since rows within them need their numbers.
  package private(set) var nextNumbers: [Int: Int64] = [:]
  /// Values respelled for the batch at hand; moved behind its text at the end.
  var respelled = TextBuffer(capacity: 4096)
  /// The names of the ways to rows that are made, by their numbers from 1 on.
  var wayNames: [String] = []
  /// The rows on ways of the batch at hand, by a hash of their values.
  var knownOnWays: [UInt64: (way: UInt8, start: Int)] = [:]

  /// Compiles a plan.
  ///
  /// - Throws: `ModelError` for an attribute whose rules make no sense.
  package static func compiling(_ plan: ValidationPlan) throws(ModelError) -> RecordValidator {
    var validator = try RecordValidator(plan)
    try validator.checkDefaults()
    return validator
  }

  private init(_ plan: ValidationPlan) throws(ModelError) {
    self.plan = plan
    var rules: [AttributeRule] = []
    var ruleStarts: [Int] = []
    for entity in plan.entities {
      ruleStarts.append(rules.count)
      for attribute in entity.attributes {
        let spelling = plan.binarySpellings[attribute.name] ?? plan.binarySpelling
        rules.append(
          try AttributeRule(attribute, entity: entity.name, usesDefaults: plan.usesDefaults, binarySpelling: spelling)
        )
      }
    }
    self.rules = rules
    self.ruleStarts = ruleStarts
    nullTokens = plan.nullTokens.map { Array($0.utf8) }
    var ownNullTokens: [Int: [[UInt8]]] = [:]
    for (index, rule) in rules.enumerated() {
      guard let tokens = plan.nullTokensByAttribute[rule.attribute.name] else { continue }
      ownNullTokens[index] = tokens.map { Array($0.utf8) }
    }
    self.ownNullTokens = ownNullTokens
    nextNumbers = plan.firstNumbers
    hasNullTokens = !nullTokens.isEmpty || !ownNullTokens.isEmpty
  }

  /// Replaces `rows` with what the batch's records become; respelled values are added to the batch's text.
  ///
  /// Rejections come in the order of the records, and so do rows unless records may stand within others: then those of
  /// one entity stand together, the enclosing ones first. Columns that no attribute takes are told once, in the
  /// batch's notes.
  package mutating func validate(_ batch: inout RecordBatch, into rows: inout ValueBatch) {
    rows.reset()
    updateRoutes(&batch)
    if !wayNames.isEmpty {
      rows.ways = wayNames
      knownOnWays.removeAll(keepingCapacity: true)
    }
    let respelledStart = batch.text.count
    if plan.isNested {
      enclosing.begin(batch, values: &rows.values, respelled: &respelled, respelledStart: respelledStart)
    }
    let hasOtherThanASCII = plan.allowsASCIIOnly && firstNonASCII(in: batch.text.bytes) != nil
    var nextFault = 0
    var nextRepeat = 0
    for record in 0..<batch.count {
      var faults: [Diagnostic] = []
      while nextFault < batch.faults.count, batch.faults[nextFault].record == record {
        faults.append(batch.faults[nextFault].diagnostic)
        nextFault += 1
      }
      if hasOtherThanASCII, let fault = asciiFault(of: record, in: batch) { faults.append(fault) }
      let firstRepeat = nextRepeat
      while nextRepeat < batch.repeats.count, batch.repeats[nextRepeat].record == record { nextRepeat += 1 }
      let header = batch.records[record]
      let kind = Int(header.kind)
      guard let entity = routes[kind].entity else {
        if faults.isEmpty {
          let isAny = !plan.entities.isEmpty
          faults.append(.noEntity(named: batch.shapes[kind].name, isAny: isAny, at: batch.location(of: record)))
        }
        rows.rejections.append(Rejection(record: record, diagnostics: faults))
        if plan.isNested { enclosing.add(.init(entity: -1, valueStart: -1, isRejected: true, line: header.line)) }
        continue
      }
      var around: EnclosingRows.Row?
      if plan.isNested, header.parent >= 0 {
        around = enclosing.row(of: header.parent)
        if let fault = link(kind: kind, entity: entity, to: around, in: batch, record: record) { faults.append(fault) }
      }
      let faultCount = faults.count
      var keptStart = -1
      if !header.isUnreadable {
        for index in firstRepeat..<nextRepeat
        where routes[kind].isTaken[batch.repeats[index].column] && !routes[kind].isListed[batch.repeats[index].column] {
          faults.append(repeatedField(batch.repeats[index], in: batch, entity: entity))
        }
        if routes[kind].leavesSomething, faults.count == faultCount,
          givesNothing(header, route: routes[kind], in: batch)
        {
          faults.append(.nothingTaken(from: plan.entities[entity], at: batch.location(of: record)))
        }
        var onWays: [Int] = []
        if !routes[kind].ways.isEmpty {
          onWays = readWays(
            kind: kind,
            in: batch,
            record: record,
            respelledStart: respelledStart,
            into: &rows,
            faults: &faults
          )
          for (index, start) in onWays.enumerated() where start >= 0 && faults.count == faultCount {
            faults += keyFaults(of: routes[kind].ways[index], from: start, in: rows, at: batch.location(of: record))
          }
        }
        var listed: [ListedRows?] = []
        for way in routes[kind].listWays {
          listed.append(
            readList(
              way,
              kind: kind,
              in: batch,
              record: record,
              repeats: firstRepeat..<nextRepeat,
              respelledStart: respelledStart,
              into: &rows,
              faults: &faults
            )
          )
        }
        let valueStart = rows.values.count
        var index = -1
        while true {
          index += 1
          if around == nil, onWays.isEmpty {
            index = appendPlainValues(from: index, kind: kind, of: header, in: batch, to: &rows.values)
          }
          guard index < routes[kind].cells.count else { break }
          let cell = routes[kind].cells[index]
          if !onWays.isEmpty, let value = valueFromWay(for: index, of: nil, kind: kind, onWays, rows) {
            rows.values.append(value)
            continue
          }
          if let around, let value = enclosingValue(for: index, kind: kind, of: around, in: batch, record: record, rows)
          {
            rows.values.append(value)
            continue
          }
          if cell.isList, let list = listed.lazy.compactMap({ $0?.lists[index] }).first {
            if listed.count(where: { $0?.lists[index] != nil }) > 1
              || givesOwnList(cell, kind: kind, in: batch, record: record)
            {
              faults.append(.listedTwice(plan.entities[entity].attributes[index], at: batch.location(of: record)))
            }
            rows.values.append(list)
            continue
          }
          guard !cell.isList else {
            rows.values.append(
              itemList(
                of: cell,
                kind: kind,
                in: batch,
                record: record,
                repeats: firstRepeat..<nextRepeat,
                respelledStart: respelledStart,
                faults: &faults
              )
            )
            continue
          }
          rows.values.append(
            value(of: cell, kind: kind, in: batch, record: record, respelledStart: respelledStart, faults: &faults)
          )
        }
        for (column, link) in routes[kind].wholes {
          let field = batch.field(column, of: record)
          guard !field.isNull, !isGeneralNull(field, in: batch), !link.isToMany || field.count > 0 else { continue }
          let location = batch.location(of: field, in: record)
          let shown = excerpt(of: batch.text.bytes(of: field.text))
          // Read as one of the parts it may be at fault there too, which says nothing more.
          faults.removeAll { $0.location == location }
          faults.append(.keyOfParts(shown, for: link, of: plan.entities[entity], at: location))
        }
        for link in routes[kind].links {
          if let fault = settle(
            link,
            from: valueStart,
            in: &rows,
            kind: kind,
            entity: entity,
            batch: batch,
            record: record
          ) {
            faults.append(fault)
          }
        }
        if !routes[kind].keyLists.isEmpty, faults.isEmpty,
          let fault = faultOfKeys(
            in: routes[kind],
            entity: entity,
            values: valueStart..<rows.values.count,
            of: rows,
            batch: batch,
            respelledStart: respelledStart,
            at: batch.location(of: record)
          )
        {
          faults.append(fault)
        }
        if let column = routes[kind].numberColumn, rows.values[valueStart + column].isMissing {
          rows.values[valueStart + column] = .integer(nextNumbers[entity] ?? 1)
          nextNumbers[entity, default: 1] += 1
        }
        keptStart = valueStart
        var row = ValueBatch.Row(
          entity: UInt16(truncatingIfNeeded: entity),
          record: UInt32(truncatingIfNeeded: record),
          valueStart: UInt32(truncatingIfNeeded: valueStart)
        )
        row.holdsOthers = routes[kind].holdsOthers
        row.isEnclosed = header.parent >= 0
        if !routes[kind].objects.isEmpty {
          row.depthStart = depths(
            of: routes[kind].objects,
            count: routes[kind].cells.count,
            in: batch,
            record: record,
            to: &rows
          )
        }
        if faults.isEmpty {
          if !onWays.isEmpty {
            addWays(onWays, kind: kind, record: record, batch: batch, respelledStart: respelledStart, to: &rows)
          }
          for (way, list) in zip(routes[kind].listWays, listed) {
            for start in list?.starts ?? [] {
              addWay(way, at: start, record: record, batch: batch, respelledStart: respelledStart, to: &rows)
            }
          }
          rows.rows.append(row)
          if plan.isNested {
            enclosing.add(.init(entity: entity, valueStart: valueStart, isRejected: false, line: header.line))
          }
          continue
        }
        if plan.referredEntities.contains(entity) {
          rows.lost.append(row)
        } else {
          rows.values.removeLast(rows.values.count - valueStart)
          keptStart = -1
        }
      }
      if plan.isNested {
        enclosing.add(.init(entity: entity, valueStart: keptStart, isRejected: true, line: header.line))
      }
      for index in faults.indices where faults[index].entity == nil {
        faults[index].entity = plan.entities[entity].name
      }
      rows.rejections.append(Rejection(record: record, diagnostics: faults))
    }
    batch.text.append(respelled.bytes)
    respelled.truncate(to: 0)
    let entities = plan.entities
    if plan.isNested { enclosing.end(batch, values: rows.values) { entities[$0].attributes.count } }
    guard plan.isNested || !rows.carriers.isEmpty else { return }
    // One statement writes many rows of an entity, those of enclosing records before the others, and those on the way to
    // others, from their far ends on, before all.
    let ranks = plan.isNested ? plan.ranks : [Int](repeating: 0, count: entities.count)
    let depths = [0] + wayNames.map { name in 1 + name.utf8.count { $0 == UInt8(ascii: ".") } }
    func rank(_ row: ValueBatch.Row) -> Int { row.way == 0 ? ranks[Int(row.entity)] : -depths[Int(row.way)] }
    rows.rows.sort { first, second in
      (rank(first), first.way, first.record) < (rank(second), second.way, second.record)
    }
  }

  /// Finds the value of one attribute of a record; adds to `faults` what is wrong with it.
  private mutating func value(
    of cell: Cell,
    kind: Int,
    in batch: borrowing RecordBatch,
    record: Int,
    respelledStart: Int,
    faults: inout [Diagnostic]
  ) -> Value {
    var column = cell.column
    var field = column < 0 ? .absent : batch.field(column, of: record)
    if field.isAbsent {
      for index in cell.alternatives where field.isAbsent {
        column = routes[kind].alternatives[index]
        field = batch.field(column, of: record)
      }
    }
    if field.isNull || (hasNullTokens && isNullToken(field, rule: cell.rule, in: batch)) {
      if plan.tellsAbsence, field.isAbsent { return .absent }
      // A row that gives no place comes last, whatever the default.
      if rules[cell.rule].attribute.positionWithin != nil { return .absent }
      if let defaultBytes = rules[cell.rule].defaultBytes {
        // Only the writer knows whether the row is a new one, which gets the default.
        guard !plan.tellsAbsence else { return .null }
        return defaultValue(defaultBytes, rule: cell.rule, respelledStart: respelledStart)
      }
      guard rules[cell.rule].attribute.isRequired, !cell.isToldOtherwise else { return .null }
      // A cell that is not there at all has its own fault already.
      if field.isAbsent, column >= 0, faults.contains(where: { $0.code == .missingCell }) { return .null }
      faults.append(.required(rules[cell.rule].attribute, at: batch.location(of: field, in: record), value: nil))
      return .null
    }
    switch read(field, as: cell, text: batch.text, respelledStart: respelledStart) {
    case .value(let value): return value
    case .fault(let fault):
      faults.append(diagnostic(for: fault, field: field, rule: cell.rule, in: batch, record: record))
      return .null
    }
  }

  /// Whether a record has fields, and none of them is an attribute's.
  private func givesNothing(_ header: RecordHeader, route: borrowing Route, in batch: borrowing RecordBatch) -> Bool {
    var hasFields = false
    for column in 0..<Int(header.fieldCount) where !batch.fields[Int(header.fieldStart) + column].isAbsent {
      if route.isTaken[column] { return false }
      hasFields = true
    }
    return hasFields
  }

  /// Whether a value is one of the spellings of NULL that hold for all attributes.
  func isGeneralNull(_ field: Field, in batch: borrowing RecordBatch) -> Bool {
    guard !field.isAbsent, !(field.isQuoted && plan.quotesProtect), !field.isBase64 else { return false }
    let bytes = batch.text.bytes(of: field.text)
    return nullTokens.contains { token in
      token.count == bytes.count && token.indices.allSatisfy { token[$0] == bytes[$0] }
    }
  }

  func isNullToken(_ field: Field, rule: Int, in batch: borrowing RecordBatch) -> Bool {
    guard !field.isAbsent, !(field.isQuoted && plan.quotesProtect), !field.isBase64 else { return false }
    let bytes = batch.text.bytes(of: field.text)
    return (ownNullTokens[rule] ?? nullTokens).contains { token in
      token.count == bytes.count && token.indices.allSatisfy { token[$0] == bytes[$0] }
    }
  }
}
