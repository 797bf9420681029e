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
