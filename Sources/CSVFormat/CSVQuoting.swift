import CByteScan
import EntityModel
import Records

/// Decides which cells need quotes, and writes them.
struct CSVQuoting: Sendable {
  let syntax: CSVSyntax
  private let nullTokens: [[UInt8]]
  /// The bytes that make a cell need quotes wherever they stand, besides line ends: the first of each token.
  private let delimiterHead: UInt8
  private let quoteHead: UInt8

  init(_ dialect: CSVDialect) {
    syntax = CSVSyntax(dialect)
    nullTokens = dialect.nullTokens.filter { !$0.isEmpty }.map { Array($0.utf8) }
    delimiterHead = syntax.delimiter.first ?? 0x0A
    quoteHead = syntax.quote.first ?? 0x0A
  }

  /// Whether no token has a character that numbers and `true` and `false` are spelled with, so that they never need quotes.
  var numbersArePlain: Bool {
    (nullTokens + [syntax.delimiter, syntax.quote, syntax.comment]).allSatisfy { token in
      !token.contains { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "-")
          || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
      }
    }
  }

  /// Whether a cell's quotes are doubled, and nothing else stands before a byte of it.
  var doublesSingleQuotes: Bool { syntax.quote.count == 1 && syntax.escape.isEmpty }

  /// Writes a cell in quotes, its quotes doubled, where there is room for twice its bytes and two.
  ///
  /// - Returns: How many bytes it took.
  @inline(__always)
  func writeQuoted(_ bytes: UnsafePointer<UInt8>, _ count: Int, to room: UnsafeMutablePointer<UInt8>) -> Int {
    unsafe room[0] = quoteHead
    var position = 1
    for index in 0..<count {
      let byte = unsafe bytes[index]
      unsafe room[position] = byte
      position += 1
      if byte == quoteHead {
        unsafe room[position] = byte
        position += 1
      }
    }
    unsafe room[position] = quoteHead
    return position + 1
  }

  /// Appends a cell that is not NULL.
  ///
  /// - Parameters:
  ///   - isFirst: Whether it is the first one of its record, where a comment could begin.
  ///   - isAtStart: Whether it is the first one of the output, where a byte order mark could stand.
  /// - Returns: false if it needs quotes and the dialect has none; nothing is written then.
  @inline(__always)
  func append(_ cell: Span<UInt8>, isFirst: Bool, isAtStart: Bool, to output: inout TextBuffer) -> Bool {
    if !needsQuotes(cell, isFirst: isFirst, isAtStart: isAtStart) {
      output.append(cell)
      return true
    }
    guard !syntax.quote.isEmpty else { return false }
    appendQuoted(cell, to: &output)
    return true
  }

  @inline(__always)
  func needsQuotes(_ cell: Span<UInt8>, isFirst: Bool, isAtStart: Bool) -> Bool {
    unsafe cell.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return true }
      return unsafe needsQuotes(base, bytes.count, isFirst: isFirst)
        || (isAtStart && bytes.starts(with: [0xEF, 0xBB, 0xBF]))
    }
  }

  /// Whether a cell needs quotes anywhere but at the start of the output.
  @inline(__always)
  func needsQuotes(_ bytes: UnsafePointer<UInt8>, _ count: Int, isFirst: Bool) -> Bool {
    if count == 0 { return true }
    if unsafe cbytescan_has_special(bytes, count, delimiterHead, quoteHead) != 0 { return true }
    // The first byte of a comment is enough: with what follows the cell, the rest could come together.
    if isFirst, unsafe syntax.comment.first == bytes[0] { return true }
    return nullTokens.isEmpty ? false : unsafe isNullToken(bytes, count)
  }

  private func isNullToken(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    nullTokens.contains { token in
      token.count == count && token.indices.allSatisfy { unsafe bytes[$0] == token[$0] }
    }
  }

  private func starts(_ cell: Span<UInt8>, with token: [UInt8]) -> Bool {
    guard !token.isEmpty, cell.count >= token.count else { return false }
    for index in token.indices where cell[index] != token[index] { return false }
    return true
  }

  /// Appends a cell in quotes, its quotes doubled; with an escape, quotes and escapes escaped.
  func appendQuoted(_ cell: Span<UInt8>, to output: inout TextBuffer) {
    let mark = syntax.escape.isEmpty ? syntax.quote : syntax.escape
    output.append(syntax.quote.span)
    var start = 0
    var position = 0
    while position < cell.count {
      let token = token(in: cell, at: position)
      if token > 0 {
        output.append(cell.extracting(start..<position))
        output.append(mark.span)
        start = position
        position += token
      } else {
        position += 1
      }
    }
    output.append(cell.extracting(start..<cell.count))
    output.append(syntax.quote.span)
  }

  /// How many bytes the quote or escape at `position` has; 0 if there is neither.
  private func token(in cell: Span<UInt8>, at position: Int) -> Int {
    let byte = cell[position]
    guard byte == quoteHead || byte == syntax.escape.first else { return 0 }
    let rest = cell.extracting(position..<cell.count)
    if starts(rest, with: syntax.quote) { return syntax.quote.count }
    return starts(rest, with: syntax.escape) ? syntax.escape.count : 0
  }
}
