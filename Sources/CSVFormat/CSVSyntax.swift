import EntityModel

/// A dialect's tokens as bytes.
struct CSVSyntax: Sendable {
  private(set) var delimiter: [UInt8]
  /// Empty where nothing encloses a cell.
  let quote: [UInt8]
  /// Empty where only doubling a quote makes it ordinary, which every dialect allows.
  let escape: [UInt8]
  /// Empty where every line is a record.
  let comment: [UInt8]
  /// Whether two quotes within quotes are one; else a quote closes only before a delimiter or a line end.
  let doublesQuotes: Bool
  let lineEnd: CSVDialect.LineEnd

  init(_ dialect: CSVDialect) {
    delimiter = Array(dialect.delimiter.utf8)
    quote = Array((dialect.quote ?? "").utf8)
    escape = dialect.escape == dialect.quote ? [] : Array((dialect.escape ?? "").utf8)
    comment = Array((dialect.comment ?? "").utf8)
    doublesQuotes = dialect.doublesQuotes
    lineEnd = dialect.lineEnd
  }

  /// The same with another delimiter; nil where that is no other, or another of its tokens.
  func parting(by delimiter: String) -> CSVSyntax? {
    let bytes = Array(delimiter.utf8)
    guard ![self.delimiter, quote, escape, comment].contains(where: { $0.starts(with: bytes) }) else { return nil }
    return CSVSyntax(self, delimiter: bytes)
  }

  private init(_ other: CSVSyntax, delimiter: [UInt8]) {
    self = other
    self.delimiter = delimiter
  }

  /// Whether records can be found by masks of single bytes.
  var isSimple: Bool {
    delimiter.count == 1 && quote.count <= 1 && escape.isEmpty && doublesQuotes && lineEnd == .any
  }
}

extension CSVDialect {
  /// Why the dialect cannot work, in lower case; nil if it can.
  ///
  /// No token may hold a line end, no two of delimiter, quote, escape and comment may begin alike, and quote and escape
  /// are one character each: of longer ones, the end of a cell and a token could make another token.
  package var contradiction: String? {
    if delimiter.isEmpty { return "the delimiter is empty" }
    let tokens: [(name: String, bytes: [UInt8])] = [
      ("delimiter", Array(delimiter.utf8)),
      ("quote", Array((quote ?? "").utf8)),
      ("escape", escape == quote ? [] : Array((escape ?? "").utf8)),
      ("comment", Array((comment ?? "").utf8)),
    ]
    for (index, token) in tokens.enumerated() where !token.bytes.isEmpty {
      if token.bytes.contains(where: { $0 == 0x0A || $0 == 0x0D }) { return "the \(token.name) holds a line end" }
      for other in tokens[(index + 1)...] where !other.bytes.isEmpty {
        if token.bytes.starts(with: other.bytes) || other.bytes.starts(with: token.bytes) {
          return "the \(token.name) and the \(other.name) begin with the same characters"
        }
      }
    }
    if (quote ?? "").unicodeScalars.count > 1 { return "the quote has more than one character" }
    if (escape ?? "").unicodeScalars.count > 1 { return "the escape has more than one character" }
    if escape != nil, quote == nil { return "an escape works within quotes only, and there is no quote" }
    return nil
  }
}

/// How a token compares with the bytes at one place.
enum TokenMatch {
  case yes, no
  /// The bytes end within what may be the token.
  case cut
}

/// Compares a token with the bytes at `position`; what ends at `end` is cut off unless `isEnd`.
@inline(__always)
func match(
  _ token: [UInt8],
  _ bytes: UnsafePointer<UInt8>,
  at position: Int,
  end: Int,
  isEnd: Bool
) -> TokenMatch {
  var index = 0
  while index < token.count {
    if position + index >= end { return isEnd ? .no : .cut }
    if unsafe bytes[position + index] != token[index] { return .no }
    index += 1
  }
  return token.isEmpty ? .no : .yes
}

extension CSVSyntax {
  /// How many bytes the line end at `position` has; 0 if there is none, nil if that takes one byte more to know.
  @inline(__always)
  func lineEndLength(_ bytes: UnsafePointer<UInt8>, at position: Int, end: Int, isEnd: Bool) -> Int? {
    guard position < end else { return 0 }
    let byte = unsafe bytes[position]
    switch lineEnd {
    case .any:
      if byte == 0x0A { return 1 }
      guard byte == 0x0D else { return 0 }
      guard position + 1 < end else { return isEnd ? 1 : nil }
      return unsafe bytes[position + 1] == 0x0A ? 2 : 1
    case .lf: return byte == 0x0A ? 1 : 0
    case .cr: return byte == 0x0D ? 1 : 0
    case .crlf:
      guard byte == 0x0D else { return 0 }
      guard position + 1 < end else { return isEnd ? 0 : nil }
      return unsafe bytes[position + 1] == 0x0A ? 2 : 0
    }
  }

