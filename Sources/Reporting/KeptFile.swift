import Diagnostics
import Glibc

/// A new file that bytes are appended to; only its owner may read it.
///
/// What was appended reaches the disk at the latest when it is finished. If its owner goes without finishing it, what
/// can still be written is.
struct KeptFile: ~Copyable {
  let path: String
  private let descriptor: CInt
  private var buffer: [UInt8] = []
  private var hasFailed = false

  private static let bufferByteCount = 64 << 10

  private init(path: String, descriptor: CInt) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Creates the file; nil when something of that name is there already, be it a dangling link.
  static func create(_ path: String) throws(WriteError) -> KeptFile? {
    guard !path.utf8.contains(0) else {
      throw .cannotCreate(path: path, reason: "the name holds a NUL character")
    }
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { return KeptFile(path: path, descriptor: descriptor) }
    if errno == EEXIST { return nil }
    throw .cannotCreate(path: path, reason: systemReason(errno) + "; --rejects names another folder")
  }

  /// Opens a file that this run has created, to append to it; a link in its place is not followed.
  static func reopen(_ path: String) throws(WriteError) -> KeptFile {
    let descriptor = unsafe open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw .failed(path: path, reason: systemReason(errno)) }
    return KeptFile(path: path, descriptor: descriptor)
  }

  mutating func append(_ bytes: Span<UInt8>) throws(WriteError) {
    unsafe bytes.withUnsafeBufferPointer { source in unsafe buffer.append(contentsOf: source) }
    if buffer.count >= Self.bufferByteCount { try flush() }
  }

  mutating func append(_ bytes: [UInt8]) throws(WriteError) {
    buffer += bytes
    if buffer.count >= Self.bufferByteCount { try flush() }
  }

  /// Brings everything to the disk.
  mutating func finish() throws(WriteError) {
    try flush()
    guard fsync(descriptor) != 0 else { return }
    // Some file systems have no fsync to offer; that is no loss of data.
    guard errno == EINVAL || errno == ENOTSUP || errno == EROFS else { throw failure(errno) }
  }

  /// Takes the name away again; for a file that nothing was written to.
  borrowing func unlinkName() {
    _ = unsafe unlink(path)
  }

  deinit {
    if !hasFailed { _ = Self.write(buffer, to: descriptor) }
    close(descriptor)
  }

  private mutating func flush() throws(WriteError) {
    guard !hasFailed else { return }
    let code = Self.write(buffer, to: descriptor)
    buffer.removeAll(keepingCapacity: buffer.count <= 4 * Self.bufferByteCount)
    guard code != 0 else { return }
    hasFailed = true
    throw failure(code)
  }

  private func failure(_ code: CInt) -> WriteError {
    .failed(path: path, reason: systemReason(code))
  }

  /// Writes all of the bytes; returns 0, or the system's error.
  private static func write(_ bytes: [UInt8], to descriptor: CInt) -> CInt {
    unsafe bytes.withUnsafeBufferPointer { room in
      guard let base = room.baseAddress else { return 0 }
      var position = 0
      while position < room.count {
        let count = unsafe Glibc.write(descriptor, base + position, room.count - position)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count < 0 ? errno : EIO }
        position += count
      }
      return 0
    }
  }
}

/// What the system calls an error, in English whatever the locale, since the program never sets one.
func systemReason(_ code: CInt) -> String {
  guard let text = unsafe strerror(code) else { return "error \(code)" }
  return unsafe String(cString: text)
}

/// Creates a folder and those above it that are missing.
func createFolder(_ path: String) throws(WriteError) {
  var end = path.utf8.startIndex
  while end < path.utf8.endIndex {
    let next = path.utf8.index(after: end)
    end = path.utf8[next...].firstIndex(of: UInt8(ascii: "/")) ?? path.utf8.endIndex
    let folder = String(path[..<end])
    guard unsafe mkdir(folder, 0o777) != 0, errno != EEXIST else { continue }
    let code = errno
    var status = stat()
    // A folder that exists may be answered with another error, such as one on a read-only disk.
    if unsafe stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { continue }
    throw .cannotCreate(path: folder, reason: systemReason(code))
  }
}
