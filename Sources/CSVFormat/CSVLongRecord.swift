/// The bytes of a record that is longer than the limit, as they pass by; nothing of them is held.
struct CSVLongRecord: Sendable {
  /// Whether quotes mean nothing, since one of them is a stray one.
  private var isPlain: Bool
  private var isQuoted = false
  private var isAtCellStart = true

  init(isPlain: Bool) {
    self.isPlain = isPlain
  }

  /// Ends the part that is held.
  ///
  /// If no cell is open there, the record ends with its line: a quote further on may be a stray one, and there is no
  /// looking ahead to find out.
  mutating func settle() { if !isQuoted { isPlain = true } }

  /// Passes over bytes up to the end of the record.
  ///
  /// - Parameter lineEnds: Is counted up.
  /// - Returns: The first byte that has not been passed, and whether the record has ended before it.
  mutating func pass(
    _ bytes: UnsafePointer<UInt8>,
    from start: Int,
    to end: Int,
    isEnd: Bool,
    syntax: CSVSyntax,
    lineEnds: inout Int
  ) -> (position: Int, hasEnded: Bool) {
    var position = start
    while position < end {
      let step =
        unsafe isQuoted
        ? passQuoted(bytes, at: position, end: end, isEnd: isEnd, syntax, lineEnds: &lineEnds)
        : passPlain(bytes, at: position, end: end, isEnd: isEnd, syntax)
      switch step {
      case .on(let count): position += count
      case .wait: return (position, false)
      case .lineEnd(let count):
        lineEnds += 1
        return (position + count, true)
      }
    }
    return (position, isEnd)
  }

  private enum Step {
    case on(Int)
    /// The bytes end within what may be a token.
    case wait
    case lineEnd(Int)
  }

  private mutating func passPlain(
    _ bytes: UnsafePointer<UInt8>,
    at position: Int,
    end: Int,
    isEnd: Bool,
    _ syntax: CSVSyntax
  ) -> Step {
    if isAtCellStart, !isPlain {
      switch unsafe match(syntax.quote, bytes, at: position, end: end, isEnd: isEnd) {
      case .cut: return .wait
      case .yes:
        isAtCellStart = false
        isQuoted = true
        return .on(syntax.quote.count)
      case .no: break
      }
    }
    switch unsafe match(syntax.delimiter, bytes, at: position, end: end, isEnd: isEnd) {
    case .cut: return .wait
    case .yes:
      isAtCellStart = true
      return .on(syntax.delimiter.count)
    case .no: break
    }
    guard let length = unsafe syntax.lineEndLength(bytes, at: position, end: end, isEnd: isEnd) else { return .wait }
    if length > 0 { return .lineEnd(length) }
    isAtCellStart = false
    return .on(1)
  }

  private mutating func passQuoted(
    _ bytes: UnsafePointer<UInt8>,
    at position: Int,
    end: Int,
    isEnd: Bool,
    _ syntax: CSVSyntax,
    lineEnds: inout Int
  ) -> Step {
    func has(_ token: [UInt8], _ offset: Int) -> TokenMatch {
      unsafe match(token, bytes, at: position + offset, end: end, isEnd: isEnd)
    }
    switch has(syntax.escape, 0) {
    case .cut: return .wait
    case .no: break
    case .yes:
      for token in [syntax.quote, syntax.escape] {
        switch has(token, syntax.escape.count) {
        case .cut: return .wait
        case .yes: return .on(syntax.escape.count + token.count)
        case .no: break
        }
      }
      return .on(syntax.escape.count)
    }
    switch has(syntax.quote, 0) {
    case .cut: return .wait
    case .no: break
    case .yes:
      let next = syntax.quote.count
      let closing =
        unsafe syntax.doublesQuotes
        ? has(syntax.quote, next).opposite
        : syntax.endsCell(bytes, at: position + next, end: end, isEnd: isEnd)
      switch closing {
      case .cut: return .wait
      case .yes:
        isQuoted = false
        return .on(next)
      case .no: return .on(syntax.doublesQuotes ? 2 * next : next)
      }
    }
    // Whether a CR ends a line may depend on the byte behind it.
    if unsafe bytes[position] == 0x0D, position + 1 == end, !isEnd { return .wait }
    if unsafe syntax.endsLine(bytes, at: position, end: end) { lineEnds += 1 }
    return .on(1)
  }
}

extension TokenMatch {
  fileprivate var opposite: TokenMatch {
    switch self {
    case .yes: .no
    case .no: .yes
    case .cut: .cut
    }
  }
}
