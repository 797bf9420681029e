import Diagnostics
import JSONSyntax

/// What is wrong with a record, before its place can be told.
struct JSONFault: Sendable {
  let code: DiagnosticCode
  /// The bytes at fault, in the batch's text.
  let range: Range<Int>
  var field: String?
  var value: String?
  var expected: String?
  let message: String
  let remedy: String

  func diagnostic(at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: code,
      location: location,
      field: field,
      value: value,
      expected: expected,
      message: message,
      remedy: remedy
    )
  }

  /// The record gives a name twice.
  static func duplicate(_ field: String, at range: Range<Int>) -> JSONFault {
    JSONFault(
      code: .extraCell,
      range: range,
      field: field,
      message: "the record gives '\(excerpt(of: field))' twice",
      remedy: "keep one of the two, or give both values in an array"
    )
  }

  /// A name is not UTF-8 or has half a surrogate pair.
  static func unreadableName(at range: Range<Int>, excerpt: String) -> JSONFault {
    JSONFault(
      code: .encodingError,
      range: range,
      value: excerpt,
      expected: "UTF-8",
      message: "the name '\(excerpt)' is not valid Unicode",
      remedy: "mend the bytes, or tell the encoding of the file with --encoding"
    )
  }

  /// A string has an escape of half a surrogate pair.
  static func loneSurrogate(at range: Range<Int>, field: String?, escape: String) -> JSONFault {
    JSONFault(
      code: .encodingError,
      range: range,
      field: field,
      value: escape,
      expected: #"two escapes that make a character, such as '\ud83d\ude00'"#,
      message: "the escape '\(escape)' is half a surrogate pair without the other half",
      remedy: "write the whole character, or take the escape out"
    )
  }

  /// An item of a list of keys is nothing that could be one.
  static func itemIsNoValue(_ kind: String, at range: Range<Int>, field: String) -> JSONFault {
    JSONFault(
      code: .nestedRecord,
      range: range,
      field: field,
      expected: "the key of a row, or an object that has it",
      message: "an item of the list '\(excerpt(of: field))' is \(kind)",
      remedy: "write all items as keys, or all as objects"
    )
  }

  static func fieldTooLong(at range: Range<Int>, field: String?, limit: Int) -> JSONFault {
    JSONFault(
      code: .fieldTooLong,
      range: range,
      field: field,
      expected: "at most \(limit) bytes",
      message: "the value has \(range.count) bytes, more than \(limit)",
      remedy: "raise the limit with --max-field-size"
    )
  }

  static func tooManyColumns(at range: Range<Int>, limit: Int) -> JSONFault {
    JSONFault(
      code: .extraCell,
      range: range,
      expected: "at most \(limit) names in all records",
      message: "the record brings a name past the limit of \(limit) columns",
      remedy: "check that the names are not data, or raise the limit with --max-columns"
    )
  }

  /// A record's place holds a value that is no object.
  static func notAnObject(_ kind: String, at range: Range<Int>) -> JSONFault {
    JSONFault(
      code: .unreadableLine,
      range: range,
      expected: "an object",
      message: "a record must be an object, found \(kind)",
      remedy: #"write the record as an object such as {"name": "value"}"#
    )
  }

  /// A line of NDJSON is not JSON.
  ///
  /// - Parameter isCut: Whether it is the last one, and only its end is missing.
  static func malformedLine(_ error: JSONSyntaxError, isCut: Bool) -> JSONFault {
    if isCut {
      return JSONFault(
        code: .truncatedRecord,
        range: error.byteOffset..<error.byteOffset,
        expected: "the rest of the object",
        message: "the input ends within the record: \(error.description)",
        remedy: "fetch the file again, or complete its last line"
      )
    }
    return JSONFault(
      code: .malformedJSON,
      range: error.byteOffset..<error.byteOffset,
      expected: error.expected,
      message: "the line is not JSON: \(error.description)",
      remedy: "mend the line; each line must hold one whole object"
    )
  }
}

extension JSONToken.Kind {
  /// The value that begins with such a token, for messages.
  var valueName: String {
    switch self {
    case .beginObject: "an object"
    case .beginArray: "an array"
    case .string: "a string"
    case .number: "a number"
    case .true, .false: "true or false"
    case .null: "null"
    case .endObject, .endArray, .name, .end, .incomplete: "nothing"
    }
  }
}
