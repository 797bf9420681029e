package import EntityModel
import Glibc

/// What the two files of an input's rejects are called, and which files are such ones.
///
/// ```text
/// data/contacts.txt            data/contacts.rejected.txt      data/contacts.rejects.csv
/// … a second time              data/contacts.rejected-2.txt    data/contacts.rejects-2.csv
/// data/feed.csv.gz             data/feed.rejected.csv          data/feed.rejects.csv
/// data/contacts.rejected.txt   data/contacts.rejected-2.txt    data/contacts.rejects-2.csv
/// -                            stdin.rejected.xml              stdin.rejects.csv
/// ```
///
/// The rejects of a mended rejects file get the next number of the same series, not a name that grows with each round.
package struct RejectionNames: Sendable, Hashable {
  /// Where the files go: empty for the working directory, else with a slash at its end.
  package let folder: String
  /// The name that both files share.
  package let stem: String
  /// The extension of the rejected records, with its dot; empty for an input without one.
  package let suffix: String

  /// Names the files for an input.
  ///
  /// - Parameters:
  ///   - input: Its path; `-`, and devices such as `/dev/fd/63`, are streams without a place of their own.
  ///   - format: Gives a stream's rejects their extension.
  ///   - folder: Where they go instead of beside the input.
  package init(input: String, format: FileFormat, folder: String? = nil) {
    let isStream =
      input == "-" || input.hasPrefix("/proc/")
      // What else is there are devices, but /dev/shm is a place for files.
      || input.hasPrefix("/dev/") && !input.hasPrefix("/dev/shm/")
    let (directory, name) = isStream ? ("", "stdin" + format.suffix) : split(input)
    let parts = NameParts(uncompressed(name))
    if let folder, !folder.isEmpty {
      self.folder = folder.hasSuffix("/") ? folder : folder + "/"
    } else {
      self.folder = directory
    }
    stem = shortened(parts.stem, keepingRoomFor: parts.suffix)
    suffix = parts.suffix
  }

  /// The path of the rejected records; the first number is 1.
  package func rejected(number: Int) -> String {
    folder + stem + ".rejected" + (number > 1 ? "-\(number)" : "") + suffix
  }

  /// The path of the faults; the first number is 1.
  package func faults(number: Int) -> String {
    folder + stem + ".rejects" + (number > 1 ? "-\(number)" : "") + ".csv"
  }

  /// The first number that is free for both files.
  package var firstFreeNumber: Int {
    var number = 1
    while [rejected(number: number), faults(number: number)].contains(where: Self.isTaken) { number += 1 }
    return number
  }

  private static func isTaken(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// Whether a path is named like one of the two files; a folder is loaded without them.
  package static func isRejectionFile(_ path: String) -> Bool {
    let name = split(path).name
    return NameParts(name).isRejected || NameParts(name).isFaults
  }

  /// Whether a path is named like a table of faults, which is no data to load.
  package static func isFaultTable(_ path: String) -> Bool { NameParts(split(path).name).isFaults }

  /// The input that a file of rejected records came from, such as `contacts.txt` for `contacts.rejected-2.txt`; any other path as it is.
  ///
  /// Under that name its model and entity are found when it is loaded again.
  package static func original(of path: String) -> String {
    let (directory, name) = split(path)
    let parts = NameParts(name)
    return parts.isRejected ? directory + parts.stem + parts.suffix : path
  }
}

extension FileFormat {
  /// The extension of a file in this format.
  fileprivate var suffix: String {
    self == .text ? ".txt" : "." + rawValue
  }
}

/// A file name in parts: `contacts`, `.rejected-2`, `.txt`; the marker is taken out.
private struct NameParts {
  let stem: String
  let suffix: String
  var isRejected = false
  var isFaults = false

  init(_ name: String) {
    let (stem, suffix) = Self.cut(name)
    if Self.isMarker(suffix, ".rejected") {
      // A name without an extension: `contacts.rejected`.
      (self.stem, self.suffix, isRejected) = (stem, "", true)
      return
    }
    let (shorter, marker) = Self.cut(stem)
    isRejected = Self.isMarker(marker, ".rejected")
    isFaults = Self.isMarker(marker, ".rejects") && suffix == ".csv"
    self.stem = isRejected ? shorter : stem
    self.suffix = suffix
  }

  /// Cuts before the last dot, unless nothing would stand before it or what follows is too long for an extension.
  private static func cut(_ name: String) -> (stem: String, suffix: String) {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name[dot...].utf8.count <= 32 else {
      return (name, "")
    }
    return (String(name[..<dot]), String(name[dot...]))
  }

  /// Whether it is the marker, alone or with a number from 2.
  private static func isMarker(_ text: String, _ marker: String) -> Bool {
    guard text.hasPrefix(marker) else { return false }
    let rest = text.dropFirst(marker.count)
    if rest.isEmpty { return true }
    guard rest.first == "-", let number = Int(rest.dropFirst()) else { return false }
    return number > 1 && rest == "-\(number)"
  }
}

private func split(_ path: String) -> (directory: String, name: String) {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
  let start = path.utf8.index(after: slash)
  return (String(path[..<start]), String(path[start...]))
}

private func uncompressed(_ name: String) -> String {
  name.utf8.count > 3 && name.lowercased().hasSuffix(".gz") ? String(name.dropLast(3)) : name
}

/// Cuts a stem so that the longest name made from it is one that file systems take (255 bytes).
private func shortened(_ stem: String, keepingRoomFor suffix: String) -> String {
  let room = 255 - ".rejected-1000000".utf8.count - max(suffix.utf8.count, ".csv".utf8.count)
  var cut = stem
  while cut.utf8.count > room { cut.unicodeScalars.removeLast() }
  return cut
}
