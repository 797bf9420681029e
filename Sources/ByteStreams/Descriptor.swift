import Glibc
import Records

/// What a system call refused, as `errno` says it.
struct SystemError: Error, Hashable {
  let code: Int32

  /// The system's words; in English, since nothing sets a locale.
  var reason: String { unsafe String(cString: strerror(code)) }
}

/// An open file descriptor; it is closed when its owner goes, unless it was only borrowed.
struct Descriptor: ~Copyable, Sendable {
  let number: Int32
  private let isOwned: Bool

  init(owning number: Int32) {
    self.number = number
    isOwned = true
  }

  /// Standard input and output belong to the process, not to a stream.
  init(borrowing number: Int32) {
    self.number = number
    isOwned = false
  }

  /// Opens a file; the descriptor does not outlive an `exec`.
  init(opening path: String, flags: Int32, mode: mode_t = 0) throws(SystemError) {
    // A path with NUL would be cut at it by C, and so name another file.
    guard !path.utf8.contains(0) else { throw SystemError(code: EINVAL) }
    let number = try again { unsafe open(path, flags | O_CLOEXEC, mode) }
    self.init(owning: number)
  }

  /// Opens a file by its name in an open folder.
  init(opening name: String, in folder: borrowing Descriptor, flags: Int32) throws(SystemError) {
    guard !name.utf8.contains(0) else { throw SystemError(code: EINVAL) }
    let parent = folder.number
    let number = try again { unsafe openat(parent, name, flags | O_CLOEXEC) }
    self.init(owning: number)
  }

  deinit { if isOwned { _ = close(number) } }

  /// Closes at once, and says what only then comes to light on network file systems.
  consuming func closeChecked() throws(SystemError) {
    let number = number
    let isOwned = isOwned
    discard self
    // Not again after EINTR: Linux has closed the descriptor by then.
    if isOwned, close(number) != 0, errno != EINTR { throw SystemError(code: errno) }
  }

  /// What the system knows of the open file.
  func status() throws(SystemError) -> stat {
    var result = stat()
    _ = try again { unsafe fstat(number, &result) }
    return result
  }

  /// Reads up to `byteCount` bytes, at `offset` if one is given; 0 is the end.
  func read(
    _ byteCount: Int,
    into room: UnsafeMutablePointer<UInt8>,
    at offset: Int64? = nil
  ) throws(SystemError) -> Int {
    while true {
      let count =
        if let offset {
          unsafe pread(number, room, byteCount, off_t(offset))
        } else {
          unsafe Glibc.read(number, room, byteCount)
        }
      if count >= 0 { return count }
      try waitOrThrow(for: POLLIN)
    }
  }

  /// Writes all the bytes, however often the system takes only some.
  func write(_ bytes: Span<UInt8>) throws(SystemError) {
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(SystemError) in
      if let base = buffer.baseAddress { try unsafe write(base, count: buffer.count) }
    }
  }

  /// Writes all the bytes at an address.
  func write(_ bytes: UnsafePointer<UInt8>, count: Int) throws(SystemError) {
    var position = 0
    while position < count {
      let written = unsafe Glibc.write(number, bytes + position, count - position)
      if written >= 0 { position += written } else { try waitOrThrow(for: POLLOUT) }
    }
  }

  /// Makes the file's content durable; a failure is final, since a second attempt could claim success wrongly.
  func synchronize() throws(SystemError) {
    // Pipes and devices cannot be synchronized, and need not be.
    guard fsync(number) != 0, errno != EINVAL, errno != ENOTSUP else { return }
    throw SystemError(code: errno)
  }

  /// Goes on after a signal, waits where the other end asked not to block, and throws anything else.
  private func waitOrThrow(for events: Int32) throws(SystemError) {
    let code = errno
    if code == EINTR { return }
    guard code == EAGAIN || code == EWOULDBLOCK else { throw SystemError(code: code) }
    var request = pollfd(fd: number, events: Int16(truncatingIfNeeded: events), revents: 0)
    _ = unsafe poll(&request, 1, -1)
  }
}

/// Makes a system call again while signals interrupt it.
func again(_ call: () -> Int32) throws(SystemError) -> Int32 {
  while true {
    let result = call()
    if result >= 0 { return result }
    if errno != EINTR { throw SystemError(code: errno) }
  }
}

extension TextBuffer {
  /// Lets a system call write at the end, in room for `byteCount` bytes, and takes as many as it says it wrote.
  mutating func read(
    _ byteCount: Int,
    with call: (UnsafeMutablePointer<UInt8>) throws(SystemError) -> Int
  ) throws(SystemError) {
    var failure: SystemError?
    unsafe fill(byteCount) { room in
      do throws(SystemError) {
        return try unsafe call(room)
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
  }
}
