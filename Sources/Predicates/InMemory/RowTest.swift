import EntityModel
import Records
import TextFolding

/// A predicate bound to the values of a row.
indirect enum RowTest {
  /// An attribute, and how its values take part in a comparison.
  struct Operand {
    enum Spelling {
      /// Numbers as they are, texts by their bytes without what `FoldingOptions` leave out.
      case plain(FoldingOptions)
      /// All numbers digit by digit.
      case decimal
      /// Times by their instant.
      case instant
    }

    var attribute: Int
    var spelling: Spelling
  }

  /// A value that takes part in a comparison.
  enum Compared: Equatable {
    case integer(Int64)
    case real(Double)
    case text([UInt8])
  }

  /// What a value is compared with.
  struct Constant {
    var value: Compared
    /// A decimal number of so few digits that doubles tell it from any other such number.
    var shortDecimal: Double?
  }

  /// Where in a text another one must stand.
  enum Place {
    case anywhere, start, end
  }

  case constant(Bool)
  case not(RowTest)
  case and([RowTest])
  case or([RowTest])
  case isMissing(Int)
  case comparison(Operand, Comparison.Operator, Constant)
  case attributes(Operand, Comparison.Operator, Operand)
  case holds(Operand, Place, [UInt8])
  case like(Operand, String)
  case matches(Operand, Regex<AnyRegexOutput>)

  func isFulfilled(by row: TestedRow, text: borrowing TextBuffer) -> Bool {
    switch self {
    case .constant(let value): return value
    case .not(let inner): return !inner.isFulfilled(by: row, text: text)
    case .and(let parts):
      for part in parts where !part.isFulfilled(by: row, text: text) { return false }
      return true
    case .or(let parts):
      for part in parts where part.isFulfilled(by: row, text: text) { return true }
      return false
    case .isMissing(let attribute): return row.isMissing(attribute)
    case .comparison(let operand, let sign, let constant):
      if let order = row.order(operand, constant, text: text) { return Self.isFulfilled(sign, by: order) }
      return Self.compare(row.operand(operand, text: text), constant.value, by: sign)
    case .attributes(let left, let sign, let right):
      return Self.compare(row.operand(left, text: text), row.operand(right, text: text), by: sign)
    case .holds(let operand, let place, let wanted):
      if let slice = row.plainText(operand) { return text.bytes(of: slice).holds(wanted, place) }
      guard case .text(let found)? = row.operand(operand, text: text) else { return false }
      return found.span.holds(wanted, place)
    case .like(let operand, let pattern):
      guard case .text(let found)? = row.operand(operand, text: text) else { return false }
      return isLike(String(decoding: found, as: UTF8.self), pattern)
    case .matches(let operand, let expression):
      guard case .text(let found)? = row.operand(operand, text: text) else { return false }
      return ((try? expression.wholeMatch(in: String(decoding: found, as: UTF8.self))) ?? nil) != nil
    }
  }

  /// Compares as SQLite does: nothing is equal to nothing, and has no order; numbers come before texts.
  private static func compare(_ left: Compared?, _ right: Compared?, by sign: Comparison.Operator) -> Bool {
    guard let left, let right else {
      let isSame = left == nil && right == nil
      return sign == .equal ? isSame : sign == .notEqual ? !isSame : false
    }
    return isFulfilled(sign, by: order(left, right))
  }

  private static func isFulfilled(_ sign: Comparison.Operator, by order: Int) -> Bool {
    switch sign {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    default: false
    }
  }

  private static func order(_ left: Compared, _ right: Compared) -> Int {
    switch (left, right) {
    case (.integer(let first), .integer(let second)): first < second ? -1 : first > second ? 1 : 0
    case (.real(let first), .real(let second)): first < second ? -1 : first > second ? 1 : 0
    case (.real(let first), .integer(let second)): order(first, second)
    case (.integer(let first), .real(let second)): -order(second, first)
    case (.text(let first), .text(let second)): first.span.order(second)
    case (.text, _): 1
    case (_, .text): -1
    }
  }

  /// Compares without rounding: neither type holds all values of the other.
  private static func order(_ real: Double, _ integer: Int64) -> Int {
    if real >= 0x1p63 { return 1 }
    if real < -0x1p63 { return -1 }
    let whole = Int64(real)
    if whole != integer { return whole < integer ? -1 : 1 }
    let fraction = real - Double(whole)
    return fraction > 0 ? 1 : fraction < 0 ? -1 : 0
  }
}

extension RowTest.Operand {
  func compared(_ number: Int64) -> RowTest.Compared? {
    switch spelling {
    case .plain: .integer(number)
    case .decimal, .instant: compared(Array(String(number).utf8).span)
    }
  }

  func compared(_ number: Double) -> RowTest.Compared? {
    switch spelling {
    case .plain: .real(number)
    case .decimal, .instant: compared(Array(number.description.utf8).span)
    }
  }

  func compared(_ bytes: Span<UInt8>) -> RowTest.Compared? {
    switch spelling {
    case .plain(let options): .text(folded(bytes, options))
    case .decimal: sortableDecimal(bytes).map { .text(Array($0.utf8)) }
    case .instant: sortableInstant(bytes).map { .text(Array($0.utf8)) }
    }
  }
}

extension RowTest.Compared {
  init(_ value: ComparedValue) {
    self =
      switch value {
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let text): .text(Array(text.utf8))
      }
  }
}
