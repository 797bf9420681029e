/// Which parts of a record are records themselves: child elements in XML, objects in JSON.
///
/// A node stands for one kind of records at one place; names are compared in ASCII lower case. A wrapper is a part that is
/// no record but holds some, as `<artists>` here:
///
/// ```text
/// <label name="Warp"> <artists> <artist name="Aphex"/> … </artists> </label>
/// ```
package struct RecordNesting: Sendable, Hashable {
  /// One kind of records.
  package struct Node: Sendable, Hashable {
    /// The nodes of the records within, by the names of their elements.
    package var children: [String: Int]
    /// The nodes of the records in wrappers, by the wrappers' names and then the elements'.
    package var wrappers: [String: [String: Int]]
    /// The wrappers that tell, as their elements do not, which of several relationships leads to the record around.
    package var tellingWrappers: Set<String> = []
    /// Whether records of the kind hold text and nothing else, so that an empty one holds the empty text.
    package var isText = false
    /// The names under which a value that has no parts is the key of a record elsewhere: a field, and no record.
    package var keyNames: Set<String> = []

    /// Makes a node with nothing within.
    package init() {
      children = [:]
      wrappers = [:]
    }

    /// Whether records of the kind hold others.
    package var isEmpty: Bool { children.isEmpty && wrappers.isEmpty }
  }

  /// What a part of a record is.
  package enum Place: Sendable, Hashable {
    /// A field.
    case field
    /// A record.
    case record(Int)
    /// A wrapper around records.
    case wrapper([String: Int])
    /// A wrapper if it has no attributes and holds an element that is a record there, else a record.
    case either(Int, [String: Int])
  }

  /// The nodes.
  package var nodes: [Node]
  /// The nodes of records that stand in no other, by the names of their elements; the empty name stands for all others.
  package var roots: [String: Int]
  /// Whether the names are those of a model, in which a point is a letter like any other, and not paths.
  package var isOfModel = false

  /// Makes a nesting in which nothing stands within anything.
  package init() {
    nodes = []
    roots = [:]
  }

  /// In which order the nodes' rows go in, by node, so that enclosing ones come before those within: equal numbers where
  /// nodes enclose one another in a circle.
  package var ranks: [Int] {
    var ranks = [Int](repeating: 0, count: nodes.count)
    // Without a circle no way is longer than there are nodes.
    for _ in 0...nodes.count {
      var hasChanged = false
      for (position, node) in nodes.enumerated() {
        for child in node.children.values where child != position && ranks[child] <= ranks[position] {
          ranks[child] = ranks[position] + 1
          hasChanged = true
        }
      }
      if !hasChanged { return ranks }
    }
    return [Int](repeating: 0, count: nodes.count)
  }

  /// This nesting with what another one has besides it, names deciding what is the same.
  package func merging(_ other: RecordNesting) -> RecordNesting {
    var result = self
    if !other.isFlat { result.isOfModel = false }
    // The nodes here that stand for the other's.
    var places: [Int: Int] = [:]
    for (name, node) in other.roots.sorted(by: { $0.key < $1.key }) {
      result.roots[name] = result.take(node, of: other, at: result.roots[name] ?? result.roots[""], &places)
    }
    return result
  }

  /// Takes a node of another nesting, and those within, into the one that stands for it here, or a new one.
  private mutating func take(_ node: Int, of other: RecordNesting, at known: Int?, _ places: inout [Int: Int]) -> Int {
    if let place = places[node] { return place }
    let place = known ?? nodes.count
    if known == nil { nodes.append(Node()) }
    places[node] = place
    nodes[place].isText = nodes[place].isText || other.nodes[node].isText
    nodes[place].tellingWrappers.formUnion(other.nodes[node].tellingWrappers)
    for (name, child) in other.nodes[node].children.sorted(by: { $0.key < $1.key }) {
      let taken = take(child, of: other, at: nodes[place].children[name], &places)
      nodes[place].children[name] = taken
    }
    for (wrapper, wrapped) in other.nodes[node].wrappers.sorted(by: { $0.key < $1.key }) {
      for (name, child) in wrapped.sorted(by: { $0.key < $1.key }) {
        let known = nodes[place].wrappers[wrapper]?[name] ?? nodes[place].children[name]
        let taken = take(child, of: other, at: known, &places)
        nodes[place].wrappers[wrapper, default: [:]][name] = taken
      }
    }
    return place
  }

  /// Whether nothing stands within anything.
  package var isFlat: Bool { nodes.allSatisfy(\.isEmpty) }

  /// The node of a record that stands in no other; nil where it holds no records.
  package func root(named name: String) -> Int? {
    guard !nodes.isEmpty, let node = roots[lowercasedASCII(name)] ?? roots[""], !nodes[node].isEmpty else { return nil }
    return node
  }

  /// The name by which a record in a wrapper is known.
  package func name(of element: String, in wrapper: String, of node: Int) -> String {
    nodes[node].tellingWrappers.contains(lowercasedASCII(wrapper)) ? wrapper : element
  }

  /// What a part of a record of some node is.
  package func place(of name: String, in node: Int) -> Place {
    let name = lowercasedASCII(name)
    switch (nodes[node].children[name], nodes[node].wrappers[name]) {
    case (nil, nil): return .field
    case (let child?, nil): return .record(child)
    case (nil, let wrapped?): return .wrapper(wrapped)
    case (let child?, let wrapped?): return .either(child, wrapped)
    }
  }
}

/// ASCII letters in lower case, all others as they are.
package func lowercasedASCII(_ name: String) -> String {
  String(decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
}
