/// Writes JSON text piece by piece.
///
/// The writer puts commas, colons, line ends and indentation; the caller opens and closes what it wants in order. A
/// caller that closes what it has not opened, or gives a member no name, is a fault of this program.
///
/// ```swift
/// var json = JSONWriter(layout: .pretty)
/// json.beginObject()
/// json.member("file", "contacts.csv")
/// json.member("records", 12)
/// json.endObject()
/// json.bytes      // {\n  "file": "contacts.csv",\n  "records": 12\n}
/// ```
package struct JSONWriter: Sendable {
  /// How much white space the text has.
  package enum Layout: Sendable, Hashable {
    /// None at all.
    case compact
    /// A line for each member and element, indented by two spaces a level.
    case pretty
  }

  private struct Level {
    var isObject: Bool
    var isEmpty: Bool
  }

  /// The text written so far, valid UTF-8, without a final line end.
  package private(set) var bytes: [UInt8]
  private let layout: Layout
  private var levels: [Level]
  private var hasName: Bool

  /// Makes a writer with nothing written.
  package init(layout: Layout = .pretty) {
    bytes = []
    self.layout = layout
    levels = []
    hasName = false
  }

  /// The text written so far.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Opens an object.
  package mutating func beginObject() { open("{", isObject: true) }

  /// Closes the innermost object.
  package mutating func endObject() { close("}", isObject: true) }

  /// Opens an array.
  package mutating func beginArray() { open("[", isObject: false) }

  /// Closes the innermost array.
  package mutating func endArray() { close("]", isObject: false) }

  /// Writes the name of the next value of an object.
  package mutating func name(_ name: String) {
    precondition(levels.last?.isObject == true && !hasName, "a name stands in an object, before its value")
    separate()
    appendString(name)
    bytes += layout == .pretty ? [UInt8(ascii: ":"), UInt8(ascii: " ")] : [UInt8(ascii: ":")]
    hasName = true
  }

  /// Writes a string.
  package mutating func string(_ text: String) {
    beginValue()
    appendString(text)
  }

  /// Writes a whole number.
  package mutating func integer(_ number: Int64) { literal(String(number)) }

  /// Writes a number in the fewest digits that read back the same; what JSON cannot hold (NaN, infinities) as `null`.
  package mutating func double(_ number: Double) { literal(number.isFinite ? number.description : "null") }

  /// Writes `true` or `false`.
  package mutating func boolean(_ flag: Bool) { literal(flag ? "true" : "false") }

  /// Writes `null`.
  package mutating func null() { literal("null") }

  /// Writes a number as the caller has spelled it.
  package mutating func number(spelled digits: String) {
    precondition(JSONNumber.isValid(Array(digits.utf8).span), "the spelling is one that JSON has")
    literal(digits)
  }

  /// Writes a tree.
  package mutating func value(_ value: JSONValue) {
    switch value.content {
    case .object(let members):
      beginObject()
      for member in members {
        name(member.name)
        self.value(member.value)
      }
      endObject()
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element) }
      endArray()
    case .string(let text): string(text)
    case .number(let digits): number(spelled: digits)
    case .boolean(let flag): boolean(flag)
    case .null: null()
    }
  }

  private mutating func literal(_ text: String) {
    beginValue()
    bytes += text.utf8
  }

  private mutating func open(_ bracket: Unicode.Scalar, isObject: Bool) {
    beginValue()
    bytes.append(UInt8(ascii: bracket))
    levels.append(Level(isObject: isObject, isEmpty: true))
  }

  private mutating func close(_ bracket: Unicode.Scalar, isObject: Bool) {
    guard let level = levels.popLast(), level.isObject == isObject, !hasName else {
      preconditionFailure("only what is open is closed, and no name is left without a value")
    }
    if !level.isEmpty { breakLine() }
    bytes.append(UInt8(ascii: bracket))
  }

  private mutating func beginValue() {
    if levels.last?.isObject == true {
      precondition(hasName, "a value of an object has a name")
      hasName = false
    } else if levels.isEmpty {
      precondition(bytes.isEmpty, "a text holds one value")
    } else {
      separate()
    }
  }

  /// Puts a comma after an earlier sibling, and goes to a line of its own.
  private mutating func separate() {
    if !levels[levels.count - 1].isEmpty { bytes.append(UInt8(ascii: ",")) }
    levels[levels.count - 1].isEmpty = false
    breakLine()
  }

  private mutating func breakLine() {
    guard layout == .pretty else { return }
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: 2 * levels.count))
  }

  private mutating func appendString(_ text: String) {
    // A `String` is valid Unicode, so that nothing can be refused here.
    _ = JSONString.appendEscaped(Array(text.utf8).span, to: &bytes)
  }
}

extension JSONWriter {
  /// Writes a member with a string; a nil is left out.
  package mutating func member(_ name: String, _ text: String?) {
    guard let text else { return }
    self.name(name)
    string(text)
  }

  /// Writes a member with a whole number; a nil is left out.
  package mutating func member(_ name: String, _ number: (some BinaryInteger)?) {
    guard let number else { return }
    self.name(name)
    literal(String(number))
  }

  /// Writes a member with `true` or `false`.
  package mutating func member(_ name: String, _ flag: Bool) {
    self.name(name)
    boolean(flag)
  }

  /// Writes a member with an array of strings.
  package mutating func member(_ name: String, _ texts: [String]) {
    self.name(name)
    beginArray()
    for text in texts { string(text) }
    endArray()
  }

  /// Writes a member that is an array of objects, which `members` fills.
  package mutating func array<Element>(
    _ name: String,
    _ elements: [Element],
    members: (inout JSONWriter, Element) -> Void
  ) {
    self.name(name)
    beginArray()
    for element in elements {
      beginObject()
      members(&self, element)
      endObject()
    }
    endArray()
  }
}
