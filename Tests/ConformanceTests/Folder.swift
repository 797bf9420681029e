import Glibc

/// Files of this package that tests read.
enum Folder {
  struct File {
    var path: String
    var bytes: [UInt8]
  }

  struct Unreadable: Error {
    var path: String
  }

  /// The root of the package, seen from this file.
  private static let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()

  /// The files of a folder in the order of their names; none where there is no such folder.
  static func files(in folder: String) throws -> [File] {
    let path = root + "/" + folder
    guard let directory = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return try names.sorted().map { File(path: folder + "/" + $0, bytes: try bytes(of: path + "/" + $0)) }
  }

  private static func bytes(of path: String) throws -> [UInt8] {
    guard let file = unsafe fopen(path, "rb") else { throw Unreadable(path: path) }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = unsafe fread(&buffer, 1, buffer.count, file)
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }
}
