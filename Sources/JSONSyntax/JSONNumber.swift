/// How JSON spells numbers (RFC 8259, section 6).
package enum JSONNumber {
  /// Whether the bytes are a number and nothing else, so that they may stand in a JSON text as they are.
  package static func isValid(_ spelling: Span<UInt8>) -> Bool {
    guard spelling.count > 0, spelling[0] == UInt8(ascii: "-") || (0x30...0x39).contains(spelling[0]),
      (0x30...0x39).contains(spelling[spelling.count - 1])
    else { return false }
    var tokenizer = JSONTokenizer(depthLimit: 0)
    guard let token = try? tokenizer.next(in: spelling, isComplete: true) else { return false }
    return token.kind == .number && token.range == 0..<spelling.count
  }
}
