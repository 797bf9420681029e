import Records

/// Answers for which no value need be copied.
extension TestedRow {
  /// The order of a value and a constant, below 0 where the value comes first; nil where it must be spelled otherwise first.
  func order(_ operand: RowTest.Operand, _ constant: RowTest.Constant, text: borrowing TextBuffer) -> Int? {
    switch (values[start + operand.attribute], operand.spelling) {
    case (.integer(let number), .decimal):
      guard let wanted = constant.shortDecimal, number.magnitude < 1 << 53 else { return nil }
      return Double(number) < wanted ? -1 : Double(number) > wanted ? 1 : 0
    case (.real(let number), .decimal):
      // A decimal number is stored as a double only where 15 digits tell it.
      guard let wanted = constant.shortDecimal else { return nil }
      return number < wanted ? -1 : number > wanted ? 1 : 0
    case (.text(let slice), .plain(let options)):
      guard options.isEmpty, case .text(let wanted) = constant.value else { return nil }
      return text.bytes(of: slice).order(wanted)
    default: return nil
    }
  }

  /// A text that is searched as it stands.
  func plainText(_ operand: RowTest.Operand) -> TextSlice? {
    guard case .plain(let options) = operand.spelling, options.isEmpty,
      case .text(let slice) = values[start + operand.attribute]
    else { return nil }
    return slice
  }
}

extension Span<UInt8> {
  /// Which of two texts comes first by their bytes: below 0 this one, above 0 the other.
  func order(_ other: [UInt8]) -> Int {
    for position in 0..<Swift.min(count, other.count) where self[position] != other[position] {
      return self[position] < other[position] ? -1 : 1
    }
    return count - other.count
  }

  /// Whether a text stands in this one.
  func holds(_ wanted: [UInt8], _ place: RowTest.Place) -> Bool {
    guard count >= wanted.count else { return false }
    func stands(at start: Int) -> Bool {
      for position in wanted.indices where self[start + position] != wanted[position] { return false }
      return true
    }
    switch place {
    case .start: return stands(at: 0)
    case .end: return stands(at: count - wanted.count)
    case .anywhere:
      for start in 0...count - wanted.count where stands(at: start) { return true }
      return false
    }
  }
}
