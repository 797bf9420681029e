/// One property of an entity and the rules that its values obey.
public struct Attribute: Sendable, Hashable {
  /// The name, which is also the column's.
  public var name: String
  /// What its values are.
  public var type: AttributeType
  /// Whether NULL is refused and, where `refusesEmptyText`, the empty string too.
  public var isRequired: Bool
  /// Whether a required text also refuses the empty string.
  ///
  /// A table's bare `NOT NULL` does not.
  public var refusesEmptyText: Bool
  /// Whether no two rows may share a value.
  public var isUnique: Bool
  /// The value of an insert that gives none, spelled as in a file; `now` means the run's instant for dates.
  public var defaultValue: String?
  /// The least value allowed, spelled as in a file.
  public var minimum: String?
  /// The greatest value allowed, spelled as in a file.
  public var maximum: String?
  /// The least length, in Unicode scalars (bytes for binary).
  public var minimumLength: Int?
  /// The greatest length, in Unicode scalars (bytes for binary).
  public var maximumLength: Int?
  /// A regular expression that the whole text must match.
  public var pattern: String?
  /// The allowed values, spelled as in a file; nil allows all.
  public var allowedValues: [String]?
  /// The patterns in which dates may be written, tried in order, besides ISO 8601.
  public var dateFormats: [String]
  /// What stands for true and for false; empty means `true`/`false` and `1`/`0`.
  public var trueValues: [String]
  /// What stands for false; see `trueValues`.
  public var falseValues: [String]
  /// The names under which files may carry it, besides its own; tried in order.
  public var sourceNames: [String]
  /// Whether a record that lacks the attribute sets it to the default even in a row that is there already.
  ///
  /// Otherwise what is absent keeps the old value, and only a new row gets the default.
  public var usesDefaultWhenAbsent: Bool
  /// The way to the part of another entity's key that it gives, such as `["artist", "name"]`; empty for a column.
  ///
  /// The way begins with a to-one relationship of the attribute's entity, whose column holds the target's number.
  public var keyPath: [String]
  /// Whether it gives a list: what the rows at the other end of a to-many relationship are known by.
  ///
  /// The relationship is the first name of `keyPath`; its pairs are rows of a join table.
  public var isList: Bool
  /// The to-one relationship within whose target's rows it tells the place of this one; nil for all others.
  ///
  /// A new row that gives none comes behind those that are there.
  public var positionWithin: String?
  /// What it is for where it serves one run alone and is no column; nil for all others.
  public var runUse: RunUse?
  /// A sentence for people.
  public var documentation: String?
  /// What else its source says of it, kept for those who know what it means.
  public var userInfo: [String: String]

  /// What an attribute that is no column serves in one run.
  public enum RunUse: Sendable, Hashable {
    /// Records of other entities are told by its values which row they lead to.
    case linkKey
    /// It tells where a relationship leads, by an attribute of the target that need not be its key.
    case link(relationship: String, by: String)
    /// It lists rows that refer back, by their keys; see `EntityModel.childKeys(of:from:)`.
    case childKeys
  }

  /// Makes an optional attribute without rules.
  public init(name: String, type: AttributeType = .text) {
    self.name = name
    self.type = type
    isRequired = false
    refusesEmptyText = true
    isUnique = false
    dateFormats = []
    trueValues = []
    falseValues = []
    sourceNames = []
    usesDefaultWhenAbsent = false
    userInfo = [:]
    keyPath = []
    isList = false
  }
}
