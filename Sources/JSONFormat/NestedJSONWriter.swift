package import Diagnostics
package import EntityModel
package import Records

/// Writes rows within rows as JSON: those of a kind are an array of objects, a member of the object around them.
///
/// ```json
/// {"name":"Basalt Audio","artists":[{"name":"Mira Tal"},{"name":"Ottavo"}]}
/// ```
/// A row without any of a kind has no such member. Values, and the outermost objects, are written as by `JSONRecordWriter`.
package struct NestedJSONWriter: NestedRecordWriter, ~Copyable {
  /// A row that is open.
  private struct Open: Sendable {
    let kind: Int
    /// Whether its object has a member.
    var hasMembers: Bool
    /// The kind of rows whose array is open.
    var array: Int?
  }

  private var sink: any ByteSink & ~Copyable
  private let isArray: Bool
  private let spellings: [JSONRowSpelling]
  /// The kinds' names as members.
  private let members: [[UInt8]]
  private var buffer: [UInt8] = []
  private var scratch = TextBuffer(capacity: 64)
  private var open: [Open] = []
  /// How many rows of each kind there were.
  private var counts: [Int64]
  private var flushedByteCount = 0
  private var rootStart = 0

  /// Makes a writer; nothing is written before the first row.
  ///
  /// - Parameters:
  ///   - kinds: The first one stands in no other.
  ///   - format: `.ndjson` for an object a line, any other for one array.
  package init(_ sink: consuming any ByteSink & ~Copyable, kinds: [WrittenKind], format: FileFormat) {
    self.sink = sink
    isArray = format != .ndjson
    spellings = kinds.map { JSONRowSpelling(columns: $0.columns) }
    members = kinds.map { JSONRowSpelling.member($0.name) }
    counts = [Int64](repeating: 0, count: kinds.count)
  }

  package var openByteCount: Int { flushedByteCount + buffer.count - rootStart }

  package mutating func open(
    _ row: ValueBatch.Row,
    kind: Int,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer
  ) throws(WriteError) {
    if buffer.count >= 128 << 10 { try flush() }
    counts[kind] += 1
    if var around = open.popLast() {
      if around.array == kind {
        buffer.append(UInt8(ascii: ","))
      } else {
        if around.array != nil { buffer.append(UInt8(ascii: "]")) }
        if around.hasMembers { buffer.append(UInt8(ascii: ",")) }
        buffer += members[kind]
        buffer.append(UInt8(ascii: "["))
      }
      around.array = kind
      around.hasMembers = true
      open.append(around)
    } else {
      if isArray { buffer += counts[kind] == 1 ? [UInt8(ascii: "["), 0x0A] : [UInt8(ascii: ","), 0x0A] }
      rootStart = flushedByteCount + buffer.count
    }
    buffer.append(UInt8(ascii: "{"))
    var output: [UInt8] = []
    swap(&output, &buffer)
    let hasMembers = try spellings[kind].append(
      row,
      number: counts[kind],
      of: rows,
      text: text,
      to: &output,
      spelling: &scratch
    )
    swap(&output, &buffer)
    open.append(Open(kind: kind, hasMembers: hasMembers, array: nil))
  }

  package mutating func close() throws(WriteError) {
    guard let row = open.popLast() else { return }
    if row.array != nil { buffer.append(UInt8(ascii: "]")) }
    buffer.append(UInt8(ascii: "}"))
    if open.isEmpty, !isArray { buffer.append(0x0A) }
  }

  package mutating func finish() throws(WriteError) {
    let isEmpty = (counts.first ?? 0) == 0
    // Without rows, NDJSON is an empty line: a file of zero bytes would look like a broken transfer.
    buffer += Array((!isArray ? (isEmpty ? "\n" : "") : isEmpty ? "[]\n" : "\n]\n").utf8)
    try flush()
    try sink.finish()
  }

  private mutating func flush() throws(WriteError) {
    var output: [UInt8] = []
    swap(&output, &buffer)
    if !output.isEmpty { try sink.write(output.span) }
    flushedByteCount += output.count
    output.removeAll(keepingCapacity: true)
    swap(&output, &buffer)
  }
}
