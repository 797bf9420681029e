import DataPackage
import Diagnostics
import Glibc
import Reporting

/// Turns the inputs as they were named into files: a folder stands for what is in it, a data package for its resources.
enum InputExpansion {
  /// The paths to read, in order; `-` is standard input.
  ///
  /// - Throws: `ReadError` for a folder that cannot be read, `ModelError` for a package that cannot, `UsageFailure` when
  ///   standard input is named twice.
  static func expand(_ inputs: [String]) throws -> [String] {
    guard inputs.count(where: { $0 == "-" }) < 2 else {
      throw UsageFailure("standard input is named twice", remedy: "name '-' once")
    }
    if let faults = inputs.first(where: RejectionNames.isFaultTable) {
      throw UsageFailure(
        "'\(excerpt(of: faults))' is a list of faults that an earlier run wrote, not data",
        remedy: "leave it out; a folder as input passes over such files"
      )
    }
    var paths: [String] = []
    for input in inputs {
      if input != "-", isFolder(input) {
        paths += try filesOfFolder(input)
      } else if FilePath.lastComponent(of: input) == ModelSources.descriptorName {
        paths += try filesOfPackage(input)
      } else {
        paths.append(input)
      }
    }
    return paths
  }

  private static func filesOfPackage(_ path: String) throws -> [String] {
    let folder = FilePath.folder(of: path)
    let files = try ModelSources.readPackage(path).resources.flatMap(\.paths).map { FilePath.join(folder, $0) }
    // Symbolic links lead out of a folder as '..' does.
    if let file = files.first(where: { !FilePath.isInside($0, folder) }) {
      throw ModelError(
        source: path,
        message: "the file '\(excerpt(of: file))' leads out of the package's folder",
        remedy: "put it into the folder, or load it by its own name"
      )
    }
    guard !files.isEmpty else {
      throw ModelError(source: path, message: "the package names no files", remedy: "give its resources a 'path'")
    }
    return files
  }

  /// The regular files of a folder in the order of their names, without hidden ones, rejects, databases and models.
  ///
  /// A data package in it stands for the files that it names.
  private static func filesOfFolder(_ folder: String) throws -> [String] {
    guard let directory = unsafe opendir(folder) else {
      throw ReadError.unreadable(path: folder, reason: unsafe String(cString: strerror(errno)))
    }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    if names.contains(ModelSources.descriptorName) {
      return try filesOfPackage(FilePath.join(folder, ModelSources.descriptorName))
    }
    let files = names.filter { name in
      let suffix = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
      return !RejectionNames.isRejectionFile(name) && !["sqlite", "db", "lock", "args", "xcdatamodel"].contains(suffix)
        && isRegularFile(FilePath.join(folder, name))
    }
    guard !files.isEmpty else { throw ReadError.unreadable(path: folder, reason: "the folder holds no files to load") }
    return files.map { FilePath.join(folder, $0) }
  }

  private static func isFolder(_ path: String) -> Bool { mode(of: path).map { $0 & S_IFMT == S_IFDIR } ?? false }

  private static func isRegularFile(_ path: String) -> Bool { mode(of: path).map { $0 & S_IFMT == S_IFREG } ?? false }

  private static func mode(of path: String) -> mode_t? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status.st_mode : nil
  }
}
