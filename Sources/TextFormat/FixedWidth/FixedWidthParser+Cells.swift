/// What is a cell, and what should be none.
extension FixedWidthParser {
  /// A cell without its padding.
  func trimmed(_ text: UnsafePointer<UInt8>, _ cell: Range<Int>, isFull: Bool) -> Range<Int> {
    var end = cell.upperBound
    while end > cell.lowerBound, unsafe text[end - 1] == 0x20 { end -= 1 }
    var start = cell.lowerBound
    guard start < end, unsafe text[start] == 0x20 else { return start..<end }
    while unsafe text[start] == 0x20 { start += 1 }
    let isRightAligned = isFull && end == cell.upperBound
    if isRightAligned || (unsafe Self.isNumber(text, start..<end)) { return start..<end }
    return cell.lowerBound..<end
  }

  /// Whether text looks like a number; spaces before one are padding wherever it ends.
  private static func isNumber(_ text: UnsafePointer<UInt8>, _ range: Range<Int>) -> Bool {
    var hasDigit = false
    for index in range {
      switch unsafe text[index] {
      case 0x30...0x39: hasDigit = true
      case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: ","): break
      default: return false
      }
    }
    return hasDigit
  }

  /// The text in a range that should be blank; bars are as good as blanks where there are rulers.
  func strayText(_ text: UnsafePointer<UInt8>, _ range: Range<Int>) -> Range<Int>? {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (layout.hasRulers && byte == UInt8(ascii: "|")) }
    guard var start = range.first(where: { !isBlank(unsafe text[$0]) }) else { return nil }
    var end = range.upperBound
    while isBlank(unsafe text[end - 1]) { end -= 1 }
    // From a character's first byte on.
    while start > range.lowerBound, unsafe text[start] & 0xC0 == 0x80 { start -= 1 }
    return start..<end
  }
}
