/// What is wrong with some data, where, and what to do about it.
///
/// A fault in data is a value of this type and never stops a run; what stops a run is a `RunFailure`.
public struct Diagnostic: Sendable, Hashable {
  /// How much a diagnostic weighs.
  public enum Severity: String, Sendable, Hashable {
    /// The record, or the document, is refused.
    case error
    /// The run goes on with everything it has read.
    case warning
  }

  /// How much it weighs.
  public var severity: Severity
  /// The stable, documented kind of the fault.
  public var code: DiagnosticCode
  /// Where it is.
  public var location: SourceLocation
  /// The entity that the record was to become, if one was known.
  public var entity: String?
  /// The field or attribute at fault, as the user knows it.
  public var field: String?
  /// The value found, escaped and cut for display; see `excerpt(of:)`.
  public var value: String?
  /// What would have been right, such as `an integer from -32768 to 32767`.
  public var expected: String?
  /// One sentence in lower case without a full stop.
  public var message: String
  /// What the user can do next; the reports call it `hint`.
  public var remedy: String

  /// Makes a diagnostic; see the properties.
  public init(
    severity: Severity = .error,
    code: DiagnosticCode,
    location: SourceLocation,
    entity: String? = nil,
    field: String? = nil,
    value: String? = nil,
    expected: String? = nil,
    message: String,
    remedy: String
  ) {
    self.severity = severity
    self.code = code
    self.location = location
    self.entity = entity
    self.field = field
    self.value = value
    self.expected = expected
    self.message = message
    self.remedy = remedy
  }
}

/// Takes what a run has to say of its data.
public protocol DiagnosticSink: AnyObject {
  /// Takes a remark that rejects no record, such as a column that the model does not know.
  func note(_ diagnostic: Diagnostic)
}
