/// Instants as Core Data counts them: seconds from the first instant of 2001, in UTC.
enum ReferenceDate {
  /// The instant in ISO 8601, with milliseconds where it has a fraction.
  ///
  /// The calendar is Gregorian throughout; the algorithm counts days in eras of 400 years that begin on 1 March.
  static func string(secondsSince2001 seconds: Double) -> String {
    let milliseconds = Int64((seconds * 1000).rounded())
    let (days, millisecondOfDay) = floorDivide(milliseconds, by: 86_400_000)
    let (year, month, day) = date(daysSince2001: days)
    let (second, millisecond) = millisecondOfDay.quotientAndRemainder(dividingBy: 1000)
    let fraction = millisecond == 0 ? "" : "." + padded(millisecond, 3)
    return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + "T" + padded(second / 3600, 2) + ":"
      + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2) + fraction + "Z"
  }

  /// The seconds, as Xcode spells them, of an instant as `string` writes it; nil for any other text.
  static func interval(_ text: String) -> String? {
    let parts = text.split(whereSeparator: { "-T:.Z".contains($0) }).map { Int64($0) }
    guard parts.count == 6 || parts.count == 7, !parts.contains(nil) else { return nil }
    let numbers = parts.compactMap(\.self)
    guard numbers.allSatisfy({ $0.magnitude < 1_000_000 }) else { return nil }
    // March is the first month, so that the day that leap years add is a year's last.
    let shifted = (numbers[1] + 9) % 12
    let year = numbers[0] - (numbers[1] <= 2 ? 1 : 0) - 2000
    let (era, yearOfEra) = floorDivide(year, by: 400)
    let dayOfYear = (153 * shifted + 2) / 5 + numbers[2] - 1
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 306
    let seconds = days * 86_400 + numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
    let milliseconds = numbers.count == 7 ? numbers[6] : 0
    let interval = Double(seconds) + Double(milliseconds) / 1000
    guard string(secondsSince2001: interval) == text else { return nil }
    return milliseconds == 0 ? String(seconds) : String(interval)
  }

  private static func date(daysSince2001 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // 2000-03-01, the first day of an era, is 306 days before 2001-01-01.
    let (era, dayOfEra) = floorDivide(days + 306, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (2000 + era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  private static func floorDivide(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number.magnitude)
    return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
