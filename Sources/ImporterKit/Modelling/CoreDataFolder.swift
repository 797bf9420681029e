import Diagnostics
import Glibc

/// The folders that Xcode keeps a Core Data model in.
enum CoreDataFolder {
  /// The path of the `contents` of an output, whose folders are made.
  ///
  /// - Parameter output: A `.xcdatamodeld` gets one version, named like itself, a `.xcdatamodel` the file alone; any other
  ///   name is the file itself.
  static func contents(of output: String) throws -> String {
    let path = output.hasSuffix("/") ? String(output.dropLast()) : output
    if path.hasSuffix(".xcdatamodeld") {
      guard unsafe access(path, F_OK) != 0 else {
        // Which of its versions would be meant is not ours to say.
        throw UsageFailure(
          "'\(excerpt(of: output))' exists already",
          remedy: "name one of its versions, such as "
            + "'\(excerpt(of: FilePath.join(path, FilePath.stem(of: path) + ".xcdatamodel")))', or another file"
        )
      }
      try make(path)
      let version = FilePath.join(path, String(FilePath.lastComponent(of: path).dropLast()))
      try make(version)
      return FilePath.join(version, "contents")
    }
    guard path.hasSuffix(".xcdatamodel") else { return path }
    try make(path)
    return FilePath.join(path, "contents")
  }

  private static func make(_ folder: String) throws(WriteError) {
    guard unsafe mkdir(folder, 0o777) != 0, errno != EEXIST else { return }
    throw .cannotCreate(path: folder, reason: unsafe String(cString: strerror(errno)))
  }
}
