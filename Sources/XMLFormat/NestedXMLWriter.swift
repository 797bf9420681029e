package import Diagnostics
package import Records

/// Writes rows within rows as XML, each an element within that of the row around it, behind that one's values.
///
/// ```xml
/// <records>
///   <Label>
///     <name>Basalt Audio</name>
///     <Artist>
///       <name>Mira Tal</name>
///     </Artist>
///   </Label>
/// </records>
/// ```
/// Values are written as by `XMLWriter`.
package struct NestedXMLWriter: NestedRecordWriter, ~Copyable {
  private var sink: any ByteSink & ~Copyable
  private let markups: [XMLRowMarkup]
  private var output: TextBuffer
  private var items = TextBuffer()
  /// The kinds of the rows that are open.
  private var open: [Int] = []
  /// Where the innermost open row began, as long as it holds nothing.
  private var emptyStart: Int?
  private var flushedByteCount = 0
  private var rootStart = 0

  /// Begins a document.
  ///
  /// - Parameter kinds: The first one stands in no other.
  package init(_ sink: consuming any ByteSink & ~Copyable, kinds: [WrittenKind]) {
    self.sink = sink
    markups = zip(kinds, WrittenKind.depths(of: kinds)).map { kind, depth in
      XMLRowMarkup(kind.name, columns: kind.columns, depth: depth + 1, filler: kind.filler)
    }
    output = TextBuffer(capacity: XMLWriter.flushByteCount * 2)
    output.append(XMLWriter.opening)
  }

  package var openByteCount: Int { flushedByteCount + output.count - rootStart }

  package mutating func open(
    _ row: ValueBatch.Row,
    kind: Int,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer
  ) throws(WriteError) {
    if output.count >= XMLWriter.flushByteCount { try flush() }
    if open.isEmpty { rootStart = flushedByteCount + output.count }
    open.append(kind)
    let start = output.count
    let markup = markups[kind]
    output.append(markup.bytes.span.extracting(markup.opening.range))
    let first = Int(row.valueStart)
    let hasValues = markup.appendValues(from: first, of: rows, text: text, to: &output, items: &items)
    emptyStart = hasValues ? nil : start
  }

  package mutating func close() throws(WriteError) {
    guard let kind = open.popLast() else { return }
    let markup = markups[kind]
    if let emptyStart {
      output.truncate(to: emptyStart)
      output.append(markup.bytes.span.extracting(markup.empty.range))
    } else {
      output.append(markup.bytes.span.extracting(markup.closing.range))
    }
    emptyStart = nil
  }

  package mutating func finish() throws(WriteError) {
    output.append(XMLWriter.closing)
    try flush()
    try sink.finish()
  }

  private mutating func flush() throws(WriteError) {
    flushedByteCount += output.count
    try Self.flush(&output, to: &sink)
    emptyStart = nil
  }

  private static func flush(_ output: inout TextBuffer, to sink: inout any ByteSink & ~Copyable) throws(WriteError) {
    try sink.write(output.bytes)
    output.truncate(to: 0)
  }
}
