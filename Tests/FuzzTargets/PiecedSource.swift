import Diagnostics
import Records
package import TestSupport

/// How an input's bytes come in: what every reader must be indifferent to.
package struct Pieces: Sendable, Hashable, CustomStringConvertible {
  /// The sizes of the pieces that a source hands out, again and again from the start.
  package var sizes: [Int]
  /// `ReadLimits.chunkByteCount`.
  package var chunkByteCount: Int

  /// All at once.
  package static let whole = Pieces(sizes: [.max], chunkByteCount: 128 << 10)

  /// Makes pieces of these sizes.
  package init(sizes: [Int], chunkByteCount: Int) {
    self.sizes = sizes
    self.chunkByteCount = chunkByteCount
  }

  /// Pieces of random sizes for an input of so many bytes: one split anywhere, or many.
  package init(for byteCount: Int, using random: inout SplitMix64) {
    let chunks = [
      1, 2, 3, 7, 64, 4096, 128 << 10, max(1, byteCount / 2), Int.random(in: 1...max(1, byteCount), using: &random),
    ]
    chunkByteCount = chunks.randomElement(using: &random) ?? 1
    switch Int.random(in: 0..<3, using: &random) {
    case 0: sizes = [Int.random(in: 1...max(1, byteCount), using: &random), .max]
    case 1: sizes = [[1, 2, 3, 7, 64].randomElement(using: &random) ?? 1]
    default: sizes = (0..<5).map { _ in Int.random(in: 1...max(1, min(byteCount, 40)), using: &random) }
    }
  }

  /// For a breach.
  package var description: String {
    "pieces of \(sizes.map { $0 == .max ? "the rest" : "\($0)" }) read \(chunkByteCount) at a time"
  }
}

/// Bytes in memory, handed out in given pieces.
struct PiecedSource: ByteSource, ~Copyable {
  private let bytes: [UInt8]
  private let sizes: [Int]
  private var position = 0
  private var piece = 0
  private var left: Int

  init(_ bytes: [UInt8], _ pieces: Pieces) {
    self.bytes = bytes
    sizes = pieces.sizes
    left = pieces.sizes[0]
  }

  mutating func read(_ byteCount: Int, into text: inout TextBuffer) throws(ReadError) -> Int {
    let count = min(byteCount, left, bytes.count - position)
    guard count > 0 else { return 0 }
    text.append(bytes.span.extracting(position..<position + count))
    position += count
    left -= count
    if left == 0 {
      piece += 1
      left = sizes[piece % sizes.count]
    }
    return count
  }
}
