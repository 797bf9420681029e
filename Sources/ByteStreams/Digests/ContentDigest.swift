package import Diagnostics
package import Records
import Synchronization

/// The size and SHA-256 of an input's content, known once something has read it to its end.
///
/// A class, since the source that fills it goes before it is asked.
package final class ContentDigest: Sendable {
  /// What is known of a content.
  package struct Value: Sendable, Hashable {
    /// How many bytes there are.
    package let byteCount: Int64
    /// Their SHA-256, in hexadecimal digits.
    package let sha256: String
  }

  private let known = Mutex<Value?>(nil)

  /// Nothing is known yet.
  package init() {}

  /// The content's; nil until its end has been read.
  package var value: Value? { known.withLock { $0 } }

  /// Reads a source to its end for its digest alone.
  package static func value(of source: consuming any ByteSource & ~Copyable) throws(ReadError) -> Value? {
    let digest = ContentDigest()
    var source = DigestedByteSource(source, into: digest)
    var text = TextBuffer(capacity: 128 << 10)
    while try source.read(128 << 10, into: &text) > 0 { text.truncate(to: 0) }
    return digest.value
  }

  fileprivate func end(_ value: Value) { known.withLock { $0 = value } }
}

/// Passes bytes on as they are, and notes their size and SHA-256 at the end.
package struct DigestedByteSource: ByteSource, ~Copyable {
  private var source: any ByteSource & ~Copyable
  private let digest: ContentDigest
  private var sum = SHA256()
  private var byteCount: Int64 = 0

  /// Reads a source from its beginning.
  package init(_ source: consuming any ByteSource & ~Copyable, into digest: ContentDigest) {
    self.source = source
    self.digest = digest
  }

  package mutating func read(_ byteCount: Int, into text: inout TextBuffer) throws(ReadError) -> Int {
    let start = text.count
    let count = try source.read(byteCount, into: &text)
    if count > 0 {
      sum.add(text.bytes.extracting(start..<start + count))
      self.byteCount += Int64(count)
    } else if byteCount > 0 {
      digest.end(ContentDigest.Value(byteCount: self.byteCount, sha256: sum.hexadecimal))
    }
    return count
  }
}
