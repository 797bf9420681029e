package import EntityModel

/// Numbers, written where there is room for them.
extension ValueSpelling {
  /// How many bytes a number in a column of this type takes at most.
  package static func byteBound(of type: AttributeType) -> Int {
    if case .decimal(_?, let scale?) = type { return 40 + scale }
    return 40
  }

  /// Writes a whole number as one of a type, in at most `byteBound(of:)` bytes; returns how many it took.
  package static func write(_ number: Int64, as type: AttributeType, to room: UnsafeMutablePointer<UInt8>) -> Int {
    switch type {
    case .boolean where number == 0 || number == 1:
      let word: StaticString = number == 0 ? "false" : "true"
      unsafe room.update(from: word.utf8Start, count: word.utf8CodeUnitCount)
      return word.utf8CodeUnitCount
    case .double: return unsafe write(number, zeros: 1, to: room)
    case .decimal(_?, let scale?): return unsafe write(number, zeros: scale, to: room)
    default: return unsafe write(number, to: room)
    }
  }

  /// Writes a number as one of a type, in at most `byteBound(of:)` bytes; returns how many it took.
  package static func write(_ number: Double, as type: AttributeType, to room: UnsafeMutablePointer<UInt8>) -> Int {
    guard case .decimal(_?, let scale) = type, abs(number) < 1e15 else { return unsafe write(number, to: room) }
    let decimals = min(scale ?? 0, 15)
    let factor = powerOfTen(decimals)
    let scaled = (number * Double(factor)).rounded()
    // A number with more decimals than its type has (another program wrote it) is spelled whole, never rounded.
    guard scaled.magnitude < 9e15, scaled / Double(factor) == number else { return unsafe write(number, to: room) }
    return unsafe write(Int64(scaled), decimals: decimals, to: room)
  }

  /// Writes a whole number in digits where there is room for 20 bytes; returns how many it took.
  package static func write(_ number: Int64, to room: UnsafeMutablePointer<UInt8>) -> Int {
    unsafe write(number.magnitude, isNegative: number < 0, to: room)
  }

  /// Writes a number as shortly as it can be read back, as Swift describes it; returns how many bytes it took, 40 at most.
  private static func write(_ number: Double, to room: UnsafeMutablePointer<UInt8>) -> Int {
    // Sums of money are what most numbers are. At most fifteen digits that give the number back are the shortest ones:
    // no two such decimals are the same number.
    let scaled = (number * 100).rounded()
    if scaled.magnitude < 1e15, scaled != 0, scaled / 100 == number {
      let hundredths = Int64(scaled)
      return unsafe hundredths % 10 == 0
        ? write(hundredths / 10, decimals: 1, to: room) : write(hundredths, decimals: 2, to: room)
    }
    var description = number.description
    return description.withUTF8 { utf8 in
      guard let base = utf8.baseAddress else { return 0 }
      unsafe room.update(from: base, count: utf8.count)
      return utf8.count
    }
  }

  private static func write(_ number: Int64, zeros: Int, to room: UnsafeMutablePointer<UInt8>) -> Int {
    let count = unsafe write(number, to: room)
    guard zeros > 0 else { return count }
    unsafe room[count] = UInt8(ascii: ".")
    unsafe (room + count + 1).update(repeating: UInt8(ascii: "0"), count: zeros)
    return count + 1 + zeros
  }

  /// Writes a number that is given in units of its last decimal.
  private static func write(_ scaled: Int64, decimals: Int, to room: UnsafeMutablePointer<UInt8>) -> Int {
    let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt64(powerOfTen(decimals)))
    var count = unsafe write(whole, isNegative: scaled < 0, to: room)
    guard decimals > 0 else { return count }
    unsafe room[count] = UInt8(ascii: ".")
    count += 1
    var digits = rest
    for position in stride(from: count + decimals - 1, through: count, by: -1) {
      unsafe room[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digits % 10)
      digits /= 10
    }
    return count + decimals
  }

  private static func write(_ magnitude: UInt64, isNegative: Bool, to room: UnsafeMutablePointer<UInt8>) -> Int {
    var digits = 1
    var bound: UInt64 = 10
    while digits < 19, magnitude >= bound {
      digits += 1
      bound &*= 10
    }
    if digits == 19, magnitude >= 10_000_000_000_000_000_000 { digits = 20 }
    var start = 0
    if isNegative {
      unsafe room[0] = UInt8(ascii: "-")
      start = 1
    }
    var rest = magnitude
    for position in stride(from: start + digits - 1, through: start, by: -1) {
      unsafe room[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    return start + digits
  }

  private static func powerOfTen(_ exponent: Int) -> Int64 {
    var power: Int64 = 1
    for _ in 0..<exponent { power *= 10 }
    return power
  }
}
