package import Diagnostics
import Glibc
package import Records

/// A file, a pipe or standard input, read in order straight into the batch's own buffer.
///
/// There is no memory map: pipes and files work alike, memory is bounded, and a file that shrinks is no `SIGBUS`. At its
/// end a file is compared with what was opened (`verifyUnchanged`).
package struct FileByteSource: ByteSource, ~Copyable {
  private let path: String
  private let descriptor: Descriptor
  /// The file as it was when it was opened; nil for pipes and devices.
  package let opened: FileFingerprint?
  private var bytesRead: Int64 = 0
  private var hasEnded = false

  /// Opens a file for reading; `-` is standard input, which stays open afterwards.
  ///
  /// - Throws: `ReadError.missing`, or `.unreadable` for a directory or whatever else the system refuses.
  package init(path: String) throws(ReadError) {
    let descriptor: Descriptor
    let status: stat
    do throws(SystemError) {
      descriptor = try Self.descriptor(for: path)
    } catch {
      throw error.code == ENOENT ? .missing(path: path) : .unreadable(path: path, reason: error.reason)
    }
    do throws(SystemError) {
      status = try descriptor.status()
    } catch {
      throw .unreadable(path: path, reason: error.reason)
    }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw .unreadable(path: path, reason: SystemError(code: EISDIR).reason)
    }
    self.path = path
    self.descriptor = descriptor
    if status.st_mode & S_IFMT == S_IFREG {
      let start = lseek(self.descriptor.number, 0, SEEK_CUR)
      opened = FileFingerprint(of: status, start: Int64(max(start, 0)))
      _ = posix_fadvise(self.descriptor.number, 0, 0, POSIX_FADV_SEQUENTIAL)
    } else {
      opened = nil
    }
  }

  private static func descriptor(for path: String) throws(SystemError) -> Descriptor {
    if path == "-" { return Descriptor(borrowing: STDIN_FILENO) }
    return try Descriptor(opening: path, flags: O_RDONLY | O_NOCTTY)
  }

  /// How many bytes there are to read; nil for pipes and devices, and for files that do not know their size.
  package var byteCount: Int64? {
    guard let opened, opened.size > 0 else { return nil }
    return max(opened.size - opened.start, 0)
  }

  package mutating func read(_ byteCount: Int, into text: inout TextBuffer) throws(ReadError) -> Int {
    let before = text.count
    do throws(SystemError) {
      try unsafe text.read(byteCount) { (room) throws(SystemError) in
        try unsafe descriptor.read(byteCount, into: room)
      }
    } catch {
      throw .failed(path: path, reason: error.reason)
    }
    let count = text.count - before
    bytesRead += Int64(count)
    if count == 0, byteCount > 0 {
      hasEnded = true
      try verifyUnchanged()
    }
    return count
  }

  /// Makes sure that the file is still the one that was opened, so that a run does not store half of an old content
  /// and half of a new one.
  ///
  /// Size, time of change and, at the end, the number of bytes read are compared. A file that was replaced by renaming
  /// another into its place is fine: what was read is the old one, whole. Pipes have nothing to compare.
  ///
  /// - Throws: `ReadError.refused` with the code `input-changed`.
  package mutating func verifyUnchanged() throws(ReadError) {
    guard let opened else { return }
    let now: FileFingerprint
    do throws(SystemError) {
      now = FileFingerprint(of: try descriptor.status(), start: opened.start)
    } catch {
      throw .failed(path: path, reason: error.reason)
    }
    // Files such as those in /proc give 0 as their size, whatever they hold.
    let isShort = hasEnded && opened.size > 0 && bytesRead != max(opened.size - opened.start, 0)
    guard now != opened || isShort else { return }
    let sizes =
      now.size == opened.size ? "its time of change is another" : "it had \(opened.size) bytes, now \(now.size)"
    throw .refused([
      Diagnostic(
        code: .inputChanged,
        location: SourceLocation(file: path, byteCount: Int(opened.size)),
        message: "'\(excerpt(of: path))' changed while it was read: \(sizes)",
        remedy: "run again when nothing writes to the file, or have it written elsewhere and renamed into place"
      )
    ])
  }
}

/// What tells one content of a file from a later one.
package struct FileFingerprint: Sendable, Hashable {
  let device: UInt
  let inode: UInt
  /// The size in bytes.
  package let size: Int64
  let seconds: Int
  let nanoseconds: Int
  /// Where reading began: standard input may be handed over in the middle of a file.
  let start: Int64

  init(of status: stat, start: Int64) {
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
    size = Int64(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
    self.start = start
  }
}
