package import Diagnostics
package import Records

/// Reads lines whose columns are told by their characters' places, or of one value each; see `FixedWidthLayout`.
///
/// - Spaces behind a value are padding, and so are those before a number, or before a value that reaches the column's
///   last character. Nothing else is trimmed. A column of nothing but padding is NULL.
/// - A line that ends before a column begins lacks its cell, which is a fault unless lines have lost their padding
///   (`FixedWidthLayout.isCutShort`); one that ends within a column does not. Text behind the last column is a fault
///   too. Both can be repaired.
/// - Empty lines are passed over; where there is one column they are NULL. A line of spaces that reaches the last column
///   is a record of NULLs.
package struct FixedWidthReader: RecordReader, ~Copyable {
  private var reader: LineReader<FixedWidthParser>

  /// Reads from a source of UTF-8; a byte order mark at its head is dropped.
  package init(
    _ source: consuming any ByteSource & ~Copyable,
    file: String,
    layout: FixedWidthLayout,
    limits: ReadLimits = ReadLimits()
  ) {
    let parser = FixedWidthParser(layout: layout, file: file, limits: limits)
    reader = LineReader(source, file: file, limits: limits, parser: parser)
  }

  /// One shape without a name.
  package var shapes: [RecordShape] { reader.shapes }

  /// The input's head; where the columns were found without a ruler, a ruler that says where they are.
  package var framing: RejectFraming { reader.framing }

  /// Reads the header.
  ///
  /// - Throws: `ReadError.refused` for one that names a column twice or not at all.
  package mutating func open() throws(ReadError) { try reader.open() }

  /// Replaces the batch with the next records.
  package mutating func fill(_ batch: inout RecordBatch) throws(ReadError) -> Bool { try reader.fill(&batch) }
}
