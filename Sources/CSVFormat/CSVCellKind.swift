/// What a cell looks like; good enough to tell a header from records, and no more.
enum CSVCellKind: Hashable {
  case empty, number, date, boolean, text

  init(_ cell: ArraySlice<UInt8>) {
    if cell.isEmpty {
      self = .empty
    } else if Self.isNumber(cell) {
      self = .number
    } else if Self.isDate(cell) {
      self = .date
    } else {
      let word = String(decoding: cell.prefix(6), as: UTF8.self).lowercased()
      self = cell.count < 6 && ["true", "false", "yes", "no"].contains(word) ? .boolean : .text
    }
  }

  /// Digits with a sign, points, commas or an exponent between them, such as `-1.234,5` or `1e5`.
  private static func isNumber(_ cell: ArraySlice<UInt8>) -> Bool {
    var digits = 0
    var previous: UInt8 = 0
    for (index, byte) in zip(cell.indices, cell) {
      switch byte {
      case 0x30...0x39: digits += 1
      case 0x2B, 0x2D: guard index == cell.startIndex || previous | 0x20 == 0x65 else { return false }
      case 0x2E, 0x2C: guard previous != byte else { return false }
      case 0x45, 0x65: guard digits > 0, index < cell.endIndex - 1 else { return false }
      case 0x25: guard index == cell.endIndex - 1 else { return false }
      default: return false
      }
      previous = byte
    }
    // Several points part thousands; other groups of digits are those of a date.
    guard cell.contains(0x2E) else { return digits > 0 && previous != 0x2C }
    let groups = cell.split(separator: 0x2E, omittingEmptySubsequences: false).dropFirst()
    if groups.count > 1, groups.contains(where: { $0.prefix { $0 != 0x2C }.count != 3 }) { return false }
    return digits > 0 && previous != 0x2C
  }

  /// Two or three groups of digits parted by `-`, `/`, `.` or `:`, with a time or an offset behind them perhaps.
  private static func isDate(_ cell: ArraySlice<UInt8>) -> Bool {
    guard (5...40).contains(cell.count), let first = cell.first, (0x30...0x39).contains(first) else { return false }
    var separators = 0
    for byte in cell {
      switch byte {
      case 0x30...0x39: continue
      case 0x2D, 0x2F, 0x2E, 0x3A: separators += 1
      case 0x54, 0x5A, 0x20, 0x2B: guard separators >= 2 else { return false }
      default: return false
      }
    }
    return separators >= 2 || (separators == 1 && cell.contains(0x3A))
  }
}
