import Diagnostics
import EntityModel
import Predicates
import Records
import SQLiteStore

/// Rows of one entity on their way into the rows that they belong to, in the order of these.
///
/// A class, since the rows within a row go on where they stopped at the one before.
final class ExportCursor {
  let kind: Int
  let tree: ExportTree
  let children: [ExportCursor]
  private var reader: EntityReader
  private var checks: ExportChecks
  private var rows = ValueBatch()
  private var text = TextBuffer(capacity: 64 << 10)
  private var index = 0
  private var isAtEnd = false
  private let cancellation: Cancellation
  /// Where the values of its key stand; nil if a row of it cannot be begun twice.
  private let key: [Int]?

  init(_ tree: ExportTree, owners: [EntityReader.Owner], kinds: inout [WrittenKind], parent: Int?, _ source: Source)
    throws
  {
    kind = kinds.count
    self.tree = tree
    cancellation = source.cancellation
    let columns = tree.entity.attributes.map(WrittenColumn.init)
    kinds.append(WrittenKind(name: tree.name, columns: columns, parent: parent, filler: tree.filler))
    reader = try EntityReader(
      source.snapshot,
      entity: tree.entity,
      model: source.model,
      owners: owners,
      order: source.order,
      filter: source.filter,
      without: source.without,
      finds: [.identity, .dangling]
    )
    checks = ExportChecks(of: tree.entity, from: reader, separator: nil, isNested: true)
    key = tree.keyPositions
    var children: [ExportCursor] = []
    for child in tree.children {
      guard let link = child.link else { continue }
      let steps = [EntityReader.Owner(link: link, entity: tree.entity)] + owners
      children.append(try ExportCursor(child, owners: steps, kinds: &kinds, parent: kind, source))
    }
    self.children = children
    index = -1
    try advance()
  }

  /// What all cursors of an export have in common.
  struct Source {
    let snapshot: ReadSnapshot
    let model: EntityModel
    let order: EntityReader.Order
    let filter: Predicate?
    let without: Relationship?
    let cancellation: Cancellation
  }

  /// How many rows of it and of all within were read.
  var count: Int64 { checks.count + children.reduce(0) { $0 + $1.count } }

  /// Whether there is a row at hand.
  var hasRow: Bool { !isAtEnd }

  /// Goes on to the next row.
  func advance() throws {
    index += 1
    guard index >= rows.rows.count, !isAtEnd else { return }
    try cancellation.check()
    index = 0
    guard try reader.fill(&rows, text: &text) else {
      isAtEnd = true
      return
    }
    try checks.check(&rows, &text)
  }

  /// Whether the row at hand belongs to that of another cursor.
  func isWithin(_ owner: ExportCursor) -> Bool {
    guard hasRow else { return false }
    let own = Int(rows.rows[index].valueStart)
    let other = Int(owner.rows.rows[owner.index].valueStart)
    for (position, place) in zip(reader.ownerIdentity, owner.reader.identity) {
      switch (rows.values[own + position], owner.rows.values[other + place]) {
      case (.text(let own), .text(let other)), (.blob(let own), .blob(let other)):
        guard Self.areSame(own, of: text, other, of: owner.text) else { return false }
      case (let own, let other): guard own == other else { return false }
      }
    }
    return true
  }

  private static func areSame(
    _ slice: TextSlice,
    of text: borrowing TextBuffer,
    _ otherSlice: TextSlice,
    of otherText: borrowing TextBuffer
  ) -> Bool {
    let bytes = text.bytes(of: slice)
    let others = otherText.bytes(of: otherSlice)
    guard bytes.count == others.count else { return false }
    for index in bytes.indices where bytes[index] != others[index] { return false }
    return true
  }

  /// Whether the row at hand can be found again by its key.
  var hasKey: Bool {
    guard let key else { return false }
    let start = Int(rows.rows[index].valueStart)
    return key.allSatisfy { rows.values[start + $0] != .null }
  }

  /// Begins the row at hand.
  func open(_ writer: inout any NestedRecordWriter & ~Copyable) throws(WriteError) {
    try writer.open(rows.rows[index], kind: kind, of: rows, text: text)
  }
}

extension ExportTree {
  /// Where the values of its rows' keys stand, the one around counting for the part that leads to it; nil without a key.
  fileprivate var keyPositions: [Int]? {
    guard !entity.key.isEmpty else { return nil }
    var positions: [Int] = []
    for name in entity.key where name != link?.name && !(link?.attributes.contains(name) ?? false) {
      let own = entity.attributes.indices.filter { index in
        entity.attributes[index].name == name || entity.attributes[index].keyPath.first == name
      }
      guard !own.isEmpty else { return nil }
      positions += own
    }
    return positions
  }
}

extension ExportJob {
  /// The most that a load takes for one record, unless it is told otherwise.
  private static let greatestRecord = ReadLimits().recordByteCount

  /// Writes rows, each with those within it.
  ///
  /// A row in which too much stands is ended and begun anew, if it has a key, since a reader holds a record as a whole.
  ///
  /// - Returns: How many, all entities together.
  func writeNested(
    _ tree: ExportTree,
    of model: EntityModel,
    from snapshot: ReadSnapshot,
    to sink: consuming any ByteSink & ~Copyable,
    _ cancellation: Cancellation
  ) throws -> Int64 {
    let source = ExportCursor.Source(
      snapshot: snapshot,
      model: model,
      order: try readingOrder(),
      filter: try filter.map(PredicateParser.parse),
      without: tree.without,
      cancellation: cancellation
    )
    var kinds: [WrittenKind] = []
    let root = try ExportCursor(tree, owners: [], kinds: &kinds, parent: nil, source)
    var writer = try makeNestedWriter(for: kinds, sink)
    var open: [ExportCursor] = []
    var number: Int64 = 0
    while root.hasRow {
      number += 1
      try write(root, below: &open, number: number, &writer)
      try root.advance()
    }
    try writer.finish()
    return root.count
  }

  private func write(
    _ cursor: ExportCursor,
    below open: inout [ExportCursor],
    number: Int64,
    _ writer: inout any NestedRecordWriter & ~Copyable
  ) throws {
    try cursor.open(&writer)
    open.append(cursor)
    for child in cursor.children {
      while child.isWithin(cursor) {
        if writer.openByteCount >= nestedByteCount, open.allSatisfy(\.hasKey) {
          for _ in open { try writer.close() }
          for cursor in open { try cursor.open(&writer) }
        }
        try write(child, below: &open, number: number, &writer)
        try child.advance()
      }
    }
    open.removeLast()
    guard open.isEmpty, writer.openByteCount > Self.greatestRecord else { return try writer.close() }
    throw WriteError.cannotHold(
      "row \(number) has more than \(Self.greatestRecord >> 20) MiB within it, and no key by which it could be begun anew; "
        + "write every entity by itself with --flat"
    )
  }
}
