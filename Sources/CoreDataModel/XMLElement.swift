import CXML
import EntityModel
import Diagnostics

/// One element of a small document, read whole.
struct XMLElement {
  var name: String
  var line: Int
  var attributes: [String: String] = [:]
  /// The text directly in it.
  var text = ""
  var children: [XMLElement] = []

  /// The value of an attribute that names something; an empty one names nothing.
  func told(_ name: String) -> String? {
    let value = self[name]
    return value == "" ? nil : value
  }

  /// The value of an attribute.
  subscript(name: String) -> String? { attributes[name] }

  /// The children of that name.
  func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

  /// The child of that name.
  func first(_ name: String) -> XMLElement? { children.first { $0.name == name } }

  /// Reads a document; refuses entities and whatever is not well-formed.
  static func read(_ bytes: [UInt8], path: String) throws(ModelError) -> XMLElement {
    guard let parser = unsafe cxml_open() else { throw ModelError(source: path, message: "memory is short") }
    defer { unsafe cxml_close(parser) }
    let failure = unsafe bytes.withUnsafeBufferPointer { buffer in
      let fed = unsafe cxml_feed(parser, buffer.baseAddress, buffer.count)
      return fed == 0 ? unsafe cxml_finish(parser) : fed
    }
    guard failure == 0 else {
      let words = unsafe cxml_failure_message(parser).map { unsafe String(cString: $0) } ?? ""
      let reason =
        failure == Int32(CXML_ENTITY) ? "it uses the entity '\(excerpt(of: words))'" : excerpt(of: words)
      throw ModelError(
        source: path,
        line: Int(unsafe cxml_failure_line(parser)),
        message: "the model cannot be read: \(reason)",
        remedy: "save it again with Xcode"
      )
    }
    guard let root = unsafe tree(of: parser, in: bytes) else {
      throw ModelError(source: path, message: "the model holds no elements")
    }
    return root
  }

  /// Builds the tree; the parser has made sure that tags match and are not too deep.
  private static func tree(of parser: OpaquePointer, in bytes: [UInt8]) -> XMLElement? {
    var eventCount = 0
    var textCount = 0
    guard let events = unsafe cxml_events(parser, &eventCount) else { return nil }
    let characters = unsafe cxml_text(parser, &textCount)
    let text = unsafe UnsafeBufferPointer(start: characters, count: textCount)
    var open: [XMLElement] = []
    var root: XMLElement?
    var line = 1
    var lineOffset = 0

    func string(of event: CXMLEvent) -> String {
      let start = Int(event.text)
      return unsafe String(decoding: text[start..<start + Int(event.text_count)], as: UTF8.self)
    }
    func name(of event: CXMLEvent) -> String {
      var count = 0
      guard let name = unsafe cxml_name(parser, event.name, &count) else { return "" }
      return unsafe String(decoding: UnsafeBufferPointer(start: name, count: count), as: UTF8.self)
    }
    func close(_ element: XMLElement) {
      if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }
    for index in 0..<eventCount {
      let event = unsafe events[index]
      switch Int(event.kind) {
      case CXML_START, CXML_LEAF:
        line += bytes[lineOffset..<Int(event.offset)].count { $0 == 0x0A }
        lineOffset = Int(event.offset)
        var element = XMLElement(name: name(of: event), line: line)
        if Int(event.kind) == CXML_LEAF {
          element.text = string(of: event)
          close(element)
        } else {
          open.append(element)
        }
      case CXML_ATTRIBUTE: open[open.count - 1].attributes[name(of: event)] = string(of: event)
      case CXML_TEXT: open[open.count - 1].text += string(of: event)
      default: close(open.removeLast())
      }
    }
    return root
  }
}
