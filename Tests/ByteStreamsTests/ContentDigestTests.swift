import ByteStreams
import Records
import TestSupport
import Testing

@Suite struct ContentDigests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let sha256: String
  }

  // The examples of FIPS 180-4, and lengths around a block and its padding.
  static let cases = [
    Case(
      testDescription: "nothing",
      text: "",
      sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    ),
    Case(
      testDescription: "one block",
      text: "abc",
      sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    ),
    Case(
      testDescription: "56 bytes, whose padding takes a second block",
      text: "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      sha256: "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    Case(
      testDescription: "112 bytes",
      text: "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrst"
        + "nopqrstu",
      sha256: "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
    Case(
      testDescription: "a million letters",
      text: String(repeating: "a", count: 1_000_000),
      sha256: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ]

  @Test(arguments: cases, [false, true])
  func `published examples come out, by instructions and by arithmetic`(_ example: Case, isPortable: Bool) {
    var digest = SHA256(isPortable: isPortable)
    digest.add(example.text)
    #expect(digest.hexadecimal == example.sha256)
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `pieces of any length give what the whole gives, both ways`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let bytes = (0..<Int.random(in: 0..<700, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    var whole = SHA256(isPortable: true)
    whole.add(bytes.span)
    var pieces = SHA256()
    var position = 0
    while position < bytes.count {
      let count = min(Int.random(in: 0..<130, using: &random), bytes.count - position)
      pieces.add(Array(bytes[position..<position + count]).span)
      position += count
      // Looking at a digest does not end it.
      _ = pieces.hexadecimal
    }
    #expect(pieces.hexadecimal == whole.hexadecimal)
  }

  @Test(arguments: [1, 2, 3, 7, 64, 4096]) func `a source is passed on as it is, and known at its end`(chunk: Int)
    throws
  {
    let content = Array((0..<5_000).map { "\($0)," }.joined().utf8)
    let digest = ContentDigest()
    var source = DigestedByteSource(ChunkedSource(content, chunkSize: chunk), into: digest)
    var text = TextBuffer()
    while try source.read(1_000, into: &text) > 0 { #expect(digest.value == nil) }
    let read = text.bytes
    #expect(read.indices.map { read[$0] } == content)
    var expected = SHA256()
    expected.add(content.span)
    #expect(digest.value?.sha256 == expected.hexadecimal)
    #expect(digest.value?.byteCount == Int64(content.count))
  }
}
