import Diagnostics
import EntityModel

/// Judges whether a table that exists can take the rows of an entity without changing a value.
enum TableFit {
  /// Throws `.schema` for the first thing that does not fit.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - entity: What its rows will be.
  ///   - isWhole: Whether the entity must give every column that needs a value.
  ///   - path: The database, for messages.
  static func check(_ table: StoredTable, for entity: Entity, isWhole: Bool, path: String) throws(StoreError) {
    let name = excerpt(of: table.name)
    for given in entity.tableColumns {
      let type =
        if case .attribute(let position) = given.source { entity.attributes[position].type } else {
          AttributeType.integer(bits: 64)
        }
      guard let column = table.column(named: given.name) else {
        throw .schema(
          path: path,
          message: "the table '\(name)' has no column '\(excerpt(of: given.name))'",
          remedy: "add it with ALTER TABLE \(SQLText.identifier(table.name)) ADD COLUMN "
            + "\(SQLText.identifier(given.name)) \(type.declaredType), or load into another database"
        )
      }
      guard fits(type, in: column) else {
        let declared = column.declaredType.isEmpty ? "no type" : "'\(excerpt(of: column.declaredType))'"
        throw .schema(
          path: path,
          message: "the column '\(excerpt(of: column.name))' of '\(name)' has \(declared), "
            + "which does not hold \(type.name) as it is",
          remedy: "give the attribute the type \(column.type.name), or load into another database"
        )
      }
    }
    if let surrogate = entity.surrogate, !SQLText.isSameName(table.rowidColumn ?? "", surrogate) {
      throw .schema(
        path: path,
        message: "the table '\(name)' has no column '\(excerpt(of: surrogate))' that is its INTEGER PRIMARY KEY, "
          + "by which others could refer to its rows",
        remedy: "load all linked entities into another database"
      )
    }
    for column in table.columns
    where isWhole && column.isNotNull && column.defaultSQL == nil && column.name != table.rowidColumn {
      guard entity.tableColumn(named: column.name) == nil else { continue }
      throw .schema(
        path: path,
        message: "the column '\(excerpt(of: column.name))' of '\(name)' needs a value that no attribute gives",
        remedy: "add the attribute to the model, or give the column a default"
      )
    }
    let wanted = [entity.key] + entity.attributes.filter(\.isUnique).map { [$0.name] } + entity.uniqueSets
    for set in wanted where !set.isEmpty && !isUnique(set, in: table) {
      throw .schema(
        path: path,
        message: "the table '\(name)' lets rows share '\(excerpt(of: set.joined(separator: ", ")))', "
          + "which the model wants to be unique",
        remedy: "make it so with CREATE UNIQUE INDEX … ON \(SQLText.identifier(table.name)) (\(SQLText.list(set)))"
      )
    }
  }

  private static func isUnique(_ columns: [String], in table: StoredTable) -> Bool {
    let wanted = Set(columns.map(SQLText.folded))
    return table.uniqueSets.contains { Set($0.columns.map(SQLText.folded)) == wanted }
  }

  /// Whether values of a type come out of a column as they went in, and as values of the column's own type.
  private static func fits(_ type: AttributeType, in column: StoredTable.Column) -> Bool {
    let other = column.type
    if type == other { return true }
    switch (type, other) {
    case (.integer(let bits), .integer(let room)): return bits <= room
    case (.boolean, .integer): return true
    case (.decimal(let precision?, let scale), .decimal(let otherPrecision?, let otherScale))
    where !type.isStoredAsText && !other.isStoredAsText:
      let (scale, otherScale) = (scale ?? 0, otherScale ?? 0)
      return scale <= otherScale && precision - scale <= otherPrecision - otherScale
    case (.decimal, .double): return !type.isStoredAsText
    case (.decimal, .decimal(nil, _)): return type.isStoredAsText
    case (.binary, _): return column.affinity == .none
    case (.date, .text), (.datetime, .text): return true
    default: return type.isStoredAsText && !column.affinity.turnsTextIntoNumbers && other.isStoredAsText
    }
  }

  /// The positions of attributes whose texts a column would turn into numbers.
  ///
  /// Dates are not among them: a text with a dash between digits is no number to SQLite.
  static func guardedAttributes(of entity: Entity, in table: StoredTable) -> [Int] {
    entity.attributes.indices.filter { position in
      let attribute = entity.attributes[position]
      guard attribute.runUse == nil else { return false }
      switch attribute.type {
      case .date, .datetime: return false
      default:
        return attribute.type.isStoredAsText
          && table.column(named: attribute.name)?.affinity.turnsTextIntoNumbers == true
      }
    }
  }

  /// Whether SQLite refuses nothing that the validator, with this entity, lets pass.
  static func addsNoRule(_ table: StoredTable, to entity: Entity) -> Bool {
    guard table.uniqueSets.isEmpty, !table.hasOtherUniqueness, !table.hasOtherChecks, !table.needsSingleRows,
      guardedAttributes(of: entity, in: table).isEmpty
    else { return false }
    let own = table.entity
    return own.attributes.allSatisfy { stored in
      guard let given = entity.position(ofColumn: stored.name).map({ entity.attributes[$0] }) else {
        return true
      }
      return (!stored.isRequired || given.isRequired)
        && (!stored.isRequired || !stored.refusesEmptyText || given.refusesEmptyText)
        && (stored.minimum == nil || stored.minimum == given.minimum)
        && (stored.maximum == nil || stored.maximum == given.maximum)
        && (stored.minimumLength == nil || stored.minimumLength == given.minimumLength)
        && (stored.maximumLength == nil || stored.maximumLength == given.maximumLength)
        && (stored.allowedValues == nil || stored.allowedValues == given.allowedValues)
    }
  }
}

/// Whether SQLite would turn a text into a number that does not read as the same text.
///
/// "Datatypes In SQLite", section 3: a text that is a number, white space around it allowed, becomes one in a column
/// with a numeric affinity.
func wouldChangeAsNumber(_ text: Span<UInt8>) -> Bool {
  var start = 0
  var end = text.count
  func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
  func isDigit(_ position: Int) -> Bool { position < end && (0x30...0x39).contains(text[position]) }
  while start < end, isSpace(text[start]) { start += 1 }
  while end > start, isSpace(text[end - 1]) { end -= 1 }
  var position = start
  if position < end, text[position] == UInt8(ascii: "-") || text[position] == UInt8(ascii: "+") { position += 1 }
  let digits = position
  while isDigit(position) { position += 1 }
  var digitCount = position - digits
  let isWhole = position == end
  if position < end, text[position] == UInt8(ascii: ".") {
    position += 1
    let fraction = position
    while isDigit(position) { position += 1 }
    digitCount += position - fraction
  }
  guard digitCount > 0 else { return false }
  if position < end, text[position] | 0x20 == UInt8(ascii: "e") {
    var exponent = position + 1
    if exponent < end, text[exponent] == UInt8(ascii: "-") || text[exponent] == UInt8(ascii: "+") { exponent += 1 }
    guard isDigit(exponent) else { return false }
    position = exponent
    while isDigit(position) { position += 1 }
  }
  guard position == end else { return false }
  // A number. Only a whole one, as SQLite prints it, stays the same text.
  let isPlain = start == 0 && end == text.count && isWhole && digitCount <= 18
  guard isPlain, text[0] != UInt8(ascii: "+") else { return true }
  let isZero = digitCount == 1 && text[digits] == UInt8(ascii: "0")
  return isZero ? digits > 0 : text[digits] == UInt8(ascii: "0")
}
