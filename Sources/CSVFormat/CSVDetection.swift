import Diagnostics
package import EntityModel

/// What the user told about a dialect; what is nil is detected.
package struct CSVSettings: Sendable, Hashable {
  /// A token that may be told not to exist, as in `--quote none`.
  package enum Told: Sendable, Hashable {
    case none
    case text(String)

    /// The token; nil where there is none.
    var text: String? {
      switch self {
      case .none: nil
      case .text(let text): text
      }
    }
  }

  /// See `CSVDialect.delimiter`.
  package var delimiter: String?
  /// See `CSVDialect.quote`.
  package var quote: Told?
  /// See `CSVDialect.escape`; none means that quotes are not doubled either.
  package var escape: Told?
  /// See `CSVDialect.lineEnd`.
  package var lineEnd: CSVDialect.LineEnd?
  /// See `CSVDialect.comment`.
  package var comment: Told?
  /// See `CSVDialect.header`.
  package var header: CSVDialect.Header?
  /// See `CSVDialect.columns`.
  package var columns: [String]?
  /// See `CSVDialect.skippedLines`.
  package var skippedLines: Int?
  /// See `CSVDialect.skippedFooterLines`.
  package var skippedFooterLines: Int?
  /// See `CSVDialect.nullTokens`.
  package var nullTokens: [String]
  /// See `CSVDialect.badRows`.
  package var badRows: CSVDialect.BadRows

  /// Nothing told: everything is detected, no NULL tokens, bad rows are rejected.
  package init() {
    nullTokens = []
    badRows = .reject
  }
}

/// The dialect of an input, and why it is taken for that.
package struct CSVDetection: Sendable, Hashable {
  /// What was told, and what was detected of the rest.
  package var dialect: CSVDialect
  /// Short phrases on what was detected, such as `delimiter ';' (8 of 8 records have 3 cells)`.
  package var reasons: [String]
  /// Which of the lines that are no records stand in a file of rejects.
  package var frame = CSVRejectFrame()
  /// How many cells the records have of which the last is empty in all of them; nil where it is not.
  package var widthWithEmptyLastCell: Int?
  /// Whether a delimiter was told or really shows in the text, so that it is delimited text and not some other.
  package var isDelimited: Bool

  /// Makes a detection; see the properties.
  package init(dialect: CSVDialect, reasons: [String], isDelimited: Bool) {
    self.dialect = dialect
    self.reasons = reasons
    self.isDelimited = isDelimited
  }
}

extension CSVDetection {
  /// Leaves the last cell out where it is empty in all records, if it has no name.
  ///
  /// Without a header, and without told names for the other cells, it is a column like any other.
  mutating func take(widthWithEmptyLastCell width: Int?) {
    widthWithEmptyLastCell = width
    guard let width, dialect.columns.map({ $0.count == width - 1 }) ?? (dialect.header != .none) else { return }
    dialect.endsWithDelimiter = true
    reasons.append("the empty cell at the end of every record left out")
  }

  /// Notes that lines stand behind the last record.
  mutating func add(footerOf lines: String, isCounted: Bool) {
    frame.keepsFooter = false
    reasons.append("\(lines) after the records" + (isCounted ? " that counts them" : ""))
  }

  /// Notes that the first line tells the delimiter to a spreadsheet.
  mutating func add(_ separator: CSVSeparatorLine, isFollowed: Bool) {
    let name = CSVDetector.name(of: separator.delimiter)
    let line = "the line 'sep=\(excerpt(of: separator.delimiter))'"
    reasons.append(isFollowed ? "delimiter \(name) (\(line) says so)" : "\(line) passed over")
  }
}

extension CSVDialect {
  /// What was told, and the usual for the rest.
  init(_ told: CSVSettings, defaultDelimiter: String) {
    self.init(delimiter: told.delimiter ?? defaultDelimiter)
    if let quote = told.quote { self.quote = quote.text }
    if let escape = told.escape {
      self.escape = escape.text
      doublesQuotes = escape != .none
    }
    lineEnd = told.lineEnd ?? .any
    if let comment = told.comment { self.comment = comment.text }
    columns = told.columns
    skippedLines = told.skippedLines ?? 0
    skippedFooterLines = told.skippedFooterLines ?? 0
    nullTokens = told.nullTokens
    badRows = told.badRows
  }
}
