import Diagnostics
import Records

/// What has been learned of an input so far: its kinds of record, their columns, their descriptor lines.
struct RecordKinds: Sendable {
  /// The shapes, in the order in which they were met.
  private(set) var shapes: [RecordShape] = []
  /// The keys of each shape.
  var tables: [ColumnTable] = []
  /// Which shape the next record has; nil before the first one.
  private(set) var current: Int?
  /// For each shape the lines that begin with `%` and their continuations, as they stand in the input, each once.
  private(set) var descriptors: [[DescriptorLine]] = []
  /// How many bytes of descriptors there were.
  private(set) var descriptorByteCount = 0
  /// The lines of the block at hand, whose `%rec` may come last.
  private var block: [DescriptorLine] = []
  private var columnCount = 0

  /// The longest key, in bytes.
  static let keyByteCount = 1024
  /// The longest field that a slice can describe, in bytes.
  static let fieldByteCount = (1 << 29) - 1

  /// The shape of a record that begins now.
  mutating func kindOfNextRecord() -> Int {
    endDescriptorBlock()
    if let current { return current }
    enter(named: "")
    return 0
  }

  /// Keeps a line of a descriptor block.
  ///
  /// - Parameters:
  ///   - isContinuation: Whether it belongs to the descriptor line before it.
  ///   - number: Its number in the input.
  mutating func descriptor(_ line: Span<UInt8>, isContinuation: Bool, number: Int) {
    descriptorByteCount += line.count
    var bytes: [UInt8] = []
    for index in line.indices { bytes.append(line[index]) }
    if isContinuation, let last = block.indices.last {
      block[last].bytes += bytes
    } else {
      block.append(DescriptorLine(bytes: bytes, number: number))
    }
  }

  /// Ends a descriptor block, which begins another kind if `%rec: Name` is in it.
  mutating func endDescriptorBlock() {
    guard !block.isEmpty else { return }
    if let name = block.lazy.compactMap(\.recordName).first { enter(named: name) }
    if current == nil { enter(named: "") }
    guard let current else { return }
    for line in block where !descriptors[current].contains(where: { $0.bytes == line.bytes }) {
      descriptors[current].append(line)
    }
    block.removeAll()
  }

  /// What a file of rejects must hold before the first record of a shape, and again after one of another.
  func opening(of kind: Int, lineEnd: [UInt8]) -> [UInt8] {
    var opening: [UInt8] = []
    for line in descriptors[kind] {
      opening += line.bytes
      if let last = line.bytes.last, !LineScan.isLineEnd(last) { opening += lineEnd }
    }
    return opening.isEmpty ? [] : opening + lineEnd
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
      descriptors.append([])
    }
  }
}

/// A line that begins with `%`, with its continuations.
struct DescriptorLine: Sendable, Hashable {
  /// As they stand in the input, line ends included.
  var bytes: [UInt8]
  /// The number of the line in the input.
  let number: Int

  /// What stands between `%` and the first colon; nil where there is none.
  var name: String? {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = bytes[1..<max(colon, 1)]
    return name.contains(where: LineScan.isLineEnd) ? nil : String(decoding: name, as: UTF8.self)
  }

  /// What stands behind the first colon, continuations joined by a space.
  var value: String {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return "" }
    var value: [UInt8] = []
    var isLineStart = false
    for byte in bytes[(colon + 1)...] {
      if isLineStart, byte == UInt8(ascii: "+") {
        isLineStart = false
        continue
      }
      isLineStart = LineScan.isLineEnd(byte)
      value.append(isLineStart ? 0x20 : byte)
    }
    let text = value.drop(while: LineScan.isBlank).reversed().drop(while: LineScan.isBlank).reversed()
    return String(decoding: Array(text), as: UTF8.self)
  }

  /// The name in a line `%rec: Name`; nil for another line.
  var recordName: String? { name == "rec" ? value.split(separator: " ").first.map(String.init) ?? "" : nil }
}
