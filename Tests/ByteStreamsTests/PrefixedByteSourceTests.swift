import ByteStreams
import Records
import TestSupport
import Testing

@Suite struct ReadingAhead {
  @Test(arguments: [1, 2, 3, 7, 64], [0, 1, 5, 9, 10, 11])
  func `nothing is lost by looking`(chunkSize: Int, ahead: Int) throws {
    let source = try peek(ahead, of: ChunkedSource("0123456789", chunkSize: chunkSize))
    let seen = source.withPrefix { prefix in prefix.indices.map { prefix[$0] } }
    #expect(seen == Array("0123456789".utf8.prefix(ahead)))
    #expect(source.holdsWholeInput == (ahead > 10))
    #expect(try readAll(source, pieceSize: 3) == Array("0123456789".utf8))
  }

  @Test func `the magic number tells gzip`() {
    let cases: [([UInt8], Bool)] = [
      ([0x1F, 0x8B, 8], true), ([0x1F, 0x8B], true), ([0x1F], false), ([0x50, 0x4B, 3, 4], false), ([], false),
    ]
    for (prefix, expected) in cases {
      let found = isGzip(prefix.span)
      #expect(found == expected, "\(prefix)")
    }
  }
}
