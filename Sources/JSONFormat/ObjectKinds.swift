import Records

/// The kinds of records of a file, with their columns, and what the members of each are.
struct ObjectKinds: Sendable {
  /// The most kinds; past it, arrays of objects are text.
  private static let limit = 1000
  /// The name of the column that holds what a record is itself, where it is no object.
  static let ownText = "#text"

  /// The columns of each kind.
  var tables = [ColumnTable()]
  private(set) var shapes = [RecordShape()]
  private let nesting: RecordNesting
  /// For each node the members that were looked up so far.
  private var members: [(names: ColumnTable, places: [Member])]
  private var kinds: [String: Int] = [:]

  /// What a member is.
  enum Member: Sendable {
    case field
    /// A record, or an array of records; or, if there are `wrapped` ones, an object around such.
    ///
    /// Where it `takesKeys`, a value that is no object is the key of a record elsewhere.
    case record(node: Int, kind: Int, wrapped: [String: Int]?, takesKeys: Bool)
    case wrapper([String: Int])
  }

  init(_ nesting: RecordNesting) {
    self.nesting = nesting
    members = nesting.nodes.map { _ in (ColumnTable(), []) }
  }

  /// The node of records that stand in no other; -1 where they hold none.
  var root: Int { nesting.root(named: "") ?? -1 }

  /// Whether records of a node hold others.
  func holdsRecords(_ node: Int) -> Bool { !nesting.nodes[node].isEmpty }

  /// Whether values under a name in records of a node are keys of records elsewhere.
  func takesKeys(_ name: String, of node: Int) -> Bool { nesting.nodes[node].keyNames.contains(lowercasedASCII(name)) }

  /// The name by which a record in a wrapper is known.
  func name(of member: String, in wrapper: String, of node: Int) -> String {
    nesting.name(of: member, in: wrapper, of: node)
  }

  /// What a member of a record is.
  ///
  /// - Parameters:
  ///   - name: Its name, unescaped, with those of the objects around it within the record.
  ///   - node: The record's.
  ///   - kind: The record's.
  ///   - limit: How many names are kept in mind.
  mutating func member(_ name: Span<UInt8>, of node: Int, kind: Int, limit: Int) -> Member {
    if let known = members[node].names.position(of: name, guess: 0) { return members[node].places[known] }
    var bytes: [UInt8] = []
    for index in name.indices { bytes.append(name[index]) }
    let text = String(decoding: bytes, as: UTF8.self)
    let member: Member =
      switch nesting.place(of: text, in: node) {
      case .field: .field
      case .record(let child):
        record(child, named: text, within: kind).map {
          .record(node: child, kind: $0, wrapped: nil, takesKeys: takesKeys(text, of: node))
        } ?? .field
      case .wrapper(let wrapped): .wrapper(wrapped)
      case .either(let child, let wrapped):
        record(child, named: text, within: kind).map {
          .record(node: child, kind: $0, wrapped: wrapped, takesKeys: takesKeys(text, of: node))
        } ?? .field
      }
    guard members[node].names.count < limit else { return member }
    _ = members[node].names.add(bytes.span)
    members[node].places.append(member)
    return member
  }

  /// The kind of records of a node that a member of that name holds; nil past the limit.
  mutating func record(_ node: Int, named name: String, within parent: Int) -> Int? {
    // A model's own name may have dots in it.
    let last =
      nesting.isOfModel
      ? name : name.split(separator: ".", omittingEmptySubsequences: false).last.map(String.init) ?? name
    let identity = "\(node) \(last)"
    if let known = kinds[identity] { return known }
    guard shapes.count < Self.limit else { return nil }
    let isTaken = shapes.contains { $0.name == last && $0.parent == parent }
    shapes.append(RecordShape(name: isTaken ? name : last, parent: parent))
    tables.append(ColumnTable())
    kinds[identity] = shapes.count - 1
    return shapes.count - 1
  }

  /// The shapes with the names of all columns seen so far.
  var namedShapes: [RecordShape] {
    shapes.indices.map { kind in
      var shape = RecordShape(name: shapes[kind].name, columns: tables[kind].names, parent: shapes[kind].parent)
      shape.objectLengths = tables[kind].objectLengths
      return shape
    }
  }
}
