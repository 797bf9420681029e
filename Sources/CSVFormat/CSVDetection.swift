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
  /// What every setting of the dialect is, and why.
  package var evidence: [CSVEvidence] = []
  /// Whether a delimiter was told or really shows in the text, so that it is delimited text and not some other.
  package var isDelimited: Bool

  /// Makes a detection; see the properties.
  package init(dialect: CSVDialect, reasons: [String], isDelimited: Bool) {
    self.dialect = dialect
    self.reasons = reasons
    self.isDelimited = isDelimited
  }
}
