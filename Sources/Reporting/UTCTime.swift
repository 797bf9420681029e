import Records

/// A moment as people and programs read it: UTC, to the second, whatever `TZ` says.
package struct UTCTime: Sendable, Hashable {
  /// Seconds since 1970-01-01T00:00:00Z.
  package let seconds: Int64

  /// Makes a moment.
  package init(seconds: Int64) {
    self.seconds = seconds
  }

  /// Such as `2026-11-30T02:00:00Z`.
  package var text: String {
    guard let time = CalendarTime(secondsSinceEpoch: seconds) else { return "\(seconds) s since 1970" }
    let date = [padded(time.year, 4), padded(time.month, 2), padded(time.day, 2)].joined(separator: "-")
    return date + "T" + [time.hour, time.minute, time.second].map { padded($0, 2) }.joined(separator: ":") + "Z"
  }

  /// Such as `2026-11-30 02:00`.
  package var textForPeople: String { String(textWithSeconds.dropLast(3)) }

  /// Such as `2026-11-30 02:00:07`.
  package var textWithSeconds: String { text.replacing("T", with: " ").replacing("Z", with: "") }

  private func padded(_ number: Int, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(count - digits.count, 0)) + digits
  }
}
