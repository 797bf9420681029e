/// What the values of an attribute are.
///
/// Core Data's and Table Schema's types map onto these; every type has one spelling for export (`declaredType` names the
/// column type that carries it in SQLite).
public enum AttributeType: Sendable, Hashable {
  /// UTF-8 text, kept byte for byte, not normalised.
  case text
  /// A whole number of at most `bits` bits with its sign; 16, 32 or 64.
  case integer(bits: Int)
  /// A decimal number: at most `precision` digits, `scale` of them after the point. Without either, any decimal number.
  case decimal(precision: Int?, scale: Int?)
  /// An IEEE 754 double; neither NaN nor infinity.
  case double
  /// True or false, stored as 1 or 0.
  case boolean
  /// A calendar date, ISO 8601.
  case date
  /// A date and time of day, ISO 8601, its offset as given.
  case datetime
  /// Bytes.
  case binary
  /// A UUID, kept as written.
  case uuid
  /// A URI, kept as written.
  case uri

  /// The most significant digits that SQLite's number storage is sure to give back.
  public static let exactDecimalDigits = 15

  /// The type as `--type` takes it and as messages show it, such as `integer16` or `decimal(10,2)`.
  public var name: String {
    switch self {
    case .text: "text"
    case .integer(let bits): bits == 64 ? "integer" : "integer\(bits)"
    case .decimal(let precision?, let scale): "decimal(\(precision),\(scale ?? 0))"
    case .decimal(nil, _): "decimal"
    case .double: "double"
    case .boolean: "boolean"
    case .date: "date"
    case .datetime: "datetime"
    case .binary: "binary"
    case .uuid: "uuid"
    case .uri: "uri"
    }
  }

  /// The names that `init(name:)` takes, for messages and completions.
  public static let names = [
    "text", "integer", "integer16", "integer32", "integer64", "decimal", "decimal(p,s)", "double", "boolean", "date",
    "datetime", "binary", "uuid", "uri",
  ]

  /// Reads a type's name as `name` writes it; nil for any other text.
  public init?(name: String) {
    switch name.lowercased() {
    case "text", "string": self = .text
    case "integer", "integer64", "int": self = .integer(bits: 64)
    case "integer32": self = .integer(bits: 32)
    case "integer16": self = .integer(bits: 16)
    case "decimal": self = .decimal(precision: nil, scale: nil)
    case "double", "real", "float", "number": self = .double
    case "boolean", "bool": self = .boolean
    case "date": self = .date
    case "datetime": self = .datetime
    case "binary", "blob": self = .binary
    case "uuid": self = .uuid
    case "uri", "url": self = .uri
    case let other:
      guard other.hasPrefix("decimal("), other.hasSuffix(")") else { return nil }
      let numbers = other.dropFirst(8).dropLast().split(separator: ",", omittingEmptySubsequences: false)
        .map { Int($0.filter { $0 != " " }) }
      guard numbers.count == 1 || numbers.count == 2, let precision = numbers[0], precision > 0 else { return nil }
      guard numbers.count == 2 else { self = .decimal(precision: precision, scale: 0); return }
      guard let scale = numbers[1], (0...precision).contains(scale) else { return nil }
      self = .decimal(precision: precision, scale: scale)
    }
  }

  /// The declared type of the SQLite column that holds the attribute; it decides the column's affinity.
  public var declaredType: String {
    switch self {
    case .text: "TEXT"
    case .integer(let bits): bits == 64 ? "INTEGER" : "INTEGER\(bits)"
    case .decimal(let precision?, let scale):
      (precision <= Self.exactDecimalDigits ? "DECIMAL(" : "DECIMAL_TEXT(") + "\(precision),\(scale ?? 0))"
    case .decimal(nil, _): "DECIMAL_TEXT"
    case .double: "REAL"
    case .boolean: "BOOLEAN"
    case .date: "DATE"
    case .datetime: "DATETIME"
    case .binary: "BLOB"
    case .uuid: "UUID_TEXT"
    case .uri: "URI_TEXT"
    }
  }

  /// Whether values live in the database as text (and not as numbers or bytes).
  public var isStoredAsText: Bool {
    switch self {
    case .text, .date, .datetime, .uuid, .uri, .decimal(nil, _): true
    case .decimal(let precision?, _): precision > Self.exactDecimalDigits
    case .integer, .double, .boolean, .binary: false
    }
  }
}
