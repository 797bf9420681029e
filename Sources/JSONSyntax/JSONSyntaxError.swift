/// A place in a text: the line, and the column in Unicode scalars, both from 1.
package struct JSONPlace: Sendable, Hashable {
  /// The line; LF, CRLF and CR each end one.
  package var line: Int
  /// The column in Unicode scalars.
  package var column: Int

  /// Makes a place; the start of the text without arguments.
  package init(line: Int = 1, column: Int = 1) {
    self.line = line
    self.column = column
  }
}

/// Where and why a text is not JSON (RFC 8259).
package struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Where the text stops being JSON.
  package var place: JSONPlace
  /// The same place in bytes, counted from the start of the span that was given.
  package var byteOffset: Int
  /// What would have been right, such as `',' or ']'`; nil where a rule was broken that has no alternatives.
  package var expected: String?
  /// What stands there, quoted and safe to show, or the rule that is broken.
  package var found: String

  /// Makes an error; see the properties.
  package init(place: JSONPlace, byteOffset: Int, expected: String? = nil, found: String) {
    self.place = place
    self.byteOffset = byteOffset
    self.expected = expected
    self.found = found
  }

  /// What is wrong, in lower case without a full stop and without the place.
  package var description: String {
    expected.map { "expected \($0), found \(found)" } ?? found
  }
}
