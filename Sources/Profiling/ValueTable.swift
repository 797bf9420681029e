/// The different values of a column with their counts, exactly, in the order of their first occurrence.
///
/// ```text
/// arena    Ada│Alan│Barbara│          the values' bytes, end to end
/// entries  (hash, end 3, count) (hash, end 7, count) (hash, end 14, count)
/// slots    0 2 0 0 1 0 3 0            open addressing: entry + 1, or 0
/// ```
struct ValueTable {
  struct Entry {
    var hash: UInt32
    /// Where its bytes end in the arena; they begin where the entry before ends.
    var end: UInt32
    /// How often the value occurs.
    var count: Int64
    /// See `ValueNature`.
    var nature: ValueNature
  }

  /// The most values that are told apart exactly.
  static let mostValues = 65_536
  /// The longest value that is kept whole.
  static let longestValue = 65_536
  /// How far a value may lie from its slot before the table counts as full; only hostile values get there.
  private static let longestProbe = 128

  private(set) var entries: [Entry] = []
  private var slots: [UInt32] = []
  private var arena: [UInt8] = []
  private var entryCapacity = 0
  private var arenaCapacity = 0

  /// The memory that it holds.
  var byteCount: Int {
    slots.count * MemoryLayout<UInt32>.stride + entryCapacity * MemoryLayout<Entry>.stride + arenaCapacity
  }

  /// The bytes of an entry.
  func withBytes<Result>(of entry: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    let start = entry == 0 ? 0 : Int(entries[entry - 1].end)
    return body(arena.span.extracting(start..<Int(entries[entry].end)))
  }

  /// Counts a value if it is known.
  mutating func countAgain(_ text: Span<UInt8>, hash: UInt64) -> Bool {
    guard !slots.isEmpty else { return false }
    let mask = slots.count - 1
    let short = UInt32(truncatingIfNeeded: hash)
    var slot = Int(short) & mask
    while true {
      let number = Int(slots[slot])
      guard number > 0 else { return false }
      if entries[number - 1].hash == short {
        let start = number == 1 ? 0 : Int(entries[number - 2].end)
        let end = Int(entries[number - 1].end)
        if end - start == text.count, areEqual(arena.span.extracting(start..<end), text) {
          entries[number - 1].count += 1
          return true
        }
      }
      slot = (slot + 1) & mask
    }
  }

  /// Adds a value that is not known, if there is room.
  ///
  /// - Returns: false when the bounds of values, of their length or of the budget are reached; nothing was done then.
  mutating func insert(
    _ text: Span<UInt8>,
    hash: UInt64,
    nature: ValueNature,
    budget: inout ProfileBudget
  ) -> Bool {
    guard entries.count < Self.mostValues, text.count <= Self.longestValue else { return false }
    let before = byteCount
    var (newEntries, newArena, newSlots) = (entryCapacity, arenaCapacity, slots.count)
    while entries.count + 1 > newEntries { newEntries = max(8, newEntries * 2) }
    while arena.count + text.count > newArena { newArena = max(64, newArena * 2) }
    while 3 * (entries.count + 1) > 2 * newSlots { newSlots = max(16, newSlots * 2) }
    let after = newSlots * MemoryLayout<UInt32>.stride + newEntries * MemoryLayout<Entry>.stride + newArena
    guard budget.take(after - before) else { return false }
    if newEntries > entryCapacity { entries.reserveCapacity(newEntries) }
    if newArena > arenaCapacity { arena.reserveCapacity(newArena) }
    (entryCapacity, arenaCapacity) = (newEntries, newArena)
    if newSlots > slots.count { rebuild(newSlots) }
    guard let slot = freeSlot(UInt32(truncatingIfNeeded: hash)) else { return false }
    unsafe text.withUnsafeBufferPointer { unsafe arena.append(contentsOf: $0) }
    entries.append(
      Entry(
        hash: UInt32(truncatingIfNeeded: hash),
        end: UInt32(truncatingIfNeeded: arena.count),
        count: 1,
        nature: nature
      )
    )
    slots[slot] = UInt32(truncatingIfNeeded: entries.count)
    return true
  }

  /// Gives everything back.
  mutating func empty(into budget: inout ProfileBudget) {
    budget.give(byteCount)
    self = ValueTable()
  }

  private func freeSlot(_ hash: UInt32) -> Int? {
    let mask = slots.count - 1
    var slot = Int(hash) & mask
    for _ in 0..<Self.longestProbe {
      if slots[slot] == 0 { return slot }
      slot = (slot + 1) & mask
    }
    return nil
  }

  private mutating func rebuild(_ count: Int) {
    slots = [UInt32](repeating: 0, count: count)
    let mask = count - 1
    for (index, entry) in entries.enumerated() {
      var slot = Int(entry.hash) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(truncatingIfNeeded: index + 1)
    }
  }
}

/// The memory that all columns of an input share for their values.
struct ProfileBudget {
  private var left: Int

  init(byteCount: Int) { left = byteCount }

  /// Takes some of it; false, and nothing taken, when there is not enough.
  mutating func take(_ byteCount: Int) -> Bool {
    guard byteCount <= left else { return false }
    left -= byteCount
    return true
  }

  /// Gives some of it back.
  mutating func give(_ byteCount: Int) { left += byteCount }
}
