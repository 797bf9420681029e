/// Which elements the user said are records: `contact` anywhere, or `/export/contacts/contact`.
///
/// A name stands for elements of any namespace; with a prefix that the document uses, for those of its namespace.
struct RecordPath: Sendable, Hashable {
  /// An element's name, without and with its prefix.
  struct Name: Sendable, Hashable {
    var local: String
    var qualified: String

    func matches(_ told: String) -> Bool { local == told || qualified == told }
  }

  /// As the user wrote it.
  let text: String
  /// The names from the outermost to the record's own.
  let names: [String]
  /// Whether the first name is the root's.
  let isAbsolute: Bool

  init(_ text: String) {
    self.text = text
    isAbsolute = text.utf8.first == UInt8(ascii: "/")
    names = text.split(separator: "/").map(String.init)
  }

  /// Whether an element's own name fits.
  func endsWith(_ name: Name) -> Bool { names.last.map(name.matches) ?? false }

  /// Whether an element of that name, below elements of those names, is meant.
  func matches(_ name: Name, below ancestors: some RandomAccessCollection<Name>) -> Bool {
    guard endsWith(name) else { return false }
    let wanted = names.dropLast()
    guard isAbsolute ? ancestors.count == wanted.count : ancestors.count >= wanted.count else { return false }
    return zip(ancestors.suffix(wanted.count), wanted).allSatisfy { $0.matches($1) }
  }
}
