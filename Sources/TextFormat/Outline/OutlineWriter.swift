package import Diagnostics
package import Records

/// Writes rows within rows as an outline of labels, which `OutlineReader` reads back byte for byte.
///
/// ```text
/// %outline: labels
/// %kind: Label
/// %kind: Artist
///
/// Label:
///   name: Basalt Audio
///   Artist:
///     name: Mira Tal
/// ```
/// NULL is left out, the empty string is `key:`, and each line end in a value is followed by a line that begins with `+`.
package struct OutlineWriter: NestedRecordWriter, ~Copyable {
  /// The lines of one kind of rows.
  private struct Lines: Sendable {
    var label: [UInt8]
    /// What stands before an attribute.
    var indentation: [UInt8]
    /// The attributes' names, each with its indentation and colon.
    var keys: [[UInt8]]
    var columns: [WrittenColumn]
  }

  private var sink: any ByteSink & ~Copyable
  private let kinds: [Lines]
  private var output: TextBuffer
  private var items = TextBuffer()
  private var depth = 0

  private static let outputByteCount = 128 << 10

  /// Begins with the lines that tell the kinds.
  ///
  /// - Parameter kinds: The first one stands in no other.
  /// - Throws: `WriteError.cannotHold` for what `objection(to:)` finds.
  package init(_ sink: consuming any ByteSink & ~Copyable, kinds: [WrittenKind]) throws(WriteError) {
    if let objection = Self.objection(to: kinds) { throw .cannotHold(objection) }
    self.sink = sink
    self.kinds = zip(kinds, WrittenKind.depths(of: kinds)).map { kind, depth in
      let outer = [UInt8](repeating: 0x20, count: 2 * depth)
      let inner = outer + [0x20, 0x20]
      return Lines(
        label: outer + Array("\(kind.name):\n".utf8),
        indentation: inner,
        keys: kind.columns.map { inner + Array("\($0.name):".utf8) },
        columns: kind.columns
      )
    }
    output = TextBuffer(capacity: Self.outputByteCount + 4096)
    output.append("%outline: labels\n")
    for kind in kinds { output.append("%kind: \(kind.name)\n") }
  }

  /// Why rows of some kinds cannot stand in an outline; nil if they can.
  package static func objection(to kinds: [WrittenKind]) -> String? {
    var names: Set<[UInt8]> = []
    for kind in kinds {
      if let reason = TextRecordsWriter.objection(toKey: kind.name) {
        return "the entity '\(excerpt(of: kind.name))' cannot be named in an outline: \(reason)"
      }
      guard names.insert(Array(kind.name.utf8)).inserted else {
        return "two kinds of rows are called '\(excerpt(of: kind.name))', which an outline cannot keep apart"
      }
    }
    for kind in kinds {
      for column in kind.columns {
        let reason =
          names.contains(Array(column.name.utf8))
          ? "an entity has the same name" : TextRecordsWriter.objection(toKey: column.name)
        if let reason {
          return "the name of the column '\(excerpt(of: column.name))' cannot be a key of an outline: \(reason)"
        }
      }
      guard Set(kind.columns.map { Array($0.name.utf8) }).count == kind.columns.count else {
        return "two columns of '\(excerpt(of: kind.name))' have the same name, which an outline cannot keep apart"
      }
    }
    return nil
  }

  /// None: a reader lets go of a row when the first one within it begins.
  package var openByteCount: Int { 0 }

  package mutating func open(
    _ row: ValueBatch.Row,
    kind: Int,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer
  ) throws(WriteError) {
    if depth == 0 { output.append(0x0A) }
    depth += 1
    let lines = kinds[kind]
    output.append(lines.label.span)
    for column in lines.columns.indices {
      let value = rows.values[Int(row.valueStart) + column]
      if value == .null || value == .absent { continue }
      guard lines.columns[column].isList, case .text(let list) = value else {
        Self.append(value, column, lines, from: text, to: &output)
        continue
      }
      var position = 0
      while let item = ItemList.next(in: text.bytes(of: list), at: &position) {
        items.truncate(to: 0)
        let value = ItemList.value(of: text.bytes(of: list).extracting(item), into: &items)
        Self.append(value, column, lines, from: items, to: &output)
      }
    }
    if output.count >= Self.outputByteCount { try flush() }
  }

  package mutating func close() throws(WriteError) { depth -= 1 }

  package mutating func finish() throws(WriteError) {
    try flush()
    try sink.finish()
  }

  private static func append(
    _ value: Value,
    _ column: Int,
    _ lines: Lines,
    from text: borrowing TextBuffer,
    to output: inout TextBuffer
  ) {
    let key = lines.keys[column]
    output.append(key.span)
    if case .text(let slice) = value {
      TextValue.append(text.bytes(of: slice), indentation: lines.indentation, to: &output)
    } else {
      output.append(0x20)
      ValueSpelling.append(value, as: lines.columns[column].type, from: text, to: &output)
    }
    output.append(0x0A)
  }

  private mutating func flush() throws(WriteError) { try Self.flush(&output, to: &sink) }

  private static func flush(_ output: inout TextBuffer, to sink: inout any ByteSink & ~Copyable) throws(WriteError) {
    try sink.write(output.bytes)
    output.truncate(to: 0)
  }
}
