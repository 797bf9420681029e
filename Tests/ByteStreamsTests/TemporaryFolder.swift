import ByteStreams
import Diagnostics
import Glibc
import Records

/// A folder of its own for one test; it goes with everything in it.
final class TemporaryFolder: Sendable {
  let path: String

  init() {
    var template = Array("/tmp/importer-tests-XXXXXX".utf8CString)
    unsafe template.withUnsafeMutableBufferPointer { name in
      guard let base = name.baseAddress, unsafe mkdtemp(base) != nil else { preconditionFailure("no folder") }
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in names { _ = unsafe unlink(path + "/" + name) }
    for name in names { _ = unsafe rmdir(path + "/" + name) }
    _ = unsafe rmdir(path)
  }

  func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// What is in the folder, sorted.
  var names: [String] {
    guard let listing = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(listing) }
    var names: [String] = []
    while let entry = unsafe readdir(listing) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Makes a file by other means than those under test.
  func put(_ bytes: [UInt8], in name: String, mode: mode_t = 0o644) {
    guard let file = unsafe fopen(self(name), "w") else { preconditionFailure("cannot create \(name)") }
    _ = unsafe fwrite(bytes, 1, bytes.count, file)
    _ = unsafe fclose(file)
    _ = unsafe chmod(self(name), mode)
  }

  func put(_ text: String, in name: String, mode: mode_t = 0o644) { put(Array(text.utf8), in: name, mode: mode) }

  /// The content of a file, read by other means than those under test.
  func content(of name: String) -> [UInt8]? {
    guard let file = unsafe fopen(self(name), "r") else { return nil }
    defer { _ = unsafe fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe fread(&piece, 1, piece.count, file)
      guard count > 0 else { return bytes }
      bytes += piece[..<count]
    }
  }

  func text(of name: String) -> String? { content(of: name).map { String(decoding: $0, as: UTF8.self) } }

  func mode(of name: String) -> mode_t {
    var status = stat()
    _ = unsafe lstat(self(name), &status)
    return status.st_mode
  }
}

/// Everything a source has, asked for in pieces of `pieceSize`.
func readAll(_ source: consuming any ByteSource & ~Copyable, pieceSize: Int = 4096) throws(ReadError) -> [UInt8] {
  var text = TextBuffer()
  while try source.read(pieceSize, into: &text) > 0 {}
  return bytes(of: text)
}

func bytes(of text: borrowing TextBuffer) -> [UInt8] {
  unsafe text.withUnsafeBytes { bytes, count in
    unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  }
}

/// What `body` throws, or nil.
func failure<Failure: Error>(of body: () throws(Failure) -> Void) -> Failure? {
  do throws(Failure) {
    try body()
    return nil
  } catch { return error }
}
