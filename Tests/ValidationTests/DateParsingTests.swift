import Records
import Testing
import Validation

private func date(_ text: String) -> CalendarTime? { parseISODate(Array(text.utf8).span) }

private func moment(_ text: String) -> CalendarTime? { parseISODateTime(Array(text.utf8).span) }

private func parse(_ text: String, as pattern: String) throws -> CalendarTime? {
  try DatePattern(pattern).parse(Array(text.utf8).span)
}

@Suite struct ISODates {
  @Test(arguments: ["2024-02-29", "1999-12-31", "0001-01-01", "9999-12-31"]) func `real dates are read`(_ text: String)
  {
    #expect(date(text) != nil)
  }

  @Test(arguments: [
    "2023-02-29", "2024-02-30", "2024-13-01", "2024-00-01", "2024-01-00", "2024-1-1", "20240101", "2024/01/01",
    "2024-01-01 ", "", "1900-02-29", "2024-01-01T00:00",
  ]) func `anything else is not a date`(_ text: String) {
    #expect(date(text) == nil)
  }

  static let moments: [(String, Int64)] = [
    ("1970-01-01T00:00:00Z", 0), ("2012-12-31T23:59:59Z", 1_356_998_399), ("2013-02-11T09:30:00+0100", 1_360_571_400),
    ("2013-02-11T09:30:00+01:00", 1_360_571_400), ("2013-02-11 08:30", 1_360_571_400),
    ("2000-02-29T12:00:00.125-05:30", 951_845_400),
    ("0000-03-01T00:00:00Z", -62_162_035_200), ("1969-12-31T23:59:59Z", -1),
  ]

  @Test(arguments: moments) func `a date and time is an instant`(_ text: String, _ seconds: Int64) {
    #expect(moment(text)?.secondsSinceEpoch == seconds)
  }

  @Test(arguments: [
    "2024-01-01", "2024-01-01T24:00:00Z", "2024-01-01T00:60", "2024-01-01T00:00:60Z", "2024-01-01T00:00:00.Z",
    "2024-01-01T00:00:00+25:00", "2024-01-01T00:00:00 Z", "2024-01-01T0:00", "2024-01-01T00:00:00+01:0",
  ]) func `a wrong time of day is refused`(_ text: String) {
    #expect(moment(text) == nil)
  }

  @Test func `seconds since 1970 and back are the same instant`() throws {
    for seconds in stride(from: Int64(-62_167_219_200), through: 253_402_300_799, by: 86_399_000_017 / 7) {
      #expect(try #require(CalendarTime(secondsSinceEpoch: seconds)).secondsSinceEpoch == seconds)
    }
    #expect(CalendarTime(secondsSinceEpoch: 253_402_300_800) == nil)
  }
}

@Suite struct DatePatterns {
  static let readable: [(pattern: String, text: String, seconds: Int64)] = [
    ("%d/%m/%Y", "31/12/2012", 1_356_912_000), ("d/M/yyyy", "1/3/2013", 1_362_096_000),
    ("dd/MM/yyyy", "01/03/2013", 1_362_096_000),
    ("yyyy-MM-dd'T'HH:mm:ssZ", "2013-02-11T09:30:00+0100", 1_360_571_400),
    ("yyyy-MM-dd'T'HH:mm:ssZ", "2012-12-31T23:59:59Z", 1_356_998_399), ("UnixTime", "1356998399", 1_356_998_399),
    ("UnixTime", "-1", -1), ("UnixTime", "1388349427543", 1_388_349_427), ("UnixTime", "1388349427.5", 1_388_349_427),
    ("yyyy", "1998", 883_612_800), ("%Y", "1998", 883_612_800),
    ("%d.%m.%y", "01.02.70", 2_678_400),
    ("%d.%m.%y", "01.02.68", 3_095_280_000), ("%b %d, %Y", "Mar 01, 2013", 1_362_096_000),
    ("%B %e %Y", "march 1 2013", 1_362_096_000),
    ("EEE, d MMM yyyy", "Fri, 1 Mar 2013", 1_362_096_000), ("%I:%M %p %F", "12:30 AM 1970-01-01", 1800),
    ("hh:mm a yyyy-MM-dd", "12:30 pm 1970-01-01", 45_000), ("%Y%j", "1970032", 2_678_400),
    ("yyyyMMdd", "20130301", 1_362_096_000),
    ("'''T' yyyy", "'T 1970", 0), ("%Y-%m-%dT%H:%M:%S.%f%z", "1970-01-01T00:00:01.500+00:00", 1),
  ]

  @Test(arguments: readable) func `a declared pattern is read`(
    _ example: (pattern: String, text: String, seconds: Int64)
  ) throws {
    let time = try parse(example.text, as: example.pattern)
    #expect(time?.secondsSinceEpoch == example.seconds, "\(example)")
  }

  static let unreadable = [
    ("d/M/yyyy", "31/2/2013"), ("%d/%m/%Y", "31/2/2013"), ("dd/MM/yyyy", "1/3/2013"), ("d/M/yyyy", "1/3/2013 "),
    ("d/M/yyyy", "1-3-2013"),
    ("UnixTime", "12x"), ("UnixTime", ""), ("UnixTime", "-1.5"), ("UnixTime", "99999999999999"),
    ("UnixTime", "-138834942754"), ("UnixTime", "123456789012x"), ("%I", "13"),
    ("%H", "24"),
    ("MMM", "Foo"), ("%j", "000"), ("yyyy", "98"),
  ]

  @Test(arguments: unreadable) func `what is not in the pattern, or no real date, is refused`(
    _ pattern: String,
    _ text: String
  ) throws {
    #expect(try parse(text, as: pattern) == nil)
  }

  @Test(arguments: ["%Q", "bogus", "%", "'open", "", "--", "yyyy-QQ"]) func `a pattern that is none says so`(
    _ pattern: String
  ) {
    #expect(throws: (any Error).self) { try DatePattern(pattern) }
  }
}
