/// Which values of a document are its records: those of the name `contact` anywhere, or at `/export/contacts` from the top.
///
/// A name is a member's; arrays on the way do not count. What it leads to is a record, or an array of them. `/` is the
/// document itself.
struct JSONRecordPath: Sendable {
  /// How many names a path may have; a longer one leads nowhere.
  private static let lengthLimit = 62

  /// Which beginnings of the path end at a value: bit n for the first n names.
  struct Progress: Sendable, Hashable {
    fileprivate var beginnings: UInt64
  }

  /// The names from the outermost to the records' own.
  let names: [String]
  private let spellings: [[UInt8]]
  private let isAbsolute: Bool

  /// Reads a path as the user wrote it.
  init(_ text: String) {
    names = text.split(separator: "/").map(String.init)
    spellings = names.map { Array($0.utf8) }
    isAbsolute = text.utf8.first == UInt8(ascii: "/")
  }

  /// The progress of the document's own value.
  var start: Progress { Progress(beginnings: 1) }

  /// Whether a value is a record or an array of them.
  func isComplete(_ progress: Progress) -> Bool {
    names.count <= Self.lengthLimit && progress.beginnings & (1 << UInt64(names.count)) != 0
  }

  /// The progress of the value of a member.
  ///
  /// - Parameters:
  ///   - name: What the member's name means.
  ///   - parent: The progress of the object that it is a member of.
  func progress(of name: Span<UInt8>, below parent: Progress) -> Progress {
    var next: UInt64 = isAbsolute ? 0 : 1
    for (index, spelling) in spellings.prefix(Self.lengthLimit).enumerated()
    where parent.beginnings & (1 << UInt64(index)) != 0 && Self.isSame(spelling, name) {
      next |= 1 << UInt64(index + 1)
    }
    return Progress(beginnings: next)
  }

  private static func isSame(_ spelling: [UInt8], _ name: Span<UInt8>) -> Bool {
    guard spelling.count == name.count else { return false }
    for index in name.indices where spelling[index] != name[index] { return false }
    return true
  }
}
