import Records

/// Finds out which elements stand several times in one element, and so are records of their own.
struct NestingDiscovery: Sendable {
  /// An element, by the path to it from its record, in the records of one kind.
  private struct Place: Hashable {
    let kind: Int
    let path: UInt32
  }

  /// The paths met in each element that is open, by the element's number.
  private var seen: Set<UInt64> = []
  private var instanceCount: UInt32 = 0
  private var repeated: Set<Place> = []
  /// Elements whose tags stand in text.
  private var texts: Set<Place> = []

  /// Begins a record or an element within one, and gives it a number.
  mutating func begin() -> UInt32 {
    instanceCount &+= 1
    return instanceCount
  }

  /// Forgets the elements of a record that is complete.
  mutating func endRecord() { seen.removeAll(keepingCapacity: true) }

  /// Notes an element in another one, whose number is `enclosing`.
  mutating func add(_ path: UInt32, in enclosing: UInt32, kind: Int) {
    if !seen.insert(UInt64(enclosing) << 32 | UInt64(path)).inserted { repeated.insert(Place(kind: kind, path: path)) }
  }

  /// Notes an element of text in which others stand, which are no records.
  mutating func addText(_ path: UInt32, kind: Int) { texts.insert(Place(kind: kind, path: path)) }

  /// The nesting of the document read so far: nodes for elements that stand several times in one, and for those around
  /// them that have values of their own.
  func nesting(columns: ColumnTable, paths: FieldPaths, of parser: borrowing EventParser) -> RecordNesting {
    var nesting = RecordNesting()
    for place in repeated.sorted(by: { ($0.kind, $0.path) < ($1.kind, $1.path) }) {
      let isInText = paths.ways(to: place.path).contains { way in
        texts.contains(Place(kind: place.kind, path: way.path)) && way.path != place.path
      }
      guard !isInText else { continue }
      let root = lowercasedASCII(columns.shapes[place.kind].name)
      let values = Set(
        columns.paths(of: place.kind).filter { !repeated.contains(Place(kind: place.kind, path: $0)) }
      )
      var node = nesting.roots[root] ?? nesting.addNode()
      nesting.roots[root] = node
      var wrapper: String?
      // Elements that stand within others of their name are of one kind.
      var enclosing = [root: node]
      let ways = paths.ways(to: place.path)
      for (index, way) in ways.enumerated() {
        let name = lowercasedASCII(parser.decodedName(way.name))
        let isRecord = repeated.contains(Place(kind: place.kind, path: way.path))
        let hasValues = values.contains(way.path) || values.contains { paths.parent(of: $0) == way.path }
        if !isRecord, !hasValues, wrapper == nil, index < ways.count - 1 {
          wrapper = name
          continue
        }
        let known = wrapper.map { nesting.nodes[node].wrappers[$0]?[name] } ?? nesting.nodes[node].children[name]
        let next = known ?? enclosing[name] ?? nesting.addNode()
        enclosing[name] = next
        if let wrapper {
          nesting.nodes[node].wrappers[wrapper, default: [:]][name] = next
        } else {
          nesting.nodes[node].children[name] = next
        }
        wrapper = nil
        node = next
        guard index == ways.count - 1, columns.paths(of: place.kind).contains(place.path) else { continue }
        // It has text, or is empty, and never anything else.
        nesting.nodes[node].isText = !columns.paths(of: place.kind).contains { paths.parent(of: $0) == place.path }
      }
    }
    return nesting
  }
}

extension RecordNesting {
  /// Adds a node with nothing within, and gives its position.
  fileprivate mutating func addNode() -> Int {
    nodes.append(Node())
    return nodes.count - 1
  }
}

extension FieldPaths {
  /// The paths on the way to one, itself last, each with the name of its last step.
  fileprivate func ways(to path: UInt32) -> [(path: UInt32, name: UInt32)] {
    var ways: [(path: UInt32, name: UInt32)] = []
    var rest: UInt32? = path
    while let current = rest {
      ways.append((current, names(on: current).last ?? current))
      rest = parent(of: current)
    }
    return ways.reversed()
  }
}
