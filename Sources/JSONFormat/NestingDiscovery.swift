import JSONSyntax
import Records

/// Finds out which arrays hold objects, which are records of their own then.
struct NestingDiscovery: Sendable {
  private enum Frame: Sendable {
    /// An object: the node of the record that it is or stands in, and its names on the way from there.
    case object(node: Int, path: String)
    /// An array that is the member of an object.
    case member(node: Int, path: String)
    /// Any other array.
    case array
  }

  private(set) var nesting = RecordNesting()
  private var frames: [Frame] = []
  /// The name of the member at hand.
  private var name: JSONToken?

  init() {
    nesting.nodes = [RecordNesting.Node()]
    nesting.roots[""] = 0
  }

  /// Begins a record that stands in no other.
  mutating func beginRecord() {
    frames.removeAll(keepingCapacity: true)
    frames.append(.object(node: 0, path: ""))
  }

  /// Looks at a token within a record.
  mutating func see(_ token: JSONToken, in text: borrowing TextBuffer) {
    switch token.kind {
    case .name: name = token
    case .beginArray:
      if case .object(let node, let path) = frames.last {
        frames.append(.member(node: node, path: path + spelling(in: text)))
      } else {
        frames.append(.array)
      }
    case .beginObject:
      switch frames.last {
      case .object(let node, let path): frames.append(.object(node: node, path: "\(path)\(spelling(in: text))."))
      case .member(let node, let path): frames.append(.object(node: child(path, of: node), path: ""))
      case .array, nil: frames.append(.array)
      }
    case .endArray, .endObject: frames.removeLast(min(1, frames.count))
    default: break
    }
  }

  /// What the name of the member at hand means, in lower case.
  private func spelling(in text: borrowing TextBuffer) -> String {
    guard let name else { return "" }
    let raw = text.bytes.extracting(name.range)
    var meaning: [UInt8] = []
    if name.hasEscapes {
      _ = JSONString.appendUnescaped(raw, to: &meaning)
    } else {
      for index in raw.indices { meaning.append(raw[index]) }
    }
    return lowercasedASCII(String(decoding: meaning, as: UTF8.self))
  }

  private mutating func child(_ path: String, of node: Int) -> Int {
    if let known = nesting.nodes[node].children[path] { return known }
    nesting.nodes.append(RecordNesting.Node())
    nesting.nodes[node].children[path] = nesting.nodes.count - 1
    return nesting.nodes.count - 1
  }
}
