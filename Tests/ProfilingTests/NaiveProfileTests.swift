import Profiling
import Records
import TestSupport
import Testing

/// Everything that is counted, against the plainest way of counting it.
@Suite struct CountingLikeANaiveProgram {
  /// A column of values from an alphabet that makes repeats, twins and odd values likely.
  private static func values(seed: UInt64) -> [Cell] {
    var random = SplitMix64(seed: seed)
    let pieces = ["a", "A", "7", "0", "-", ".", ",", " ", "é", "\n", "x", "日", "/", "true", "N/A", "2024-01-02"]
    let most = Int.random(in: 1...4, using: &random)
    return (0..<Int.random(in: 0...400, using: &random)).map { _ in
      switch Int.random(in: 0..<12, using: &random) {
      case 0: return ""
      case 1: return .quoted("")
      case 2: return .absent
      case 3: return .bytes([0xC3, UInt8.random(in: 0...255, using: &random)])
      default:
        return .plain(
          (0..<Int.random(in: 1...most, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "a" }
            .joined()
        )
      }
    }
  }

  private static func bytes(_ cell: Cell) -> [UInt8]? {
    switch cell {
    case .plain(let text): text.isEmpty ? nil : Array(text.utf8)
    case .quoted(let text), .base64(let text): Array(text.utf8)
    case .bytes(let bytes): bytes
    case .absent: nil
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>) func `exact counts are exact`(seed: UInt64) {
    let values = Self.values(seed: seed)
    let column = profile(values, batchSize: Int(seed % 7) + 1)
    let found = values.compactMap(Self.bytes)
    var counts: [[UInt8]: Int64] = [:]
    for value in found { counts[value, default: 0] += 1 }
    #expect(column.valueCount == Int64(found.count))
    #expect(column.nullCount == Int64(values.count - found.count))
    #expect(column.emptyCount == Int64(found.count { $0.isEmpty }))
    #expect(column.distinct.isExact)
    #expect(column.distinct.count == Int64(counts.count))
    #expect(column.isUnique == (counts.count == found.count))
    let told = found.filter { !$0.isEmpty }
    #expect(column.least?.bytes == found.min { $0.lexicographicallyPrecedes($1) })
    #expect(column.greatest?.bytes == found.max { $0.lexicographicallyPrecedes($1) })
    for top in column.top { #expect(counts[top.value.bytes] == top.count) }
    let often = counts.values.filter { $0 > 1 }.sorted(by: >).prefix(10)
    #expect(column.top.map(\.count) == Array(often))
    #expect(column.kinds.reduce(0) { $0 + $1.count } == Int64(told.count))
    for kind in column.kinds {
      #expect(kind.count == Int64(told.count { ValueKind(of: $0.span) == kind.kind }))
      #expect(told.first { ValueKind(of: $0.span) == kind.kind } == kind.first.bytes)
    }
    let lengths = found.map { value in
      String(validating: value, as: UTF8.self)?.unicodeScalars.count ?? value.count
    }
    #expect(column.shortest?.characters == lengths.min())
    #expect(column.longest?.characters == lengths.max())
    let lines = told.count { $0.contains(0x0A) || $0.contains(0x0D) }
    #expect(column.remarks.first { $0.remark == .lineBreak }?.count ?? 0 == Int64(lines))
    let folded = Dictionary(grouping: counts.keys.filter { !$0.isEmpty }) { value in
      value.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }
    let twins = folded.values.filter { $0.count > 1 }.reduce(0) { $0 + $1.count }
    #expect(column.caseTwins?.count ?? 0 == Int64(twins))
  }

  @Test(arguments: 0..<60 as Range<UInt64>) func `what comes out does not depend on the batches`(seed: UInt64) {
    let values = Self.values(seed: seed)
    // A budget so small that the count is soon given up.
    for budget in [12 << 20, 2_000] {
      let whole = String(describing: profile(values, byteBudget: budget))
      for size in [1, 2, 3, 7, 64] {
        #expect(String(describing: profile(values, batchSize: size, byteBudget: budget)) == whole)
      }
    }
  }
}
