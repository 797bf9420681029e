package import Diagnostics
package import EntityModel
import JSONSyntax
package import Records

/// Writes rows as one JSON array of objects, an object a line, or as NDJSON.
///
/// Numbers are written as every format spells them, so that `1.10` keeps its zero; truth values as `true` and `false`;
/// text as strings; bytes as base64. NULL is written as `null`, so that each object has all columns and a column that is
/// NULL throughout is still there. What would read back as something else is refused with its row: text that is not
/// UTF-8, bytes in a column of another type or text in a column of bytes, infinities.
package struct JSONRecordWriter: RecordWriter, ~Copyable {
  private var sink: any ByteSink & ~Copyable
  private let columns: [WrittenColumn]
  private let isArray: Bool
  /// Each column's name with its quotes and colon.
  private let names: [[UInt8]]
  private static let null = Array("null".utf8)
  private var buffer: [UInt8] = []
  private var spelling = TextBuffer(capacity: 64)
  private var rowCount: Int64 = 0

  /// Makes a writer; nothing is written before the first row.
  ///
  /// - Parameters:
  ///   - sink: Receives UTF-8.
  ///   - columns: The names and types of a row's values, in their order.
  ///   - format: `.ndjson` for an object a line, any other for one array.
  package init(_ sink: consuming any ByteSink & ~Copyable, columns: [WrittenColumn], format: FileFormat) {
    self.sink = sink
    self.columns = columns
    isArray = format != .ndjson
    names = columns.map { column in
      var name: [UInt8] = []
      // A `String` is valid Unicode, so that nothing can be refused here.
      _ = JSONString.appendEscaped(Array(column.name.utf8).span, to: &name)
      return name + [UInt8(ascii: ":")]
    }
  }

  /// Writes the rows.
  ///
  /// - Throws: `WriteError.cannotHold`, with the row's number in this output and its column.
  package mutating func write(_ rows: borrowing ValueBatch, text: borrowing TextBuffer) throws(WriteError) {
    var output: [UInt8] = []
    swap(&output, &buffer)
    for row in rows.rows {
      if isArray { output += rowCount == 0 ? [UInt8(ascii: "["), 0x0A] : [UInt8(ascii: ","), 0x0A] }
      rowCount += 1
      output.append(UInt8(ascii: "{"))
      for column in columns.indices {
        if column > 0 { output.append(UInt8(ascii: ",")) }
        output += names[column]
        let value = rows.values[Int(row.valueStart) + column]
        if columns[column].isList, case .text(let list) = value {
          try append(list: text.bytes(of: list), column: column, to: &output)
        } else {
          try append(value, column: column, from: text, to: &output)
        }
      }
      output.append(UInt8(ascii: "}"))
      if !isArray { output.append(0x0A) }
      guard output.count >= 128 << 10 else { continue }
      try sink.write(output.span)
      output.removeAll(keepingCapacity: true)
    }
    swap(&output, &buffer)
  }

  /// Writes the end of the array and finishes the sink.
  package mutating func finish() throws(WriteError) {
    // Without rows, NDJSON is an empty line: a file of zero bytes would look like a broken transfer.
    let end = !isArray ? (rowCount == 0 ? "\n" : "") : rowCount == 0 ? "[]\n" : "\n]\n"
    let rest = buffer + Array(end.utf8)
    buffer = []
    if !rest.isEmpty { try sink.write(rest.span) }
    try sink.finish()
  }

  /// Appends an array of items.
  private mutating func append(list: Span<UInt8>, column: Int, to output: inout [UInt8]) throws(WriteError) {
    var items = TextBuffer()
    var position = 0
    var isFirst = true
    while let item = ItemList.next(in: list, at: &position) {
      output.append(isFirst ? UInt8(ascii: "[") : UInt8(ascii: ","))
      isFirst = false
      items.truncate(to: 0)
      let value = ItemList.value(of: list.extracting(item), into: &items)
      try append(value, column: column, from: items, to: &output)
    }
    output.append(UInt8(ascii: "]"))
  }

  private mutating func append(
    _ value: Value,
    column: Int,
    from text: borrowing TextBuffer,
    to output: inout [UInt8]
  ) throws(WriteError) {
    let type = columns[column].type
    switch value {
    case .null, .absent: output += Self.null
    case .text(let slice):
      guard type != .binary else { throw cannotHold("a text in a column of bytes", column) }
      let bytes = text.bytes(of: slice)
      if case .decimal = type, JSONNumber.isValid(bytes) {
        Self.append(bytes, to: &output)
      } else if let offset = JSONString.appendEscaped(bytes, to: &output) {
        throw cannotHold("a text that is not UTF-8 from its byte \(offset + 1) on", column)
      }
    case .blob(let slice):
      guard type == .binary else { throw cannotHold("bytes in a column of the type '\(type.name)'", column) }
      spelling.truncate(to: 0)
      ValueSpelling.appendBase64(text.bytes(of: slice), to: &spelling)
      output.append(UInt8(ascii: "\""))
      Self.append(spelling.bytes, to: &output)
      output.append(UInt8(ascii: "\""))
    case .real(let real) where !real.isFinite: throw cannotHold("the number \(real)", column)
    case .integer, .real:
      spelling.truncate(to: 0)
      ValueSpelling.append(value, as: type, from: text, to: &spelling)
      Self.append(spelling.bytes, to: &output)
    }
  }

  private static func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
    unsafe bytes.withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
  }

  private func cannotHold(_ what: String, _ column: Int) -> WriteError {
    .cannotHold("row \(rowCount), column '\(excerpt(of: columns[column].name))': JSON cannot hold \(what)")
  }
}
