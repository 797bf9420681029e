/// Spells names and texts in SQL; the only place where either becomes part of a statement.
enum SQLText {
  /// A name in double quotes, doubled ones within; SQLite, "SQLite Keywords".
  static func identifier(_ name: String) -> String { quoted(name, by: "\"") }

  /// A text in single quotes, doubled ones within.
  static func literal(_ text: String) -> String { quoted(text, by: "'") }

  /// Names in quotes, parted by commas.
  static func list(_ names: [String]) -> String {
    names.map(identifier).joined(separator: ", ")
  }

  // Scalar by scalar: as a `Character`, a quote may hide in a cluster with a combining mark.
  private static func quoted(_ text: String, by quote: Unicode.Scalar) -> String {
    var result = String.UnicodeScalarView()
    result.append(quote)
    for scalar in text.unicodeScalars {
      result.append(scalar)
      if scalar == quote { result.append(quote) }
    }
    result.append(quote)
    return String(result)
  }

  /// Whether two names are the same to SQLite: equal bytes but for the case of ASCII letters.
  static func isSameName(_ first: String, _ second: String) -> Bool {
    folded(first).utf8.elementsEqual(folded(second).utf8)
  }

  /// A name with its ASCII letters in lower case and all else untouched.
  static func folded(_ name: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      let isUpper = (0x41...0x5A).contains(scalar.value)
      result.append(isUpper ? Unicode.Scalar(UInt8(scalar.value) + 0x20) : scalar)
    }
    return String(result)
  }
}
