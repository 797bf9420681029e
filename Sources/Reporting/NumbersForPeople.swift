extension Int64 {
  /// The digits in groups of three, such as `1,234,567`, whatever the locale.
  package var grouped: String { grouped(by: ",") }

  /// The digits in groups of three, parted by something.
  func grouped(by separator: Character) -> String {
    var reversed: [Character] = []
    for (position, digit) in String(magnitude).reversed().enumerated() {
      if position > 0, position % 3 == 0 { reversed.append(separator) }
      reversed.append(digit)
    }
    return (self < 0 ? "-" : "") + String(reversed.reversed())
  }

  /// The digits in groups of three, parted by narrow spaces that break no line.
  package var spaced: String { grouped(by: "\u{202F}") }

  /// The number and what it counts, such as `1 record` or `1,000 records`.
  package func counted(_ singular: String, _ plural: String, spaced isSpaced: Bool = false) -> String {
    (isSpaced ? spaced : grouped) + " " + (self == 1 ? singular : plural)
  }
}

extension Duration {
  /// Whole milliseconds, rounded to the nearest.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000 + (attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000
  }

  /// A length of time such as `0.01 s`, `12.3 s`, `2 min 5 s` or `1 h 2 min`; anything shorter than 10 ms is `0.01 s`.
  var forPeople: String {
    let hundredths = Swift.max((milliseconds + 5) / 10, 1)
    guard hundredths >= 1_000 else {
      let fraction = String(hundredths % 100)
      return "\(hundredths / 100)." + (fraction.count < 2 ? "0" : "") + fraction + " s"
    }
    let tenths = (milliseconds + 50) / 100
    guard tenths >= 600 else { return "\(tenths / 10).\(tenths % 10) s" }
    let seconds = (milliseconds + 500) / 1_000
    guard seconds >= 3_600 else { return "\(seconds / 60) min \(seconds % 60) s" }
    let minutes = (seconds + 30) / 60
    return (minutes / 60).grouped + " h \(minutes % 60) min"
  }

  /// Seconds with three decimals, as JSON writes a number.
  var decimalSeconds: String {
    let fraction = String(milliseconds % 1_000)
    return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}
