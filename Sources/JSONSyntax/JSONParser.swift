import Diagnostics

/// Reads a whole JSON text into a tree; for documents of a modest size, such as a model.
package enum JSONParser {
  /// Reads one value and refuses whatever follows it.
  ///
  /// The grammar is that of RFC 8259 without extensions; a byte order mark in front is passed over (section 8.1). Strings
  /// must be valid UTF-8 without half surrogate pairs, and no object may give a name twice.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - depthLimit: The deepest nesting that is accepted, at most 256.
  package static func parse(_ bytes: Span<UInt8>, depthLimit: Int = 256) throws(JSONSyntaxError) -> JSONValue {
    let hasMark = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
    var tokenizer = JSONTokenizer(at: hasMark ? 3 : 0, depthLimit: depthLimit)
    let first = try tokenizer.next(in: bytes, isComplete: true)
    let value = try value(of: first, in: bytes, with: &tokenizer)
    _ = try tokenizer.next(in: bytes, isComplete: true)
    return value
  }

  /// The value that begins with a token, whose further tokens are taken too.
  private static func value(
    of token: JSONToken,
    in bytes: Span<UInt8>,
    with tokenizer: inout JSONTokenizer
  ) throws(JSONSyntaxError) -> JSONValue {
    let place = tokenizer.place(at: start(of: token), in: bytes)
    switch token.kind {
    case .beginObject: return JSONValue(.object(try members(in: bytes, with: &tokenizer)), place: place)
    case .beginArray:
      var elements: [JSONValue] = []
      while true {
        let token = try tokenizer.next(in: bytes, isComplete: true)
        guard token.kind != .endArray else { return JSONValue(.array(elements), place: place) }
        elements.append(try value(of: token, in: bytes, with: &tokenizer))
      }
    case .string: return JSONValue(.string(try text(of: token, in: bytes, with: tokenizer)), place: place)
    case .number: return JSONValue(.number(try text(of: token, in: bytes, with: tokenizer)), place: place)
    case .true: return JSONValue(.boolean(true), place: place)
    case .false: return JSONValue(.boolean(false), place: place)
    case .null: return JSONValue(.null, place: place)
    case .endObject, .endArray, .name, .end, .incomplete:
      preconditionFailure("the tokenizer gives a value where the grammar has one")
    }
  }

  private static func members(
    in bytes: Span<UInt8>,
    with tokenizer: inout JSONTokenizer
  ) throws(JSONSyntaxError) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    // As bytes: a composed and a decomposed letter are equal as `String`s, but not the same name.
    var names: Set<[UInt8]> = []
    while true {
      let token = try tokenizer.next(in: bytes, isComplete: true)
      guard token.kind == .name else { return members }
      let place = tokenizer.place(at: start(of: token), in: bytes)
      let name = try text(of: token, in: bytes, with: tokenizer)
      guard names.insert(Array(name.utf8)).inserted else {
        let found = "the name '\(excerpt(of: name, limit: 40))' stands twice in one object"
        throw tokenizer.error(at: start(of: token), in: bytes, found: found)
      }
      let first = try tokenizer.next(in: bytes, isComplete: true)
      members.append(.init(name: name, place: place, value: try value(of: first, in: bytes, with: &tokenizer)))
    }
  }

  /// Where a token begins; for strings, at the quote.
  private static func start(of token: JSONToken) -> Int {
    token.kind == .name || token.kind == .string ? token.range.lowerBound - 1 : token.range.lowerBound
  }

  private static func text(
    of token: JSONToken,
    in bytes: Span<UInt8>,
    with tokenizer: JSONTokenizer
  ) throws(JSONSyntaxError) -> String {
    let raw = bytes.extracting(token.range)
    if let offset = JSONString.firstInvalidByte(in: raw) {
      let at = token.range.lowerBound + offset
      let digits = String(bytes[at], radix: 16, uppercase: true)
      throw tokenizer.error(at: at, in: bytes, expected: "UTF-8", found: "the byte 0x\(digits)")
    }
    var text: [UInt8] = []
    text.reserveCapacity(raw.count)
    if let offset = JSONString.appendUnescaped(raw, to: &text) {
      let at = token.range.lowerBound + offset
      throw tokenizer.error(at: at, in: bytes, found: "an escape names half a surrogate pair without the other half")
    }
    return String(decoding: text, as: UTF8.self)
  }
}
