package import Diagnostics
import EntityModel
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
  /// How much is written at once.
  private static let flushByteCount = 64 << 10

  /// The tags of one column, as slices of `markup`.
  private struct Tags: Sendable {
    var type: AttributeType
    var isList: Bool
    var opening, marked, closing, empty: TextSlice
  }

  private var sink: any ByteSink & ~Copyable
  private let columns: [Tags]
  private let rowOpening, rowClosing, emptyRow: TextSlice
  /// All tags, one behind the other.
  private let markup: [UInt8]
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
    var markup: [UInt8] = []
    func tag(_ text: String) -> TextSlice {
      let start = markup.count
      markup += Array(text.utf8)
      return TextSlice(start..<markup.count)
    }
    self.sink = sink
    self.columns = columns.map { column in
      let name = XMLName.encoding(column.name)
      return Tags(
        type: column.type,
        isList: column.isList,
        opening: tag("    <\(name)>"),
        marked: tag("    <\(name) encoding=\"base64\">"),
        closing: tag("</\(name)>\n"),
        empty: tag("    <\(name)/>\n")
      )
    }
    let name = XMLName.encoding(entity)
    rowOpening = tag("  <\(name)>\n")
    rowClosing = tag("  </\(name)>\n")
    emptyRow = tag("  <\(name)/>\n")
    self.markup = markup
    output = TextBuffer(capacity: Self.flushByteCount * 2)
    output.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<\(Self.rootName)>\n")
  }

  /// Writes the rows; text and bytes are slices of `text`.
  package mutating func write(_ rows: borrowing ValueBatch, text: borrowing TextBuffer) throws(WriteError) {
    let markup = markup
    let columns = columns
    var items = TextBuffer()
    for index in rows.rows.indices {
      let start = output.count
      output.append(markup.span.extracting(rowOpening.range))
      let first = Int(rows.rows[index].valueStart)
      var isEmpty = true
      for column in columns.indices {
        let value = rows.values[first + column]
        if value == .null || value == .absent { continue }
        isEmpty = false
        guard columns[column].isList, case .text(let list) = value else {
          Self.append(value, columns[column], text: text, markup: markup, to: &output)
          continue
        }
        var position = 0
        while let item = ItemList.next(in: text.bytes(of: list), at: &position) {
          items.truncate(to: 0)
          let value = ItemList.value(of: text.bytes(of: list).extracting(item), into: &items)
          Self.append(value, columns[column], text: items, markup: markup, to: &output)
        }
      }
      if isEmpty {
        output.truncate(to: start)
        output.append(markup.span.extracting(emptyRow.range))
      } else {
        output.append(markup.span.extracting(rowClosing.range))
      }
      if output.count >= Self.flushByteCount { try Self.flush(&output, to: &sink) }
    }
  }

  /// Ends the document and finishes the sink.
  package mutating func finish() throws(WriteError) {
    output.append("</\(Self.rootName)>\n")
    try Self.flush(&output, to: &sink)
    try sink.finish()
  }

  private static func append(
    _ value: Value,
    _ tags: Tags,
    text: borrowing TextBuffer,
    markup: [UInt8],
    to output: inout TextBuffer
  ) {
    let bytes = markup.span
    switch value {
    case .null, .absent: return
    case .text(let slice) where slice.count == 0:
      output.append(bytes.extracting(tags.empty.range))
      return
    case .text(let slice):
      let start = output.count
      output.append(bytes.extracting(tags.opening.range))
      if !XMLText.append(text.bytes(of: slice), to: &output) {
        output.truncate(to: start)
        output.append(bytes.extracting(tags.marked.range))
        ValueSpelling.appendBase64(text.bytes(of: slice), to: &output)
      }
    case .blob(let slice):
      output.append(bytes.extracting(tags.marked.range))
      ValueSpelling.appendBase64(text.bytes(of: slice), to: &output)
    case .integer, .real:
      output.append(bytes.extracting(tags.opening.range))
      ValueSpelling.append(value, as: tags.type, from: text, to: &output)
    }
    output.append(bytes.extracting(tags.closing.range))
  }

  private static func flush(_ output: inout TextBuffer, to sink: inout any ByteSink & ~Copyable) throws(WriteError) {
    try sink.write(output.bytes)
    output.truncate(to: 0)
  }
}
