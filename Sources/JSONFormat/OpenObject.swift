import JSONSyntax
import Records

/// A record in progress: an object whose members are its fields.
struct OpenObject: Sendable {
  /// A field that is a string which must be unescaped.
  struct PendingRewrite: Sendable {
    /// Position among the fields, or among the repeats.
    var position: Int
    var isRepeat = false
    var column: Int
  }

  /// An object within the record that is no record.
  struct InnerObject: Sendable {
    var start: Int
    var name: JSONToken
    /// How long the prefix was before it.
    var prefixCount: Int
    /// What is a record in it, if it is a wrapper around records.
    var wrapped: [String: Int]?
    var isEmpty = true
  }

  /// An object that is a record, or else a wrapper around some, as its first member tells.
  struct Undecided: Sendable {
    var node: Int
    var wrapped: [String: Int]
    var kind: Int
    var name: JSONToken
    var start: Int
  }

  /// An array of records.
  struct Records: Sendable {
    var node: Int
    var kind: Int
    /// The depth behind it.
    var depth: Int
    /// Its name, where values in it are keys of records elsewhere: a list of the record around.
    var name: JSONToken?
    /// The column of that list, once there is an item.
    var column = -1
  }

  /// Its shape.
  var kind = 0
  /// What may stand within it; -1 where nothing may.
  var node = -1
  /// Where its bytes begin.
  var start = 0
  /// Its position among the records within the outermost one; -1 for that one.
  var slot = -1
  /// The tokenizer's depth between its members.
  var memberDepth = 1

  var fields: [Field] = []
  var repeats: [(column: Int, field: Field)] = []
  var rewrites: [PendingRewrite] = []
  var faults: [JSONFault] = []
  var isUnreadable = false
  var hasTooManyColumns = false

  /// The column of the field before, which the next one probably follows.
  var column = -1
  /// The name whose value comes next.
  var name: JSONToken?
  /// The array at hand that is text as it is written: where it begins, and the depth behind it.
  var array: (start: Int, depth: Int)?
  /// The list at hand: its column, how many items it has had, and the depth behind it.
  var list: (column: Int, count: Int, depth: Int)?
  /// The name of the list at hand, and how many objects are open around its items.
  var listName: JSONToken?
  var listDepth = 0
  /// How many values each member of the list's objects has, one for each item so far; empty for a list of plain values.
  var listMembers: [Int: Int] = [:]
  /// The array of records at hand.
  var records: Records?
  /// The object at hand of which only its first member tells what it is.
  var undecided: Undecided?
  /// The objects that are open within it.
  var objects: [InnerObject] = []
  /// Their names with a dot behind each, which the names of their members follow.
  var prefix: [UInt8] = []

  /// Turns to another record; the storage is kept.
  mutating func begin(kind: Int, node: Int, start: Int, slot: Int, memberDepth: Int) {
    self.kind = kind
    self.node = node
    self.start = start
    self.slot = slot
    self.memberDepth = memberDepth
    fields.removeAll(keepingCapacity: true)
    repeats.removeAll(keepingCapacity: true)
    rewrites.removeAll(keepingCapacity: true)
    faults.removeAll(keepingCapacity: true)
    isUnreadable = false
    hasTooManyColumns = false
    column = -1
    name = nil
    array = nil
    list = nil
    listName = nil
    listMembers.removeAll(keepingCapacity: true)
    records = nil
    undecided = nil
    objects.removeAll(keepingCapacity: true)
    prefix.removeAll(keepingCapacity: true)
  }

  /// Forgets its fields, which a fault makes worthless.
  mutating func removeFields() {
    fields.removeAll(keepingCapacity: true)
    repeats.removeAll(keepingCapacity: true)
    rewrites.removeAll(keepingCapacity: true)
  }
}
