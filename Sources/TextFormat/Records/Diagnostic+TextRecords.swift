import Diagnostics
import Records

extension Diagnostic {
  /// A line is neither a field nor anything else that may stand in a record.
  static func unreadableLine(_ line: Span<UInt8>, because reason: UnreadableLine, at location: SourceLocation)
    -> Diagnostic
  {
    Diagnostic(
      code: .unreadableLine,
      location: location,
      value: excerpt(of: line),
      expected: "'Key: value', '+ text', an indented line or '# comment'",
      message: "the line '\(excerpt(of: line))' \(reason.message)",
      remedy: reason.remedy
    )
  }

  /// More lines of a record are unreadable than are worth telling one by one.
  static func moreUnreadableLines(_ count: Int, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .unreadableLine,
      location: location,
      message: "\(count) more \(count == 1 ? "line" : "lines") of the record cannot be read",
      remedy: "check whether the file is laid out as 'Key: value' lines at all; --layout tells another layout"
    )
  }

  /// A key is not valid UTF-8, or holds NUL.
  static func badKey(_ key: Span<UInt8>, code: DiagnosticCode, at location: SourceLocation) -> Diagnostic {
    let isNUL = code == .illegalCharacter
    return Diagnostic(
      code: code,
      location: location,
      value: excerpt(of: key),
      expected: isNUL ? "a key without NUL" : "UTF-8",
      message: "the key '\(excerpt(of: key))' \(isNUL ? "holds the character NUL" : "is not valid UTF-8")",
      remedy: isNUL
        ? "take the character out" : encodingRemedy(for: key)
    )
  }

  /// A key is longer than a name may be.
  static func keyTooLong(_ key: Span<UInt8>, limit: Int, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .fieldTooLong,
      location: location,
      value: excerpt(of: key),
      expected: "a key of at most \(limit) bytes",
      message: "the key '\(excerpt(of: key))' is \(key.count) bytes long, and the limit is \(limit)",
      remedy: "put '+ ' before the line if it continues the value above it"
    )
  }

  /// One key more than the input may have.
  static func tooManyKeys(_ key: Span<UInt8>, limit: Int, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .extraCell,
      location: location,
      value: excerpt(of: key),
      expected: "at most \(limit) different keys",
      message: "the key '\(excerpt(of: key))' is one more than the \(limit) different keys that an input may have",
      remedy: "check whether the file is laid out as 'Key: value' lines at all; --layout tells another layout"
    )
  }

  /// A field is longer than the limit.
  static func fieldTooLong(field: String, limit: Int, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .fieldTooLong,
      location: location,
      field: field,
      expected: "at most \(limit) bytes",
      message: "the value is longer than \(limit) bytes",
      remedy: "shorten the value, or raise the limit with --max-field-size"
    )
  }

  /// A record is longer than the limit; reading goes on after the next blank line.
  static func recordTooLong(limit: Int, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .recordTooLong,
      location: location,
      expected: "at most \(limit) bytes up to the next blank line",
      message: "the record is longer than the limit of \(limit) bytes",
      remedy: "part records by blank lines, or raise the limit with --max-record-size"
    )
  }

  /// The lines that describe records take more room than a record may.
  static func descriptorsTooLong(limit: Int, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .recordTooLong,
      location: location,
      expected: "at most \(limit) bytes of lines that begin with '%'",
      message: "the lines that begin with '%' are longer than \(limit) bytes altogether",
      remedy: "check whether the file is laid out as 'Key: value' lines at all; --layout tells another layout"
    )
  }
}

/// Why a line of a record cannot be read.
enum UnreadableLine {
  case noColon, noKey, nothingToContinue, descriptorInRecord

  var message: String {
    switch self {
    case .noColon: "has no colon, so it is no 'Key: value'"
    case .noKey: "has no key before its colon"
    case .nothingToContinue: "continues a value, but no field stands above it"
    case .descriptorInRecord: "begins with '%' within a record"
    }
  }

  var remedy: String {
    switch self {
    case .noColon: "write 'Key: value', or put '+ ' before the line if it continues the value above it"
    case .noKey: "write a key before the colon, or put '+ ' before the line if it continues the value above it"
    case .nothingToContinue: "begin the record with 'Key: value'"
    case .descriptorInRecord: "put a blank line before it, or '+ ' if it continues the value above it"
    }
  }
}
