import ByteStreams
import Diagnostics
import Glibc
import Records

/// A folder that files are gathered for: they stand in a new one beside it until all of them are complete.
///
/// Where the folder exists already its files are replaced one by one, the last one made last of all; others are left
/// alone.
final class ExportFolder {
  private let target: String
  private let gathering: String
  private var names: [String] = []
  private var taken: Set<String> = [descriptorName]

  /// What tells how the files are loaded again.
  static let descriptorName = "datapackage.json"

  /// Makes the place where files are gathered.
  ///
  /// - Throws: `WriteError.cannotCreate`.
  init(_ path: String) throws(WriteError) {
    var target = path[...]
    while target.count > 1, target.hasSuffix("/") { target.removeLast() }
    self.target = String(target)
    var template = Array((self.target + ".XXXXXX").utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) }.map { unsafe String(cString: $0) }
    }
    guard let made else { throw .cannotCreate(path: path, reason: Self.reason(errno)) }
    gathering = made
    // As any folder, and not for its owner alone.
    let mask = umask(0)
    _ = umask(mask)
    _ = unsafe chmod(gathering, 0o777 & ~mask)
  }

  deinit {
    for name in names { _ = unsafe unlink(gathering + "/" + name) }
    _ = unsafe rmdir(gathering)
  }

  /// A name for a file; one that is called like an earlier one but for case gets a number.
  ///
  /// - Parameters:
  ///   - stem: What it is called; what a file's name cannot hold is replaced.
  ///   - ending: Its extension, with the point.
  func name(for stem: String, _ ending: String) -> String {
    let safe = Self.safe(stem)
    var name = safe + ending
    var number = 2
    while !taken.insert(name.lowercased()).inserted {
      name = "\(safe)-\(number)\(ending)"
      number += 1
    }
    return name
  }

  /// Begins a file.
  func makeSink(named name: String) throws(WriteError) -> FileByteSink {
    names.append(name)
    return try FileByteSink(path: gathering + "/" + name)
  }

  /// Refuses to put a file in the place of a database.
  func refuse(over database: String) throws {
    for name in names + [Self.descriptorName] {
      try refuseOutput(target + "/" + name, over: database)
    }
  }

  /// Puts everything in its place.
  func finish() throws(WriteError) {
    if unsafe rename(gathering, target) == 0 {
      names = []
      return
    }
    // Something that is not empty stands there.
    for name in names {
      guard unsafe rename(gathering + "/" + name, target + "/" + name) == 0 else {
        throw .failed(path: target + "/" + name, reason: Self.reason(errno))
      }
    }
    names = []
  }

  /// A name without anything that leads elsewhere or is hard to type.
  private static func safe(_ stem: String) -> String {
    var name = ""
    for scalar in excerpt(of: stem, limit: 120).unicodeScalars {
      let isFine =
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "-_".unicodeScalars.contains(scalar)
      name.unicodeScalars.append(isFine ? scalar : "_")
    }
    return name.isEmpty ? "entity" : name
  }

  private static func reason(_ code: CInt) -> String {
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }
}
