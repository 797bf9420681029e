import Glibc

/// A folder of its own for one test; it goes when the test ends.
final class ScratchFolder {
  let path: String

  init() {
    var template = Array("/tmp/importer-reporting-XXXXXX".utf8CString)
    unsafe template.withUnsafeMutableBufferPointer { buffer in
      if let base = buffer.baseAddress, unsafe mkdtemp(base) == nil { preconditionFailure("no scratch folder") }
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  /// The path of something in the folder.
  func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// The names in the folder, in order.
  var names: [String] { Self.names(in: path) }

  /// The bytes of a file in the folder; nil when there is none.
  func bytes(of name: String) -> [UInt8]? {
    let descriptor = unsafe open(self(name), O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// The text of a file in the folder; nil when there is none.
  func text(of name: String) -> String? { bytes(of: name).map { String(decoding: $0, as: UTF8.self) } }

  /// Makes a file in the folder.
  func make(_ name: String, _ text: String = "old") {
    let descriptor = unsafe open(self(name), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    _ = unsafe write(descriptor, text, text.utf8.count)
    close(descriptor)
  }

  private static func names(in path: String) -> [String] {
    guard let folder = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private static func remove(_ path: String) {
    for name in names(in: path) { remove(path + "/" + name) }
    _ = unsafe Glibc.remove(path)
  }
}
