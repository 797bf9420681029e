package import Diagnostics
package import Records

/// Writes the rows of one entity as XML that `XMLReader` reads back to the same cells.
///
/// ```xml
/// <?xml version="1.0" encoding="UTF-8"?>
/// <records>
///   <Contatto>
///     <nome>Ada</nome>
///     <nick/>
///     <foto encoding="base64">iVBORw0K</foto>
///   </Contatto>
/// </records>
/// ```
/// A list is an element for each of its items. A NULL has no element, the empty string an empty one. Text that XML 1.0 cannot hold (control characters, invalid
/// UTF-8), and bytes, are base64 and marked so. Names that are no XML names are escaped as `XMLName` says.
package struct XMLWriter: RecordWriter, ~Copyable {
  /// The root element's name, whatever the entity.
  package static let rootName = "records"
  /// What a document begins with.
  static let opening = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<\(rootName)>\n"
  /// What it ends with.
  static let closing = "</\(rootName)>\n"
  /// How much is written at once.
  static let flushByteCount = 64 << 10

  private var sink: any ByteSink & ~Copyable
  private let markup: XMLRowMarkup
  private var output: TextBuffer

  /// Begins a document.
  ///
  /// - Parameters:
  ///   - entity: Names the element of a row.
  ///   - columns: Name the elements of its values, in their order.
  package init(
    _ sink: consuming any ByteSink & ~Copyable,
    entity: String,
    columns: [WrittenColumn]
  ) throws(WriteError) {
    self.sink = sink
    markup = XMLRowMarkup(entity, columns: columns, depth: 1)
    output = TextBuffer(capacity: Self.flushByteCount * 2)
    output.append(Self.opening)
  }

  /// Writes the rows; text and bytes are slices of `text`.
  package mutating func write(_ rows: borrowing ValueBatch, text: borrowing TextBuffer) throws(WriteError) {
    let markup = markup
    var items = TextBuffer()
    for row in rows.rows {
      let start = output.count
      output.append(markup.bytes.span.extracting(markup.opening.range))
      let first = Int(row.valueStart)
      if markup.appendValues(from: first, of: rows, text: text, to: &output, items: &items) {
        output.append(markup.bytes.span.extracting(markup.closing.range))
      } else {
        output.truncate(to: start)
        output.append(markup.bytes.span.extracting(markup.empty.range))
      }
      if output.count >= Self.flushByteCount { try Self.flush(&output, to: &sink) }
    }
  }

  /// Ends the document and finishes the sink.
  package mutating func finish() throws(WriteError) {
    output.append(Self.closing)
    try Self.flush(&output, to: &sink)
    try sink.finish()
  }

  private static func flush(_ output: inout TextBuffer, to sink: inout any ByteSink & ~Copyable) throws(WriteError) {
    try sink.write(output.bytes)
    output.truncate(to: 0)
  }
}
