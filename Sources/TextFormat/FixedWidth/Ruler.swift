import EntityModel
import Records

/// Lines of `-`, `=` and `+` that show where columns are.
///
/// ```text
/// id  name       +----+-------+      id | name
/// --  ========   | id | name  |     ----+-------
/// ```
enum Ruler {
  /// Whether a line is one: dashes or equals signs, parted by blanks or `+`, in at least one run.
  static func isRuler(_ line: Span<UInt8>) -> Bool {
    var marks = 0
    for index in line.indices {
      switch line[index] {
      case UInt8(ascii: "-"), UInt8(ascii: "="): marks += 1
      case UInt8(ascii: "+"), 0x20: break
      default: return false
      }
    }
    return marks > 1
  }

  /// The columns that a ruler shows; the last one is open, unless a `+` closes it.
  static func columns(of line: Span<UInt8>) -> [CharacterRange] {
    var columns: [CharacterRange] = []
    var start: Int?
    for index in 0...line.count {
      let byte = index < line.count ? line[index] : 0x20
      let isMark = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "=")
      if isMark, start == nil { start = index + 1 }
      if !isMark, let first = start {
        columns.append(CharacterRange(first: first, last: index))
        start = nil
      }
    }
    // Between bars a cell has a space on each side.
    let isBoxed = line.indices.contains { line[$0] == UInt8(ascii: "+") }
    if isBoxed { for index in columns.indices where columns[index].width ?? 0 > 1 { columns[index].first += 1 } }
    let isClosed = line.count > 0 && line[line.count - 1] == UInt8(ascii: "+")
    if let last = columns.indices.last, !isClosed { columns[last].last = nil }
    return columns
  }

  /// A ruler for columns; an open one gets a run as well.
  static func drawn(for columns: [CharacterRange]) -> [UInt8] {
    var line: [UInt8] = []
    for column in columns {
      line += repeatElement(0x20, count: column.first - 1 - line.count)
      line += repeatElement(UInt8(ascii: "-"), count: max(column.width ?? 3, 1))
    }
    return line
  }
}
