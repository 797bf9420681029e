package import Diagnostics
package import Glibc
import Records

/// A file that appears in its place only when it is complete.
///
/// The bytes go to a temporary file in the same folder; `finish` makes them durable and renames it over the old file. Until
/// then, and whenever anything fails, the old file stays as it was; a sink that goes without `finish` takes its temporary
/// file along. What stands in the place decides:
///
/// - an ordinary file is replaced and keeps its permissions; other hard links to it keep the old content;
/// - a symbolic link is replaced itself and never followed, so that no link can lead an output elsewhere;
/// - a pipe or a device, also behind a link, such as `/dev/null` or `/dev/stdout`, is written to directly.
package struct FileByteSink: ByteSink, ~Copyable {
  private let path: String
  private var output: Output

  /// Makes the temporary file, or opens the pipe or device.
  ///
  /// - Parameters:
  ///   - path: Where the file is to appear.
  ///   - mode: Its permissions before the umask, if there is no file there yet.
  /// - Throws: `WriteError.cannotCreate`.
  package init(path: String, mode: mode_t = 0o666) throws(WriteError) {
    self.path = path
    do throws(SystemError) {
      output = try Output(path: path, mode: mode)
    } catch {
      throw .cannotCreate(path: path, reason: error.reason)
    }
  }

  package mutating func write(_ bytes: Span<UInt8>) throws(WriteError) {
    do throws(SystemError) {
      try output.write(bytes)
    } catch {
      throw WriteError(error, path: path)
    }
  }

  package mutating func finish() throws(WriteError) {
    do throws(SystemError) {
      try output.finish(at: path)
    } catch {
      throw WriteError(error, path: path)
    }
  }
}

/// Where the bytes of a `FileByteSink` go for now.
enum Output: ~Copyable, Sendable {
  case direct(Descriptor)
  case temporary(TemporaryFile)
  case finished

  init(path: String, mode: mode_t) throws(SystemError) {
    if let number = Self.standardDescriptor(named: path) {
      self = .direct(Descriptor(owning: try again { fcntl(number, F_DUPFD_CLOEXEC, 3) }))
      return
    }
    var status = stat()
    guard try Self.exists(path, &status) else {
      self = .temporary(try TemporaryFile(beside: path, mode: mode, replacing: nil))
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      // Renaming would replace a file that its owner has protected.
      _ = try again { unsafe access(path, W_OK) }
      self = .temporary(try TemporaryFile(beside: path, mode: mode, replacing: status.st_mode & 0o777))
    case S_IFDIR: throw SystemError(code: EISDIR)
    default: self = .direct(try Descriptor(opening: path, flags: O_WRONLY | O_NOCTTY))
    }
  }

  mutating func write(_ bytes: Span<UInt8>) throws(SystemError) {
    switch self {
    case .direct(let descriptor): try descriptor.write(bytes)
    case .temporary(let file): try file.write(bytes)
    case .finished: preconditionFailure("the output is finished")
    }
  }

  mutating func finish(at path: String) throws(SystemError) {
    switch consume self {
    case .direct(let descriptor):
      self = .finished
      try descriptor.closeChecked()
    case .temporary(let file):
      self = .finished
      try file.moveIntoPlace()
    case .finished: self = .finished
    }
  }

  /// What stands at a path, links followed; false when nothing does, or a link to nothing.
  private static func exists(_ path: String, _ status: inout stat) throws(SystemError) -> Bool {
    do throws(SystemError) {
      _ = try again { unsafe stat(path, &status) }
      return true
    } catch  where error.code == ENOENT {
      return false
    }
  }

  /// The descriptor that such a path stands for; opening it anew would lose the place in a file it leads to.
  private static func standardDescriptor(named path: String) -> Int32? {
    switch path {
    case "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default:
      for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
        return Int32(path.dropFirst(folder.count))
      }
      return nil
    }
  }
}
