/// Which elements the user said are records: `contact` anywhere, or `/export/contacts/contact`.
struct RecordPath: Sendable, Hashable {
  /// As the user wrote it.
  let text: String
  /// The names from the outermost to the record's own.
  private let names: [String]
  /// Whether the first name is the root's.
  private let isAbsolute: Bool

  init(_ text: String) {
    self.text = text
    isAbsolute = text.utf8.first == UInt8(ascii: "/")
    names = text.split(separator: "/").map(String.init)
  }

  /// Whether an element's own name fits.
  func endsWith(_ name: String) -> Bool { names.last == name }

  /// Whether an element of that name, below elements of those names, is meant.
  func matches(_ name: String, below ancestors: some RandomAccessCollection<String>) -> Bool {
    guard names.last == name else { return false }
    let wanted = names.dropLast()
    guard isAbsolute ? ancestors.count == wanted.count : ancestors.count >= wanted.count else { return false }
    return ancestors.suffix(wanted.count).elementsEqual(wanted)
  }
}
