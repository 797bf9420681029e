import Diagnostics

/// A piece of a page.
///
/// Text that is put into it is escaped, always; only other pieces go in as they are.
///
/// ```swift
/// let cell: HTML = "<td>\(fault.value)</td>"   // <td>&lt;b&gt;</td>
/// ```
package struct HTML: Sendable, ExpressibleByStringInterpolation {
  /// The markup.
  package private(set) var markup: String

  /// Markup that stands in the source.
  package init(stringLiteral markup: String) {
    self.markup = markup
  }

  /// Markup with text, numbers or pieces in it.
  package init(stringInterpolation: StringInterpolation) {
    markup = stringInterpolation.markup
  }

  /// Markup that is known to be sound, such as a picture made here.
  package init(markup: String) {
    self.markup = markup
  }

  /// Takes what is put into a piece.
  package struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var markup = ""

    /// Makes an empty one.
    package init(literalCapacity: Int, interpolationCount: Int) {
      markup.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    /// Markup that stands in the source.
    package mutating func appendLiteral(_ literal: String) { markup += literal }

    /// Text, escaped, its control characters shown, cut after a thousand bytes.
    package mutating func appendInterpolation(_ text: String) { markup += HTML.escaped(text) }

    /// Text, or nothing.
    package mutating func appendInterpolation(_ text: String?) { markup += text.map { HTML.escaped($0) } ?? "" }

    /// A number with its digits in groups.
    package mutating func appendInterpolation(_ number: Int64) { markup += number.spaced }

    /// A length or a share, for an attribute: two decimals, a point.
    package mutating func appendInterpolation(_ number: Double) {
      let hundredths = Int64((number.isFinite ? number * 100 : 0).rounded())
      let digits = String(hundredths.magnitude)
      let padded = String(repeating: "0", count: max(3 - digits.count, 0)) + digits
      markup += (hundredths < 0 ? "-" : "") + padded.dropLast(2) + "." + padded.suffix(2)
    }

    /// Another piece.
    package mutating func appendInterpolation(_ piece: HTML) { markup += piece.markup }

    /// Pieces, one behind the other.
    package mutating func appendInterpolation(_ pieces: [HTML]) { for piece in pieces { markup += piece.markup } }
  }

  /// Text as it may stand anywhere in a page, also in attributes in double quotes.
  package static func escaped(_ text: String, limit: Int = 1_000) -> String {
    var markup = ""
    for scalar in excerpt(of: text, limit: limit).unicodeScalars {
      switch scalar {
      case "&": markup += "&amp;"
      case "<": markup += "&lt;"
      case ">": markup += "&gt;"
      case "\"": markup += "&quot;"
      case "'": markup += "&#39;"
      default: markup.unicodeScalars.append(scalar)
      }
    }
    return markup
  }

  /// Adds a piece.
  package static func += (one: inout HTML, other: HTML) { one.markup += other.markup }
}
