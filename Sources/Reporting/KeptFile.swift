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
  /// How many bytes have been written, or were found to be there.
  private var position: Int64 = 0
  /// How many bytes an earlier run has left: those behind `position` must come again.
  private var oldCount: Int64 = 0
  /// Whether nothing is written yet behind what an earlier run has left.
  private var isHeld = false
  /// Whether something else comes than what an earlier run has left.
  private var differs = false

  /// Where a closed file is gone on with.
  struct Place {
    let path: String
    let position: Int64
  }

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
    let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { return KeptFile(path: path, descriptor: descriptor) }
    if errno == EEXIST { return nil }
    throw .cannotCreate(path: path, reason: systemReason(errno) + "; --rejects names another folder")
  }

  /// Where the file is gone on with, once it is finished.
  var place: Place { Place(path: path, position: position) }

  /// Opens a file that this run has created, to append to it; a link in its place is not followed.
  static func reopen(_ place: Place) throws(WriteError) -> KeptFile {
    var file = try open(place.path, flags: 0)
    file.position = place.position
    return file
  }

  /// Opens a file that an earlier run of the same load has begun, or creates it.
  ///
  /// All of it is appended anew: what is there already must be the same bytes.
  static func goOn(_ path: String, isHeld: Bool) throws(WriteError) -> KeptFile {
    var file = try open(path, flags: O_CREAT)
    file.isHeld = isHeld && file.oldCount > 0
    return file
  }

  /// Lets bytes be written behind what an earlier run has left.
  ///
  /// - Throws: If something else came than that.
  mutating func release() throws(WriteError) {
    isHeld = false
    try flush()
  }

  private static func open(_ path: String, flags: CInt) throws(WriteError) -> KeptFile {
    let descriptor = unsafe Glibc.open(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC | flags, 0o600)
    guard descriptor >= 0 else { throw .failed(path: path, reason: systemReason(errno)) }
    var file = KeptFile(path: path, descriptor: descriptor)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .failed(path: path, reason: "it is no file")
    }
    file.oldCount = Int64(status.st_size)
    return file
  }

  /// Whether an earlier run has left bytes that have not come again yet.
  var isRepeating: Bool { position + Int64(buffer.count) < oldCount }

  /// Takes away what an earlier run has left behind this place, if it is an end.
  mutating func drop(_ end: [UInt8]) throws(WriteError) {
    try flush()
    guard !end.isEmpty, !differs, oldCount - position == Int64(end.count), try matches(end[...]) else { return }
    guard ftruncate(descriptor, off_t(position)) == 0 else { throw failure(errno) }
    oldCount = position
  }

  /// Whether the file holds some bytes at its position.
  private func matches(_ bytes: ArraySlice<UInt8>) throws(WriteError) -> Bool {
    var found = [UInt8](repeating: 0, count: bytes.count)
    let count = unsafe found.withUnsafeMutableBytes { room in
      unsafe pread(descriptor, room.baseAddress, room.count, off_t(position))
    }
    guard count >= 0 else { throw failure(errno) }
    return count == bytes.count && found[...].elementsEqual(bytes)
  }

  /// Passes over the bytes of the buffer that an earlier run has left.
  private mutating func repeatOld() throws(WriteError) {
    guard position < oldCount || differs else { return }
    let count = Int(min(oldCount - position, Int64(buffer.count)))
    if !differs, try !matches(buffer[..<count]) { differs = true }
    guard !differs else {
      buffer = []
      guard !isHeld else { return }
      hasFailed = true
      throw .failed(
        path: path,
        reason: "it is not what the run that was ended has left; move it away and run the same command again"
      )
    }
    position += Int64(count)
    buffer.removeFirst(count)
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
    guard !isHeld else { return }
    guard position >= oldCount else {
      throw .failed(path: path, reason: "it holds more than this run has rejected; move it away and run again")
    }
    try synchronize()
  }

  /// Brings everything so far to the disk.
  mutating func suspend() throws(WriteError) {
    try flush()
    try synchronize()
  }

  private func synchronize() throws(WriteError) {
    guard fsync(descriptor) != 0 else { return }
    // Some file systems have no fsync to offer; that is no loss of data.
    guard errno == EINVAL || errno == ENOTSUP || errno == EROFS else { throw failure(errno) }
  }

  /// Takes the name away again; for a file that nothing was written to.
  borrowing func unlinkName() {
    _ = unsafe unlink(path)
  }

  deinit {
    if !hasFailed, !isHeld, position >= oldCount { _ = Self.write(buffer, to: descriptor) }
    close(descriptor)
  }

  private mutating func flush() throws(WriteError) {
    guard !hasFailed else { return }
    try repeatOld()
    guard !isHeld else { return }
    let code = Self.write(buffer, to: descriptor)
    position += Int64(buffer.count)
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
