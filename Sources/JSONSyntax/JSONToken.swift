/// One piece of a JSON text, as offsets into the bytes that were given.
package struct JSONToken: Sendable, Hashable {
  /// What a token is.
  package enum Kind: UInt8, Sendable, Hashable {
    case beginObject, endObject, beginArray, endArray
    /// The name of a member; its range is what stands between the quotes.
    case name
    /// A string value; its range is what stands between the quotes.
    case string
    /// A number; its range is its spelling.
    case number
    case `true`, `false`, null
    /// The text is complete, and nothing follows.
    case end
    /// The bytes end before the token does; give more and ask again.
    case incomplete
  }

  /// What it is.
  package var kind: Kind
  /// Whether the name or string holds a backslash and so must be unescaped.
  package var hasEscapes: Bool
  /// Its bytes.
  package var range: Range<Int>

  /// Makes a token.
  package init(_ kind: Kind, _ range: Range<Int>, hasEscapes: Bool = false) {
    self.kind = kind
    self.hasEscapes = hasEscapes
    self.range = range
  }
}
