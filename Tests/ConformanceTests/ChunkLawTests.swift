import FuzzTargets
import Glibc
import Records
import TestSupport
import Testing

/// The laws that every reader keeps, on random files of every format.
///
/// Each seed makes a file, splits it somewhere and looks at both readings: the same records with the same bytes, places,
/// lines, fields and faults; all of them in the input, in order; the sound ones readable in a file of their own.
/// `IMPORTER_CHUNK_SEEDS` says how many seeds; 20,000 for a night.
@Suite struct ChunkLawTests {
  static let seedCount: UInt64 =
    unsafe getenv("IMPORTER_CHUNK_SEEDS").flatMap { unsafe UInt64(String(cString: $0)) } ?? 200

  @Test(arguments: RandomInput.Kind.allCases)
  func `splitting an input anywhere gives the same records`(kind: RandomInput.Kind) {
    for seed in 0..<Self.seedCount {
      var random = SplitMix64(seed: seed)
      let input = RandomInput(kind, using: &random)
      for limits in [ReadLimits(), ReadLimits(recordByteCount: 60, fieldByteCount: 25, columnCount: 4)] {
        do throws(LawBreach) {
          try input.format.check(input.bytes, limits: limits, using: &random)
        } catch {
          Issue.record("seed \(seed): \(error)\nof \(input.format)\n\(input)")
        }
      }
    }
  }

  @Test(arguments: RandomInput.Kind.allCases)
  func `random files are mostly sound, and some are not`(kind: RandomInput.Kind) {
    var sound = 0
    var faulty = 0
    var refused = 0
    for seed in 0..<Self.seedCount {
      var random = SplitMix64(seed: seed)
      let input = RandomInput(kind, using: &random)
      let reading = input.format.read(input.bytes)
      if reading.failure != nil { refused += 1 }
      for record in reading.records { if record.faults.isEmpty { sound += 1 } else { faulty += 1 } }
    }
    #expect(sound > 3 * Int(Self.seedCount))
    // Any line is one of 'lines'.
    #expect(faulty + refused > Int(Self.seedCount) / 10 || kind == .lines)
    #expect(refused < Int(Self.seedCount) / 2)
  }
}
