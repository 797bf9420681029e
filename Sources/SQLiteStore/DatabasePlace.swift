import CSQLite
import Diagnostics
import Glibc

/// Where a database is, or is to be, and the files that belong beside it.
struct DatabasePlace {
  /// What stands at the path.
  enum Occupant {
    case nothing
    case file
  }

  /// The database as the user named it, for messages.
  let path: String
  /// The absolute path without links, so that one database has one lock.
  let file: String
  let occupant: Occupant

  var lockFile: String { file + ".lock" }
  var partialFile: String { file + ".partial-\(getpid())" }
  var folder: String { Self.folder(of: file) }

  /// Finds out what is at a path, without opening it.
  init(_ path: String) throws(StoreError) {
    self.path = path
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw .cannotCreate(path: path, reason: "this is no file name")
    }
    var information = stat()
    if unsafe stat(path, &information) == 0 {
      switch information.st_mode & S_IFMT {
      case S_IFREG: break
      case S_IFDIR: throw .cannotCreate(path: path, reason: "it is a directory")
      default: throw .cannotCreate(path: path, reason: "it is no regular file")
      }
      file = try Self.resolve(path, of: path)
      occupant = .file
      return
    }
    guard errno == ENOENT || errno == ENOTDIR else {
      throw .cannotCreate(path: path, reason: systemMessage(errno))
    }
    guard unsafe lstat(path, &information) != 0 else {
      throw .cannotCreate(path: path, reason: "it is a symbolic link to a file that is not there")
    }
    guard let name = Self.lastComponent(of: path) else {
      throw .cannotCreate(path: path, reason: "there is no such directory")
    }
    let folder = try Self.resolve(Self.folder(of: path), of: path)
    file = folder == "/" ? "/" + name : folder + "/" + name
    occupant = .nothing
  }

  /// The files beside the database that SQLite keeps for one in use, or that was in use when its process died.
  func companions() -> [String] {
    ["-wal", "-shm", "-journal"].map { file + $0 }.filter { unsafe access($0, F_OK) == 0 }
  }

  /// Removes what dead runs left of databases that they were building.
  ///
  /// Only under the lock, without which nobody builds.
  func removeLeftovers() {
    let prefix = (Self.lastComponent(of: file) ?? "") + ".partial-"
    guard let directory = unsafe opendir(folder) else { return }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let suffix = name.dropFirst(prefix.count)
      if name.hasPrefix(prefix), !suffix.isEmpty, suffix.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
        names.append(name)
      }
    }
    for name in names { unsafe unlink(folder + "/" + name) }
  }

  private static func resolve(_ path: String, of database: String) throws(StoreError) -> String {
    guard let resolved = unsafe realpath(path, nil) else {
      throw .cannotCreate(path: database, reason: systemMessage(errno))
    }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  private static func lastComponent(of path: String) -> String? {
    guard let name = path.split(separator: "/", omittingEmptySubsequences: false).last, !name.isEmpty else {
      return nil
    }
    return String(name)
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

/// An open file descriptor; it is closed when its owner goes.
struct FileDescriptor: ~Copyable {
  let number: CInt

  init(_ number: CInt) { self.number = number }

  deinit { close(number) }
}

extension DatabasePlace {
  /// Takes the lock that runs of ours hold while they write.
  ///
  /// The file stays with its database. Whoever has locked it may take it away while there is none: those that waited for
  /// the same file find that it is not the one of that name any more, and lock the one that is.
  ///
  /// - Returns: nil where the folder lets no file be made: SQLite's own locks must do for a database that exists.
  func lock(waiting lockWait: Duration, interrupter: StoreInterrupter) throws(StoreError) -> FileDescriptor? {
    let start = ContinuousClock.now
    while true {
      let number = unsafe open(lockFile, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
      guard number >= 0 else {
        if occupant == .file, errno == EACCES || errno == EROFS || errno == EPERM { return nil }
        throw .cannotCreate(path: path, reason: "its lock '\(excerpt(of: lockFile))': \(systemMessage(errno))")
      }
      let descriptor = FileDescriptor(number)
      while flock(number, LOCK_EX | LOCK_NB) != 0 {
        guard errno == EWOULDBLOCK || errno == EINTR else {
          throw .cannotCreate(path: path, reason: "its lock '\(excerpt(of: lockFile))': \(systemMessage(errno))")
        }
        guard !interrupter.isInterrupted else { throw .interrupted }
        guard start.duration(to: .now) < lockWait else { throw .locked(path: path) }
        usleep(20_000)
      }
      if isLockFile(descriptor) { return descriptor }
    }
  }

  /// Whether an open file is the one that has the lock's name.
  private func isLockFile(_ descriptor: borrowing FileDescriptor) -> Bool {
    var held = stat()
    var named = stat()
    guard unsafe fstat(descriptor.number, &held) == 0, unsafe lstat(lockFile, &named) == 0 else { return false }
    return held.st_dev == named.st_dev && held.st_ino == named.st_ino
  }

  /// Takes the lock's file away, which must be held, where a failed run has left no database beside it.
  func removeLock() {
    guard unsafe access(file, F_OK) != 0, errno == ENOENT else { return }
    unsafe unlink(lockFile)
  }

  /// Puts a finished database, closed by SQLite, into its place and makes that durable.
  func install(_ partial: String) throws(StoreError) {
    try synchronize(partial, flags: O_RDWR)
    guard companions().isEmpty else { throw companionFailure }
    guard unsafe csqlite_rename_exclusively(partial, file) == 0 else {
      throw errno == EEXIST
        ? .cannotCreate(path: path, reason: "another program has made it meanwhile")
        : .cannotCreate(path: path, reason: systemMessage(errno))
    }
    try synchronize(folder, flags: O_RDONLY | O_DIRECTORY)
  }

  /// Why no database can be built where another's journal lies.
  var companionFailure: StoreError {
    .cannotCreate(
      path: path,
      reason: "'\(excerpt(of: companions().first ?? file))' lies there without its database; move it away first"
    )
  }

  private func synchronize(_ name: String, flags: CInt) throws(StoreError) {
    let number = unsafe open(name, flags | O_CLOEXEC)
    guard number >= 0 else { throw .inputOutput(path: path, reason: systemMessage(errno)) }
    let descriptor = FileDescriptor(number)
    guard fsync(descriptor.number) == 0 else { throw .inputOutput(path: path, reason: systemMessage(errno)) }
  }
}
