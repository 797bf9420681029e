package import Diagnostics
package import Records

/// Bytes in memory, handed out in pieces of at most `chunkSize`.
package struct ChunkedSource: ByteSource, ~Copyable {
  private let bytes: [UInt8]
  private let chunkSize: Int
  private var position = 0

  package init(_ bytes: [UInt8], chunkSize: Int = .max) {
    self.bytes = bytes
    self.chunkSize = chunkSize
  }

  package init(_ text: String, chunkSize: Int = .max) {
    self.init(Array(text.utf8), chunkSize: chunkSize)
  }

  package mutating func read(_ byteCount: Int, into text: inout TextBuffer) throws(ReadError) -> Int {
    let end = min(position + min(byteCount, chunkSize), bytes.count)
    defer { position = end }
    text.append(bytes.span.extracting(position..<end))
    return end - position
  }
}
