import Diagnostics

/// Reads names parted by commas, or a JSON array of strings for names that hold commas; none empty, none twice.
func parseNames(_ text: String) throws(ValueFault) -> [String] {
  let names: [String]
  if text.hasPrefix("[") {
    var reader = JSONStringArrayReader(text)
    names = try reader.read()
  } else {
    names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }
  guard !names.isEmpty, !names.contains("") else {
    throw ValueFault(
      "'\(excerpt(of: text, limit: 40))' has an empty name",
      remedy: "write names as a,b,c or as [\"a\", \"b\"]"
    )
  }
  // Compared as bytes: canonically equal names are two names, as they are to SQLite.
  var seen: Set<[UInt8]> = []
  for name in names where !seen.insert(Array(name.utf8)).inserted {
    throw ValueFault("'\(excerpt(of: name, limit: 40))' stands twice in '\(excerpt(of: text, limit: 40))'")
  }
  return names
}

/// Reads a JSON array of strings, and nothing else (RFC 8259, sections 5 and 7).
private struct JSONStringArrayReader {
  private let source: String
  private let scalars: [Unicode.Scalar]
  private var position = 0

  init(_ source: String) {
    self.source = source
    scalars = Array(source.unicodeScalars)
  }

  mutating func read() throws(ValueFault) -> [String] {
    var strings: [String] = []
    try expect("[")
    if peek() != "]" {
      strings.append(try readString())
      while peek() == "," {
        position += 1
        strings.append(try readString())
      }
    }
    try expect("]")
    guard peek() == nil else { throw fault("the end") }
    return strings
  }

  private mutating func readString() throws(ValueFault) -> String {
    try expect("\"")
    var result = String.UnicodeScalarView()
    while position < scalars.count {
      let scalar = scalars[position]
      position += 1
      switch scalar {
      case "\"": return String(result)
      case "\\": result.append(try readEscape())
      case "\0"..<" ": throw fault("a control character as an escape")
      default: result.append(scalar)
      }
    }
    throw fault("'\"'")
  }

  private mutating func readEscape() throws(ValueFault) -> Unicode.Scalar {
    guard position < scalars.count else { throw fault("an escape") }
    position += 1
    switch scalars[position - 1] {
    case "\"": return "\""
    case "\\": return "\\"
    case "/": return "/"
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      let unit = try readCodeUnit()
      guard unit & 0xFC00 == 0xD800 else {
        guard let scalar = Unicode.Scalar(unit) else { throw fault("the first half of a surrogate pair") }
        return scalar
      }
      guard scalars[position...].starts(with: ["\\", "u"]) else { throw fault("the second half of a surrogate pair") }
      position += 2
      let low = try readCodeUnit()
      guard low & 0xFC00 == 0xDC00, let scalar = Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF) else {
        throw fault("the second half of a surrogate pair")
      }
      return scalar
    default: throw fault("one of the escapes of JSON")
    }
  }

  private mutating func readCodeUnit() throws(ValueFault) -> UInt32 {
    guard position + 4 <= scalars.count else { throw fault("four hexadecimal digits") }
    var unit: UInt32 = 0
    for scalar in scalars[position..<position + 4] {
      guard scalar.isASCII, let digit = Character(scalar).hexDigitValue else { throw fault("four hexadecimal digits") }
      unit = unit << 4 | UInt32(digit)
    }
    position += 4
    return unit
  }

  /// The next scalar that is no white space; nil at the end.
  private mutating func peek() -> Unicode.Scalar? {
    while position < scalars.count, [" ", "\t", "\n", "\r"].contains(scalars[position]) { position += 1 }
    return position < scalars.count ? scalars[position] : nil
  }

  private mutating func expect(_ scalar: Unicode.Scalar) throws(ValueFault) {
    guard peek() == scalar else { throw fault("'\(scalar)'") }
    position += 1
  }

  private func fault(_ expected: String) -> ValueFault {
    ValueFault(
      "'\(excerpt(of: source, limit: 40))' is no JSON array of strings: expected \(expected) at character "
        + "\(min(position, scalars.count) + 1)",
      remedy: "write names as a,b,c or as [\"a\", \"b\"]"
    )
  }
}