  /// Whether the last byte of a line end stands at `position`; of a CRLF that is its LF.
  @inline(__always)
  func endsLine(_ bytes: UnsafePointer<UInt8>, at position: Int, end: Int) -> Bool {
    let byte = unsafe bytes[position]
    switch lineEnd {
    case .any: return unsafe byte == 0x0A || (byte == 0x0D && !(position + 1 < end && bytes[position + 1] == 0x0A))
    case .lf: return byte == 0x0A
    case .cr: return byte == 0x0D
    case .crlf: return unsafe byte == 0x0A && position > 0 && bytes[position - 1] == 0x0D
    }
  }

  /// Whether a delimiter, a line end or the end of the input stands at `position`.
  func endsCell(_ bytes: UnsafePointer<UInt8>, at position: Int, end: Int, isEnd: Bool) -> TokenMatch {
    guard position < end else { return isEnd ? .yes : .cut }
    let delimiter = unsafe match(delimiter, bytes, at: position, end: end, isEnd: isEnd)
    guard delimiter == .no else { return delimiter }
    guard let length = unsafe lineEndLength(bytes, at: position, end: end, isEnd: isEnd) else { return .cut }
    return length > 0 ? .yes : .no
  }

  /// The first line end at or after `position`, or what may be the first byte of one; `end` if there is none.
  func firstLineEnd(_ bytes: UnsafePointer<UInt8>, from position: Int, to end: Int, isEnd: Bool = true) -> Int {
    var position = position
    while position < end {
      let byte = unsafe bytes[position]
      if byte == 0x0A || byte == 0x0D, unsafe lineEndLength(bytes, at: position, end: end, isEnd: isEnd) != 0 {
        return position
      }
      position += 1
    }
    return end
  }

  /// How many bytes the line end has that ends before `position`; 0 if there is none.
  @inline(__always)
  func lineEndLength(_ bytes: Span<UInt8>, before position: Int) -> Int {
    guard position > 0 else { return 0 }
    let last = bytes[position - 1]
    switch lineEnd {
    case .lf: return last == 0x0A ? 1 : 0
    case .cr: return last == 0x0D ? 1 : 0
    case .any where last == 0x0D: return 1
    case .any, .crlf:
      guard last == 0x0A else { return 0 }
      if position > 1, bytes[position - 2] == 0x0D { return 2 }
      return lineEnd == .any ? 1 : 0
    }
  }
}

extension CSVSyntax {
  /// Copies the content of a quoted cell without the escapes and the second of doubled quotes.
  ///
  /// - Parameters:
  ///   - content: Between the quotes.
  ///   - output: Room for as many bytes as the content has; may lie behind it, not over it.
  /// - Returns: How many bytes were written.
  func unescape(_ content: UnsafeBufferPointer<UInt8>, to output: UnsafeMutablePointer<UInt8>) -> Int {
    guard let bytes = content.baseAddress else { return 0 }
    let end = content.count
    func has(_ token: [UInt8], _ position: Int) -> Bool {
      unsafe match(token, bytes, at: position, end: end, isEnd: true) == .yes
    }
    var position = 0
    var written = 0
    while position < end {
      var kept = 1
      if has(escape, position), has(quote, position + escape.count) || has(escape, position + escape.count) {
        position += escape.count
        kept = has(quote, position) ? quote.count : escape.count
      } else if doublesQuotes, has(quote, position) {
        // Within a cell, a quote that is not escaped is the first of two, unless it was read as text.
        if has(quote, position + quote.count) { position += quote.count }
        kept = quote.count
      }
      for index in 0..<kept { unsafe output[written + index] = bytes[position + index] }
      position += kept
      written += kept
    }
    return written
  }

  /// What a cell means whose quotes are doubled or escaped.
  ///
  /// - Parameter content: Between the quotes.
  func unescaped(_ content: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: content.count) { buffer, count in
      if let output = buffer.baseAddress { unsafe count = unescape(content, to: output) }
    }
  }
}
