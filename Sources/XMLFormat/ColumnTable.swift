import Records

/// The kinds of records that a document has, and their columns, by the numbers of their names.
///
/// A name counts with its namespace, whatever prefix stands for that. A column is called by its name alone if it is in
/// the record's own namespace or in none, else by prefix and name; a value within a child by all names on its path:
///
/// ```text
/// <item><title/><dc:date/><guid isPermaLink=""/></item>      title  dc:date  guid  guid.isPermaLink
/// ```
struct ColumnTable: Sendable {
  /// The number that stands for a record's own text, which is the column `#text`.
  static let ownText = UInt32.max
  /// The number that stands for the key of a property list under which a record stands, which is the column `#key`.
  static let ownKey = UInt32.max - 1

  /// What records are called, and their columns.
  private(set) var shapes: [RecordShape] = []
  private var kindTables: [KindTable] = []
  /// The columns by kind (upper half) and path.
  private var columns: [UInt64: Int] = [:]
  /// The kinds by node (upper half) and name.
  private var kinds: [UInt64: Int] = [:]
  private var kindsByIdentity: [String: Int] = [:]
  private var lastKind: (name: UInt64, kind: Int) = (.max, -1)

  /// What is known of the columns of one kind.
  private struct KindTable: Sendable {
    /// The namespace of the records' element; empty for none.
    var namespace: String
    /// The paths' numbers, by column.
    var paths: [UInt32] = []
    /// The columns by what they mean, since two names may stand for the same, and by what they are called.
    var byIdentity: [String: Int] = [:]
    var labels: Set<String> = []
  }

  /// The kind of the records of that name at a node, -1 if none has been seen.
  mutating func knownKind(of name: UInt32, node: Int) -> Int {
    let place = Self.place(of: name, node: node)
    if lastKind.name == place { return lastKind.kind }
    guard let kind = kinds[place] else { return -1 }
    lastKind = (place, kind)
    return kind
  }

  /// The kind of the records of that name at a node, a new one if need be; nil past the limit.
  ///
  /// - Parameters:
  ///   - node: -1 where records stand in no other.
  ///   - parent: The kind of the record that encloses them.
  mutating func kind(
    of name: UInt32,
    node: Int = -1,
    parent: Int? = nil,
    of parser: borrowing EventParser,
    limit: Int
  ) -> Int? {
    let place = Self.place(of: name, node: node)
    if let kind = kinds[place] { return kind }
    let text = parser.decodedName(name)
    let namespace = parser.namespace(name)
    let identity = Self.qualified(text, namespace)
    let nodeIdentity = node < 0 ? identity : "\(node) \(identity)"
    if let kind = kindsByIdentity[nodeIdentity] {
      kinds[place] = kind
      return kind
    }
    let prefix = parser.prefix(name)
    let labels = [text, prefix.isEmpty ? text : "\(prefix):\(text)", identity]
    let label = labels.first { label in !shapes.contains { $0.name == label && $0.parent == parent } } ?? identity
    guard let kind = addKind(label, parent: parent, namespace: namespace, limit: limit) else { return nil }
    kinds[place] = kind
    kindsByIdentity[nodeIdentity] = kind
    return kind
  }

  private static func place(of name: UInt32, node: Int) -> UInt64 {
    UInt64(UInt32(truncatingIfNeeded: node)) << 32 | UInt64(name)
  }

  /// A kind of records that a key names, or nothing; nil past the limit.
  mutating func unnamedKind(_ label: String, limit: Int) -> Int? {
    if let kind = kindsByIdentity[label] { return kind }
    guard let kind = addKind(label, namespace: "", limit: limit) else { return nil }
    kindsByIdentity[label] = kind
    return kind
  }

  private mutating func addKind(_ label: String, parent: Int? = nil, namespace: String, limit: Int) -> Int? {
    guard shapes.count < limit else { return nil }
    shapes.append(RecordShape(name: label, parent: parent))
    kindTables.append(KindTable(namespace: namespace))
    return shapes.count - 1
  }

  /// How many columns a kind has.
  func columnCount(of kind: Int) -> Int { kindTables[kind].paths.count }

  /// The numbers of the paths of a kind's columns.
  func paths(of kind: Int) -> [UInt32] { kindTables[kind].paths }

  /// The column of a path that has been seen; `guess` is tried first.
  func column(of path: UInt32, in kind: Int, guess: Int) -> Int? {
    if guess < kindTables[kind].paths.count, kindTables[kind].paths[guess] == path { return guess }
    return columns[UInt64(kind) << 32 | UInt64(path)]
  }

  /// Adds a column, or finds the one that has this name already; nil past the limit.
  mutating func add(
    _ path: UInt32,
    in kind: Int,
    paths: FieldPaths,
    of parser: borrowing EventParser,
    limit: Int
  ) -> Int? {
    let (identity, label, objectLength) = self.label(of: path, in: kind, paths: paths, of: parser)
    let column = kindTables[kind].byIdentity[identity] ?? kindTables[kind].paths.count
    if column == kindTables[kind].paths.count {
      guard column < limit else { return nil }
      let free = [label, identity].first { !kindTables[kind].labels.contains($0) }
      // An element that is called like another's prefix and name is not worth more than an honest name.
      let chosen = free ?? "\(identity) (\(column + 1))"
      kindTables[kind].labels.insert(chosen)
      kindTables[kind].byIdentity[identity] = column
      kindTables[kind].paths.append(path)
      shapes[kind].columns.append(chosen)
      if objectLength > 0, chosen == label { shapes[kind].objectLengths[column] = objectLength }
    }
    columns[UInt64(kind) << 32 | UInt64(path)] = column
    return column
  }

  /// What a path means, what its column is called if no other is, and how much of that is the element that it is a part of.
  private func label(
    of path: UInt32,
    in kind: Int,
    paths: FieldPaths,
    of parser: borrowing EventParser
  ) -> (identity: String, label: String, objectLength: Int) {
    if path == Self.ownText { return ("#text", "#text", 0) }
    if path == Self.ownKey { return ("#key", "#key", 0) }
    var identities: [String] = []
    var labels: [String] = []
    for name in paths.names(on: path) {
      if name >= FieldPaths.firstKey {
        let key = paths.keys[Int(name - FieldPaths.firstKey)]
        identities.append(key)
        labels.append(key)
        continue
      }
      let text = parser.decodedName(name)
      let namespace = parser.namespace(name)
      guard !namespace.isEmpty, namespace != kindTables[kind].namespace else {
        identities.append(text)
        labels.append(text)
        continue
      }
      let prefix = parser.prefix(name)
      identities.append(Self.qualified(text, namespace))
      labels.append(prefix.isEmpty ? text : "\(prefix):\(text)")
    }
    let objectLength = labels.dropLast().joined(separator: ".").utf8.count
    return (identities.joined(separator: "."), labels.joined(separator: "."), objectLength)
  }

  private static func qualified(_ name: String, _ namespace: String) -> String {
    namespace.isEmpty ? name : "{\(namespace)}\(name)"
  }
}
