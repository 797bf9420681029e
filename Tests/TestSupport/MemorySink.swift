package import Diagnostics
import Records
import Synchronization

/// What was written to a `MemorySink`, readable after the writer has been consumed.
package final class WrittenBytes: Sendable {
  private let storage = Mutex<[UInt8]>([])
  package init() {}
  package var bytes: [UInt8] { storage.withLock { $0 } }
  package var text: String { String(decoding: bytes, as: UTF8.self) }
  fileprivate func append(_ more: [UInt8]) { storage.withLock { $0 += more } }
}

/// A sink that keeps everything in memory.
package struct MemorySink: ByteSink, ~Copyable {
  private let written: WrittenBytes

  package init(_ written: WrittenBytes) { self.written = written }

  package mutating func write(_ bytes: Span<UInt8>) throws(WriteError) {
    var copy: [UInt8] = []
    for index in bytes.indices { copy.append(bytes[index]) }
    written.append(copy)
  }

  package mutating func finish() throws(WriteError) {}
}
