import Diagnostics
import EntityModel
import Records
import TestSupport
import Testing

/// The reader against the plain parser of these tests, and its fast path against its slow one.
@Suite struct CSVDifferential {
  /// Pieces of hostile text, most of them short, so that all kinds of neighbours come up.
  static let pieces: [[UInt8]] = [
    [0x22], [0x22], [0x22, 0x22], [0x2C], [0x2C], [0x0A], [0x0A], [0x0D], [0x0D, 0x0A], [0x23], [0x61], [0x62, 0x63],
    [0x00], [0xEF, 0xBB, 0xBF], [0xC3, 0xA9], [0xFF], [0x22, 0x2C, 0x22], [0x22, 0x0A, 0x22],
    Array("ordinary text".utf8),
    Array(repeating: 0x78, count: 61),
  ]

  /// Text of pieces at random; `weirdness` is how often, in a hundred, a piece stands where a sound cell could.
  ///
  /// Lines end in one way or, for the last kind, in all ways.
  static func input(_ random: inout SplitMix64, width: Int, weirdness: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    let lineEnds: [[[UInt8]]] = [[[0x0A]], [[0x0D, 0x0A]], [[0x0D]], [[0x0A], [0x0A], [0x0D, 0x0A], [0x0D]]]
    let ends = lineEnds.randomElement(using: &random) ?? [[0x0A]]
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      for column in 0..<width {
        if column > 0 { bytes.append(0x2C) }
        if Int.random(in: 0..<100, using: &random) < weirdness {
          for _ in 0..<Int.random(in: 1...4, using: &random) { bytes += pieces.randomElement(using: &random) ?? [] }
        } else if Bool.random(using: &random) {
          bytes += Array("cell\(Int.random(in: 0...99_999, using: &random))".utf8)
        } else {
          bytes.append(0x22)
          for _ in 0..<Int.random(in: 0...3, using: &random) {
            for byte in pieces.randomElement(using: &random) ?? [] { bytes += byte == 0x22 ? [0x22, 0x22] : [byte] }
          }
          bytes.append(0x22)
        }
      }
      bytes += ends.randomElement(using: &random) ?? [0x0A]
    }
    if Bool.random(using: &random) { bytes.removeLast() }
    return bytes.isEmpty ? [0x61] : bytes
  }

  @Test(arguments: 0..<2000 as Range<UInt64>)
  func `records are those of a plain parser, at every chunk size`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let width = Int.random(in: 1...5, using: &random)
    let weirdness = [0, 0, 2, 10, 40][Int(seed % 5)]
    let input = Self.input(&random, width: width, weirdness: weirdness)
    let hasComments = seed % 3 == 0
    let dialect = CSVDialect.with {
      $0.header = .none
      $0.columns = (0..<width).map { "c\($0)" }
      $0.comment = hasComments ? "#" : nil
    }
    let table = try read(input, dialect)
    // Every twentieth input at all sizes, the others at one each.
    for chunkSize in seed % 20 == 0 ? chunkSizes : [chunkSizes[Int(seed % 7)]] {
      let isSame = table == (try read(input, dialect, chunkSize: chunkSize))
      #expect(isSame, "chunks of \(chunkSize) bytes")
    }

    var reference = ReferenceParser(
      Array(input.starts(with: [0xEF, 0xBB, 0xBF]) ? input[3...] : input[...]),
      width: width
    )
    reference.comment = hasComments ? 0x23 : nil
    for (index, record) in table.records.enumerated() {
      let next = reference.next()
      let expected = try #require(next, "there is one record too many")
      if reference.isSuspicious(expected) { return }
      #expect(record.raw == expected.raw)
      #expect(record.line == expected.line)
      #expect(record.ordinal == Int64(index + 1))
      if expected.isUnterminated {
        #expect(record.faults.map(\.code) == [.unterminatedQuote])
        #expect(record.isUnreadable)
      } else {
        #expect(record.cells == Array(expected.cells.prefix(width)))
        #expect(record.isUnreadable == expected.hasTextAfterQuote)
        var codes: Set<DiagnosticCode> = []
        if expected.hasTextAfterQuote { codes.insert(.textAfterQuote) }
        if expected.cells.count < width { codes.insert(.missingCell) }
        if expected.cells.count > width { codes.insert(.extraCell) }
        #expect(Set(record.faults.map(\.code)) == codes)
      }
    }
    let rest = reference.next()
    #expect(rest == nil)
  }

  @Test(arguments: 0..<1200 as Range<UInt64>)
  func `masks of 64 bytes and single bytes give the same`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed &+ 1_000_000)
    let width = Int.random(in: 1...5, using: &random)
    let input = Self.input(&random, width: width, weirdness: [5, 20, 60][Int(seed % 3)])
    let repairs = seed % 2 == 0
    let limits = ReadLimits(
      recordByteCount: seed % 4 == 0 ? 80 : 16 << 20,
      fieldByteCount: seed % 5 == 0 ? 50 : 1 << 20
    )
    let dialect = CSVDialect.with {
      $0.header = .none
      $0.columns = (0..<width).map { "c\($0)" }
      $0.badRows = repairs ? .repair : .reject
      $0.comment = seed % 3 == 0 ? "#" : nil
    }
    // An escape that never occurs rules the fast path out.
    var slow = dialect
    slow.escape = "\u{1}"
    let table = try read(input, dialect, limits: limits)
    #expect(table == (try read(input, slow, limits: limits)))
    #expect(
      table == (try read(input, seed % 3 == 1 ? slow : dialect, chunkSize: chunkSizes[Int(seed % 7)], limits: limits))
    )

    // What was read stands in the input, in order, and nothing is read twice.
    var end: Int64 = 0
    for record in table.records {
      #expect(record.byteOffset >= end)
      end = record.byteOffset + Int64(record.raw.count)
      #expect(Array(input[Int(record.byteOffset)..<Int(end)]) == record.raw)
      if repairs { #expect(record.cells.count == width || !record.faults.isEmpty) }
    }
    if dialect.comment == nil, limits.recordByteCount > 80 {
      let gaps = input.count - table.records.reduce(0) { $0 + $1.raw.count }
      let skippable = input.filter { $0 == 0x0A || $0 == 0x0D }.count + 3
      #expect(gaps <= skippable)
    }
  }
}
