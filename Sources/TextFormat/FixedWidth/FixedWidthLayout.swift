package import EntityModel

/// How lines are cut into columns by characters.
///
/// A character is a Unicode scalar: `é` counts as one, and as two where it is written with a combining accent.
package struct FixedWidthLayout: Sendable, Hashable {
  /// The columns, ascending and apart from one another; only the last may be open.
  package var columns: [CharacterRange]
  /// The columns' names, instead of a header's.
  package var names: [String]?
  /// How many header lines there are.
  package var headerLineCount = 0
  /// How many lines stand before the header, or the first record.
  package var skippedLineCount = 0
  /// What a line that is no record begins with; nil for nothing.
  package var comment: String?
  /// Whether records with missing or extra text are mended.
  package var isRepairing = false
  /// Whether the columns were found, so that text between two of them shows that they were found wrongly.
  package var isFound = false
  /// Whether lines of `-`, `=` and `+` part the header, or the records, from what stands above.
  package var hasRulers = false
  /// Whether lines have lost their trailing spaces, so that a column which a line does not reach is NULL.
  package var isCutShort = false
  /// Whether spaces around a value are dropped.
  package var dropsPadding = true

  /// Columns that were told, in lines without a header.
  package init(columns: [CharacterRange]) {
    self.columns = columns
  }

  /// One value a line, spaces and all.
  package static func lines(named name: String?) -> FixedWidthLayout {
    var layout = FixedWidthLayout(columns: [CharacterRange(first: 1, last: nil)])
    layout.dropsPadding = false
    layout.names = name.map { [$0] }
    return layout
  }

  /// The columns as `--widths` takes them.
  package var widths: String { columns.map(\.description).joined(separator: ",") }
}
