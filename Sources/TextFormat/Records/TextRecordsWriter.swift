package import Diagnostics
package import Records

/// Writes rows as `Key: value` blocks that `TextRecordsReader` reads back byte for byte.
///
/// A list is its key with each of its items. NULL is left out, the empty string is `Key:`, each line end in a value is followed by a line that begins with `+`, and a
/// row of nothing but NULLs is the block `%null:`.
package struct TextRecordsWriter: RecordWriter, ~Copyable {
  private var sink: any ByteSink & ~Copyable
  private let columns: [WrittenColumn]
  /// The columns' names, each with its colon.
  private var keys = TextBuffer()
  private var keySlices: [TextSlice] = []
  private var output: TextBuffer
  private var hasRows = false

  private static let outputByteCount = 128 << 10

  /// Begins with `%rec: Entity`, unless the entity has no name.
  ///
  /// - Throws: `WriteError.cannotHold` when a column's name cannot be a key, or the entity's no name of records.
  package init(
    _ sink: consuming any ByteSink & ~Copyable,
    entity: String,
    columns: [WrittenColumn]
  ) throws(WriteError) {
    var names: Set<[UInt8]> = []
    for column in columns {
      if let reason = Self.objection(toKey: column.name) {
        throw .cannotHold(
          "the name of the column '\(excerpt(of: column.name))' cannot be a key of text records: \(reason)"
        )
      }
      guard names.insert(Array(column.name.utf8)).inserted else {
        throw .cannotHold("two columns are called '\(excerpt(of: column.name))', which text records cannot keep apart")
      }
      let start = keys.count
      keys.append(column.name)
      keys.append(UInt8(ascii: ":"))
      keySlices.append(TextSlice(start..<keys.count))
    }
    if let reason = Self.objection(toEntity: entity) {
      throw .cannotHold("the entity '\(excerpt(of: entity))' cannot be named in text records: \(reason)")
    }
    self.sink = sink
    self.columns = columns
    output = TextBuffer(capacity: Self.outputByteCount + 4096)
    if !entity.isEmpty { output.append("%rec: \(entity)\n\n") }
  }

  package mutating func write(_ rows: borrowing ValueBatch, text: borrowing TextBuffer) throws(WriteError) {
    // The compiler takes a borrow of one property for one of the whole writer.
    var output = TextBuffer()
    swap(&output, &self.output)
    defer { swap(&output, &self.output) }
    var items = TextBuffer()
    for row in rows.rows {
      if hasRows { output.append(0x0A) }
      hasRows = true
      let start = output.count
      for column in columns.indices {
        let value = rows.values[Int(row.valueStart) + column]
        if value == .null || value == .absent { continue }
        guard columns[column].isList, case .text(let list) = value else {
          append(value, column: column, from: text, to: &output)
          continue
        }
        var position = 0
        while let item = ItemList.next(in: text.bytes(of: list), at: &position) {
          items.truncate(to: 0)
          let value = ItemList.value(of: text.bytes(of: list).extracting(item), into: &items)
          append(value, column: column, from: items, to: &output)
        }
      }
      if output.count == start { output.append("%null:\n") }
      if output.count >= Self.outputByteCount {
        try sink.write(output.bytes)
        output.truncate(to: 0)
      }
    }
  }

  /// Appends a value on a line of its own.
  private func append(_ value: Value, column: Int, from text: borrowing TextBuffer, to output: inout TextBuffer) {
    output.append(keys.bytes(of: keySlices[column]))
    if case .text(let slice) = value {
      TextValue.append(text.bytes(of: slice), indentation: [], to: &output)
    } else {
      output.append(0x20)
      ValueSpelling.append(value, as: columns[column].type, from: text, to: &output)
    }
    output.append(0x0A)
  }

  package mutating func finish() throws(WriteError) {
    var rest = TextBuffer()
    swap(&rest, &output)
    if rest.count > 0 { try sink.write(rest.bytes) }
    try sink.finish()
  }

  /// Why a name cannot be a key; nil if it can.
  static func objection(toKey name: String) -> String? {
    let bytes = Array(name.utf8)
    guard let first = bytes.first, let last = bytes.last else { return "it is empty" }
    if bytes.contains(UInt8(ascii: ":")) { return "it holds a colon" }
    if bytes.contains(where: LineScan.isLineEnd) { return "it holds a line end" }
    if bytes.contains(0) { return "it holds the character NUL" }
    if "#+%".utf8.contains(first) { return "it begins with '\(Character(Unicode.Scalar(first)))'" }
    if LineScan.isBlank(first) || LineScan.isBlank(last) { return "it begins or ends with a space or tab" }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return "it begins with a byte order mark" }
    if bytes.count > RecordKinds.keyByteCount { return "it is longer than \(RecordKinds.keyByteCount) bytes" }
    return nil
  }

  /// Why an entity's name cannot stand behind `%rec:`; nil if it can.
  private static func objection(toEntity name: String) -> String? {
    let bytes = Array(name.utf8)
    if bytes.contains(where: LineScan.isLineEnd) { return "its name holds a line end" }
    if let first = bytes.first, let last = bytes.last, LineScan.isBlank(first) || LineScan.isBlank(last) {
      return "its name begins or ends with a space or tab"
    }
    return nil
  }
}
