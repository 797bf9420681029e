package import Diagnostics
package import Records

/// A declared way of writing dates, in strftime's letters (`%d/%m/%Y`), Unicode's (`dd/MM/yyyy`), or `UnixTime`.
///
/// Parts that a pattern lacks are those of 1970-01-01T00:00:00, so `yyyy` alone is the first of January.
package struct DatePattern: Sendable {
  /// One step of reading.
  enum Step: Sendable, Equatable {
    case literal(UInt8)
    case number(Part, leastDigits: Int, mostDigits: Int)
    case twoDigitYear
    case monthName(isShort: Bool)
    case weekdayName(isShort: Bool)
    case fraction
    case halfOfDay
    case offset
    case unixTime
  }

  /// What a number of a pattern stands for.
  enum Part: Sendable, Equatable {
    case year, month, day, hour, hourOfHalf, minute, second, dayOfYear
  }

  /// The pattern as the user wrote it.
  package let spelling: String
  let steps: [Step]

  /// Compiles a pattern; see the type for its letters.
  ///
  /// - Throws: `ModelError` naming the letter that is not understood.
  package init(_ spelling: String) throws(ModelError) {
    self.spelling = spelling
    if spelling == "UnixTime" {
      steps = [.unixTime]
    } else if spelling.utf8.contains(UInt8(ascii: "%")) {
      steps = try Self.compileStrftime(Array(spelling.utf8), spelling: spelling)
    } else {
      steps = try Self.compileUnicode(Array(spelling.utf8), spelling: spelling)
    }
  }

  /// Reads a text that is written in this pattern, all of it; nil if it is not, or names no real date.
  package func parse(_ text: Span<UInt8>) -> CalendarTime? {
    var time = CalendarTime()
    var isAfternoon: Bool?
    var dayOfYear: Int?
    var position = 0
    for step in steps {
      switch step {
      case .literal(let byte):
        guard position < text.count, text[position] == byte else { return nil }
        position += 1
      case .number(let part, let leastDigits, let mostDigits):
        let start = position
        var value = 0
        while position < text.count, position - start < mostDigits, text[position] &- UInt8(ascii: "0") <= 9 {
          value = value * 10 + Int(text[position] - UInt8(ascii: "0"))
          position += 1
        }
        guard position - start >= leastDigits else { return nil }
        switch part {
        case .year: time.year = value
        case .month: time.month = value
        case .day: time.day = value
        case .hour: time.hour = value
        case .hourOfHalf:
          guard (1...12).contains(value) else { return nil }
          time.hour = value % 12
        case .minute: time.minute = value
        case .second: time.second = value
        case .dayOfYear: dayOfYear = value
        }
      case .twoDigitYear:
        guard let year = digits(text, at: position, count: 2) else { return nil }
        time.year = year < 69 ? 2000 + year : 1900 + year  // POSIX, strptime %y
        position += 2
      case .monthName(let isShort):
        guard let (index, end) = Self.match(Self.months, isShort: isShort, in: text, at: position) else { return nil }
        time.month = index + 1
        position = end
      case .weekdayName(let isShort):
        guard let (_, end) = Self.match(Self.weekdays, isShort: isShort, in: text, at: position) else { return nil }
        position = end
      case .fraction:
        let end = endOfDigits(text, from: position)
        guard end > position else { return nil }
        time.fraction = position..<end
        position = end
      case .halfOfDay:
        guard position + 2 <= text.count, text[position + 1] | 0x20 == UInt8(ascii: "m") else { return nil }
        switch text[position] | 0x20 {
        case UInt8(ascii: "a"): isAfternoon = false
        case UInt8(ascii: "p"): isAfternoon = true
        default: return nil
        }
        position += 2
      case .offset:
        guard let (minutes, end) = parseOffset(text, at: position) else { return nil }
        time.offsetMinutes = minutes
        position = end
      case .unixTime:
        guard let (seconds, end) = Self.parseUnixTime(text) else { return nil }
        guard let moment = CalendarTime(secondsSinceEpoch: seconds) else { return nil }
        time = moment
        if end < text.count { time.fraction = (text[end] == UInt8(ascii: ".") ? end + 1 : end)..<text.count }
        position = text.count
      }
    }
    guard position == text.count else { return nil }
    if isAfternoon == true, time.hour < 12 { time.hour += 12 }
    if let dayOfYear {
      guard let (month, day) = Self.monthAndDay(ofDay: dayOfYear, year: time.year) else { return nil }
      time.month = month
      time.day = day
    }
    return time.isValid ? time : nil
  }

  /// Whether it reads a time of day.
  package var hasTimeOfDay: Bool {
    steps.contains { step in
      switch step {
      case .number(let part, _, _): part == .hour || part == .hourOfHalf || part == .minute || part == .second
      case .fraction, .halfOfDay, .offset, .unixTime: true
      case .literal, .twoDigitYear, .monthName, .weekdayName: false
      }
    }
  }

  /// Whether an ISO 8601 date could be read by this pattern as another day, as `yyyy-dd-MM` would.
  var isConfusableWithISO: Bool {
    guard steps.count > 2, case .number(.year, _, _) = steps[0], steps[1] == .literal(UInt8(ascii: "-")),
      case .number(let part, _, _) = steps[2]
    else { return false }
    return part != .month
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
  private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

  /// Matches an English name, or its first three letters, without regard to case.
  private static func match(
    _ names: [String],
    isShort: Bool,
    in text: Span<UInt8>,
    at position: Int
  ) -> (index: Int, end: Int)? {
    for (index, name) in names.enumerated() {
      let letters = isShort ? Array(name.utf8.prefix(3)) : Array(name.utf8)
      guard position + letters.count <= text.count else { continue }
      if letters.indices.allSatisfy({ text[position + $0] | 0x20 == letters[$0] | 0x20 }) {
        return (index, position + letters.count)
      }
    }
    return nil
  }

  /// Whole seconds with an optional sign, then perhaps a point and digits; a negative fraction is not taken.
  ///
  /// Thirteen digits count milliseconds: as seconds they would lie past the year 9999.
  private static func parseUnixTime(_ text: Span<UInt8>) -> (seconds: Int64, end: Int)? {
    var end = text.count > 0 && text[0] == UInt8(ascii: "-") ? 1 : 0
    end = endOfDigits(text, from: end)
    if end == 13, text.count == 13, text[0] != UInt8(ascii: "-"), text[0] != UInt8(ascii: "0") { end -= 3 }
    guard case .value(let seconds) = parseInteger(text.extracting(0..<end)) else { return nil }
    guard end < text.count else { return (seconds, end) }
    guard text[end] == UInt8(ascii: ".") else {
      return endOfDigits(text, from: end) == text.count ? (seconds, end) : nil
    }
    guard seconds >= 0, text[0] != UInt8(ascii: "-"), end + 1 < text.count,
      endOfDigits(text, from: end + 1) == text.count
    else { return nil }
    return (seconds, end)
  }

  private static func monthAndDay(ofDay dayOfYear: Int, year: Int) -> (month: Int, day: Int)? {
    var rest = dayOfYear
    guard rest >= 1 else { return nil }
    for month in 1...12 {
      let count = CalendarTime.dayCount(ofMonth: month, year: year)
      if rest <= count { return (month, rest) }
      rest -= count
    }
    return nil
  }
}
