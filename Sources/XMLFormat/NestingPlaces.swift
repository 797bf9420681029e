import Records

/// A nesting by the numbers of a document's names.
struct NestingPlaces: Sendable {
  private let nesting: RecordNesting
  /// The places of names in each node, as far as they were asked for.
  private var places: [[RecordNesting.Place?]]
  /// The nodes of records that stand in no other: -1 for none, nil for unknown.
  private var roots: [Int?] = []
  private let isFlat: Bool
  /// What elements in wrappers are, as far as they were asked for.
  private var wrappedPlaces: [WrappedPlace: (node: Int, name: UInt32)] = [:]

  private struct WrappedPlace: Hashable {
    var name, wrapper: UInt32
    var node: Int
  }

  init(_ nesting: RecordNesting = RecordNesting()) {
    self.nesting = nesting
    isFlat = nesting.isFlat
    places = [[RecordNesting.Place?]](repeating: [], count: nesting.nodes.count)
  }

  /// The node of a record that stands in no other, -1 if it holds none.
  mutating func root(_ name: UInt32, of parser: borrowing EventParser) -> Int {
    guard !isFlat else { return -1 }
    let index = Int(name)
    while roots.count <= index { roots.append(nil) }
    if let known = roots[index] { return known }
    let node = nesting.root(named: parser.decodedName(name)) ?? -1
    roots[index] = node
    return node
  }

  /// Whether records of a node hold no others.
  func isLeaf(_ node: Int) -> Bool { nesting.nodes[node].isEmpty }

  /// Whether its records hold text and nothing else.
  func isText(_ node: Int) -> Bool { nesting.nodes[node].isText }

  /// Whether an element in a record of some node that is nothing but text is the key of a record elsewhere.
  func takesKey(named name: UInt32, in node: Int, of parser: borrowing EventParser) -> Bool {
    let names = nesting.nodes[node].keyNames
    return !names.isEmpty && names.contains(lowercasedASCII(parser.decodedName(name)))
  }

  /// What an element in a wrapper is: the record of a node, and the name by which it is known.
  mutating func wrapped(
    _ name: UInt32,
    in wrapper: UInt32,
    around wrapped: [String: Int],
    of node: Int,
    of parser: borrowing EventParser
  ) -> (node: Int, name: UInt32) {
    let place = WrappedPlace(name: name, wrapper: wrapper, node: node)
    if let known = wrappedPlaces[place] { return known }
    let element = parser.decodedName(name)
    let known = nesting.name(of: element, in: parser.decodedName(wrapper), of: node)
    let named = wrapped[lowercasedASCII(element)] ?? wrapped.values.min() ?? node
    let result = (named, known == element ? name : wrapper)
    wrappedPlaces[place] = result
    return result
  }

  /// What an element in a record of some node is.
  mutating func place(of name: UInt32, in node: Int, of parser: borrowing EventParser) -> RecordNesting.Place {
    let index = Int(name)
    while places[node].count <= index { places[node].append(nil) }
    if let known = places[node][index] { return known }
    let place = nesting.place(of: parser.decodedName(name), in: node)
    places[node][index] = place
    return place
  }
}
