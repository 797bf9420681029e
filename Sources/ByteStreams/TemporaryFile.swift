import Glibc

/// A file under a name of its own until it is moved into the place it was made for; it is deleted if that never comes.
///
/// Its name, `.NAME.importer-PID-N`, tells whose it is. While it is open it is locked, so that the next run can tell one
/// that was left by a killed process and delete it.
struct TemporaryFile: ~Copyable, Sendable {
  private let folder: String
  private let name: String
  private let destination: String
  private let descriptor: Descriptor
  private var isInPlace = false

  private static let mark = ".importer-"

  /// Makes an empty file in the folder of `path`, after deleting what killed runs left there for the same path.
  ///
  /// - Parameter replacing: The permissions of the file that it will replace; without one, `mode` and the umask decide.
  init(beside path: String, mode: mode_t, replacing: mode_t?) throws(SystemError) {
    let (folder, base) = Self.split(path)
    guard !base.isEmpty else { throw SystemError(code: path.isEmpty ? ENOENT : EISDIR) }
    // Room for the mark, a process id and a number within the 255 bytes of a name.
    let stem = "." + String(decoding: base.utf8.prefix(200), as: UTF8.self) + Self.mark
    Self.deleteAbandoned(startingWith: stem, in: folder)
    var name = ""
    descriptor = try Self.create(in: folder, stem: stem, mode: mode, name: &name)
    self.folder = folder
    self.name = name
    destination = path
    if let replacing { _ = fchmod(descriptor.number, replacing) }
  }

  deinit {
    if !isInPlace { _ = unsafe unlink(folder + name) }
  }

  /// Creates a file under the first free number and locks it.
  private static func create(
    in folder: String,
    stem: String,
    mode: mode_t,
    name: inout String
  ) throws(SystemError) -> Descriptor {
    var number = 0
    while true {
      name = "\(stem)\(getpid())-\(number)"
      number += 1
      do throws(SystemError) {
        let file = try Descriptor(opening: folder + name, flags: O_RDWR | O_CREAT | O_EXCL, mode: mode)
        _ = try again { flock(file.number, LOCK_EX) }
        // Another run may have deleted it as abandoned in the moment before it was locked.
        if try file.status().st_nlink > 0 { return file }
      } catch  where error.code == EEXIST {
        continue
      }
    }
  }

  func write(_ bytes: Span<UInt8>) throws(SystemError) {
    try descriptor.write(bytes)
  }

  /// Makes the content durable, then the name.
  consuming func moveIntoPlace() throws(SystemError) {
    try descriptor.synchronize()
    let source = folder + name
    let destination = destination
    _ = try again { unsafe rename(source, destination) }
    isInPlace = true
    // Some file systems cannot synchronize a folder; the rename is done either way.
    let folder = try Descriptor(opening: folder.isEmpty ? "." : folder, flags: O_RDONLY | O_DIRECTORY)
    try folder.synchronize()
  }

  /// The folder, empty or with its slash, and the name in it.
  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
    let next = path.utf8.index(after: slash)
    return (String(path[..<next]), String(path[next...]))
  }

  private static func deleteAbandoned(startingWith stem: String, in folder: String) {
    guard let listing = unsafe opendir(folder.isEmpty ? "." : folder) else { return }
    defer { unsafe closedir(listing) }
    while let entry = unsafe readdir(listing) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      guard name.utf8.starts(with: stem.utf8) else { continue }
      let parts = name.dropFirst(stem.count).split(separator: "-")
      // Ours alone, and only where neither the process nor, in another container, its lock is there any more.
      guard parts.count == 2, let process = pid_t(parts[0]), Int(parts[1]) != nil, process > 0 else { continue }
      guard process != getpid(), kill(process, 0) != 0, errno == ESRCH else { continue }
      guard let file = try? Descriptor(opening: folder + name, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else {
        continue
      }
      if flock(file.number, LOCK_EX | LOCK_NB) == 0 { _ = unsafe unlink(folder + name) }
    }
  }
}
