package import Diagnostics
import Glibc
package import Records

/// A copy of a pipe in a temporary file without a name, so that it can be read several times.
///
/// The file lies in `$TMPDIR` (else `/tmp`), is readable by its owner alone, and goes with the last source that reads it,
/// however the process ends. A class, because sources share its descriptor, each with an offset of its own.
package final class SpooledInput: Sendable {
  fileprivate let path: String
  fileprivate let descriptor: Descriptor
  /// How many bytes were copied.
  package let byteCount: Int64

  private static let chunkByteCount = 128 << 10

  /// Copies a source to its end.
  ///
  /// - Parameter path: The input's name, for messages.
  /// - Throws: What the source throws, and `ReadError.failed` when the temporary file cannot take the bytes.
  package init(spooling source: consuming any ByteSource & ~Copyable, path: String) throws(ReadError) {
    let folder = Self.temporaryFolder
    var copied: Int64 = 0
    let file: Descriptor
    do throws(SystemError) {
      file = try Self.unnamedFile(in: folder)
    } catch {
      throw Self.failure(error, path: path, folder: folder)
    }
    var chunk = TextBuffer(capacity: Self.chunkByteCount)
    while try source.read(Self.chunkByteCount, into: &chunk) > 0 {
      do throws(SystemError) {
        try file.write(chunk.bytes)
      } catch {
        throw Self.failure(error, path: path, folder: folder)
      }
      copied += Int64(chunk.count)
      chunk.truncate(to: 0)
    }
    self.path = path
    descriptor = file
    byteCount = copied
  }

  /// A source that reads the copy from its beginning, independently of any other.
  package func open() -> SpooledByteSource {
    SpooledByteSource(self)
  }

  private static func failure(_ error: SystemError, path: String, folder: String) -> ReadError {
    .failed(path: path, reason: "it cannot be copied to a temporary file in '\(excerpt(of: folder))': \(error.reason)")
  }

  private static var temporaryFolder: String {
    guard let value = unsafe getenv("TMPDIR") else { return "/tmp" }
    let folder = unsafe String(cString: value)
    return folder.isEmpty ? "/tmp" : folder
  }

  /// A file that never had a name; where the file system cannot do that, one that loses its name at once.
  private static func unnamedFile(in folder: String) throws(SystemError) -> Descriptor {
    // Linux's `__O_TMPFILE`, which its headers give to C alone.
    let unnamed = O_DIRECTORY | 0o20_000_000
    do throws(SystemError) {
      return try Descriptor(opening: folder, flags: O_RDWR | unnamed, mode: 0o600)
    } catch  where error.code == EOPNOTSUPP || error.code == EISDIR || error.code == EINVAL {
      var template = Array((folder + "/importer-XXXXXX").utf8CString)
      let number = unsafe template.withUnsafeMutableBufferPointer { name in
        guard let base = name.baseAddress else { return Int32(-1) }
        let number = unsafe mkstemp(base)
        if number >= 0 {
          _ = fcntl(number, F_SETFD, FD_CLOEXEC)
          _ = unsafe unlink(base)
        }
        return number
      }
      guard number >= 0 else { throw SystemError(code: errno) }
      return Descriptor(owning: number)
    }
  }
}

/// Reads a spooled input from its beginning.
package struct SpooledByteSource: ByteSource, ~Copyable {
  private let input: SpooledInput
  private var offset: Int64 = 0

  fileprivate init(_ input: SpooledInput) { self.input = input }

  /// How many bytes there are to read in all.
  package var byteCount: Int64 { input.byteCount }

  package mutating func read(_ byteCount: Int, into text: inout TextBuffer) throws(ReadError) -> Int {
    let before = text.count
    let offset = offset
    do throws(SystemError) {
      try unsafe text.read(byteCount) { (room) throws(SystemError) in
        try unsafe input.descriptor.read(byteCount, into: room, at: offset)
      }
    } catch {
      throw .failed(path: input.path, reason: error.reason)
    }
    self.offset += Int64(text.count - before)
    return text.count - before
  }
}
