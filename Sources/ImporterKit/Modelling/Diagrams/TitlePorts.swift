/// Parts the lines that meet a box beside its title, so that different signs do not cover each other.
///
/// Lines with the same sign share a place; each further sign gets one above or below, in the order of the lines' far ends.
struct TitlePorts {
  /// A line's end beside a title.
  struct End {
    let box: Int
    let isOnRight: Bool
    /// What is drawn there; ends with the same sign may meet.
    let sign: String
    /// How high the line's other end is.
    let farHeight: Double
  }

  private static let distance = 9.0

  /// How far below the title's middle each end stands.
  static func offsets(of ends: [End]) -> [Double] {
    var offsets = Array(repeating: 0.0, count: ends.count)
    for group in Dictionary(grouping: ends.indices, by: { [ends[$0].box, ends[$0].isOnRight ? 1 : 0] }).values {
      let bySign = Dictionary(grouping: group) { ends[$0].sign }
      guard bySign.count > 1 else { continue }
      let sorted = bySign.sorted { one, other in
        func mean(_ indices: [Int]) -> Double {
          indices.reduce(0) { $0 + ends[$1].farHeight } / Double(indices.count)
        }
        return (mean(one.value), one.key) < (mean(other.value), other.key)
      }
      // Beside the title there is room for so much.
      let step = min(distance, 24 / Double(sorted.count - 1))
      for (place, signed) in sorted.enumerated() {
        for index in signed.value { offsets[index] = (Double(place) - Double(sorted.count - 1) / 2) * step }
      }
    }
    return offsets
  }
}
