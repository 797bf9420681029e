/// The values that occur most, from a stream of any length in a fixed amount of memory.
///
/// As many counters as it has room for; when they run out, all are lowered by their median and those at zero are free again
/// (Misra and Gries, 1982, in the batched form of Anderson and others, 2017). So a count is never too high, and every value
/// that makes up more than two parts in the number of counters is found. Values are told apart by their 64-bit hash.
struct FrequentValues {
  private struct Counter {
    var hash: UInt64 = 0
    /// 0 where the slot is free.
    var count: UInt64 = 0
  }

  /// The bytes kept of a value, with a byte for their number before them; enough for what is shown.
  static let keptByteCount = 63
  private static let cellByteCount = keptByteCount + 1

  private var slots: [Counter]
  /// A cell for each slot; filled when its value comes for the second time.
  private var cells: [UInt8]
  private var usedCount = 0
  /// How many of the counters stand at one.
  private var singleCount = 0
  private let capacity: Int
  /// Whether any value was certainly seen twice.
  private(set) var hasRepeats = false

  /// Makes a sketch.
  ///
  /// - Parameter capacity: A power of two; how many values are counted at once.
  init(capacity: Int) {
    self.capacity = capacity
    slots = [Counter](repeating: Counter(), count: 2 * capacity)
    cells = [UInt8](repeating: 0, count: 2 * capacity * Self.cellByteCount)
  }

  /// The memory that a sketch of that capacity takes.
  static func byteCount(capacity: Int) -> Int { 2 * capacity * (MemoryLayout<Counter>.size + cellByteCount) }

  /// Counts a value that was seen.
  ///
  /// - Parameters:
  ///   - hash: Of the text.
  ///   - text: The value.
  ///   - count: How often it was seen.
  mutating func add(_ hash: UInt64, _ text: Span<UInt8>, count: UInt64 = 1) {
    var slot = self.slot(of: hash)
    if slots[slot].count == 0 {
      if usedCount == capacity {
        lower()
        slot = self.slot(of: hash)
      }
      slots[slot] = Counter(hash: hash, count: count)
      usedCount += 1
      if count > 1 { keep(text, in: slot) } else { singleCount += 1 }
      return
    }
    let isFirstRepeat = slots[slot].count == 1
    slots[slot].count += count
    hasRepeats = true
    guard isFirstRepeat else { return }
    singleCount -= 1
    keep(text, in: slot)
  }

  /// The values seen at least twice, the most frequent first, with how often they were seen at least.
  func most(_ count: Int) -> [(value: KeptValue, count: Int64)] {
    let found = slots.indices.filter { slots[$0].count > 1 }.map { slot -> (value: KeptValue, count: Int64) in
      let start = slot * Self.cellByteCount
      let length = Int(cells[start])
      let kept = min(length, Self.keptByteCount)
      let bytes = cells[(start + 1)..<(start + 1 + kept)]
      return (KeptValue(Array(bytes), isCut: length > Self.keptByteCount), Int64(slots[slot].count))
    }
    return Array(
      found.sorted {
        $0.count != $1.count ? $0.count > $1.count : $0.value.bytes.lexicographicallyPrecedes($1.value.bytes)
      }
      .prefix(count)
    )
  }

  private func slot(of hash: UInt64) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot].count != 0, slots[slot].hash != hash { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func keep(_ text: Span<UInt8>, in slot: Int) {
    let start = slot * Self.cellByteCount
    let kept = min(text.count, Self.keptByteCount)
    cells[start] = UInt8(min(text.count, Self.keptByteCount + 1))
    for index in 0..<kept { cells[start + 1 + index] = text[index] }
  }

  /// Lowers all counters by their median, which frees half of them at least.
  private mutating func lower() {
    // Where most counters stand at one, as they do in a column of all but unique values, there is nothing to sort.
    let median = 2 * singleCount > usedCount ? 1 : medianCount
    var survivors: [(counter: Counter, cell: [UInt8])] = []
    if median > 1 || singleCount < usedCount {
      for (index, counter) in slots.enumerated() where counter.count > median {
        let start = index * Self.cellByteCount
        let length = 1 + min(Int(cells[start]), Self.keptByteCount)
        survivors.append(
          (Counter(hash: counter.hash, count: counter.count - median), Array(cells[start..<(start + length)]))
        )
      }
    }
    for index in slots.indices { slots[index] = Counter() }
    usedCount = survivors.count
    singleCount = 0
    for (counter, cell) in survivors {
      let slot = self.slot(of: counter.hash)
      slots[slot] = counter
      if counter.count == 1 { singleCount += 1 }
      for (offset, byte) in cell.enumerated() { cells[slot * Self.cellByteCount + offset] = byte }
    }
  }

  private var medianCount: UInt64 {
    let counts = slots.map(\.count).filter { $0 > 0 }.sorted()
    return counts[counts.count / 2]
  }
}
