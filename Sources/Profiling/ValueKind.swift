/// What a value looks like, before anything is known of its column.
package enum ValueKind: UInt8, Sendable, Hashable, CaseIterable {
  /// Anything that is none of the others.
  case text
  /// Digits with an optional minus, at most 18, as an integer is printed.
  case integer
  /// Digits, a point and digits.
  case decimal
  /// A number that would be printed otherwise: `007`, `+39`, `1e5`, `.5`, or more than 18 digits.
  case otherNumber
  /// A number with a decimal comma, such as `12,5`.
  case commaNumber
  /// A number with points between groups of three digits, such as `1.234,56` or `1.234.567`.
  case pointGroupedNumber
  /// A number with commas between groups of three digits, such as `1,234` or `1,234.56`.
  case groupedNumber
  /// `2024-12-31`.
  case isoDate
  /// An ISO date with a time of day.
  case isoDatetime
  /// A date of which only the first number can be the day, such as `31/12/2024`.
  case dayFirstDate
  /// A date of which only the second number can be the day, such as `12/31/2024`.
  case monthFirstDate
  /// A date of which either number can be the day, such as `03/04/2024`.
  case ambiguousDate
  /// A date that begins with the year but is not written as ISO 8601 wants it, such as `2024/12/31` or `2024-1-5`.
  case yearFirstDate
  /// Written like a date, but there is no such day.
  case impossibleDate
  /// `true` or `false`.
  case boolean
  /// Another word for true or false, such as `TRUE` or `no`.
  case booleanWord
  /// A word that often stands for nothing, such as `NULL`, `N/A` or `-`.
  case nullWord
  /// Blanks alone.
  case blank

  /// Looks at a value that is not empty.
  package init(of text: Span<UInt8>) {
    guard text.count <= 40 else {
      self = .text
      return
    }
    let first = text[0]
    if first &- UInt8(ascii: "0") <= 9 || first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
      || first == UInt8(ascii: ".")
    {
      self = Self.numeric(text)
    } else {
      self = Self.word(text)
    }
  }

  // MARK: - Words

  private static func word(_ text: Span<UInt8>) -> ValueKind {
    switch text[0] {
    case 0x20, 0x09:
      for index in text.indices where text[index] != 0x20 && text[index] != 0x09 { return .text }
      return .blank
    case UInt8(ascii: "t"), UInt8(ascii: "T"), UInt8(ascii: "f"), UInt8(ascii: "F"), UInt8(ascii: "y"),
      UInt8(ascii: "Y"):
      return booleanWord(text)
    case UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "#"), UInt8(ascii: "?"), UInt8(ascii: "("),
      UInt8(ascii: "<"), UInt8(ascii: "\\"), UInt8(ascii: "u"), UInt8(ascii: "U"):
      return isNullWord(text) ? .nullWord : booleanWord(text)
    default: return .text
    }
  }

  private static func booleanWord(_ text: Span<UInt8>) -> ValueKind {
    guard text.count <= 5 else { return .text }
    if isWord(text, "true", foldsCase: false) || isWord(text, "false", foldsCase: false) { return .boolean }
    for word: StaticString in ["true", "false", "yes", "no", "y", "n", "t", "f"] where isWord(text, word) {
      return .booleanWord
    }
    return .text
  }

  private static func isNullWord(_ text: Span<UInt8>) -> Bool {
    guard text.count <= 9 else { return false }
    let words: [StaticString] = [
      "null", "none", "nil", "nan", "n/a", "na", "#n/a", "#na", "\\n", "(null)", "<null>", "(none)", "(blank)", "n.a.",
      "undefined", "unknown", "?", "??", "#value!", "#ref!", "#div/0!",
    ]
    for word in words where isWord(text, word) { return true }
    return false
  }

  private static func isWord(_ text: Span<UInt8>, _ word: StaticString, foldsCase: Bool = true) -> Bool {
    guard text.count == word.utf8CodeUnitCount else { return false }
    for index in text.indices {
      let byte = text[index]
      let folded = foldsCase && (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
      guard unsafe folded == word.utf8Start[index] else { return false }
    }
    return true
  }

  // MARK: - Numbers and dates

  private static func numeric(_ text: Span<UInt8>) -> ValueKind { plain(text) ?? grouped(text) }

  /// Whole numbers, numbers with decimals and ISO dates, which are most of all; nil leaves the rest to `grouped`.
  private static func plain(_ text: Span<UInt8>) -> ValueKind? {
    let start = text[0] == UInt8(ascii: "-") ? 1 : 0
    var position = start
    while position < text.count, text[position] &- UInt8(ascii: "0") <= 9 { position += 1 }
    guard position > start else { return nil }
    let isPlain = text[start] != UInt8(ascii: "0") || position == start + 1
    if position == text.count {
      return isPlain && position - start <= 18 && text[0] != UInt8(ascii: "-") ? .integer : nil
    }
    guard text[position] == UInt8(ascii: "."), isPlain, position + 1 < text.count else { return nil }
    position += 1
    while position < text.count, text[position] &- UInt8(ascii: "0") <= 9 { position += 1 }
    return position == text.count ? .decimal : nil
  }

  private static func grouped(_ text: Span<UInt8>) -> ValueKind {
    var groups = DigitGroups()
    let hasSign = text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+")
    var position = hasSign ? 1 : 0
    guard position < text.count else { return text[0] == UInt8(ascii: "-") ? .nullWord : .text }
    while true {
      let end = groups.takeGroup(text, from: position)
      guard end < text.count else { break }
      let mark = text[end]
      if mark | 0x20 == UInt8(ascii: "e") || mark == UInt8(ascii: "T") || mark == 0x20 {
        return afterGroups(text, groups, at: end)
      }
      guard !(hasSign && (mark == UInt8(ascii: "-") || mark == UInt8(ascii: "/"))), groups.takeMark(mark) else {
        return dashes(text)
      }
      position = end + 1
    }
    if groups.count == 1 { return whole(text, hasSign: hasSign, digitCount: groups.length(0)) }
    if !hasSign, let date = groups.date { return date }
    return groups.number(hasSign: hasSign, hasLeadingZero: hasLeadingZero(text, groups), hasPlus: text[0] == 0x2B)
  }

  private static func whole(_ text: Span<UInt8>, hasSign: Bool, digitCount: Int) -> ValueKind {
    guard digitCount > 0 else { return .text }
    let lead = text[hasSign ? 1 : 0]
    let isPlain =
      digitCount <= 18 && text[0] != UInt8(ascii: "+")
      && (lead != UInt8(ascii: "0") || (digitCount == 1 && !hasSign))
    return isPlain ? .integer : .otherNumber
  }

  private static func hasLeadingZero(_ text: Span<UInt8>, _ groups: DigitGroups) -> Bool {
    let start = text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+") ? 1 : 0
    return groups.length(0) > 1 && text[start] == UInt8(ascii: "0")
  }

  /// `--`, `---` and `.` alone are no values.
  private static func dashes(_ text: Span<UInt8>) -> ValueKind {
    guard text.count <= 3 else { return .text }
    for index in text.indices where text[index] != UInt8(ascii: "-") { return .text }
    return .nullWord
  }

  /// What follows the digits: an exponent, or a time of day.
  private static func afterGroups(_ text: Span<UInt8>, _ groups: DigitGroups, at end: Int) -> ValueKind {
    if text[end] | 0x20 == UInt8(ascii: "e") {
      guard groups.count <= 2, end + 1 < text.count else { return .text }
      var start = end + 1
      if text[start] == UInt8(ascii: "-") || text[start] == UInt8(ascii: "+") { start += 1 }
      guard start < text.count else { return .text }
      for index in start..<text.count where text[index] &- UInt8(ascii: "0") > 9 { return .text }
      return .otherNumber
    }
    guard let date = groups.date, end + 3 < text.count, text[end + 1] &- UInt8(ascii: "0") <= 9 else { return .text }
    var hasColon = false
    for index in (end + 1)..<text.count {
      let byte = text[index]
      hasColon = hasColon || byte == UInt8(ascii: ":")
      guard isOfTime(byte) else { return .text }
    }
    guard hasColon, text[text.count - 1] != 0x20 else { return .text }
    return date == .isoDate ? .isoDatetime : date
  }

  /// Digits, marks, `Z`, and the letters of `AM` and `PM`.
  private static func isOfTime(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x3A, 0x20, UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "Z"), UInt8(ascii: "A"), UInt8(ascii: "P"), UInt8(ascii: "M"), UInt8(ascii: "a"),
      UInt8(ascii: "p"), UInt8(ascii: "m"):
      true
    default: false
    }
  }
}

