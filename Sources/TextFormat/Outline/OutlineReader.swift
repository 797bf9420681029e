package import Diagnostics
package import Records

/// How an outline's lines become records.
package struct OutlineLayout: Sendable, Hashable {
  /// What a line is.
  package enum Style: Sendable, Hashable {
    /// `Kind: name` begins a record, deeper `key: value` lines are its attributes.
    case labels
    /// A record; its kind is told by its depth, its cells are parted by a delimiter, if there is one.
    case cells(delimiter: String?)
  }

  /// What a line is.
  package var style: Style
  /// The keys that begin records, besides those with something deeper below them.
  package var kinds: Set<String> = []
  /// What a record of a kind calls the value behind its label, or its cells; `name`, and `column_1` and so on, if not told.
  package var columns: [String: [String]] = [:]
  /// What records are called by their depth; `level_1` and so on if not told.
  package var levels: [String] = []
  /// What a line that is no record begins with; nil for nothing.
  package var comment: String?
  /// How many lines stand before the first record.
  package var skippedLineCount = 0

  /// A layout without names.
  package init(style: Style) {
    self.style = style
  }
}

/// Reads outlines, whose indentation makes records the children of the record above.
///
/// ```text
/// Label: Basalt Audio             Basalt Audio | ambient
///   genre: ambient                  Mira Tal | Hanoi
///   Artist: Mira Tal                  Low Tide | 1998
///     hometown: Hanoi               Ottavo | Bari
///     Album: Low Tide
///   Artist: Ottavo
/// ```
///
/// - A line is deeper than another if its indentation (spaces and tabs, byte for byte) begins with the other's and goes on.
///   One that goes back must go back to the indentation of a record that encloses it, or to less than the first one's.
/// - With labels, `Kind: value` is a record if its key names one (by the model, or because somewhere in what was looked at
///   something stands deeper below it), or if nothing encloses it. Other keys are attributes of the record above them, and
///   stand before its children. `+ text`, indented like the attribute above it, continues its value with a line end.
/// - With cells, a line is a record, and its depth tells its kind; a line more than one level deeper than the one above
///   it is a fault, and what hangs below it is rejected with it.
/// - A child's `RecordHeader.parent` is the ordinal of the record that encloses it. A record's bytes are its own lines.
/// - Empty lines part nothing.
package struct OutlineReader: RecordReader, ~Copyable {
  private var reader: LineReader<OutlineParser>

  /// Reads from a source of UTF-8; a byte order mark at its head is dropped.
  package init(
    _ source: consuming any ByteSource & ~Copyable,
    file: String,
    layout: OutlineLayout,
    limits: ReadLimits = ReadLimits()
  ) {
    let parser = OutlineParser(layout: layout, file: file, limits: limits)
    reader = LineReader(source, file: file, limits: limits, parser: parser)
  }

  /// A shape for each kind, in the order in which they were met.
  package var shapes: [RecordShape] { reader.shapes }

  /// Lines that say how the outline is read, so that a part of it is read alike.
  package var framing: RejectFraming { reader.framing }

  /// Does nothing but skip lines.
  package mutating func open() throws(ReadError) { try reader.open() }

  /// Replaces the batch with the next records.
  package mutating func fill(_ batch: inout RecordBatch) throws(ReadError) -> Bool { try reader.fill(&batch) }
}
