import Diagnostics
import Records

/// The columns' names as the header lines are read, and what is wrong with them.
struct CSVHeader {
  /// The name of one column, and where it stands.
  struct Label {
    var name: String
    var location: SourceLocation
  }

  /// The columns so far, several lines joined by a space.
  private(set) var labels: [Label] = []
  /// How many header lines were read.
  private(set) var lineCount = 0
  private(set) var faults: [Diagnostic] = []

  /// Adds the cells of one header line: their bytes, unquoted, and their places.
  mutating func add(_ cells: [(bytes: [UInt8], location: SourceLocation)]) {
    lineCount += 1
    var hasEncodingFault = false
    for (column, cell) in cells.enumerated() {
      if column == labels.count { labels.append(Label(name: "", location: cell.location)) }
      let hasNUL = cell.bytes.contains(0)
      guard let name = String(validating: cell.bytes, as: UTF8.self), !hasNUL else {
        labels[column].name += "column \(column + 1)"
        if hasNUL {
          faults.append(.labelWithNUL(excerpt(of: cell.bytes.span), at: cell.location))
        } else if !hasEncodingFault {
          // One line is in one encoding: the others are at fault for the same reason.
          hasEncodingFault = true
          let line = Array(cells.map(\.bytes).joined(separator: [UInt8(ascii: ",")]))
          let remedy = encodingRemedy(for: line.span)
          faults.append(.labelNotUTF8(excerpt(of: cell.bytes.span), remedy, at: cell.location))
        }
        continue
      }
      if labels[column].name.isEmpty {
        labels[column] = Label(name: name, location: cell.location)
      } else if !name.isEmpty {
        labels[column].name += " " + name
      }
    }
  }

  /// Takes names that the user told.
  mutating func replace(with names: [String], file: String) {
    labels = names.map { Label(name: $0, location: SourceLocation(file: file)) }
  }

  /// Takes a column away.
  mutating func removeLabel(at column: Int) { labels.remove(at: column) }

  /// Adds a column that has no cell in the header.
  mutating func addLabel(_ name: String, at location: SourceLocation) {
    labels.append(Label(name: name, location: location))
  }

  /// Gives a column another name.
  mutating func rename(_ name: String, at column: Int) { labels[column].name = name }

  /// Adds a fault found while the header was read.
  mutating func refuse(_ fault: Diagnostic) { faults.append(fault) }

  /// A name in the letter case in which names are compared, as SQLite does: ASCII letters alone are alike.
  static func folded(_ name: some Sequence<UInt8>) -> [UInt8] {
    name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }

  /// Finds blank and repeated names.
  mutating func check() {
    var first: [[UInt8]: Int] = [:]
    for (column, label) in labels.enumerated() {
      if label.name.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
        faults.append(.blankLabel(column: column + 1, isLast: column == labels.count - 1, at: label.location))
        continue
      }
      let folded = Self.folded(label.name.utf8)
      if let earlier = first[folded] {
        faults.append(.duplicateLabel(label.name, first: earlier + 1, second: column + 1, at: label.location))
      } else {
        first[folded] = column
      }
    }
  }
}

extension Diagnostic {
  /// A header cell is empty.
  fileprivate static func blankLabel(column: Int, isLast: Bool, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .blankHeader,
      location: location,
      expected: "a name for every column",
      message: "column \(column) has no name in the header",
      remedy: isLast && column > 1
        ? "name it, or take the last delimiter away (--bad-rows repair reads the header without it); --columns gives all names"
        : "name it, give names with --columns, or read the line as a record with --header none"
    )
  }

  /// Two header cells have the same name, or names that differ in ASCII case alone, which SQLite takes for the same.
  fileprivate static func duplicateLabel(
    _ name: String,
    first: Int,
    second: Int,
    at location: SourceLocation
  ) -> Diagnostic {
    Diagnostic(
      code: .duplicateLabel,
      location: location,
      field: name,
      value: excerpt(of: name),
      expected: "a different name for every column",
      message: "columns \(first) and \(second) are both named '\(excerpt(of: name))' (letter case makes no difference)",
      remedy: "rename one of them, or give names with --columns"
    )
  }

  /// A header cell is no text in the encoding.
  fileprivate static func labelNotUTF8(_ value: String, _ remedy: String, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .encodingError,
      location: location,
      value: value,
      expected: "UTF-8",
      message: "the column name '\(value)' is not valid UTF-8",
      remedy: remedy
    )
  }

  /// A header cell has a character that text cannot hold.
  fileprivate static func labelWithNUL(_ value: String, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .illegalCharacter,
      location: location,
      value: value,
      expected: "a name without NUL",
      message: "the column name '\(value)' holds a NUL",
      remedy: "check that the file is text, and its encoding"
    )
  }
}
