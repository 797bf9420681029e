import CXML

/// Which dictionaries of a property list are its records.
struct PropertyListRule: Sendable, Hashable {
  /// How a container's content becomes records.
  enum Content: Sendable, Hashable {
    /// The elements of an array.
    case elements
    /// The values of a dictionary, whose keys are the column `#key`.
    case values
    /// The dictionary itself is one record.
    case itself
  }

  /// A container with records, by the keys that lead to it.
  struct Group: Sendable, Hashable {
    var path: [String]
    /// Nil until it is seen whether it is an array.
    var content: Content?
  }

  var groups: [Group] = []

  /// What the summary says of it.
  var description: String {
    guard let first = groups.first else { return "no records: the property list holds no dictionaries" }
    if groups.count > 1 {
      return "records are what stands under the keys "
        + groups.prefix(3).map { "'\($0.path.joined(separator: "/"))'" }.joined(separator: ", ")
        + (groups.count > 3 ? ", …" : "")
    }
    let place = first.path.isEmpty ? "" : " under the key '\(first.path.joined(separator: "/"))'"
    return switch first.content {
    case .elements, nil: "records are the elements of the array\(place)"
    case .values: "records are the dictionaries in the dictionary\(place), named by its keys"
    case .itself: "the dictionary\(place) is the one record"
    }
  }

  /// Where the records are that the user told by keys.
  init(told path: RecordPath, in outline: PropertyListOutline) {
    let node = outline.node(at: path)
    let content: Content? =
      switch node?.kind {
      case .dictionary: outline.isAllDictionaries(node) ? .values : .itself
      case .array: .elements
      default: nil
      }
    groups = [Group(path: node.map(outline.path) ?? path.names, content: content)]
  }

  /// Finds the records of a property list by its shape.
  ///
  /// A root array holds them; so does a root dictionary of dictionaries, or one with arrays of dictionaries, or
  /// dictionaries of them, and fewer plain values than records. Any other root dictionary is itself the record.
  init(of outline: PropertyListOutline) {
    guard let root = outline.root else { return }
    switch root.kind {
    case .array: groups = [Group(path: [], content: .elements)]
    case .plain: return
    case .dictionary:
      let values = outline.children(of: root)
      let holders = values.filter { outline.isAllDictionaries($0) }
      let isGroup = { (node: PropertyListOutline.Node) in
        Group(path: outline.path(of: node), content: node.kind == .array ? .elements : .values)
      }
      let plain = values.filter { $0.kind == .plain }
      let recordCount = holders.reduce(0) { $0 + $1.children.count }
      if !holders.isEmpty, holders.count + plain.count == values.count, plain.count < recordCount {
        groups = holders.map(isGroup)
      } else {
        groups = [Group(path: [], content: outline.isAllDictionaries(root) ? .values : .itself)]
      }
    }
  }
}

/// What the beginning of a property list looks like.
struct PropertyListOutline {
  enum Kind { case dictionary, array, plain }

  struct Node {
    var position: Int
    var kind: Kind
    var key: String?
    var parent: Int
    var children: [Int] = []
  }

  private var nodes: [Node] = []

  /// Reads the events of a document's beginning.
  init(of parser: borrowing EventParser) {
    let events = unsafe parser.events
    var open: [Int?] = []
    var key = ""
    for index in 0..<events.count {
      let event = unsafe events[index]
      switch Int(event.kind) {
      case CXML_START, CXML_LEAF:
        guard event.offset < UInt64(DocumentOutline.byteCount) else { return }
        let name = parser.name(event.name)
        let isLeaf = Int(event.kind) == CXML_LEAF
        var position: Int?
        if name == "key" {
          key = isLeaf ? parser.text(of: event) : ""
        } else if name != "plist" {
          position = add(name, key: key, to: open.last ?? nil)
        }
        if !isLeaf { open.append(position) }
      case CXML_TEXT:
        if let last = open.last, last == nil { key += parser.text(of: event) }
      case CXML_END: _ = open.popLast()
      default: break
      }
    }
  }

  private mutating func add(_ name: String, key: String, to parent: Int?) -> Int? {
    // What stands in a plain value is no value.
    if let parent, nodes[parent].kind == .plain { return nil }
    guard parent != nil || nodes.isEmpty else { return nil }
    let kind: Kind = name == "dict" ? .dictionary : name == "array" ? .array : .plain
    let isKeyed = parent.map { nodes[$0].kind == .dictionary } ?? false
    nodes.append(Node(position: nodes.count, kind: kind, key: isKeyed ? key : nil, parent: parent ?? -1))
    if let parent { nodes[parent].children.append(nodes.count - 1) }
    return nodes.count - 1
  }

  /// The value of the whole list.
  var root: Node? { nodes.first }

  func children(of node: Node) -> [Node] { node.children.map { nodes[$0] } }

  /// Whether a container holds dictionaries, and nothing else as far as it was seen.
  func isAllDictionaries(_ node: Node?) -> Bool {
    guard let node, node.kind != .plain, !node.children.isEmpty else { return false }
    return node.children.allSatisfy { nodes[$0].kind == .dictionary }
  }

  /// The keys that lead to a value.
  func path(of node: Node) -> [String] {
    var path: [String] = []
    var position = node.position
    while position >= 0 {
      if let key = nodes[position].key { path.insert(key, at: 0) }
      position = nodes[position].parent
    }
    return path
  }

  /// The first container whose keys are, or end with, those of a path.
  func node(at path: RecordPath) -> Node? {
    nodes.first { node in
      guard node.kind != .plain, path.names.isEmpty || node.key != nil else { return false }
      let keys = self.path(of: node)
      return path.isAbsolute ? keys == path.names : keys.suffix(path.names.count) == path.names[...]
    }
  }
}
