import Records

/// The running counts of one column.
///
/// While its different values are few, a table holds them all, and a value that is met again costs a look-up and a count.
/// When they are too many, the table is given up for an estimate and a sketch, and every value is looked at by itself.
struct ColumnTally {
  /// An end of an order, with what decides quickly.
  private struct Extreme {
    var value: KeptValue
    var prefix: UInt64
  }

  var nullCount: Int64 = 0
  var absentCount: Int64 = 0
  var nullTokenCount: Int64 = 0
  var repeatedCount: Int64 = 0
  private var valueCount: Int64 = 0
  private var emptyCount: Int64 = 0

  private var table = ValueTable()
  private var estimate: DistinctEstimate?
  private var frequent: FrequentValues?
  private var sequence = AscendingSequence()
  private var hasRepeats = false
  private var sample: [KeptValue] = []

  private var least: Extreme?
  private var greatest: Extreme?
  private var shortest: ColumnProfile.Measured?
  private var longest: ColumnProfile.Measured?
  private var shortestCount = Int.max
  private var longestCount = -1
  /// The kinds and remarks that were met, as bits, and the first value of each.
  private var metKinds: UInt32 = 0
  private var metRemarks: UInt8 = 0
  private var kindFirsts: [(kind: ValueKind, value: KeptValue)] = []
  private var remarkFirsts: [(remark: ValueRemark, value: KeptValue)] = []
  /// Counts by kind and by remark of the values that are in no table.
  private var kindCounts: [Int64] = []
  private var remarkCounts: [Int64] = []

  static let sampleCount = 5
  static let topCount = 10

  /// Counts a value that is not NULL.
  mutating func take(
    _ text: Span<UInt8>,
    budget: inout ProfileBudget,
    columnCount: Int,
    place: ValuePlace,
    in batch: borrowing RecordBatch
  ) {
    valueCount += 1
    guard text.count > 0 else {
      emptyCount += 1
      return
    }
    let hash = valueHash(text)
    if frequent == nil {
      if table.countAgain(text, hash: hash) {
        hasRepeats = true
        return
      }
      let nature = look(at: text, place: place, in: batch)
      if table.insert(text, hash: hash, nature: nature, budget: &budget) { return }
      giveUpTable(budget: &budget, columnCount: columnCount)
      count(text, hash: hash, nature: nature)
    } else {
      count(text, hash: hash, nature: look(at: text, place: place, in: batch))
    }
  }

  // MARK: - One value

  /// Takes what a value is by itself into account; where values are in the table, once for each different one.
  private mutating func look(at text: Span<UInt8>, place: ValuePlace, in batch: borrowing RecordBatch) -> ValueNature {
    var characters = 0
    let nature = ValueNature(of: text, characters: &characters)
    if characters < shortestCount {
      shortestCount = characters
      shortest = .init(value: KeptValue(text, line: place.line(in: batch)), characters: characters)
    }
    if characters > longestCount {
      longestCount = characters
      longest = .init(value: KeptValue(text, line: place.line(in: batch)), characters: characters)
    }
    order(text, place: place, in: batch)
    let kindBit = UInt32(1) << UInt32(nature.kind.rawValue)
    if metKinds & kindBit == 0 {
      metKinds |= kindBit
      kindFirsts.append((nature.kind, KeptValue(text, line: place.line(in: batch))))
    }
    if nature.remarks & ~metRemarks != 0 {
      for remark in ValueRemark.allCases where nature.remarks & ~metRemarks & remark.bit != 0 {
        remarkFirsts.append((remark, KeptValue(text, line: place.line(in: batch))))
      }
      metRemarks |= nature.remarks
    }
    return nature
  }

  private mutating func order(_ text: Span<UInt8>, place: ValuePlace, in batch: borrowing RecordBatch) {
    let prefix = orderingPrefix(text)
    guard let low = least, let high = greatest else {
      let value = KeptValue(text, line: place.line(in: batch))
      least = Extreme(value: value, prefix: prefix)
      greatest = least
      return
    }
    if prefix < low.prefix || (prefix == low.prefix && precedes(text, low.value.bytes.span)) {
      least = Extreme(value: KeptValue(text, line: place.line(in: batch)), prefix: prefix)
    } else if prefix > high.prefix || (prefix == high.prefix && precedes(high.value.bytes.span, text)) {
      greatest = Extreme(value: KeptValue(text, line: place.line(in: batch)), prefix: prefix)
    }
  }

  /// Counts a value that has no place in a table.
  private mutating func count(_ text: Span<UInt8>, hash: UInt64, nature: ValueNature) {
    estimate?.add(hash)
    frequent?.add(hash, text)
    add(1, to: nature)
    sequence.take(text)
  }

  // MARK: - From exact to estimated

