import Diagnostics
import Glibc

/// Finds the `contents` of a model that may be a bundle of versions, one version, or the file itself.
enum ModelPath {
  /// The longest model that is read.
  private static let byteLimit = 64 << 20

  /// The path of the `contents` to read.
  ///
  /// Of a `.xcdatamodeld`, the version that `.xccurrentversion` names counts; without that file, the last one in the
  /// order of names as people count (`Model 10` after `Model 9`).
  static func contents(of path: String) throws(ModelError) -> String {
    guard let names = try listing(of: path) else { return path }
    if names.contains("contents") { return path + "/contents" }
    if names.contains("elements") { throw binary(path) }
    let versions = names.filter { $0.hasSuffix(".xcdatamodel") }
    guard !versions.isEmpty else {
      throw ModelError(
        source: path,
        message: "the folder holds neither 'contents' nor a '.xcdatamodel'",
        remedy: "name a .xcdatamodeld, a .xcdatamodel or its 'contents'"
      )
    }
    let version = try currentVersion(of: path, among: names) ?? versions.max(by: isBefore) ?? versions[0]
    guard versions.contains(version) else {
      throw ModelError(
        source: path,
        message: "the current version '\(excerpt(of: version))' is not in the folder",
        remedy: "name one of its versions: "
          + versions.sorted(by: isBefore).map { "'\(excerpt(of: $0))'" }.joined(separator: ", ")
      )
    }
    return try contents(of: path + "/" + version)
  }

  /// The version that the property list `.xccurrentversion` names.
  private static func currentVersion(of path: String, among names: [String]) throws(ModelError) -> String? {
    guard names.contains(".xccurrentversion") else { return nil }
    let file = path + "/.xccurrentversion"
    let list = try XMLElement.read(try bytes(of: file), path: file)
    guard let dictionary = list.first("dict") else { return nil }
    var isNext = false
    for element in dictionary.children {
      if isNext { return element.text }
      isNext = element.name == "key" && element.text == "_XCCurrentVersionName"
    }
    return nil
  }

  /// The old binary form, which Xcode 3 wrote.
  static func binary(_ path: String) -> ModelError {
    ModelError(
      source: path,
      message: "the model is in Xcode 3's binary form ('elements')",
      remedy: "open and save it with a newer Xcode, which writes 'contents' in XML"
    )
  }

  /// Reads a whole file.
  static func bytes(of path: String) throws(ModelError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(path) }
      guard count > 0 else { return bytes }
      bytes += chunk[0..<count]
      guard bytes.count <= byteLimit else {
        throw ModelError(source: path, message: "the model is longer than \(byteLimit >> 20) MiB")
      }
    }
  }

  /// The names in a folder, in no order; nil if the path is no folder.
  private static func listing(of path: String) throws(ModelError) -> [String]? {
    guard let folder = unsafe opendir(path) else {
      if errno == ENOTDIR { return nil }
      throw unreadable(path)
    }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
        unsafe String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  private static func unreadable(_ path: String) -> ModelError {
    let code = errno
    let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    return ModelError(source: path, message: "cannot read it: \(reason)", remedy: "check the name of the model")
  }

  /// Orders names so that digits count as numbers.
  static func isBefore(_ left: String, _ right: String) -> Bool {
    let (left, right) = (pieces(of: left), pieces(of: right))
    for (first, second) in zip(left, right) where first != second {
      if let first = Int(first), let second = Int(second) { return first < second }
      return first < second
    }
    return left.count < right.count
  }

  /// Runs of digits and runs of other characters; a file's extension goes off first, so that `M` is before `M 2`.
  private static func pieces(of name: String) -> [String] {
    var pieces: [String] = []
    var wasDigit = false
    for scalar in name.unicodeScalars.prefix(while: { $0 != "." }) {
      let isDigit = ("0"..."9").contains(scalar)
      if isDigit == wasDigit, !pieces.isEmpty {
        pieces[pieces.count - 1].unicodeScalars.append(scalar)
      } else {
        pieces.append(String(scalar))
      }
      wasDigit = isDigit
    }
    return pieces
  }
}
