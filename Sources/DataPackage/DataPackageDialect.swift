package import EntityModel

/// What a resource says of how its file is spelled; nil is what it does not say.
///
/// Both the CSV Dialect of version 1 and the Table Dialect of version 2 are read into this.
package struct DataPackageDialect: Sendable, Hashable {
  /// What parts two cells.
  package var delimiter: String?
  /// What encloses cells; nil where it is not told, or where `hasNoQuote`.
  package var quote: String?
  /// Whether the resource says that nothing encloses cells.
  package var hasNoQuote: Bool
  /// Whether two quotes within a quoted cell mean one.
  package var doublesQuotes: Bool?
  /// What makes the next character an ordinary one.
  package var escape: String?
  /// What a line that is no record begins with.
  package var comment: String?
  /// Where the column names stand.
  package var header: CSVDialect.Header?
  /// Lines before the header, or before the first record.
  package var skippedLines: Int?
  /// A further spelling of NULL.
  package var nullSequence: String?
  /// Whether spaces after a delimiter are no part of the cell.
  package var skipsInitialSpace: Bool?

  /// Makes a dialect that says nothing.
  package init() {
    hasNoQuote = false
  }

  /// Writes what is told over a dialect.
  ///
  /// `doublesQuotes` and `skipsInitialSpace` have no counterpart there; the reader of the package remarks on values that
  /// differ from what delimited text is read like.
  package func apply(to dialect: inout CSVDialect) {
    if let delimiter { dialect.delimiter = delimiter }
    if let quote { dialect.quote = quote }
    if hasNoQuote { dialect.quote = nil }
    if let escape { dialect.escape = escape }
    if doublesQuotes == false, escape == nil { dialect.doublesQuotes = false }
    if let comment { dialect.comment = comment }
    if let header { dialect.header = header }
    if let skippedLines { dialect.skippedLines = skippedLines }
    if let nullSequence, !dialect.nullTokens.contains(nullSequence) { dialect.nullTokens.append(nullSequence) }
  }
}
