/// One word, name, literal or sign of an SQL text.
struct SQLToken: Hashable {
  enum Kind: Hashable {
    /// A keyword or a name without quotes.
    case word
    /// A name in double quotes, backticks or brackets.
    case quotedName
    case string
    case blob
    case number
    case symbol
  }

  let kind: Kind
  /// The text without quotes; a symbol of one or two signs.
  let text: String

  /// Whether it is that keyword, in any case.
  func isKeyword(_ keyword: String) -> Bool { kind == .word && text.uppercased() == keyword }

  /// Whether it is that sign.
  func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }

  /// The name it may be, if it can be one.
  var name: String? { kind == .word || kind == .quotedName ? text : nil }

  /// Cuts an SQL text into tokens; comments and white space are left out.
  ///
  /// It never fails: what it does not know becomes a symbol, so that no rule is read from it.
  static func tokens(of sql: String) -> [SQLToken] {
    var scanner = SQLScanner(sql)
    var result: [SQLToken] = []
    while let token = scanner.next() { result.append(token) }
    return result
  }
}

/// Walks over an SQL text.
private struct SQLScanner {
  private let scalars: [Unicode.Scalar]
  private var position = 0

  init(_ sql: String) { scalars = Array(sql.unicodeScalars) }

  private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    position + distance < scalars.count ? scalars[position + distance] : nil
  }

  mutating func next() -> SQLToken? {
    skipSpace()
    guard let first = peek() else { return nil }
    switch first {
    case "'": return SQLToken(kind: .string, text: quoted(closedBy: "'"))
    case "\"", "`": return SQLToken(kind: .quotedName, text: quoted(closedBy: first))
    case "[": return SQLToken(kind: .quotedName, text: bracketed())
    case "x", "X":
      if peek(1) == "'" {
        position += 1
        return SQLToken(kind: .blob, text: quoted(closedBy: "'"))
      }
      return SQLToken(kind: .word, text: take(while: Self.isWordPart))
    case "0"..."9": return SQLToken(kind: .number, text: number())
    case _ where Self.isWordPart(first): return SQLToken(kind: .word, text: take(while: Self.isWordPart))
    default:
      position += 1
      let pairs: [(Unicode.Scalar, Unicode.Scalar)] = [("<", ">"), ("<", "="), (">", "="), ("!", "="), ("=", "=")]
      if let second = peek(), pairs.contains(where: { $0 == first && $1 == second }) {
        position += 1
        return SQLToken(kind: .symbol, text: String(first) + String(second))
      }
      return SQLToken(kind: .symbol, text: String(first))
    }
  }

  private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x24, 0x80...: true
    default: false
    }
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x20 || (0x09...0x0D).contains(scalar.value)
  }

  private mutating func skipSpace() {
    while let scalar = peek() {
      if Self.isSpace(scalar) {
        position += 1
      } else if scalar == "-", peek(1) == "-" {
        while let other = peek(), other != "\n" { _ = other; position += 1 }
      } else if scalar == "/", peek(1) == "*" {
        position += 2
        while position < scalars.count, !(peek() == "*" && peek(1) == "/") { position += 1 }
        position = min(position + 2, scalars.count)
      } else {
        return
      }
    }
  }

  private mutating func take(while condition: (Unicode.Scalar) -> Bool) -> String {
    var result = String.UnicodeScalarView()
    while let scalar = peek(), condition(scalar) {
      result.append(scalar)
      position += 1
    }
    return String(result)
  }

  private mutating func quoted(closedBy quote: Unicode.Scalar) -> String {
    var result = String.UnicodeScalarView()
    position += 1
    while let scalar = peek() {
      position += 1
      if scalar == quote {
        guard peek() == quote else { break }
        position += 1
      }
      result.append(scalar)
    }
    return String(result)
  }

  private mutating func bracketed() -> String {
    position += 1
    let result = take { $0 != "]" }
    position = min(position + 1, scalars.count)
    return result
  }

  private mutating func number() -> String {
    var result = take { ("0"..."9").contains($0) }
    if peek() == "." {
      position += 1
      result += "." + take { ("0"..."9").contains($0) }
    }
    let hasSign = peek(1) == "+" || peek(1) == "-"
    if peek() == "e" || peek() == "E", let digit = peek(hasSign ? 2 : 1), ("0"..."9").contains(digit) {
      let length = hasSign ? 2 : 1
      for scalar in scalars[position..<position + length] { result.unicodeScalars.append(scalar) }
      position += length
      result += take { ("0"..."9").contains($0) }
    }
    // Letters that follow, as in 0x10, make it something that no rule of ours holds.
    return result + take(while: Self.isWordPart)
  }
}
