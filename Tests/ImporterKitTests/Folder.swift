import DatabaseTestSupport
import Diagnostics
import Glibc
import ImporterKit

/// A folder that goes with its test.
final class Folder: Sendable {
  let path: String

  /// - Parameter isInMemory: Whether it is where nothing waits for a disk, if there is such a place.
  init(inMemory isInMemory: Bool = false) {
    let isThere = unsafe isInMemory && access("/dev/shm", W_OK) == 0
    let base = isThere ? "/dev/shm" : environment("TMPDIR") ?? "/tmp"
    var template = Array("\(base)/importer-kit-XXXXXX".utf8CString)
    path = unsafe template.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress, let made = unsafe mkdtemp(start) else { return "/nonexistent" }
      return unsafe String(cString: made)
    }
  }

  deinit {
    expectNoDanglingReferences(in: path, among: names)
    Self.remove(path)
  }

  /// Removes a folder with the files and folders in it.
  private static func remove(_ path: String) {
    for name in names(in: path) where unsafe unlink(path + "/" + name) != 0 { remove(path + "/" + name) }
    _ = unsafe rmdir(path)
  }

  /// The path of a name in the folder.
  func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// What is in it, sorted.
  var names: [String] { Self.names(in: path) }

  private static func names(in path: String) -> [String] {
    guard let directory = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Removes a file.
  func remove(_ name: String) { _ = unsafe unlink(self(name)) }

  /// Writes a file.
  func write(_ bytes: [UInt8], to name: String) {
    guard let file = unsafe fopen(self(name), "w") else { return }
    _ = unsafe bytes.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, bytes.count, file) }
    unsafe fclose(file)
  }

  func write(_ text: String, to name: String) { write(Array(text.utf8), to: name) }

  /// Reads any file; no bytes where there is none.
  static func bytes(of path: String) -> [UInt8] {
    guard let file = unsafe fopen(path, "r") else { return [] }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = unsafe fread(&chunk, 1, 65_536, file), count > 0 { bytes += chunk[..<count] }
    return bytes
  }

  /// Reads a file; nil where there is none.
  func read(_ name: String) -> [UInt8]? {
    guard let file = unsafe fopen(self(name), "r") else { return nil }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = unsafe fread(&chunk, 1, 65_536, file), count > 0 { bytes += chunk[..<count] }
    return bytes
  }
}

/// Keeps every diagnostic of a run.
final class Collected: DiagnosticSink {
  private(set) var all: [Diagnostic] = []
  func note(_ diagnostic: Diagnostic) { all.append(diagnostic) }
}

/// A variable of the environment.
func environment(_ name: String) -> String? {
  unsafe getenv(name).map { unsafe String(cString: $0) }
}
