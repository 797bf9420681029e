import Profiling
import TestSupport
import Testing

@Suite struct EstimatingColumns {
  /// Values that no bound holds, in an order that shows nothing.
  private static func values(_ distinct: Int, seed: UInt64) -> [Cell] {
    var random = SplitMix64(seed: seed)
    return (0..<distinct).map { .plain("\($0)-\(seed)") }.shuffled(using: &random)
  }

  @Test(arguments: [1, 2, 5, 11, 13] as [UInt64], [2_000, 30_000, 200_000])
  func `an estimate lies within four times its error`(seed: UInt64, distinct: Int) {
    let column = profile(Self.values(distinct, seed: seed), byteBudget: 1_000)
    #expect(!column.distinct.isExact)
    #expect(column.distinct.relativeError < 0.01)
    let error = Double(column.distinct.count) / Double(distinct) - 1
    #expect(error.magnitude < 4 * column.distinct.relativeError, "\(column.distinct.count) of \(distinct)")
  }

  @Test func `an estimate never exceeds the number of values`() {
    for count in 30...90 {
      #expect(profile(Self.values(count, seed: UInt64(count)), byteBudget: 400).distinct.count <= Int64(count))
    }
  }

  @Test(arguments: 0..<10 as Range<UInt64>) func `frequent values are found, and never counted too high`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var truth: [String: Int64] = [:]
    var cells: [Cell] = []
    for number in 0..<30_000 {
      // One in ten is 'often', one in twenty 'sometimes', the rest is hardly ever seen again.
      let text =
        switch Int.random(in: 0..<20, using: &random) {
        case 0, 1: "often"
        case 2: "sometimes"
        default: "v\(Int.random(in: 0..<20_000, using: &random))-\(number % 3)"
        }
      truth[text, default: 0] += 1
      cells.append(.plain(text))
    }
    let column = profile(cells, byteBudget: 5_000)
    #expect(!column.isTopExact)
    #expect(column.isUnique == false)
    #expect(column.top.prefix(2).map(\.value.text) == ["often", "sometimes"])
    for top in column.top { #expect(top.count <= truth[top.value.text] ?? 0) }
    // The counters miss at most two parts in their number of all values.
    let often = column.top.first.map(\.count) ?? 0
    #expect(often >= (truth["often"] ?? 0) - 30_000 * 2 / 256)
  }

  @Test func `remarks and kinds stay exact when the table is given up`() {
    var cells: [Cell] = []
    for number in 0..<3_000 {
      cells.append(.plain(number % 10 == 0 ? "\(number) " : "\(number * 7_919 % 3_000)"))
    }
    let column = profile(cells, byteBudget: 2_000)
    #expect(!column.distinct.isExact)
    #expect(column.remarks.map(\.remark) == [.surroundingSpace])
    #expect(column.remarks.map(\.count) == [300])
    #expect(column.kinds.map(\.kind) == [.text, .integer])
    #expect(column.kinds.map(\.count) == [300, 2_700])
    #expect(column.sample.map(\.text) == ["0 ", "1919", "838", "2757", "1676"])
  }

  @Test func `columns share one budget, and wide files stay within it`() {
    let names = (0..<1_200).map { "c\($0)" }
    let rows = (0..<60).map { row in names.indices.map { Cell.plain("value \(9_000 - row * 31 - $0)") } }
    let columns = profiles(columns: names, rows, byteBudget: 600_000)[0].columns
    #expect(columns.contains { !$0.distinct.isExact })
    #expect(columns.contains { $0.distinct.isExact })
    for column in columns {
      #expect(column.valueCount == 60)
      #expect(abs(Double(column.distinct.count) - 60) <= (column.distinct.isExact ? 0 : 12))
    }
  }
}
