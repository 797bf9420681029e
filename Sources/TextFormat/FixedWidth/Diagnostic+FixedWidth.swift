import Diagnostics
import EntityModel

extension Diagnostic {
  /// A line ends before one of its columns begins.
  static func lineTooShort(_ column: String, first: Int, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .missingCell,
      location: location,
      field: column,
      expected: "a line of at least \(first) characters",
      message: "the line ends before the column '\(column)', which begins at character \(first)",
      remedy: "fill the line up with spaces (they mean NULL), or let --bad-rows repair do so"
    )
  }

  /// Text stands behind the last column.
  static func textBehindColumns(_ value: String, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .extraCell,
      location: location,
      value: value,
      expected: "nothing but spaces behind the last column",
      message: "'\(value)' stands behind the last column",
      remedy: "end the last width with '-' to take the rest of the line, or let --bad-rows repair cut it off"
    )
  }

  /// Text stands between two columns that were found by their being apart.
  static func textInGap(_ value: String, before column: String, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .extraCell,
      location: location,
      value: value,
      expected: "spaces between two columns",
      message: "'\(value)' stands in the gap before the column '\(column)', where the lines looked at have spaces",
      remedy: "tell where the columns are with --widths"
    )
  }

  /// A cell is longer than the limit.
  static func cellTooLong(_ column: String, limit: Int, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .fieldTooLong,
      location: location,
      field: column,
      expected: "at most \(limit) bytes",
      message: "the value is longer than \(limit) bytes",
      remedy: "shorten the value, or raise the limit with --max-field-size"
    )
  }

  /// A line is longer than a record may be; all of it is kept with the rejects, but never held.
  static func lineTooLong(limit: Int, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .recordTooLong,
      location: location,
      expected: "a line end within \(limit) bytes",
      message: "the line is longer than the limit of \(limit) bytes",
      remedy: "check for a missing line end, or raise the limit with --max-record-size"
    )
  }

  /// A line holds a tab, which is one character here and moves to a stop on a screen.
  static func tabCounts(at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      severity: .warning,
      code: .tabCharacter,
      location: location,
      message: "the line holds a tab, which counts as one character here (said once)",
      remedy: "if tabs align the columns, replace them first: expand FILE | importer load - --layout fixed"
    )
  }

  /// The input ends before its header.
  static func noHeaderLine(at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .missingLabel,
      location: location,
      expected: "a header line",
      message: "the file ends before its header",
      remedy: "check --header and --skip-lines"
    )
  }

  /// More columns than an input may have.
  static func tooManyWidths(_ count: Int, limit: Int, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .extraCell,
      location: location,
      expected: "at most \(limit) columns",
      message: "there are \(count) columns, and the limit is \(limit)",
      remedy: "take only the columns that are needed with --widths"
    )
  }

  /// A column has no name in the header.
  static func blankLabel(_ range: CharacterRange, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .blankHeader,
      location: location,
      expected: "a name for every column",
      message: "the header has no name at characters \(range)",
      remedy: "give names with --columns, or read the line as a record with --header none"
    )
  }

  /// Two columns have one name.
  static func repeatedLabel(
    _ name: String,
    _ first: CharacterRange,
    _ second: CharacterRange,
    at location: SourceLocation
  ) -> Diagnostic {
    Diagnostic(
      code: .duplicateLabel,
      location: location,
      field: excerpt(of: name),
      value: excerpt(of: name),
      expected: "a different name for every column",
      message: "the columns at characters \(first) and \(second) are both named '\(excerpt(of: name))'",
      remedy: "give names with --columns, or check --widths"
    )
  }

  /// A column's name holds NUL.
  static func illegalLabel(_ name: String, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .illegalCharacter,
      location: location,
      value: excerpt(of: name),
      message: "the column name '\(excerpt(of: name))' holds a NUL",
      remedy: "check that the file is text, and its encoding"
    )
  }
}
