/// Takes a JSON text apart, token by token, from bytes that may come in pieces.
///
/// The caller keeps the bytes and passes all that it holds to each call; the tokenizer remembers where it stands in
/// them. When a call answers `incomplete`, the caller appends more bytes and asks again; what has been read already it
/// may take away from the front, and say so with `discard`. The grammar of RFC 8259 is checked strictly: separators,
/// nesting, numbers, literals, escapes and control characters. Whether strings are UTF-8 is left to the caller.
///
/// ```text
/// {"a": [1, …        beginObject  name "a"  beginArray  number "1"  incomplete
/// └ position moves past each token; the state says what may follow
/// ```
package struct JSONTokenizer: Sendable {
  /// What the grammar allows next.
  enum Expectation: Sendable {
    case value, firstElement, firstName, name, colon, separator, end
  }

  /// The deepest nesting that is accepted.
  package let depthLimit: Int
  /// Whether a text may follow another, such as one a line.
  private let isSequence: Bool
  /// Offset of the first byte that belongs to no token yet.
  package internal(set) var position: Int
  /// How many arrays and objects are open.
  package private(set) var depth: Int

  var expectation: Expectation
  /// One bit for each open container, set for an object; in place, so that a tokenizer is cheap to copy.
  private var containers: [4 of UInt64]
  /// Where the scan of an incomplete string goes on; 0 when none is under way.
  var resumption: Int
  var resumptionHasEscapes: Bool
  /// The place of the byte at `counted`, from which places further on are counted.
  private var place: JSONPlace
  private var counted: Int
  /// Whether the byte before `counted` is a carriage return, which has ended its line.
  private var followsCarriageReturn = false

  /// Makes a tokenizer that stands before a text.
  ///
  /// - Parameters:
  ///   - position: Offset of the text's first byte.
  ///   - place: The place of that byte.
  ///   - depthLimit: The deepest nesting that is accepted, at most 256.
  ///   - isSequence: Whether a text may follow another, parted by white space or nothing.
  package init(
    at position: Int = 0,
    place: JSONPlace = JSONPlace(),
    depthLimit: Int = 256,
    isSequence: Bool = false
  ) {
    precondition((0...256).contains(depthLimit))
    self.depthLimit = depthLimit
    self.isSequence = isSequence
    self.position = position
    self.place = place
    counted = position
    depth = 0
    expectation = .value
    containers = [4 of UInt64](repeating: 0)
    resumption = 0
    resumptionHasEscapes = false
  }

  /// Reads the next token.
  ///
  /// - Parameters:
  ///   - bytes: All bytes held, the ones read before included.
  ///   - isComplete: Whether the text ends with them.
  /// - Returns: `incomplete` only while `isComplete` is false.
  package mutating func next(in bytes: Span<UInt8>, isComplete: Bool) throws(JSONSyntaxError) -> JSONToken {
    while true {
      skipWhitespace(in: bytes)
      guard position < bytes.count else {
        if !isComplete { return JSONToken(.incomplete, position..<position) }
        if expectation == .end { return JSONToken(.end, position..<position) }
        throw unexpected(in: bytes)
      }
      let byte = bytes[position]
      switch expectation {
      case .colon:
        guard byte == UInt8(ascii: ":") else { throw unexpected(in: bytes) }
        position += 1
        expectation = .value
      case .separator:
        guard byte == UInt8(ascii: ",") else {
          guard let token = closing(byte) else { throw unexpected(in: bytes) }
          return token
        }
        position += 1
        expectation = isInObject ? .name : .value
      case .firstName, .name:
        if expectation == .firstName, let token = closing(byte) { return token }
        guard byte == UInt8(ascii: "\"") else { throw unexpected(in: bytes) }
        let token = try scanString(.name, in: bytes, isComplete: isComplete)
        if token.kind != .incomplete { expectation = .colon }
        return token
      case .firstElement, .value:
        if expectation == .firstElement, let token = closing(byte) { return token }
        return try value(startingWith: byte, in: bytes, isComplete: isComplete)
      case .end:
        guard isSequence else { throw unexpected(in: bytes) }
        expectation = .value
      }
    }
  }

  /// Tells that the caller has taken `count` bytes away from the front of what it holds.
  ///
  /// - Parameters:
  ///   - count: At most `position`.
  ///   - bytes: The bytes as they were before.
  package mutating func discard(_ count: Int, of bytes: Span<UInt8>) {
    precondition(count <= position)
    if counted < count { advanceCount(to: count, in: bytes) }
    counted -= count
    position -= count
    if resumption > 0 { resumption -= count }
  }

  /// The place of a byte; cheap when the offsets of successive calls ascend.
  package mutating func place(at offset: Int, in bytes: Span<UInt8>) -> JSONPlace {
    precondition(offset >= counted)
    advanceCount(to: offset, in: bytes)
    return place
  }

  /// An error at a byte that is not before the last place asked for.
  package func error(
    at offset: Int,
    in bytes: Span<UInt8>,
    expected: String? = nil,
    found: String
  ) -> JSONSyntaxError {
    var counter = self
    let place = offset >= counted ? counter.place(at: offset, in: bytes) : place
    return JSONSyntaxError(place: place, byteOffset: offset, expected: expected, found: found)
  }

  var isInObject: Bool {
    depth > 0 && containers[(depth - 1) / 64] & (1 << UInt64((depth - 1) % 64)) != 0
  }

  /// Takes note of a value that is complete.
  mutating func finishValue() {
    expectation = depth == 0 ? .end : .separator
  }

  mutating func open(_ kind: JSONToken.Kind, in bytes: Span<UInt8>) throws(JSONSyntaxError) -> JSONToken {
    guard depth < depthLimit else {
      throw error(at: position, in: bytes, found: "arrays and objects are nested deeper than \(depthLimit)")
    }
    let bit: UInt64 = 1 << UInt64(depth % 64)
    if kind == .beginObject { containers[depth / 64] |= bit } else { containers[depth / 64] &= ~bit }
    depth += 1
    position += 1
    expectation = kind == .beginObject ? .firstName : .firstElement
    return JSONToken(kind, position - 1..<position)
  }

  /// The token of a bracket that closes the innermost container; nil for any other byte.
  private mutating func closing(_ byte: UInt8) -> JSONToken? {
    let isObject = isInObject
    guard depth > 0, byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return nil }
    depth -= 1
    position += 1
    finishValue()
    return JSONToken(isObject ? .endObject : .endArray, position - 1..<position)
  }

  private mutating func skipWhitespace(in bytes: Span<UInt8>) {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  private mutating func advanceCount(to offset: Int, in bytes: Span<UInt8>) {
    while counted < offset {
      let byte = bytes[counted]
      // The line feed may not be there yet when its carriage return is counted.
      if byte == 0x0D || (byte == 0x0A && !followsCarriageReturn) {
        place = JSONPlace(line: place.line + 1, column: 1)
      } else if byte != 0x0A, byte & 0xC0 != 0x80 {
        place.column += 1
      }
      followsCarriageReturn = byte == 0x0D
      counted += 1
    }
  }
}
