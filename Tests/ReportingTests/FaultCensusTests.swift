import Diagnostics
import Testing

@testable import Reporting

@Suite struct CountingFaults {
  private func fault(_ code: DiagnosticCode, field: String? = nil, at offset: Int64 = 0) -> Diagnostic {
    Diagnostic(
      code: code,
      location: SourceLocation(file: "a.csv", byteOffset: offset),
      entity: "A",
      field: field,
      message: "wrong",
      remedy: "mend it"
    )
  }

  @Test func `faults are counted by column and code, the most frequent first`() {
    var census = FaultCensus()
    for field in ["b", "a", "b", nil] { census.add(fault(.required, field: field)) }
    census.add(fault(.typeError, field: "b"))
    let places = census.sortedPlaces.map { "\($0.count) \($0.place.field ?? "-") \($0.place.code.rawValue)" }
    #expect(places == ["2 b required", "1 - required", "1 a required", "1 b type-error"])
    #expect(census.elsewhere == 0)
  }

  @Test func `five examples of a code are kept`() {
    var census = FaultCensus()
    for number in 0..<9 { census.add(fault(.required, field: "f\(number)")) }
    #expect(census.examples[.required]?.map(\.field) == ["f0", "f1", "f2", "f3", "f4"])
  }

  @Test func `faults of more columns than are counted are counted together`() {
    var census = FaultCensus()
    for number in 0..<5_000 { census.add(fault(.required, field: "f\(number)")) }
    #expect(census.sortedPlaces.count == 4_096)
    #expect(census.elsewhere == 904)
  }

  @Test(arguments: [1, 63, 64, 1_000, 8_191, 8_192, 1_000_000, 123_456_789, Int64.max / 2])
  func `stretches cover the whole input and lose no record`(end: Int64) {
    var positions = RejectPositions()
    let offsets = (0..<300).map { end / 300 * $0 } + [end]
    for offset in offsets { positions.add(offset) }
    #expect(positions.counts.reduce(0, +) == 301)
    #expect(positions.counts.count <= RejectPositions.stretchLimit)
    // The same as counting with the final length from the start.
    var expected = [Int64](repeating: 0, count: positions.counts.count)
    for offset in offsets { expected[Int(offset / positions.stretchByteCount)] += 1 }
    #expect(positions.counts == expected)
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"), (1_796_000_523, "2026-11-30T01:02:03Z"),
      (-1, "1969-12-31T23:59:59Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
    ] as [(Int64, String)]
  )
  func `a moment is written in UTC`(seconds: Int64, text: String) {
    #expect(UTCTime(seconds: seconds).text == text)
    #expect(UTCTime(seconds: seconds).textForPeople == text.prefix(10) + " " + text.dropFirst(11).prefix(5))
  }
}
