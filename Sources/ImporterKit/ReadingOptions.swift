public import EntityModel

/// What the user told of how the inputs are written; whatever is nil is detected from their content.
public struct ReadingOptions: Sendable, Hashable {
  /// A character that may be told to be none at all.
  public enum Mark: Sendable, Hashable {
    /// There is none.
    case none
    /// This one; may have several characters.
    case text(String)
  }

  /// The format of all inputs.
  public var format: FileFormat?
  /// The encoding of all inputs, by any name that iconv knows.
  public var encoding: String?
  /// The layout of plain text.
  public var layout: TextLayout?
  /// Where the columns of fixed-width text are.
  public var widths: [CharacterRange]?
  /// What parts two cells.
  public var delimiter: String?
  /// What encloses cells.
  public var quote: Mark?
  /// What makes a quote an ordinary character, besides doubling it.
  ///
  /// With none, a quote closes a cell only before a delimiter or a line end, and any other is text.
  public var escape: Mark?
  /// What ends a line; nil is any of the usual ends.
  public var lineEnd: CSVDialect.LineEnd?
  /// What a line that is no record begins with.
  public var comment: Mark?
  /// Where the column names stand.
  public var header: CSVDialect.Header?
  /// The column names, instead of a header's; of formats that name their fields, the attributes to take, in this order.
  public var columns: [String]?
  /// Lines before the header.
  public var skippedLines: Int?
  /// Lines after the last record.
  public var skippedFooterLines: Int?
  /// Unquoted spellings of NULL besides the empty one; the empty token also makes empty values of text and XML NULL.
  public var nullTokens: [String]
  /// What becomes of malformed rows.
  public var badRows: CSVDialect.BadRows
  /// What parts the items of a list that stands in one value, such as the keys of what a to-many relationship leads to.
  ///
  /// Nil where each value is one item.
  public var listSeparator: String?
  /// What is a record in XML, JSON and property lists, by name or path.
  public var recordPath: String?
  /// The longest record in bytes.
  public var maximumRecordByteCount: Int?
  /// The longest field in bytes.
  public var maximumFieldByteCount: Int?
  /// The most columns of the records of an input.
  public var maximumColumnCount: Int?

  /// Everything is to be detected.
  public init() {
    nullTokens = []
    badRows = .reject
  }
}
