/// How delimited text is written.
///
/// Strings, since a delimiter may have several characters.
public struct CSVDialect: Sendable, Hashable {
  /// Where the column names stand.
  public enum Header: Sendable, Hashable {
    /// There is no header line.
    case none
    /// So many lines, joined column by column with a space.
    case lines(Int)
  }

  /// What becomes of a record with a wrong number of cells or a broken quote.
  public enum BadRows: String, Sendable, Hashable, CaseIterable {
    /// It is rejected.
    case reject
    /// It is padded, cut, or its stray quotes read as text; each repair is told.
    case repair
  }

  /// What ends a line.
  public enum LineEnd: String, Sendable, Hashable, CaseIterable {
    /// LF, CRLF and CR alike, mixed too.
    case any
    /// LF alone; a CR is data.
    case lf
    /// CRLF alone; a CR or LF by itself is data.
    case crlf
    /// CR alone; an LF is data.
    case cr
  }

  /// What parts two cells; never empty.
  public var delimiter: String
  /// What encloses a cell that holds delimiters or line ends; nil where nothing does.
  public var quote: String?
  /// What makes a quote, or itself, an ordinary character within quotes, besides a doubled quote; nil for none.
  public var escape: String?
  /// Whether two quotes within quotes are one, besides what an escape does.
  ///
  /// Where they are not, a quote closes its cell only before a delimiter or a line end, and any other is text.
  public var doublesQuotes: Bool
  /// What ends a line.
  public var lineEnd: LineEnd
  /// What a line that is no record begins with; nil for none.
  public var comment: String?
  /// Where the column names stand.
  public var header: Header
  /// Column names told by the user, which win over a header's.
  public var columns: [String]?
  /// Lines before the header, or before the first record.
  public var skippedLines: Int
  /// Lines after the last record.
  public var skippedFooterLines: Int
  /// Whether a delimiter ends every record, with nothing behind it.
  ///
  /// The empty cell that it makes is left out, in the header too; a record that has something there is malformed.
  public var endsWithDelimiter: Bool
  /// Unquoted cells that are NULL, besides the empty one.
  public var nullTokens: [String]
  /// What becomes of malformed records.
  public var badRows: BadRows

  /// RFC 4180 with one header line.
  public init(delimiter: String = ",", quote: String? = "\"", header: Header = .lines(1)) {
    self.delimiter = delimiter
    self.quote = quote
    self.header = header
    doublesQuotes = true
    lineEnd = .any
    skippedLines = 0
    skippedFooterLines = 0
    endsWithDelimiter = false
    nullTokens = []
    badRows = .reject
  }
}
