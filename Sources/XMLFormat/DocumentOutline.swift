import Records
import CXML

/// What the beginning of a document looks like: its elements by path, counted.
///
/// Only start tags within the first `byteCount` bytes count, so that what is found does not depend on how the input was
/// cut into chunks.
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

  /// Reads the events of a document's beginning.
  init(of parser: borrowing EventParser) {
    var positions: [UInt64: Int] = [:]
    var open: [(node: Int, hasElements: Bool)] = []
    let events = unsafe parser.events
    // An element that is cut off here and has shown no elements so far counts as a leaf.
    defer { for element in open where !element.hasElements { nodes[element.node].leafCount += 1 } }
    for index in 0..<events.count {
      let event = unsafe events[index]
      switch Int(event.kind) {
      case CXML_START, CXML_LEAF:
        guard event.offset < UInt64(Self.byteCount) else { return }
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
      case CXML_ATTRIBUTE:
        if let last = open.last, Int(event.flags) & CXML_SCHEMA_INSTANCE == 0 { nodes[last.node].hasAttributes = true }
      case CXML_TEXT:
        if let last = open.last, Int(event.flags) & CXML_BLANK == 0 { nodes[last.node].hasText = true }
      default:
        if let last = open.popLast(), !last.hasElements { nodes[last.node].leafCount += 1 }
      }
    }
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
