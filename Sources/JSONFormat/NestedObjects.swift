import Records

/// The records within the outermost one at hand, in the order in which they begin.
///
/// They are handed on when that one is complete, behind it: who reads a batch meets a record before what it holds.
struct NestedObjects: Sendable {
  /// One of them; its fields and the rest are ranges of the arrays.
  struct Record: Sendable {
    /// The position of the one around it; -1 for the outermost.
    var parent: Int
    var range: Range<Int>
    var kind: Int
    var fields = 0..<0
    var repeats = 0..<0
    var rewrites = 0..<0
    var faults: [JSONFault] = []
    var isUnreadable = false
  }

  private(set) var records: [Record] = []
  private(set) var fields: [Field] = []
  private(set) var repeats: [(column: Int, field: Field)] = []
  private(set) var rewrites: [OpenObject.PendingRewrite] = []

  /// Makes room for a record that begins; returns its position.
  mutating func begin(kind: Int, parent: Int, at start: Int) -> Int {
    records.append(Record(parent: parent, range: start..<start, kind: kind))
    return records.count - 1
  }

  /// Keeps a record that is complete.
  mutating func keep(_ object: borrowing OpenObject, end: Int) {
    let slot = object.slot
    records[slot].range = object.start..<end
    records[slot].faults = object.faults
    records[slot].isUnreadable = object.isUnreadable
    records[slot].fields = fields.count..<fields.count + object.fields.count
    fields += object.fields
    records[slot].repeats = repeats.count..<repeats.count + object.repeats.count
    repeats += object.repeats
    records[slot].rewrites = rewrites.count..<rewrites.count + object.rewrites.count
    rewrites += object.rewrites
  }

  /// Forgets all; keeps the storage.
  mutating func removeAll() {
    guard !records.isEmpty else { return }
    records.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
    repeats.removeAll(keepingCapacity: true)
    rewrites.removeAll(keepingCapacity: true)
  }
}
