/// The stable names of faults, as reports write them; Frictionless' names where it has one.
///
/// A name never changes its meaning; new faults get new names.
public enum DiagnosticCode: String, Sendable, Hashable, CaseIterable {
  // The shape of a record.
  /// A record has fewer cells than its header.
  case missingCell = "missing-cell"
  /// A record has more cells than its header, or a field twice.
  case extraCell = "extra-cell"
  /// A line of a text record is neither a field nor a continuation.
  case unreadableLine = "unreadable-line"
  /// A quote was opened and never closed.
  case unterminatedQuote = "unterminated-quote"
  /// Characters stand between a closing quote and the next delimiter.
  case textAfterQuote = "text-after-quote"
  /// A line repeats the header.
  case repeatedHeader = "repeated-header"
  /// A record belongs to a second table in the same file.
  case secondTable = "second-table"
  /// What should be a plain value holds records of its own.
  case nestedRecord = "nested-record"
  /// Text and elements are mixed so that something of them would be lost.
  case mixedContent = "mixed-content"
  /// A record of a property list has something where none may have it.
  case malformedPropertyList = "malformed-plist"
  /// A record is of a kind that the model has no entity for.
  case unknownEntity = "unknown-entity"
  /// A record is longer than the limit.
  case recordTooLong = "record-too-long"
  /// A field is longer than the limit.
  case fieldTooLong = "field-too-long"
  /// The input ended, or broke off, within a record.
  case truncatedRecord = "truncated-record"
  /// A line of an outline is indented like no record above it, or hangs below a rejected one.
  case badIndentation = "bad-indentation"
  /// A fixed-width line holds a tab, which counts as one character; a warning.
  case tabCharacter = "tab-character"

  // The header.
  /// A header cell is empty.
  case blankHeader = "blank-header"
  /// Two header cells have the same name.
  case duplicateLabel = "duplicate-label"
  /// A required attribute has no column.
  case missingLabel = "missing-label"
  /// A column matches no attribute; a warning.
  case extraLabel = "extra-label"

  // The bytes of a field.
  /// Bytes are not valid in the input's encoding.
  case encodingError = "encoding-error"
  /// A character that text cannot hold, such as NUL.
  case illegalCharacter = "illegal-character"

  // The value of a field.
  /// The text is not a value of the attribute's type.
  case typeError = "type-error"
  /// A file that a value names is not there.
  case missingFile = "missing-file"
  /// A file that a value names is not read: it is outside of the input's folder, or no plain file.
  case fileRefused = "file-refused"
  /// A required attribute has no value.
  case required
  /// A number or date lies outside its limits.
  case outOfRange = "out-of-range"
  /// A text is shorter or longer than its limits.
  case length
  /// A text does not match the attribute's pattern.
  case pattern
  /// A value is not one of the allowed ones.
  case `enum`

  // The record among others.
  /// A value that must be unique stands in an earlier record or in the database.
  case uniqueError = "unique-error"
  /// The key stands in an earlier record or in the database.
  case duplicateKey = "duplicate-key"
  /// A record gives a row that it leads to another value than that row has.
  case contradiction
  /// A record refers to another one that is neither in the inputs nor in the database.
  case unresolvedReference = "unresolved-reference"
  /// A record refers to another one by a part of its key that several have.
  case ambiguousReference = "ambiguous-reference"
  /// A record refers to another one that was rejected.
  case dependsOnRejected = "depends-on-rejected"
  /// A row has fewer or more links by a relationship than its model allows.
  case linkCount = "link-count"
  /// A rule of the database itself refused the row.
  case databaseConstraint = "database-constraint"
  /// Lists at the two ends of a relationship contradict one another; a warning.
  case contradictoryLists = "contradictory-lists"
  /// Rows that no record has were kept, since the keys of rejected or left out records are not known; a warning.
  case deletionWithheld = "deletion-withheld"

  // The document.
  /// A rule or setting of a model that is not honoured; a warning.
  case modelRemark = "model-remark"
  /// The content is in no format that can be read.
  case formatError = "format-error"
  /// The XML is not well-formed; nothing of the run is committed.
  case malformedXML = "malformed-xml"
  /// The JSON is not well-formed; nothing of the run is committed.
  case malformedJSON = "malformed-json"
  /// A DTD's entities, or an external one, were refused; nothing of the run is committed.
  case entityRefused = "entity-refused"
  /// Compressed input expands past the limit; nothing of the run is committed.
  case expansionLimit = "expansion-limit"
  /// The input changed while it was read; nothing of the run is committed.
  case inputChanged = "input-changed"
}