/// Runs of digits with a mark between each two, as numbers and dates have them.
private struct DigitGroups {
  private(set) var count = 0
  private var lengths: (Int, Int, Int, Int) = (0, 0, 0, 0)
  private var values: (Int, Int, Int, Int) = (0, 0, 0, 0)
  /// The marks between the groups, the first in the lowest byte.
  private var marks: UInt32 = 0

  func length(_ group: Int) -> Int {
    switch group {
    case 0: lengths.0
    case 1: lengths.1
    case 2: lengths.2
    default: lengths.3
    }
  }

  /// Reads digits; returns where they end.
  mutating func takeGroup(_ text: Span<UInt8>, from start: Int) -> Int {
    var position = start
    var value = 0
    while position < text.count, text[position] &- UInt8(ascii: "0") <= 9 {
      if position - start < 6 { value = value * 10 + Int(text[position] &- UInt8(ascii: "0")) }
      position += 1
    }
    switch count {
    case 0: (lengths.0, values.0) = (position - start, value)
    case 1: (lengths.1, values.1) = (position - start, value)
    case 2: (lengths.2, values.2) = (position - start, value)
    default: (lengths.3, values.3) = (position - start, value)
    }
    count += 1
    return position
  }

  /// Takes a mark behind a group; false where numbers and dates have none of its kind, or no more groups.
  mutating func takeMark(_ mark: UInt8) -> Bool {
    switch mark {
    case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: "-"), UInt8(ascii: "/"): break
    default: return false
    }
    guard count < 4 else { return false }
    marks |= UInt32(mark) << UInt32(8 * (count - 1))
    return true
  }

  private func mark(_ position: Int) -> UInt8 { UInt8(truncatingIfNeeded: marks >> UInt32(8 * position)) }

  /// Which kind of date three groups are.
  var date: ValueKind? {
    guard count == 3, mark(0) == mark(1), mark(0) != UInt8(ascii: ",") else { return nil }
    if lengths.0 == 4, (1...2).contains(lengths.1), (1...2).contains(lengths.2) {
      guard Self.isDay(values.2, month: values.1, year: values.0) else { return .impossibleDate }
      return mark(0) == UInt8(ascii: "-") && lengths.1 == 2 && lengths.2 == 2 ? .isoDate : .yearFirstDate
    }
    guard (1...2).contains(lengths.0), (1...2).contains(lengths.1), lengths.2 == 4 || lengths.2 == 2 else { return nil }
    let year = lengths.2 == 4 ? values.2 : 2000
    let canBeDayFirst = Self.isDay(values.0, month: values.1, year: year)
    let canBeMonthFirst = Self.isDay(values.1, month: values.0, year: year)
    return switch (canBeDayFirst, canBeMonthFirst) {
    case (true, true): .ambiguousDate
    case (true, false): .dayFirstDate
    case (false, true): .monthFirstDate
    case (false, false): lengths.2 == 4 ? .impossibleDate : nil
    }
  }

  private static func isDay(_ day: Int, month: Int, year: Int) -> Bool {
    guard (1...12).contains(month), day >= 1 else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return switch month {
    case 2: day <= (isLeap ? 29 : 28)
    case 4, 6, 9, 11: day <= 30
    default: day <= 31
    }
  }

  /// Which kind of number two to four groups are.
  func number(hasSign: Bool, hasLeadingZero: Bool, hasPlus: Bool) -> ValueKind {
    let last = mark(count - 2)
    guard length(count - 1) > 0 || (count == 2 && lengths.0 > 0 && last == UInt8(ascii: ".")) else { return .text }
    if count == 2 {
      switch last {
      case UInt8(ascii: "."):
        return lengths.0 > 0 && lengths.1 > 0 && !hasLeadingZero && !hasPlus ? .decimal : .otherNumber
      case UInt8(ascii: ","):
        guard lengths.0 > 0 else { return .text }
        return lengths.1 == 3 && lengths.0 <= 3 && values.0 > 0 ? .groupedNumber : .commaNumber
      default: return .text
      }
    }
    // Groups of three with one mark, and perhaps decimals behind the other.
    let grouping = mark(0)
    guard grouping == UInt8(ascii: ",") || grouping == UInt8(ascii: "."), (1...3).contains(lengths.0) else {
      return .text
    }
    for group in 1..<(count - 1) where length(group) != 3 || (group > 1 && mark(group - 1) != grouping) { return .text }
    guard last != grouping || length(count - 1) == 3 else { return .text }
    guard last == grouping || last == UInt8(ascii: ".") || last == UInt8(ascii: ",") else { return .text }
    return grouping == UInt8(ascii: ",") ? .groupedNumber : .pointGroupedNumber
  }
}
