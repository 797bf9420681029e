/// A path inside the folder of a package (Data Resource, "Data Location").
struct PackagePath {
  /// The path without `.` components.
  let normalized: String

  /// Why a path is refused.
  enum Refusal: Error {
    case empty, absolute, url, leavesFolder, illegalCharacter

    /// What is wrong, after `the path '…' `.
    var description: String {
      switch self {
      case .empty: "is empty"
      case .absolute: "is absolute"
      case .url: "is a URL"
      case .leavesFolder: "leads out of the package's folder"
      case .illegalCharacter: "holds a NUL"
      }
    }
  }

  /// Checks a path; it is not looked up.
  init(_ text: String) throws(Refusal) {
    guard !text.utf8.contains(0) else { throw .illegalCharacter }
    guard !text.isEmpty else { throw .empty }
    guard text.utf8.first != UInt8(ascii: "/") else { throw .absolute }
    if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text.utf8[colon...].starts(with: "://".utf8) {
      throw .url
    }
    let components = text.split(separator: "/").filter { $0 != "." }
    guard !components.contains("..") else { throw .leavesFolder }
    guard !components.isEmpty else { throw .empty }
    normalized = components.joined(separator: "/")
  }

  /// The last component up to its first dot that is not at its start.
  static func stem(of path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let dot = name.dropFirst().firstIndex(of: ".")
    return dot.map { String(name[..<$0]) } ?? name
  }
}
