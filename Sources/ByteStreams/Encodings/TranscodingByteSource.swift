package import Diagnostics
package import Records

/// The UTF-8 of an input in another encoding, with a trail that leads back to the input's bytes.
///
/// A byte order mark is no part of the text. What is no character becomes an `invalidByte`, and so does a character that
/// the input breaks off in. The sizes in which the input arrives make no difference.
package struct TranscodingByteSource: ByteSource, ~Copyable {
  private var source: any ByteSource & ~Copyable
  private let decoder: any TextDecoder
  private let trail: SourceTrail
  private var input = TextBuffer(capacity: inputByteCount)
  /// How much of the input is decoded.
  private var position = 0
  private var decoded = TextBuffer(capacity: inputByteCount)
  /// How much of the decoded text was handed out.
  private var handedOut = 0
  private var hasBegun = false
  private var hasEnded = false

  private static let inputByteCount = 64 << 10
  /// About how far one mark is from the next: what finding a place costs.
  private static let markByteCount = 2 << 10

  /// Decodes a source.
  ///
  /// - Parameters:
  ///   - encoding: Not UTF-8 itself, which needs no decoding.
  ///   - trail: A new one of `encoding.makeTrail()`.
  package init(
    _ source: consuming any ByteSource & ~Copyable,
    encoding: borrowing TextEncoding,
    trail: SourceTrail
  ) {
    self.source = source
    decoder = encoding.makeDecoder()
    self.trail = trail
  }

  package mutating func read(_ byteCount: Int, into text: inout TextBuffer) throws(ReadError) -> Int {
    guard byteCount > 0 else { return 0 }
    if handedOut == decoded.count {
      decoded.truncate(to: 0)
      handedOut = 0
      try decodeMore()
    }
    let count = min(byteCount, decoded.count - handedOut)
    text.append(decoded.bytes.extracting(handedOut..<handedOut + count))
    handedOut += count
    return count
  }

  /// Decodes until there is something, or nothing more to come.
  private mutating func decodeMore() throws(ReadError) {
    if !hasBegun { try begin() }
    while decoded.count == 0, !(hasEnded && position == input.count) {
      if !hasEnded { try readInput() }
      decodeInput()
    }
  }

  /// Passes over a byte order mark.
  private mutating func begin() throws(ReadError) {
    hasBegun = true
    // No encoding spells a character in more bytes.
    while input.count < 8, !hasEnded { try readInput() }
    let mark = firstCharacter()
    guard decoder.text(of: mark.span) == [0xEF, 0xBB, 0xBF] else { return }
    trail.begin(behind: mark)
    position = mark.count
  }

  /// The bytes of a character at the head that has three in UTF-8, as the byte order mark has.
  private func firstCharacter() -> [UInt8] {
    let bytes = input.bytes
    return (0..<decoder.sourceCount(ofText: 3, in: bytes)).map { bytes[$0] }
  }

  private mutating func readInput() throws(ReadError) {
    input.removePrefix(position)
    position = 0
    if try source.read(Self.inputByteCount, into: &input) == 0 { hasEnded = true }
  }

  /// Decodes what there is, from mark to mark.
  private mutating func decodeInput() {
    while position < input.count {
      let end = stretchEnd()
      let isEnd = hasEnded && end == input.count
      let step = decode(position..<end, isEnd: isEnd)
      position += step.taken
      // What is left is a part of a character; the rest of it is yet to come.
      if step.taken == 0 { return }
    }
  }

  /// Decodes a stretch of the input behind what was decoded before.
  private mutating func decode(_ range: Range<Int>, isEnd: Bool) -> DecodeStep {
    let (decoder, trail) = (decoder, trail)
    var output = TextBuffer()
    swap(&output, &decoded)
    var step = DecodeStep()
    let capacity = 4 * range.count + 16
    unsafe input.withUnsafeBytes { bytes, _ in
      let stretch = unsafe UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count)
      unsafe output.fill(capacity) { room in
        step = unsafe decoder.decode(
          stretch,
          isEnd: isEnd,
          to: UnsafeMutableBufferPointer(start: room, count: capacity)
        )
        return step.made
      }
      let endsLine = unsafe step.taken > 0 && stretch[step.taken - 1] == 0x0A
      unsafe trail.append(
        UnsafeBufferPointer(rebasing: stretch[..<step.taken]),
        textCount: step.made,
        isMark: decoder.isStateless || endsLine
      )
    }
    swap(&output, &decoded)
    return step
  }

  /// Where the next mark may stand: a fixed way on, or behind the last line feed on that way.
  private func stretchEnd() -> Int {
    let end = min(position + Self.markByteCount, input.count)
    guard !decoder.isStateless else { return end }
    let bytes = input.bytes
    var last = end
    while last > position {
      if bytes[last - 1] == 0x0A { return last }
      last -= 1
    }
    return end
  }
}
