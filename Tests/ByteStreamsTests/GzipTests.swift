import ByteStreams
import Diagnostics
import Glibc
import Records
import TestSupport
import Testing

/// Compresses in writes of at most `pieceSize` bytes.
func gzip(_ content: [UInt8], pieceSize: Int = .max, level: Int = 6) throws -> [UInt8] {
  let written = WrittenBytes()
  var sink = try GzipByteSink(MemorySink(written), path: "out.gz", level: level)
  var position = 0
  while position < content.count {
    let end = position + min(pieceSize, content.count - position)
    try sink.write(content.span.extracting(position..<end))
    position = end
  }
  try sink.finish()
  return written.bytes
}

func gunzip(
  _ compressed: [UInt8],
  chunkSize: Int = .max,
  pieceSize: Int = 4096,
  limits: ExpansionLimits = ExpansionLimits()
) throws(ReadError) -> [UInt8] {
  let source = try GzipByteSource(ChunkedSource(compressed, chunkSize: chunkSize), path: "in.gz", limits: limits)
  return try readAll(source, pieceSize: pieceSize)
}

@Suite struct Gzip {
  /// Words that compress, and noise that does not.
  static func content(seed: UInt64) -> [UInt8] {
    var random = SplitMix64(seed: seed)
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 0..<400, using: &random) {
      if Bool.random(using: &random) {
        bytes += Array("name,address,telephone\n".utf8)
      } else {
        bytes.append(UInt8.random(in: 0...255, using: &random))
      }
    }
    return bytes
  }

  @Test(arguments: 0..<20 as Range<UInt64>, [1, 2, 3, 7, 64, 4096, 128 << 10])
  func `what was compressed comes back`(seed: UInt64, size: Int) throws {
    let content = Self.content(seed: seed)
    let compressed = try gzip(content, pieceSize: size)
    #expect(try gunzip(compressed, chunkSize: size, pieceSize: 4096) == content)
    #expect(try gunzip(compressed, chunkSize: 5, pieceSize: size) == content)
  }

  @Test func `much content comes back`() throws {
    var random = SplitMix64(seed: 1)
    let content = (0..<200_000).map { _ in UInt8.random(in: 0...15, using: &random) }
    #expect(try gunzip(gzip(content)) == content)
  }

  @Test func `equal content gives equal bytes, and no time stands in them`() throws {
    let compressed = try gzip(Array("abc".utf8))
    #expect(Array(compressed[4..<8]) == [0, 0, 0, 0])
    #expect(try gzip(Array("abc".utf8), pieceSize: 1) == compressed)
  }

  @Test func `the gzip command reads what we write, and we read what it writes`() throws {
    let folder = TemporaryFolder()
    folder.put(try gzip(Array("a,b\n1,2\n".utf8)), in: "x.gz")
    let command = "cd '\(folder.path)' && gzip -dc x.gz > x && gzip -c x > y.gz"
    let status = unsafe system(command)
    #expect(status == 0)
    #expect(folder.text(of: "x") == "a,b\n1,2\n")
    let source = try GzipByteSource(FileByteSource(path: folder("y.gz")), path: "y.gz")
    #expect(try readAll(source) == Array("a,b\n1,2\n".utf8))
  }

  @Test(arguments: [1, 2, 3, 7, 64, 4096])
  func `members follow one another`(chunkSize: Int) throws {
    let compressed = try gzip(Array("one\n".utf8)) + gzip([]) + gzip(Array("two\n".utf8))
    #expect(try gunzip(compressed, chunkSize: chunkSize) == Array("one\ntwo\n".utf8))
  }

  @Test func `a stream cut at any byte is a failure`() throws {
    let compressed = try gzip(Array("one, two, three\n".utf8)) + gzip(Array("four\n".utf8))
    let first = try gzip(Array("one, two, three\n".utf8)).count
    for end in 0..<compressed.count where end != first {
      let error = failure { () throws(ReadError) in _ = try gunzip(Array(compressed[..<end])) }
      guard case .failed("in.gz", let reason) = error else {
        Issue.record("cut at \(end): \(String(describing: error))")
        continue
      }
      #expect(reason == "the gzip data breaks off after \(end) bytes; it was cut short")
    }
  }

  @Test(arguments: [1, 4096])
  func `bytes after the end are a failure`(chunkSize: Int) throws {
    let compressed = try gzip(Array("one\n".utf8))
    for junk in [Array("junk".utf8), [0, 0, 7], [0, 0x1F, 0x8B]] {
      let error = failure { () throws(ReadError) in _ = try gunzip(compressed + junk, chunkSize: chunkSize) }
      #expect(error?.description.contains("bytes that are no gzip data follow its end, from byte") == true)
    }
  }

  @Test func `zero bytes after the end are padding`() throws {
    #expect(try gunzip(gzip(Array("one\n".utf8)) + [0, 0, 0], chunkSize: 1) == Array("one\n".utf8))
  }

  @Test func `damage anywhere in the content or its checksum is a failure`() throws {
    let compressed = try gzip((0..<2000).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7) })
    for position in stride(from: 10, to: compressed.count, by: 13) + Array(compressed.count - 8..<compressed.count) {
      var damaged = compressed
      damaged[position] ^= 0x55
      let error = failure { () throws(ReadError) in _ = try gunzip(damaged) }
      #expect(error != nil, "byte \(position)")
    }
  }

  @Test func `what is no gzip data at all is a failure`() {
    let error = failure { () throws(ReadError) in _ = try gunzip(Array("name,age\n".utf8)) }
    #expect(error == .failed(path: "in.gz", reason: "the gzip data is damaged near byte 0"))
  }
}

@Suite struct GzipBombs {
  @Test func `content that expands a thousand times is refused`() throws {
    let bomb = try gzip([UInt8](repeating: 0, count: 12 << 20), level: 9)
    do throws(ReadError) {
      var source = try GzipByteSource(ChunkedSource(bomb), path: "bomb.gz")
      var text = TextBuffer()
      while try source.read(64 << 10, into: &text) > 0 { text.truncate(to: 0) }
      Issue.record("the bomb went off")
    } catch {
      guard case .refused(let diagnostics) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(diagnostics.map(\.code) == [.expansionLimit])
      #expect(error.description == "the compressed input expands to more than 1000 times its size")
    }
  }

  @Test func `a small input may expand as it likes`() throws {
    let content = [UInt8](repeating: 0, count: 9 << 20)
    #expect(try gunzip(gzip(content, level: 9)).count == content.count)
  }

  @Test func `content past the limit is refused`() throws {
    var random = SplitMix64(seed: 3)
    let content = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let compressed = try gzip(content)
    #expect(try gunzip(compressed, limits: ExpansionLimits(byteCount: 5000)) == content)
    let error = failure { () throws(ReadError) in
      _ = try gunzip(compressed, limits: ExpansionLimits(byteCount: 4999))
    }
    #expect(error?.description == "the compressed input expands to more than 4999 bytes")
  }
}

private func + (left: StrideTo<Int>, right: [Int]) -> [Int] { Array(left) + right }
