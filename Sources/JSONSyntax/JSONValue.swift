/// A JSON value with its place in the text.
package struct JSONValue: Sendable, Hashable {
  /// One member of an object.
  package struct Member: Sendable, Hashable {
    /// Its name, unescaped.
    package var name: String
    /// Where the name begins.
    package var place: JSONPlace
    /// Its value.
    package var value: JSONValue

    /// Makes a member.
    package init(name: String, place: JSONPlace = JSONPlace(), value: JSONValue) {
      self.name = name
      self.place = place
      self.value = value
    }
  }

  /// What a value holds.
  package enum Content: Sendable, Hashable {
    /// Members in the order of the text; no name stands twice.
    case object([Member])
    case array([JSONValue])
    case string(String)
    /// A number as it is spelled, so that no digit is lost.
    case number(String)
    case boolean(Bool)
    case null
  }

  /// What it holds.
  package var content: Content
  /// Where it begins.
  package var place: JSONPlace

  /// Makes a value.
  package init(_ content: Content, place: JSONPlace = JSONPlace()) {
    self.content = content
    self.place = place
  }

  /// The member of that name; nil when this is no object, or has none.
  package subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The members; nil when this is no object.
  package var members: [Member]? { if case .object(let members) = content { members } else { nil } }

  /// The elements; nil when this is no array.
  package var elements: [JSONValue]? { if case .array(let elements) = content { elements } else { nil } }

  /// The text; nil when this is no string.
  package var string: String? { if case .string(let text) = content { text } else { nil } }

  /// The truth value; nil when this is neither `true` nor `false`.
  package var boolean: Bool? { if case .boolean(let flag) = content { flag } else { nil } }

  /// The whole number; nil when this is no number, has a fraction or an exponent, or does not fit.
  package var integer: Int? { if case .number(let digits) = content { Int(digits) } else { nil } }

  /// Whether it is `null`.
  package var isNull: Bool { content == .null }

  /// What kind of value it is, for messages: `an object`, `a string`, ….
  package var kindName: String {
    switch content {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .boolean: "true or false"
    case .null: "null"
    }
  }
}
