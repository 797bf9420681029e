import FuzzTargets
import Testing

/// The inputs that fuzzing has kept, and those that once broke a law, each run as a test.
@Suite struct CorpusReplayTests {
  @Test(arguments: FuzzTarget.allCases)
  func `every kept input keeps the laws`(target: FuzzTarget) throws {
    let corpus = try Folder.files(in: "Fuzz/Corpus/\(target.rawValue)")
    #expect(!corpus.isEmpty, "there is no corpus of '\(target.rawValue)'")
    #expect(
      corpus.reduce(0) { $0 + $1.bytes.count } <= 1 << 20,
      "the corpus is larger than 1 MiB; run scripts/fuzz --merge"
    )
    let regressions = try Folder.files(in: "Fuzz/Regressions/\(target.rawValue)")
    for file in corpus + regressions {
      do throws(LawBreach) {
        try target.run(file.bytes)
      } catch {
        Issue.record("\(file.path): \(error)")
      }
    }
  }

  @Test func `a broken law is noticed`() {
    #expect(throws: LawBreach.self) {
      var reading = ReadableFormat.json.read(Array("[{\"a\":1}]".utf8))
      reading.records[0].offset += 1
      try ReaderLaws.checkPlaces(reading, in: Array("[{\"a\":1}]".utf8))
    }
    #expect(throws: LawBreach.self) {
      let one = ReadableFormat.ndjson.read(Array("{\"a\":1}\n{\"a\":2}\n".utf8))
      var other = one
      other.records[1].line = 1
      try ReaderLaws.checkSame(one, other, "a test")
    }
  }
}
