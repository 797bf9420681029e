import EntityModel
import Records

/// The tags of one kind of rows, and how its values stand between them.
struct XMLRowMarkup: Sendable {
  /// The tags of one column, as slices of `bytes`.
  private struct Tags: Sendable {
    var type: AttributeType
    var isList: Bool
    var opening, marked, closing, empty: TextSlice
  }

  private let columns: [Tags]
  /// The tags around a row, and that of one with nothing in it.
  let opening, closing, empty: TextSlice
  /// All tags, one behind the other.
  let bytes: [UInt8]

  /// - Parameters:
  ///   - name: Names the element of a row.
  ///   - columns: Name the elements of its values, in their order.
  ///   - depth: In how many elements a row's element stands.
  ///   - filler: Names the element within that of a row with nothing in it; none if nil.
  init(_ name: String, columns: [WrittenColumn], depth: Int, filler: String? = nil) {
    var markup: [UInt8] = []
    func tag(_ depth: Int, _ text: String) -> TextSlice {
      let start = markup.count
      markup += [UInt8](repeating: 0x20, count: 2 * depth) + Array(text.utf8)
      return TextSlice(start..<markup.count)
    }
    self.columns = columns.map { column in
      let name = XMLName.encoding(column.name)
      return Tags(
        type: column.type,
        isList: column.isList,
        opening: tag(depth + 1, "<\(name)>"),
        marked: tag(depth + 1, "<\(name) encoding=\"base64\">"),
        closing: tag(0, "</\(name)>\n"),
        empty: tag(depth + 1, "<\(name)/>\n")
      )
    }
    let name = XMLName.encoding(name)
    opening = tag(depth, "<\(name)>\n")
    closing = tag(depth, "</\(name)>\n")
    empty = tag(depth, filler.map { "<\(name)><\(XMLName.encoding($0))/></\(name)>\n" } ?? "<\(name)/>\n")
    bytes = markup
  }

  /// Appends the elements of a row's values.
  ///
  /// - Parameters:
  ///   - first: Position of the first value in the batch.
  ///   - items: Scratch space.
  /// - Returns: Whether there were any.
  func appendValues(
    from first: Int,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    to output: inout TextBuffer,
    items: inout TextBuffer
  ) -> Bool {
    var hasValues = false
    for column in columns.indices {
      let value = rows.values[first + column]
      if value == .null || value == .absent { continue }
      hasValues = true
      guard columns[column].isList, case .text(let list) = value else {
        Self.append(value, columns[column], text: text, markup: bytes, to: &output)
        continue
      }
      var position = 0
      while let item = ItemList.next(in: text.bytes(of: list), at: &position) {
        items.truncate(to: 0)
        let value = ItemList.value(of: text.bytes(of: list).extracting(item), into: &items)
        Self.append(value, columns[column], text: items, markup: bytes, to: &output)
      }
    }
    return hasValues
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
}
