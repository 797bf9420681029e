import Diagnostics

extension JSONTokenizer {
  /// Reads the value whose first byte stands at `position`.
  mutating func value(
    startingWith byte: UInt8,
    in bytes: Span<UInt8>,
    isComplete: Bool
  ) throws(JSONSyntaxError) -> JSONToken {
    let token: JSONToken
    switch byte {
    case UInt8(ascii: "{"): return try open(.beginObject, in: bytes)
    case UInt8(ascii: "["): return try open(.beginArray, in: bytes)
    case UInt8(ascii: "\""): token = try scanString(.string, in: bytes, isComplete: isComplete)
    case UInt8(ascii: "t"): token = try scanLiteral("true", .true, in: bytes, isComplete: isComplete)
    case UInt8(ascii: "f"): token = try scanLiteral("false", .false, in: bytes, isComplete: isComplete)
    case UInt8(ascii: "n"): token = try scanLiteral("null", .null, in: bytes, isComplete: isComplete)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      token = try scanNumber(in: bytes, isComplete: isComplete)
    default: throw unexpected(in: bytes)
    }
    if token.kind != .incomplete { finishValue() }
    return token
  }

  /// Reads the string whose opening quote stands at `position`.
  mutating func scanString(
    _ kind: JSONToken.Kind,
    in bytes: Span<UInt8>,
    isComplete: Bool
  ) throws(JSONSyntaxError) -> JSONToken {
    let start = position + 1
    var offset = max(start, resumption)
    var hasEscapes = resumption > 0 && resumptionHasEscapes
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") {
        position = offset + 1
        resumption = 0
        return JSONToken(kind, start..<offset, hasEscapes: hasEscapes)
      }
      if byte < 0x20 {
        throw error(at: offset, in: bytes, found: Self.controlCharacter(byte))
      }
      guard byte == UInt8(ascii: "\\") else { offset += 1; continue }
      guard let length = try escapeLength(at: offset, in: bytes) else { break }
      hasEscapes = true
      offset += length
    }
    guard !isComplete else {
      throw error(at: position, in: bytes, found: "a string is opened here and never closed")
    }
    resumption = offset
    resumptionHasEscapes = hasEscapes
    return JSONToken(.incomplete, position..<bytes.count)
  }

  /// How long an escape is; nil when the bytes end within it.
  private func escapeLength(at offset: Int, in bytes: Span<UInt8>) throws(JSONSyntaxError) -> Int? {
    guard offset + 1 < bytes.count else { return nil }
    switch bytes[offset + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return 2
    case UInt8(ascii: "u"):
      for digit in offset + 2..<offset + 6 {
        guard digit < bytes.count else { return nil }
        guard JSONString.hexDigit(bytes[digit]) != nil else {
          throw error(
            at: offset,
            in: bytes,
            expected: "four hexadecimal digits after '\\u'",
            found: "'\(excerpt(of: bytes.extracting(offset..<min(offset + 6, bytes.count))))'"
          )
        }
      }
      return 6
    default:
      throw error(
        at: offset,
        in: bytes,
        expected: #"one of " \ / b f n r t u after a backslash"#,
        found: "'\(excerpt(of: bytes.extracting(offset + 1..<offset + 1 + scalarLength(at: offset + 1, in: bytes))))'"
      )
    }
  }

  /// Reads a number: a minus sign, digits without leading zeros, a fraction, an exponent.
  private mutating func scanNumber(in bytes: Span<UInt8>, isComplete: Bool) throws(JSONSyntaxError) -> JSONToken {
    let start = position
    var offset = start
    func skipDigits() -> Int {
      let first = offset
      while offset < bytes.count, (0x30...0x39).contains(bytes[offset]) { offset += 1 }
      return offset - first
    }
    func has(_ byte: UInt8) -> Bool { offset < bytes.count && bytes[offset] == byte }
    func broken(_ expected: String) -> JSONSyntaxError {
      let found = describe(at: offset, in: bytes)
      return error(at: offset, in: bytes, expected: expected, found: found)
    }
    let incomplete = JSONToken(.incomplete, start..<bytes.count)

    if has(UInt8(ascii: "-")) { offset += 1 }
    let startsWithZero = has(UInt8(ascii: "0"))
    let integerDigits = skipDigits()
    if offset == bytes.count, !isComplete { return incomplete }
    guard integerDigits > 0 else { throw broken("a digit") }
    if startsWithZero, integerDigits > 1 {
      throw error(at: start, in: bytes, found: "a number begins with a zero that should not be there")
    }
    if has(UInt8(ascii: ".")) {
      offset += 1
      let digits = skipDigits()
      if offset == bytes.count, !isComplete { return incomplete }
      guard digits > 0 else { throw broken("a digit after the decimal point") }
    }
    if has(UInt8(ascii: "e")) || has(UInt8(ascii: "E")) {
      offset += 1
      if has(UInt8(ascii: "+")) || has(UInt8(ascii: "-")) { offset += 1 }
      let digits = skipDigits()
      if offset == bytes.count, !isComplete { return incomplete }
      guard digits > 0 else { throw broken("a digit in the exponent") }
    }
    position = offset
    return JSONToken(.number, start..<offset)
  }

  /// Reads `true`, `false` or `null`.
  private mutating func scanLiteral(
    _ word: StaticString,
    _ kind: JSONToken.Kind,
    in bytes: Span<UInt8>,
    isComplete: Bool
  ) throws(JSONSyntaxError) -> JSONToken {
    let start = position
    for index in 0..<word.utf8CodeUnitCount {
      guard start + index < bytes.count else {
        if !isComplete { return JSONToken(.incomplete, start..<bytes.count) }
        throw unexpected(in: bytes)
      }
      guard unsafe bytes[start + index] == word.utf8Start[index] else { throw unexpected(in: bytes) }
    }
    position = start + word.utf8CodeUnitCount
    return JSONToken(kind, start..<position)
  }
}
