import Diagnostics

extension DatePattern {
  /// Compiles strftime's conversions, as POSIX strptime reads them, without those that depend on a locale.
  static func compileStrftime(_ pattern: [UInt8], spelling: String) throws(ModelError) -> [Step] {
    var steps: [Step] = []
    var position = 0
    while position < pattern.count {
      let byte = pattern[position]
      position += 1
      guard byte == UInt8(ascii: "%") else {
        steps.append(.literal(byte))
        continue
      }
      guard position < pattern.count else { throw unknownLetter("%", in: spelling) }
      // `%-d` asks for no padding when writing; when reading both are taken.
      if pattern[position] == UInt8(ascii: "-"), position + 1 < pattern.count { position += 1 }
      let letter = pattern[position]
      position += 1
      switch letter {
      case UInt8(ascii: "Y"): steps.append(.number(.year, leastDigits: 4, mostDigits: 4))
      case UInt8(ascii: "y"): steps.append(.twoDigitYear)
      case UInt8(ascii: "m"): steps.append(.number(.month, leastDigits: 1, mostDigits: 2))
      case UInt8(ascii: "d"), UInt8(ascii: "e"): steps.append(.number(.day, leastDigits: 1, mostDigits: 2))
      case UInt8(ascii: "j"): steps.append(.number(.dayOfYear, leastDigits: 1, mostDigits: 3))
      case UInt8(ascii: "H"): steps.append(.number(.hour, leastDigits: 1, mostDigits: 2))
      case UInt8(ascii: "I"): steps.append(.number(.hourOfHalf, leastDigits: 1, mostDigits: 2))
      case UInt8(ascii: "M"): steps.append(.number(.minute, leastDigits: 1, mostDigits: 2))
      case UInt8(ascii: "S"): steps.append(.number(.second, leastDigits: 1, mostDigits: 2))
      case UInt8(ascii: "f"): steps.append(.fraction)
      case UInt8(ascii: "p"): steps.append(.halfOfDay)
      case UInt8(ascii: "z"): steps.append(.offset)
      case UInt8(ascii: "b"), UInt8(ascii: "h"): steps.append(.monthName(isShort: true))
      case UInt8(ascii: "B"): steps.append(.monthName(isShort: false))
      case UInt8(ascii: "a"): steps.append(.weekdayName(isShort: true))
      case UInt8(ascii: "A"): steps.append(.weekdayName(isShort: false))
      case UInt8(ascii: "s"): steps.append(.unixTime)
      case UInt8(ascii: "F"): steps += try compileStrftime(Array("%Y-%m-%d".utf8), spelling: spelling)
      case UInt8(ascii: "T"): steps += try compileStrftime(Array("%H:%M:%S".utf8), spelling: spelling)
      case UInt8(ascii: "R"): steps += try compileStrftime(Array("%H:%M".utf8), spelling: spelling)
      case UInt8(ascii: "D"): steps += try compileStrftime(Array("%m/%d/%y".utf8), spelling: spelling)
      case UInt8(ascii: "%"): steps.append(.literal(letter))
      default: throw unknownLetter("%" + String(decoding: [letter], as: UTF8.self), in: spelling)
      }
    }
    return try checked(steps, spelling: spelling)
  }

  /// Compiles Unicode's date field symbols (UTS 35, part 4) in English and the Gregorian calendar.
  static func compileUnicode(_ pattern: [UInt8], spelling: String) throws(ModelError) -> [Step] {
    var steps: [Step] = []
    var position = 0
    while position < pattern.count {
      let letter = pattern[position]
      if letter == UInt8(ascii: "'") {
        position = try appendQuoted(pattern, from: position, spelling: spelling, to: &steps)
        continue
      }
      var end = position + 1
      guard letter | 0x20 >= UInt8(ascii: "a"), letter | 0x20 <= UInt8(ascii: "z") else {
        steps.append(.literal(letter))
        position = end
        continue
      }
      while end < pattern.count, pattern[end] == letter { end += 1 }
      let count = end - position
      position = end
      // A number takes as many digits as it can; one letter allows fewer.
      func number(_ part: Part) -> Step { .number(part, leastDigits: min(count, 2), mostDigits: 2) }
      switch letter {
      case UInt8(ascii: "y"), UInt8(ascii: "u"):
        steps.append(count == 2 ? .twoDigitYear : .number(.year, leastDigits: count == 1 ? 1 : 4, mostDigits: 4))
      case UInt8(ascii: "M"), UInt8(ascii: "L"):
        steps.append(count <= 2 ? number(.month) : .monthName(isShort: count == 3))
      case UInt8(ascii: "d"): steps.append(number(.day))
      case UInt8(ascii: "D"): steps.append(.number(.dayOfYear, leastDigits: min(count, 3), mostDigits: 3))
      case UInt8(ascii: "E"): steps.append(.weekdayName(isShort: count <= 3))
      case UInt8(ascii: "H"): steps.append(number(.hour))
      case UInt8(ascii: "h"): steps.append(number(.hourOfHalf))
      case UInt8(ascii: "m"): steps.append(number(.minute))
      case UInt8(ascii: "s"): steps.append(number(.second))
      case UInt8(ascii: "S"): steps.append(.fraction)
      case UInt8(ascii: "a"): steps.append(.halfOfDay)
      case UInt8(ascii: "Z"), UInt8(ascii: "X"), UInt8(ascii: "x"): steps.append(.offset)
      default: throw unknownLetter(String(decoding: [letter], as: UTF8.self), in: spelling)
      }
    }
    return try checked(steps, spelling: spelling)
  }

  /// Takes a literal in single quotes; `''` is a quote, inside and outside.
  private static func appendQuoted(
    _ pattern: [UInt8],
    from start: Int,
    spelling: String,
    to steps: inout [Step]
  ) throws(ModelError) -> Int {
    let quote = UInt8(ascii: "'")
    var position = start + 1
    if position < pattern.count, pattern[position] == quote {
      steps.append(.literal(quote))
      return position + 1
    }
    while position < pattern.count {
      if pattern[position] == quote {
        guard position + 1 < pattern.count, pattern[position + 1] == quote else { return position + 1 }
        position += 1
      }
      steps.append(.literal(pattern[position]))
      position += 1
    }
    throw ModelError(
      source: "date format",
      message: "the pattern '\(excerpt(of: spelling))' has a quote that is not closed",
      remedy: "write literal text as 'T', and a quote itself as ''"
    )
  }

  private static func checked(_ steps: [Step], spelling: String) throws(ModelError) -> [Step] {
    let readsSomething = steps.contains { step in
      if case .literal = step { false } else { true }
    }
    guard !readsSomething else { return steps }
    throw ModelError(
      source: "date format",
      message: "the pattern '\(excerpt(of: spelling))' names no part of a date",
      remedy: "write it like %d/%m/%Y or dd/MM/yyyy, or UnixTime"
    )
  }

  private static func unknownLetter(_ letter: String, in spelling: String) -> ModelError {
    ModelError(
      source: "date format",
      message: "'\(excerpt(of: letter))' in the pattern '\(excerpt(of: spelling))' is not understood",
      remedy: "use %Y %y %m %d %H %I %M %S %f %p %z %b %B, or yyyy MM dd HH mm ss SSS a Z; literal letters in quotes"
    )
  }
}
