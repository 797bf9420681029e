import Glibc
import Reporting

/// Parts of paths, as text.
enum FilePath {
  /// What follows the last slash.
  static func lastComponent(of path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }

  /// What precedes the last slash: `.` for a bare name.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Whether two paths name one place in a folder, whether anything stands there or not.
  static func isSamePlace(_ one: String, _ other: String) -> Bool {
    func place(_ path: String) -> String {
      let folder = unsafe realpath(self.folder(of: path), nil)
      defer { unsafe free(folder) }
      return (unsafe folder.map { unsafe String(cString: $0) } ?? self.folder(of: path)) + "/" + lastComponent(of: path)
    }
    return place(one) == place(other)
  }

  /// Whether a file, links followed, lies in a folder or below it; a file that is not there counts as doing so.
  static func isInside(_ path: String, _ folder: String) -> Bool {
    let (file, root) = unsafe (realpath(path, nil), realpath(folder, nil))
    defer {
      unsafe free(file)
      unsafe free(root)
    }
    guard let file = unsafe file, let root = unsafe root else { return true }
    let prefix = unsafe String(cString: root)
    return unsafe String(cString: file).hasPrefix(prefix == "/" ? prefix : prefix + "/")
  }

  /// The name in a folder; a bare name for the working directory.
  static func join(_ folder: String, _ name: String) -> String {
    folder == "." ? name : folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// What the records of an input are called where nothing else names them.
  ///
  /// That is its name, or that of the input whose rejects it holds.
  static func subject(of path: String) -> String {
    path == "-" ? "stdin" : stem(of: RejectionNames.original(of: path))
  }

  /// The last component up to its first dot.
  static func stem(of path: String) -> String {
    let name = lastComponent(of: path)
    return String(name.split(separator: ".").first ?? Substring(name))
  }
}
