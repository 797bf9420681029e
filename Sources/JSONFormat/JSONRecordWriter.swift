package import Diagnostics
package import EntityModel
package import Records

/// Writes rows as one JSON array of objects, an object a line, or as NDJSON.
///
/// Numbers are written as every format spells them, so that `1.10` keeps its zero; truth values as `true` and `false`;
/// text as strings; bytes as base64. NULL is written as `null`, so that each object has all columns and a column that is
/// NULL throughout is still there. What would read back as something else is refused with its row: text that is not
/// UTF-8, bytes in a column of another type or text in a column of bytes, infinities.
package struct JSONRecordWriter: RecordWriter, ~Copyable {
  private var sink: any ByteSink & ~Copyable
  private let spelling: JSONRowSpelling
  private var scratch = TextBuffer(capacity: 64)
  private let isArray: Bool
  private var buffer: [UInt8] = []
  private var rowCount: Int64 = 0

  /// Makes a writer; nothing is written before the first row.
  ///
  /// - Parameters:
  ///   - sink: Receives UTF-8.
  ///   - columns: The names and types of a row's values, in their order.
  ///   - format: `.ndjson` for an object a line, any other for one array.
  package init(_ sink: consuming any ByteSink & ~Copyable, columns: [WrittenColumn], format: FileFormat) {
    self.sink = sink
    spelling = JSONRowSpelling(columns: columns)
    isArray = format != .ndjson
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
      _ = try spelling.append(row, number: rowCount, of: rows, text: text, to: &output, spelling: &scratch)
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
}
