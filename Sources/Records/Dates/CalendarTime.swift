/// A date and time of day in the proleptic Gregorian calendar, with the offset that was written, if any.
package struct CalendarTime: Equatable {
  package var year = 1970
  package var month = 1
  package var day = 1
  package var hour = 0
  package var minute = 0
  package var second = 0
  /// The digits after the second's point, as a slice of what was read.
  package var fraction: Range<Int>?
  /// Minutes east of UTC; nil when none was written.
  package var offsetMinutes: Int?

  /// The beginning of 1970.
  package init() {}

  /// Whether the numbers name a real date and time of day.
  package var isValid: Bool {
    (0...9999).contains(year) && (1...12).contains(month) && day >= 1
      && day <= Self.dayCount(ofMonth: month, year: year)
      && (0...23).contains(hour) && (0...59).contains(minute) && (0...59).contains(second)
      && (-1439...1439).contains(offsetMinutes ?? 0)
  }

  /// The number of days of a month, 1 to 12.
  package static func dayCount(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Seconds since 1970-01-01T00:00:00Z, without the fraction; no offset counts as UTC.
  package var secondsSinceEpoch: Int64 {
    Int64(daysSinceEpoch) * 86_400 + Int64(hour * 3600 + minute * 60 + second - (offsetMinutes ?? 0) * 60)
  }

  /// Days since 1970-01-01; years begin in March so that the leap day ends them.
  private var daysSinceEpoch: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The UTC time of so many seconds since 1970; nil outside the years 0 to 9999.
  package init?(secondsSinceEpoch seconds: Int64) {
    guard (-62_167_219_200...253_402_300_799).contains(seconds) else { return nil }
    var days = Int(seconds / 86_400)
    var rest = Int(seconds % 86_400)
    if rest < 0 {
      rest += 86_400
      days -= 1
    }
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    hour = rest / 3600
    minute = rest / 60 % 60
    second = rest % 60
    offsetMinutes = 0
  }
}
