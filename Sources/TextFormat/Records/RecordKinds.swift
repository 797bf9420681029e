import Diagnostics
import Records

/// What has been learned of an input so far: its kinds of record, their columns, its descriptor lines.
struct RecordKinds: Sendable {
  /// The shapes, in the order in which they were met.
  private(set) var shapes: [RecordShape] = []
  /// The keys of each shape.
  var tables: [ColumnTable] = []
  /// Which shape the next record has; nil before the first one.
  private(set) var current: Int?
  /// The lines that begin with `%` and their continuations, as they stand in the input.
  private(set) var descriptors: [UInt8] = []
  private var columnCount = 0

  /// The longest key, in bytes.
  static let keyByteCount = 1024
  /// The longest field that a slice can describe, in bytes.
  static let fieldByteCount = (1 << 29) - 1

  /// The shape of a record that begins now.
  mutating func kindOfNextRecord() -> Int {
    if let current { return current }
    enter(named: "")
    return 0
  }

  /// Keeps a line of a descriptor block, and begins another kind if it is `%rec: Name`.
  ///
  /// - Parameter isContinuation: Whether it belongs to the descriptor line before it.
  mutating func descriptor(_ line: Span<UInt8>, isContinuation: Bool) {
    for index in line.indices { descriptors.append(line[index]) }
    if !isContinuation, let name = Self.name(in: line) { enter(named: name) }
  }

  /// Ends a descriptor block.
  mutating func endDescriptorBlock(lineEnd: Span<UInt8>) {
    for index in lineEnd.indices { descriptors.append(lineEnd[index]) }
  }

  /// Adds a column to a shape.
  ///
  /// - Returns: nil when the input has as many columns as it may.
  mutating func addColumn(_ key: UnsafeBufferPointer<UInt8>, to kind: Int, limit: Int) -> Int? {
    guard columnCount < limit else { return nil }
    columnCount += 1
    unsafe shapes[kind].columns.append(String(decoding: key, as: UTF8.self))
    unsafe tables[kind].append(key)
    return tables[kind].count - 1
  }

  /// Forgets the columns from a position on, which a record added that is read again or not at all.
  mutating func removeColumns(from position: Int, of kind: Int) {
    let excess = tables[kind].count - position
    guard excess > 0 else { return }
    columnCount -= excess
    shapes[kind].columns.removeLast(excess)
    tables[kind].removeLast(excess)
  }

  private mutating func enter(named name: String) {
    // Names are few, and their number is bounded by what descriptors may take.
    if let known = shapes.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
      current = known
    } else if shapes.count <= Int(UInt16.max) {
      current = shapes.count
      shapes.append(RecordShape(name: name))
      tables.append(ColumnTable())
    }
  }

  /// The name in a line `%rec: Name`; nil for another line.
  private static func name(in line: Span<UInt8>) -> String? {
    var bytes: [UInt8] = []
    for index in line.indices where !LineScan.isLineEnd(line[index]) { bytes.append(line[index]) }
    guard bytes.starts(with: "%rec:".utf8) else { return nil }
    var name = bytes.dropFirst(5).drop(while: LineScan.isBlank)
    while let last = name.last, LineScan.isBlank(last) { name.removeLast() }
    return String(decoding: name, as: UTF8.self)
  }
}
