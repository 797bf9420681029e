import Diagnostics

/// One word, value or sign of a predicate.
struct PredicateToken: Hashable {
  enum Kind: Hashable {
    /// A keyword or a name.
    case word
    /// A name that is no keyword: `#any`, `` `first name` ``.
    case name
    /// A text in single or double quotes, without them.
    case text
    case number
    case sign
    case end
  }

  var kind: Kind
  var text: String
  /// Where it begins, from 1.
  var column: Int

  /// Whether it is that keyword, in any case.
  func isKeyword(_ keyword: String) -> Bool { kind == .word && text.uppercased() == keyword }

  /// Whether it is that sign.
  func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }

  /// The token as messages show it.
  var shown: String { kind == .end ? "the end" : "'\(excerpt(of: text, limit: 40))'" }
}

/// Cuts a predicate into tokens.
struct PredicateTokenizer {
  private let scalars: [Unicode.Scalar]
  private var position = 0

  /// Signs of two characters, and what each is called in one way.
  private static let pairs = [
    "==": "==", "!=": "!=", "<>": "!=", "<=": "<=", "=<": "<=", ">=": ">=", "=>": ">=", "&&": "&&", "||": "||",
  ]

  /// All tokens of a text, `.end` as the last.
  static func tokens(of text: String) throws(PredicateError) -> [PredicateToken] {
    var tokenizer = PredicateTokenizer(scalars: Array(text.unicodeScalars))
    var tokens: [PredicateToken] = []
    repeat { tokens.append(try tokenizer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    position + distance < scalars.count ? scalars[position + distance] : nil
  }

  private mutating func next() throws(PredicateError) -> PredicateToken {
    while let scalar = peek(), scalar.properties.isWhitespace { position += 1 }
    let column = position + 1
    func token(_ kind: PredicateToken.Kind, _ text: String) -> PredicateToken {
      PredicateToken(kind: kind, text: text, column: column)
    }
    guard let first = peek() else { return token(.end, "") }
    switch first {
    case "'", "\"": return token(.text, try quoted(by: first, escapes: true))
    case "`": return token(.name, try quoted(by: first, escapes: false))
    case "#", "@":
      position += 1
      let word = takeWord()
      guard !word.isEmpty else {
        throw PredicateError(at: column, "a name is missing after '\(first)'", remedy: "write #name or @count")
      }
      return first == "#" ? token(.name, word) : token(.word, "@" + word)
    case "0"..."9": return token(.number, takeNumber())
    case "-", "+", ".":
      let digit = peek(1) == "." ? peek(2) : peek(1)
      if let digit = first == "." ? peek(1) : digit, ("0"..."9").contains(digit) { return token(.number, takeNumber()) }
      position += 1
      return token(.sign, String(first))
    case _ where Self.isWordPart(first): return token(.word, takeWord())
    default:
      if let second = peek(1), let pair = Self.pairs[String(first) + String(second)] {
        position += 2
        return token(.sign, pair)
      }
      position += 1
      return token(.sign, first == "=" ? "==" : String(first))
    }
  }

  private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar == "$" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      || scalar.properties.generalCategory == .nonspacingMark
  }

  private mutating func takeWord() -> String {
    var word = String.UnicodeScalarView()
    while let scalar = peek(), Self.isWordPart(scalar) {
      word.append(scalar)
      position += 1
    }
    return String(word)
  }

  private mutating func takeNumber() -> String {
    var number = String.UnicodeScalarView()
    func isPart(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar {
      case "0"..."9", ".", "e", "E": true
      case "+", "-": number.isEmpty || number.last == "e" || number.last == "E"
      default: false
      }
    }
    while let scalar = peek(), isPart(scalar) {
      number.append(scalar)
      position += 1
    }
    return String(number)
  }

  /// Reads what stands in quotes; a backslash makes the next character ordinary, `\n` and `\t` what they are elsewhere.
  private mutating func quoted(by quote: Unicode.Scalar, escapes: Bool) throws(PredicateError) -> String {
    let start = position + 1
    var text = String.UnicodeScalarView()
    position += 1
    while let scalar = peek() {
      position += 1
      if scalar == quote { return String(text) }
      guard escapes, scalar == "\\", let next = peek() else {
        text.append(scalar)
        continue
      }
      position += 1
      switch next {
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "r": text.append("\r")
      // A LIKE or MATCHES reads its own escapes.
      case "\\", "'", "\"": text.append(next)
      default:
        text.append(scalar)
        text.append(next)
      }
    }
    throw PredicateError(
      at: start,
      "the quote is not closed",
      remedy: "close it, or write \\\(quote) for one in the text"
    )
  }
}