  private mutating func giveUpTable(budget: inout ProfileBudget, columnCount: Int) {
    let size = SketchSize(columnCount: columnCount)
    var estimate = DistinctEstimate(precision: size.precision)
    var frequent = FrequentValues(capacity: size.counterCount)
    sample = firstValues
    if hasRepeats { sequence.end() }
    makeCounts()
    for (index, entry) in table.entries.enumerated() {
      table.withBytes(of: index) { text in
        estimate.add(valueHash(text))
        sequence.take(text)
      }
      add(entry.count, to: entry.nature)
    }
    let often = table.entries.indices.filter { table.entries[$0].count > 1 }
      .sorted { table.entries[$0].count > table.entries[$1].count }.prefix(size.counterCount / 2)
    for index in often {
      let count = UInt64(table.entries[index].count)
      table.withBytes(of: index) { frequent.add(valueHash($0), $0, count: count) }
    }
    self.estimate = estimate
    self.frequent = frequent
    table.empty(into: &budget)
  }

  private mutating func makeCounts() {
    kindCounts = [Int64](repeating: 0, count: ValueKind.allCases.count)
    remarkCounts = [Int64](repeating: 0, count: ValueRemark.allCases.count)
  }

  private mutating func add(_ count: Int64, to nature: ValueNature) {
    kindCounts[Int(nature.kind.rawValue)] += count
    guard nature.remarks != 0 else { return }
    for remark in ValueRemark.allCases where nature.remarks & remark.bit != 0 {
      remarkCounts[Int(remark.rawValue)] += count
    }
  }

  private var firstValues: [KeptValue] {
    (0..<min(Self.sampleCount, table.entries.count)).map { entry in table.withBytes(of: entry) { KeptValue($0) } }
  }

  // MARK: - The outcome

  /// The counts as a profile.
  ///
  /// - Parameter recordCount: How many records of its kind there are; those that end before the column lack it.
  func profile(name: String) -> ColumnProfile {
    var counts = self
    var profile = ColumnProfile(name: name)
    profile.valueCount = valueCount
    profile.nullCount = nullCount
    profile.absentCount = absentCount
    profile.nullTokenCount = nullTokenCount
    profile.emptyCount = emptyCount
    profile.repeatedCount = repeatedCount
    profile.least = least?.value
    profile.greatest = greatest?.value
    profile.shortest = shortest
    profile.longest = longest
    if emptyCount > 0 {
      profile.least = KeptValue([])
      profile.greatest = profile.greatest ?? profile.least
      profile.shortest = .init(value: KeptValue([]), characters: 0)
      profile.longest = profile.longest ?? profile.shortest
    }
    let emptyValues: Int64 = emptyCount > 0 ? 1 : 0
    if let estimate, let frequent {
      let isSequence = sequence.isAscending && emptyCount <= 1
      let count = isSequence ? valueCount : min(Int64(estimate.count.rounded()) + emptyValues, valueCount)
      profile.distinct = .init(
        count: count,
        isExact: isSequence,
        relativeError: isSequence ? 0 : estimate.relativeError
      )
      profile.isUnique = isSequence ? true : hasRepeats || frequent.hasRepeats || emptyCount > 1 ? false : nil
      profile.top = frequent.most(Self.topCount).map { .init(value: $0.value, count: $0.count) }
      profile.isTopExact = false
      profile.sample = sample
    } else {
      counts.makeCounts()
      for entry in table.entries { counts.add(entry.count, to: entry.nature) }
      profile.distinct = .init(
        count: Int64(table.entries.count) + emptyValues,
        isExact: true,
        relativeError: 0
      )
      profile.isUnique = profile.distinct.count == valueCount
      profile.top = exactTop
      profile.sample = firstValues
      profile.caseTwins = CaseTwinSearch.twins(in: table)
    }
    profile.kinds = kindFirsts.sorted { $0.kind.rawValue < $1.kind.rawValue }.map {
      .init(kind: $0.kind, count: counts.kindCounts[Int($0.kind.rawValue)], first: $0.value)
    }
    profile.remarks = remarkFirsts.sorted { $0.remark.rawValue < $1.remark.rawValue }.map {
      .init(remark: $0.remark, count: counts.remarkCounts[Int($0.remark.rawValue)], first: $0.value)
    }
    return profile
  }

  /// The most frequent values that occur more than once; the empty string among them.
  private var exactTop: [ColumnProfile.Counted] {
    let often = table.entries.indices.filter { table.entries[$0].count > 1 }
      .sorted {
        let (first, second) = (table.entries[$0].count, table.entries[$1].count)
        return first != second ? first > second : $0 < $1
      }
    var top = often.prefix(Self.topCount).map { entry in
      ColumnProfile.Counted(value: table.withBytes(of: entry) { KeptValue($0) }, count: table.entries[entry].count)
    }
    if emptyCount > 1 {
      let position = top.firstIndex { $0.count < emptyCount } ?? top.count
      top.insert(.init(value: KeptValue([]), count: emptyCount), at: position)
    }
    return Array(top.prefix(Self.topCount))
  }
}

/// Where a value stands, worked out only for the few that are kept.
struct ValuePlace {
  var record: Int
  var field: Field

  /// The line of the value's first byte, from 1.
  func line(in batch: borrowing RecordBatch) -> Int { batch.line(of: field, in: record) }
}

/// How much memory the sketches of a column take, by how many columns there are.
struct SketchSize {
  var precision: Int
  var counterCount: Int

  init(columnCount: Int) {
    (precision, counterCount) =
      switch columnCount {
      case ...32: (14, 256)
      case ...256: (12, 64)
      case ...2048: (10, 16)
      default: (8, 4)
      }
  }
}
