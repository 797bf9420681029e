/// How many different values there were, estimated from their hashes in a fixed amount of memory (HyperLogLog).
///
/// The estimator is that of O. Ertl, "New cardinality estimation algorithms for HyperLogLog sketches" (2017), section 4,
/// which needs no tables of corrections and holds from no value to 2^60 of them.
struct DistinctEstimate {
  private var registers: [UInt8]
  private let precision: Int

  /// Makes an estimate of no values.
  ///
  /// - Parameter precision: 4 to 16; there are 2^precision registers of a byte.
  init(precision: Int) {
    self.precision = precision
    registers = [UInt8](repeating: 0, count: 1 << precision)
  }

  /// The standard error, as a part of the count.
  var relativeError: Double { 1.04 / Double(registers.count).squareRoot() }

  /// Takes a value into account.
  mutating func add(_ hash: UInt64) {
    let register = Int(truncatingIfNeeded: hash >> UInt64(64 - precision))
    let rest = hash << UInt64(precision) | 1 << UInt64(precision - 1)
    let rank = UInt8(truncatingIfNeeded: rest.leadingZeroBitCount + 1)
    if registers[register] < rank { registers[register] = rank }
  }

  /// The estimate.
  var count: Double {
    let mostRank = 64 - precision
    var counts = [Double](repeating: 0, count: mostRank + 2)
    for rank in registers { counts[Int(rank)] += 1 }
    let total = Double(registers.count)
    var sum = total * Self.tau(1 - counts[mostRank + 1] / total)
    for rank in stride(from: mostRank, through: 1, by: -1) { sum = 0.5 * (sum + counts[rank]) }
    sum += total * Self.sigma(counts[0] / total)
    return sum.isInfinite ? 0 : total * total / (2 * 0.693_147_180_559_945_3 * sum)
  }

  /// The weight of the registers that no value has touched.
  private static func sigma(_ part: Double) -> Double {
    guard part < 1 else { return .infinity }
    var (power, factor, sum) = (part, 1.0, part)
    while true {
      power *= power
      let next = sum + power * factor
      guard next != sum else { return sum }
      sum = next
      factor += factor
    }
  }

  /// The weight of the registers that are full.
  private static func tau(_ part: Double) -> Double {
    guard part > 0, part < 1 else { return 0 }
    var (root, factor, sum) = (part, 1.0, 1 - part)
    while true {
      root = root.squareRoot()
      factor *= 0.5
      let next = sum - (1 - root) * (1 - root) * factor
      guard next != sum else { return sum / 3 }
      sum = next
    }
  }
}
