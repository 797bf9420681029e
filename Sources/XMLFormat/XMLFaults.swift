import CXML
import Diagnostics

/// A fault in a record, before the record's place in its batch is known.
struct PendingFault: Sendable {
  var code: DiagnosticCode
  /// Where in the input, and how many bytes.
  var offset: Int64
  var byteCount: Int
  var field: String?
  var message: String
  var remedy: String

  /// A value that is no plain one and cannot be taken apart.
  static func nestedRecord(_ name: String, at offset: Int64, byteCount: Int) -> Self {
    Self(
      code: .nestedRecord,
      offset: offset,
      byteCount: byteCount,
      field: name,
      message: "'\(excerpt(of: name))' is an array that holds dictionaries or arrays, which is no plain value",
      remedy: "write it as one value, or load what it holds by itself with --record-path \(excerpt(of: name))"
    )
  }

  /// A property list has something where none may have it.
  static func notAPropertyList(_ what: String, at offset: Int64, byteCount: Int) -> Self {
    Self(
      code: .malformedPropertyList,
      offset: offset,
      byteCount: byteCount,
      field: nil,
      message: what,
      remedy: "a dictionary holds <key> elements, each with one value behind it; check the file with: plutil -lint FILE"
    )
  }

  /// Text with tags in it that have attributes, which would be lost.
  static func mixedContent(_ name: String, at offset: Int64, byteCount: Int) -> Self {
    Self(
      code: .mixedContent,
      offset: offset,
      byteCount: byteCount,
      field: name,
      message:
        "the element <\(excerpt(of: name))> holds text with elements in it that have attributes, which would be lost",
      remedy: "write its content as CDATA, or load such elements by themselves with --record-path"
    )
  }

  /// Text stands in several places between a record's child elements.
  static func interruptedText(at offset: Int64, byteCount: Int) -> Self {
    Self(
      code: .mixedContent,
      offset: offset,
      byteCount: byteCount,
      field: nil,
      message: "text stands in more than one place between the record's elements, so that its order would be lost",
      remedy: "put each text into an element of its own"
    )
  }

  /// An element that says it is NULL and has a value all the same.
  static func nilWithText(_ name: String, at offset: Int64, byteCount: Int) -> Self {
    Self(
      code: .mixedContent,
      offset: offset,
      byteCount: byteCount,
      field: name,
      message: "the element <\(excerpt(of: name))> is marked xsi:nil but has content",
      remedy: "take away the mark or the content"
    )
  }

  static func fieldTooLong(_ name: String, limit: Int, at offset: Int64, byteCount: Int) -> Self {
    Self(
      code: .fieldTooLong,
      offset: offset,
      byteCount: byteCount,
      field: name,
      message: "the field has \(byteCount) bytes, more than the \(limit) allowed",
      remedy: "shorten it, or raise the limit with --max-field-size"
    )
  }

  static func tooManyColumns(limit: Int, at offset: Int64) -> Self {
    Self(
      code: .extraCell,
      offset: offset,
      byteCount: 0,
      field: nil,
      message: "the records have more than \(limit) different fields",
      remedy: "check that the names of elements and attributes are not data, or raise the limit with --max-columns"
    )
  }

  static func tooManyRepeats(limit: Int, at offset: Int64) -> Self {
    Self(
      code: .extraCell,
      offset: offset,
      byteCount: 0,
      field: nil,
      message: "the record gives more than \(limit) further values for its fields",
      remedy: "check whether the elements inside it are the records, and name them with --record-path"
    )
  }
}

extension Diagnostic {
  /// A record is longer than the limit, for which the document is refused.
  static func recordTooLong(limit: Int, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .recordTooLong,
      location: location,
      expected: "at most \(limit) bytes",
      message: "a record is longer than \(limit) bytes",
      remedy: "raise the limit with --max-record-size, or tell which elements are records with --record-path"
    )
  }

  /// The document is refused as a whole, for what the parser says.
  static func refusal(_ failure: (kind: Int, line: Int, column: Int, message: String), file: String) -> Diagnostic {
    let code: DiagnosticCode
    let message: String
    let remedy: String
    let words = excerpt(of: failure.message)
    switch failure.kind {
    case CXML_ENTITY:
      code = .entityRefused
      message =
        "the document declares or uses the entity '\(words)', and entities other than XML's own five are refused"
      remedy = "write the entity's text in its place, for instance with: xmllint --noent"
    case CXML_LIMIT:
      code = .malformedXML
      message = "the document is refused: \(words)"
      remedy = "check that this is the file you meant; such XML is more likely an attack or an accident than data"
    case CXML_ENCODING:
      code = .malformedXML
      message = "the document says that it is in '\(words)', in which it cannot be read"
      remedy = "tell what it is in with --encoding, such as UTF-8, or correct its XML declaration"
    case CXML_NOT_UTF8:
      code = .malformedXML
      message = "the document is not valid UTF-8, and does not say that it is in another encoding"
      remedy = "tell what it is in with --encoding, such as windows-1252, or correct its XML declaration"
    case CXML_NO_MEMORY:
      code = .malformedXML
      message = "there is not enough memory to go on reading"
      remedy = "free some memory and try again"
    default:
      code = .malformedXML
      message = "the XML is not well-formed: \(words)"
      remedy = "mend the document at this place; nothing of it was loaded"
    }
    return Diagnostic(
      code: code,
      location: SourceLocation(
        file: file,
        line: max(failure.line, 1),
        column: failure.column > 0 ? failure.column : nil
      ),
      message: message,
      remedy: remedy
    )
  }

  /// Something beside the records is passed over; a warning.
  static func notRead(_ what: String, file: String, line: Int) -> Diagnostic {
    Diagnostic(
      severity: .warning,
      code: .extraLabel,
      location: SourceLocation(file: file, line: line),
      message: "\(what) beside the records is not read",
      remedy: "tell which elements are records with --record-path, if that is not meant"
    )
  }

  /// Tags within a text fall away; a warning.
  static func markupDropped(_ name: String, file: String, line: Int) -> Diagnostic {
    Diagnostic(
      severity: .warning,
      code: .mixedContent,
      location: SourceLocation(file: file, line: line),
      message: "elements within the text of <\(excerpt(of: name))> fall away; their text is kept",
      remedy: "write the content as CDATA to keep the tags"
    )
  }

  /// The user told a path that nothing has; a warning.
  static func pathNotFound(_ path: String, file: String) -> Diagnostic {
    Diagnostic(
      severity: .warning,
      code: .missingLabel,
      location: SourceLocation(file: file),
      message: "no element matches the record path '\(excerpt(of: path))'",
      remedy: "give an element's name, or the path of names from the root, such as /export/contacts/contact"
    )
  }
}
