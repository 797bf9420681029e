import Diagnostics
import Records

extension CSVHeadReader {
  /// What is said of a head that does not end within the longest allowed record.
  func tooLong() -> Diagnostic {
    Diagnostic(
      code: .recordTooLong,
      location: SourceLocation(file: file),
      expected: "a record or header within \(limits.recordByteCount) bytes",
      message: "no record begins within the first \(limits.recordByteCount) bytes",
      remedy: "check the delimiter, the quote and --skip-lines, or raise the limit with --max-record-size"
    )
  }
}

extension Diagnostic {
  /// A header whose quotes or delimiters were mended.
  static func repairedHeader(_ message: String, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      severity: .warning,
      code: .textAfterQuote,
      location: location,
      message: message,
      remedy: "mend the header"
    )
  }

  /// The input has no line that could be a header.
  static func noHeader(at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .blankHeader,
      location: location,
      expected: "a line with the columns' names",
      message: "the input ends before its header",
      remedy: "give the header, or read the file with --header none"
    )
  }

  /// A header cell's quotes are broken.
  static func brokenHeader(
    _ message: String,
    at location: SourceLocation,
    _ code: DiagnosticCode = .unterminatedQuote
  ) -> Diagnostic {
    Diagnostic(
      code: code,
      location: location,
      expected: "a closing quote before a delimiter or a line end",
      message: message,
      remedy: "mend the header, or name the quote with --quote"
    )
  }

  /// The header has another number of cells than there are told names.
  static func differentCount(told: Int, found: Int, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: told < found ? .extraLabel : .missingLabel,
      location: location,
      expected: "\(told) columns",
      message: "the header has \(found) columns, and --columns names \(told)",
      remedy: "name every column of the file, or check the delimiter"
    )
  }

  /// The header, or the first record, has more cells than are allowed.
  static func tooManyColumns(_ count: Int, limit: Int, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .extraCell,
      location: location,
      expected: "at most \(limit) columns",
      message: "the file has \(count) columns; the limit is \(limit)",
      remedy: "check the delimiter, or raise the limit with --max-columns"
    )
  }
}
