import Diagnostics
import Records
import TestSupport
import Testing
import TextFormat

@Suite struct RecordsProperties {
  /// Pieces of the grammar, so that most inputs come near to its edges.
  static let pieces = [
    "a: ", "b:", "c:\t", "key: ", "a", ":", " ", "\t", "\n", "\n", "\n\n", "\r", "\r\n", "+", "+ ", "#", "%", "%null:",
    "%rec: K\n",
    "x", "\"", ",", "  ", "\u{0}", "è",
  ]

  static func input(seed: UInt64) -> Bytes {
    var random = SplitMix64(seed: seed)
    var bytes: Bytes = Bool.random(using: &random) ? [] : [0xEF, 0xBB, 0xBF]
    for _ in 0..<Int.random(in: 0..<40, using: &random) {
      bytes += Array((pieces.randomElement(using: &random) ?? "").utf8)
    }
    return bytes
  }

  /// Whether a key is one that the reader refuses, which the reference does not look at.
  private static func hasBadKey(_ read: ReadInput) -> Bool {
    read.records.contains { $0.faults.contains { $0 != .unreadableLine } }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `the reader agrees with the plain grammar`(seed: UInt64) throws {
    for part in 0..<20 as Range<UInt64> {
      let input = Self.input(seed: seed * 20 + part)
      let read = try readRecords(input)
      if Self.hasBadKey(read) { continue }
      #expect(
        read.records == ReferenceParser.parse(input),
        "\(String(decoding: input, as: UTF8.self).debugDescription)"
      )
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `pieces of any size give the same records, faults and names`(seed: UInt64) throws {
    let input = Self.input(seed: seed &+ 1 << 40)
    for recordByteCount in [16 << 20, 12] {
      func read(_ chunkSize: Int, _ chunk: Int) throws -> ReadInput? {
        do throws(ReadError) {
          return try readRecords(
            input,
            chunkSize: chunkSize,
            limits: ReadLimits(chunkByteCount: chunk, recordByteCount: recordByteCount)
          )
        } catch { return nil }
      }
      let whole = try read(.max, 128 << 10)
      for size in 1...max(input.count, 1) {
        #expect(try read(size, 128 << 10) == whole)
        // A blank line longer than a record is where a small buffer must give up and a large one need not.
        if recordByteCount > 12 { #expect(try read(.max, size) == whole, "chunk of \(size)") }
      }
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `reading what was written gives the same values`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let columns = Array(["a", "ab", "b c", "è", "x-1"].prefix(Int.random(in: 1...5, using: &random)))
    let alphabet = [
      "\n", "\r", "\r\n", " ", "\t", ":", ": ", "+", "+ ", "#", "%", "%null:", "a: ", "\u{0}", "\u{FEFF}", "x", "è",
      "\n\n",
    ]
    let rows: [[Bytes?]] = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
      columns.map { _ in
        guard Int.random(in: 0..<4, using: &random) > 0 else { return nil }
        return (0..<Int.random(in: 0..<6, using: &random)).flatMap { _ in
          Int.random(in: 0..<20, using: &random) == 0
            ? [0xFF] : Array((alphabet.randomElement(using: &random) ?? "").utf8)
        }
      }
    }
    let written = try writeRecords(rows, columns: columns)
    let read = try readRecords(written, chunkSize: Int.random(in: 1...50, using: &random))
    #expect(read.records.count == rows.count)
    for (record, row) in zip(read.records, rows) {
      #expect(columns.map { record.fields[$0] } == row, "\(String(decoding: written, as: UTF8.self).debugDescription)")
      #expect(record.kind == "Note" && record.faults.isEmpty && record.repeats.isEmpty)
    }
  }
}
