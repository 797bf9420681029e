import Records

/// The records within the outermost one at hand, in the order in which they begin.
///
/// They are handed on when that one is complete, behind it: who reads a batch meets a record before what it holds.
struct NestedRecords: Sendable {
  /// One of them; its fields and the rest are ranges of the arrays.
  struct Record: Sendable {
    var ordinal: Int64
    var parent: Int64
    var line: Int
    var column: Int
    var offset: Int64
    var byteCount = 0
    var kind = 0
    var fields = 0..<0
    var rewrites = 0..<0
    var repeats = 0..<0
    var faults: [PendingFault] = []
  }

  var records: [Record] = []
  var fields: [Field] = []
  var rewrites: [(text: UInt32, original: Int64)] = []
  var repeats: [(column: Int, field: Field)] = []

  /// Forgets all; keeps the storage.
  mutating func removeAll() {
    records.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
    rewrites.removeAll(keepingCapacity: true)
    repeats.removeAll(keepingCapacity: true)
  }

  /// Follows their text to another place.
  mutating func shift(by distance: Int) {
    for index in fields.indices where !fields[index].isAbsent { fields[index] = fields[index].shifted(by: distance) }
    for index in repeats.indices { repeats[index].field = repeats[index].field.shifted(by: distance) }
    for index in rewrites.indices {
      rewrites[index].text = UInt32(truncatingIfNeeded: Int(rewrites[index].text) + distance)
    }
  }
}
