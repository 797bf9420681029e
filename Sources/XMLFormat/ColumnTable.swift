import Records

/// The kinds of records that a document has, and their columns, by the numbers of their names.
struct ColumnTable: Sendable {
  /// The number that stands for a record's own text, which is the column `#text`.
  static let ownText = UInt32.max

  /// What records are called, and their columns.
  private(set) var shapes: [RecordShape] = []
  /// The names' numbers, by kind and column.
  private var names: [[UInt32]] = []
  /// The columns by kind (upper half) and name.
  private var columns: [UInt64: Int] = [:]
  /// The columns by kind and decoded name, since two names may stand for the same.
  private var decoded: [[String: Int]] = []
  private var kinds: [UInt32: Int] = [:]
  private var lastKind: (name: UInt32, kind: Int) = (.max, -1)

  /// The kind of the records of that name, -1 if none has been seen.
  mutating func knownKind(of name: UInt32) -> Int {
    if lastKind.name == name { return lastKind.kind }
    guard let kind = kinds[name] else { return -1 }
    lastKind = (name, kind)
    return kind
  }

  /// The kind of the records of that name, a new one if need be; nil past the limit.
  mutating func kind(of name: UInt32, of parser: borrowing EventParser, limit: Int) -> Int? {
    if let kind = kinds[name] { return kind }
    let text = parser.decodedName(name)
    let kind = shapes.firstIndex { $0.name == text } ?? shapes.count
    if kind == shapes.count {
      guard kind < limit else { return nil }
      shapes.append(RecordShape(name: text))
      names.append([])
      decoded.append([:])
    }
    kinds[name] = kind
    return kind
  }

  /// How many columns a kind has.
  func columnCount(of kind: Int) -> Int { names[kind].count }

  /// The numbers of a kind's columns' names.
  func names(of kind: Int) -> [UInt32] { names[kind] }

  /// The column of a name that has been seen; `guess` is tried first.
  func column(of name: UInt32, in kind: Int, guess: Int) -> Int? {
    if guess < names[kind].count, names[kind][guess] == name { return guess }
    return columns[UInt64(kind) << 32 | UInt64(name)]
  }

  /// Adds a column, or finds the one that has this name already; nil past the limit.
  mutating func add(_ name: UInt32, in kind: Int, of parser: borrowing EventParser, limit: Int) -> Int? {
    let text = name == Self.ownText ? "#text" : parser.decodedName(name)
    let column = decoded[kind][text] ?? shapes[kind].columns.count
    if column == shapes[kind].columns.count {
      guard column < limit else { return nil }
      shapes[kind].columns.append(text)
      names[kind].append(name)
      decoded[kind][text] = column
    }
    columns[UInt64(kind) << 32 | UInt64(name)] = column
    return column
  }
}
