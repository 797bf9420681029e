package import Diagnostics
import Glibc
import Records

/// Standard output, or another descriptor that is open already; it stays open afterwards.
///
/// A reader that has gone is `WriteError.brokenPipe`, provided that the process ignores SIGPIPE.
package struct DescriptorByteSink: ByteSink, ~Copyable {
  private let descriptor: Descriptor
  private let name: String

  /// Writes to an open descriptor.
  ///
  /// - Parameter name: What messages call it.
  package init(_ number: Int32 = STDOUT_FILENO, name: String = "standard output") {
    descriptor = Descriptor(borrowing: number)
    self.name = name
  }

  package mutating func write(_ bytes: Span<UInt8>) throws(WriteError) {
    do throws(SystemError) {
      try descriptor.write(bytes)
    } catch {
      throw WriteError(error, path: name)
    }
  }

  package mutating func finish() throws(WriteError) {}
}

extension WriteError {
  /// What a failed write, `fsync` or `close` means for an output.
  init(_ error: SystemError, path: String) {
    self = error.code == EPIPE ? .brokenPipe : .failed(path: path, reason: error.reason)
  }
}
