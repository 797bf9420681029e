package import Diagnostics
package import Glibc
import Records

/// A file that did not exist before and grows record by record, such as the rejects of a run.
///
/// It stands in its place from the start, so that what was written survives a run that dies. Writes are gathered into
/// pieces of 64 KiB; what is gathered still goes out when the value goes without `finish`.
package struct NewFile: ByteSink, ~Copyable {
  /// Where it is.
  package let path: String
  /// How many bytes were given to it.
  package private(set) var byteCount: Int64 = 0
  private let descriptor: Descriptor
  private var pending: TextBuffer

  private static let pieceByteCount = 64 << 10

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - path: Where; a symbolic link there counts as existing and is not followed.
  ///   - mode: Its permissions before the umask; only the owner may read what was rejected.
  /// - Returns: nil when something of that name exists already.
  /// - Throws: `WriteError.cannotCreate`.
  package init?(path: String, mode: mode_t = 0o600) throws(WriteError) {
    do throws(SystemError) {
      descriptor = try Descriptor(opening: path, flags: O_WRONLY | O_CREAT | O_EXCL, mode: mode)
    } catch {
      guard error.code != EEXIST else { return nil }
      throw .cannotCreate(path: path, reason: error.reason)
    }
    self.path = path
    pending = TextBuffer(capacity: Self.pieceByteCount)
  }

  deinit {
    // The run has failed for another reason already, which matters more than this.
    unsafe pending.withUnsafeBytes { bytes, count in
      try? unsafe descriptor.write(bytes, count: count)
    }
  }

  package mutating func write(_ bytes: Span<UInt8>) throws(WriteError) {
    byteCount += Int64(bytes.count)
    if pending.count + bytes.count > Self.pieceByteCount { try flush() }
    if bytes.count > Self.pieceByteCount { try writeOut(bytes) } else { pending.append(bytes) }
  }

  /// Hands everything gathered to the system.
  package mutating func flush() throws(WriteError) {
    guard pending.count > 0 else { return }
    // Dropped even if the write fails: part of it may be out, and must not go out twice.
    var piece = TextBuffer(capacity: Self.pieceByteCount)
    swap(&piece, &pending)
    try writeOut(piece.bytes)
    piece.truncate(to: 0)
    swap(&piece, &pending)
  }

  /// Makes everything durable.
  package mutating func finish() throws(WriteError) {
    try flush()
    do throws(SystemError) {
      try descriptor.synchronize()
    } catch {
      throw WriteError(error, path: path)
    }
  }

  private func writeOut(_ bytes: Span<UInt8>) throws(WriteError) {
    do throws(SystemError) {
      try descriptor.write(bytes)
    } catch {
      throw WriteError(error, path: path)
    }
  }
}
