public import EntityModel

/// Where the model comes from, and what the command line adds to it.
public struct ModelOptions: Sendable, Hashable {
  /// A date pattern for one column, or for all.
  public struct DateFormat: Sendable, Hashable {
    /// The attribute; nil means every date.
    public var column: String?
    /// In strftime's (`%d/%m/%Y`) or Unicode's (`dd/MM/yyyy`) letters, or `UnixTime`.
    public var pattern: String

    /// Makes a format.
    public init(column: String? = nil, pattern: String) {
      self.column = column
      self.pattern = pattern
    }
  }

  /// How bytes are given, for one column or for all.
  public struct BinaryFormat: Sendable, Hashable {
    /// The attribute; nil means every one that holds bytes.
    public var column: String?
    /// How they are given.
    public var spelling: BinarySpelling

    /// Makes a format.
    public init(column: String? = nil, spelling: BinarySpelling) {
      self.column = column
      self.spelling = spelling
    }
  }

  /// A column's name in the file, and the attribute that it fills.
  public struct Mapping: Sendable, Hashable {
    /// The column's name in the file.
    public var source: String
    /// The attribute's name in the model.
    public var attribute: String

    /// Makes a mapping.
    public init(source: String, attribute: String) {
      self.source = source
      self.attribute = attribute
    }
  }

  /// A reference that is told by a column of its target's file which need not be the target's key.
  public struct Link: Sendable, Hashable {
    /// The relationship, behind the name of its entity and a dot: `artist.label`.
    public var source: String
    /// The column, behind the name of the target and a dot: `label.id`.
    public var target: String

    /// Makes a link.
    public init(source: String, target: String) {
      self.source = source
      self.target = target
    }
  }

  /// A type told for one column.
  public struct TypedColumn: Sendable, Hashable {
    /// The attribute.
    public var column: String
    /// Its type.
    public var type: AttributeType

    /// Makes a typed column.
    public init(column: String, type: AttributeType) {
      self.column = column
      self.type = type
    }
  }

  /// A model file, or a database whose schema is the model.
  public var modelFile: String?
  /// The entity that the records become.
  public var entity: String?
  /// Types told, instead of inferred or modelled ones.
  public var types: [TypedColumn]
  /// Whether everything is text: no inference.
  public var isAllText: Bool
  /// Attributes that must have a value.
  public var required: [String]
  /// Attributes whose values must differ.
  public var unique: [String]
  /// The attributes that tell one row from another; nil leaves the model's key.
  public var key: [String]?
  /// Patterns in which dates are written; several for one column are tried in order.
  public var dateFormats: [DateFormat]
  /// How bytes are given; base64 unless told.
  public var binaryFormats: [BinaryFormat]
  /// Columns that fill attributes of other names.
  public var mappings: [Mapping]
  /// References by other columns than their targets' keys.
  public var links: [Link]
  /// What parts a number's whole digits from its decimals; `.` unless told.
  public var decimalMark: Character

  /// No refinements.
  public init() {
    types = []
    isAllText = false
    required = []
    unique = []
    dateFormats = []
    binaryFormats = []
    mappings = []
    links = []
    decimalMark = "."
  }
}
