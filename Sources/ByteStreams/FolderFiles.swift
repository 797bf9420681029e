import Glibc
package import Records

/// The files in an input's own folder and below it.
///
/// A path is walked name by name from the folder, and no symbolic link is followed, so that nothing outside of it is ever
/// opened, however the tree changes meanwhile. `..`, absolute paths and empty names are refused before anything is opened.
package struct FolderFiles: SiblingFiles {
  private let folder: String

  /// Names the folder; it is opened for each file.
  package init(folder: String) { self.folder = folder }

  package func read(_ name: Span<UInt8>, limit: Int, into text: inout TextBuffer) -> SiblingFileFault? {
    var bytes: [UInt8] = []
    for index in name.indices { bytes.append(name[index]) }
    var names = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    // A leading './' says nothing.
    while names.count > 1, names[0] == "." { names.removeFirst() }
    guard !bytes.contains(0), names.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }), let last = names.popLast()
    else { return .outside }
    do throws(SystemError) {
      var current = try Descriptor(opening: folder, flags: O_RDONLY | O_DIRECTORY)
      for name in names {
        current = try Descriptor(opening: name, in: current, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
      }
      // Without waiting for the other end of a pipe.
      let file = try Descriptor(opening: last, in: current, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
      return try read(file, limit: limit, into: &text)
    } catch {
      switch error.code {
      case ENOENT: return .missing
      case ELOOP: return .outside
      // A folder on the way that is none, or is a link.
      case ENOTDIR: return names.isEmpty ? .missing : isLinked(names) ? .outside : .missing
      case ENXIO: return .irregular
      default: return .unreadable(error.reason)
      }
    }
  }

  private func read(
    _ file: borrowing Descriptor,
    limit: Int,
    into text: inout TextBuffer
  ) throws(SystemError) -> SiblingFileFault? {
    let status = try file.status()
    guard status.st_mode & S_IFMT == S_IFREG else { return .irregular }
    guard status.st_size <= limit else { return .tooLong(limit: limit) }
    let start = text.count
    // A file may grow while it is read, or not know its size.
    while true {
      let before = text.count
      let wanted = min(1 << 16, limit - (before - start) + 1)
      do throws(SystemError) {
        try unsafe text.read(wanted) { (room) throws(SystemError) in try unsafe file.read(wanted, into: room) }
      } catch {
        text.truncate(to: start)
        throw error
      }
      guard text.count > before else { return nil }
      guard text.count - start <= limit else {
        text.truncate(to: start)
        return .tooLong(limit: limit)
      }
    }
  }

  /// Whether one of the folders on a way is a symbolic link.
  private func isLinked(_ names: [String]) -> Bool {
    var path = folder
    for name in names {
      path += "/" + name
      var status = stat()
      guard unsafe lstat(path, &status) == 0 else { return false }
      if status.st_mode & S_IFMT == S_IFLNK { return true }
    }
    return false
  }
}
