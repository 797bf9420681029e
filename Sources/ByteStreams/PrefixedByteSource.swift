package import Diagnostics
package import Records

/// Bytes that were already read, then the rest of their source.
///
/// It makes looking at the head of an input free of consequences, for pipes too.
package struct PrefixedByteSource: ByteSource, ~Copyable {
  private var prefix: TextBuffer
  private var position = 0
  private var rest: any ByteSource & ~Copyable
  /// Whether the source ended within the bytes that were read ahead.
  package let holdsWholeInput: Bool

  /// Puts bytes in front of a source.
  ///
  /// - Parameter holdsWholeInput: Whether `rest` is known to have nothing left.
  package init(
    _ prefix: consuming TextBuffer,
    then rest: consuming any ByteSource & ~Copyable,
    holdsWholeInput: Bool = false
  ) {
    self.prefix = prefix
    self.rest = rest
    self.holdsWholeInput = holdsWholeInput
  }

  /// Gives `body` the bytes that were read ahead and not handed out yet.
  package func withPrefix<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    body(prefix.bytes.extracting(position...))
  }

  package mutating func read(_ byteCount: Int, into text: inout TextBuffer) throws(ReadError) -> Int {
    let left = prefix.count - position
    guard left > 0 else { return try rest.read(byteCount, into: &text) }
    let count = min(left, byteCount)
    text.append(prefix.bytes.extracting(position..<position + count))
    position += count
    if position == prefix.count {
      prefix = TextBuffer()
      position = 0
    }
    return count
  }
}

/// Reads up to `byteCount` bytes ahead, fewer only at the end of the source, and gives back a source that has them still.
package func peek(
  _ byteCount: Int,
  of source: consuming any ByteSource & ~Copyable
) throws(ReadError) -> PrefixedByteSource {
  var prefix = TextBuffer(capacity: byteCount)
  var hasEnded = false
  while prefix.count < byteCount, !hasEnded {
    hasEnded = try source.read(byteCount - prefix.count, into: &prefix) == 0
  }
  return PrefixedByteSource(prefix, then: source, holdsWholeInput: hasEnded)
}

/// Whether an input that begins with these bytes is compressed by gzip (RFC 1952, section 2.3.1).
package func isGzip(_ prefix: Span<UInt8>) -> Bool {
  prefix.count >= 2 && prefix[0] == 0x1F && prefix[1] == 0x8B
}
