import Records
import CXML

/// What the beginning of a document looks like: its elements by path, counted.
///
/// Only start tags within the first `byteCount` bytes count, so that what is found does not depend on how the input was
/// cut into chunks. If an element is open there that may be the first of the records, those up to the next one of its kind
/// count too: a first record is found however long it is.
struct DocumentOutline {
  /// How much of a document is looked at.
  static let byteCount: Int64 = 64 << 10

  private struct Node {
    var name: String
    var namespace: String
    var parent: Int
    var level: Int
    var count = 0
    var hasAttributes = false
    var hasText = false
    /// How many of its elements hold no elements.
    var leafCount = 0
    var children: [Int] = []
  }

  private var nodes: [Node] = []
  private var positions: [UInt64: Int] = [:]
  private var open: [(node: Int, hasElements: Bool)] = []
  /// The element that may be the first record, and is not known to be repeated.
  private var sought: Int?
  /// Whether no later event counts.
  private(set) var isDecided = false
  /// Whether start tags beyond `byteCount` have been seen.
  private var isBeyond = false
  /// Where looking for a second record ends.
  let limit: Int64

  /// Makes an outline of nothing.
  ///
  /// - Parameter limit: How long a record may be.
  init(limit: Int) { self.limit = max(Self.byteCount, Int64(limit)) }

  /// Reads the next events of a document.
  mutating func take(_ parser: borrowing EventParser) {
    let events = unsafe parser.events
    for index in 0..<events.count {
      guard !isDecided else { return }
      let event = unsafe events[index]
      switch Int(event.kind) {
      case CXML_START, CXML_LEAF: start(event, of: parser)
      case CXML_ATTRIBUTE:
        if let last = open.last, Int(event.flags) & CXML_SCHEMA_INSTANCE == 0 { nodes[last.node].hasAttributes = true }
      case CXML_TEXT:
        if let last = open.last, Int(event.flags) & CXML_BLANK == 0 { nodes[last.node].hasText = true }
      default:
        if let last = open.popLast(), !last.hasElements { nodes[last.node].leafCount += 1 }
        // What is around it ends without a second one.
        if let sought, open.count < nodes[sought].level { isDecided = true }
      }
    }
  }

  private mutating func start(_ event: CXMLEvent, of parser: borrowing EventParser) {
    let offset = Int64(event.offset)
    if offset >= Self.byteCount {
      if !isBeyond { sought = possibleRecord() }
      isBeyond = true
      guard sought != nil, offset < limit else {
        isDecided = true
        return
      }
    }
    let parent = open.last?.node ?? -1
    if !open.isEmpty { open[open.count - 1].hasElements = true }
    let key = UInt64(UInt32(truncatingIfNeeded: parent)) << 32 | UInt64(event.name)
    let position = positions[key] ?? nodes.count
    if position == nodes.count {
      positions[key] = position
      nodes.append(
        Node(
          name: parser.name(event.name),
          namespace: parser.namespace(event.name),
          parent: parent,
          level: open.count
        )
      )
      if parent >= 0 { nodes[parent].children.append(position) }
    }
    nodes[position].count += 1
    if Int(event.kind) == CXML_LEAF {
      nodes[position].leafCount += 1
      if event.text_count > 0 { nodes[position].hasText = true }
    } else {
      open.append((position, false))
    }
    if position == sought { isDecided = true }
  }

  /// The outermost open element that looks like a record, unless records have been found that stand no deeper.
  private func possibleRecord() -> Int? {
    guard let root = nodes.first, KnownVocabulary.of(root: root.name, namespace: root.namespace) == nil else {
      return nil
    }
    let found = nodes.lazy.filter { $0.level > 0 && $0.count > 1 && isRecordLike($0) }.map(\.level).min() ?? .max
    return open.dropFirst().map(\.node).first { position in
      let node = nodes[position]
      let hasOwnValue = node.children.contains {
        nodes[$0].count == 1 && (nodes[$0].leafCount > 0 || nodes[$0].hasText)
      }
      return node.level < found && node.count == 1 && (node.hasAttributes || hasOwnValue)
    }
  }

  /// Ends the taking: an element that is cut off and has shown no elements so far counts as a leaf.
  mutating func end() {
    for element in open where !element.hasElements { nodes[element.node].leafCount += 1 }
    open = []
  }

  /// Whether an element below the root is named like one of these, which are in ASCII lower case.
  func holds(anyOf names: Set<String>) -> Bool {
    nodes.contains { $0.level > 0 && names.contains(lowercasedASCII(XMLName.decoding($0.name))) }
  }

  /// Finds the records: the shallowest repeated element that has attributes or leaf children.
  ///
  /// Where none is repeated, a root with nothing but leaves of different names is itself the record; else the shallowest
  /// element with attributes or leaf children is.
  func rule() -> RecordRule {
    guard let root = nodes.first, !root.children.isEmpty else { return .nothing }
    if let vocabulary = KnownVocabulary.of(root: root.name, namespace: root.namespace) {
      return .vocabulary(vocabulary)
    }
    // Nodes stand in the order of their first appearance; the shallowest comes first here, then the earliest.
    let below = nodes.indices.dropFirst().sorted { (nodes[$0].level, $0) < (nodes[$1].level, $1) }
    if let repeated = below.first(where: { nodes[$0].count > 1 && isRecordLike(nodes[$0]) }) {
      return children(ofParentOf: repeated)
    }
    let children = root.children.map { nodes[$0] }
    if children.allSatisfy({ !$0.hasAttributes && $0.children.isEmpty }) {
      // `<rows><row/></rows>` holds a row without fields, `<person><name>Ada</name></person>` is one.
      let isList = children.count == 1 && (children[0].count > 1 || !children[0].hasText)
      return isList ? self.children(ofParentOf: root.children[0]) : .root(root.name)
    }
    guard let first = below.first(where: { isRecordLike(nodes[$0]) }) else {
      return self.children(ofParentOf: root.children[0])
    }
    return self.children(ofParentOf: first)
  }

  private func isRecordLike(_ node: Node) -> Bool {
    node.hasAttributes || node.children.contains { nodes[$0].leafCount > 0 || nodes[$0].hasText }
  }

  private func children(ofParentOf position: Int) -> RecordRule {
    let parent = nodes[position].parent
    var path: [String] = []
    var ancestor = parent
    while ancestor >= 0 {
      path.insert(nodes[ancestor].name, at: 0)
      ancestor = nodes[ancestor].parent
    }
    let kinds = nodes[parent].children.filter {
      $0 == position || isRecordLike(nodes[$0]) || !nodes[$0].children.isEmpty
    }
    return .children(of: path, kinds: kinds.map { nodes[$0].name })
  }
}
