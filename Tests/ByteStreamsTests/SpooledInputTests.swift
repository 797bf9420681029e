import ByteStreams
import Diagnostics
import Glibc
import Records
import TestSupport
import Testing

@Suite struct SpooledInputs {
  @Test func `a pipe can be read twice, even at once`() throws {
    var ends: [Int32] = [0, 0]
    _ = unsafe pipe(&ends)
    _ = unsafe write(ends[1], "0123456789", 10)
    close(ends[1])
    let spooled = try SpooledInput(spooling: FileByteSource(path: "/proc/self/fd/\(ends[0])"), path: "-")
    close(ends[0])
    #expect(spooled.byteCount == 10)
    var first = spooled.open()
    var second = spooled.open()
    #expect(first.byteCount == 10)
    var text = TextBuffer()
    #expect(try first.read(4, into: &text) == 4)
    #expect(try second.read(3, into: &text) == 3)
    #expect(try first.read(100, into: &text) == 6)
    #expect(try second.read(100, into: &text) == 7)
    #expect(bytes(of: text) == Array("01230124567893456789".utf8))
    #expect(try first.read(100, into: &text) == 0)
  }

  @Test func `a source outlives the value that it came from`() throws {
    func open() throws -> SpooledByteSource {
      try SpooledInput(spooling: ChunkedSource("abc"), path: "-").open()
    }
    #expect(try readAll(open()) == Array("abc".utf8))
  }

  @Test func `more than one piece is copied`() throws {
    let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
    let spooled = try SpooledInput(spooling: ChunkedSource(content, chunkSize: 70_000), path: "-")
    #expect(try readAll(spooled.open(), pieceSize: 64 << 10) == content)
  }

  @Test func `a failing source fails the copy`() throws {
    let whole = try gzip(Array("abc".utf8))
    let error = failure { () throws(ReadError) in
      let source = try GzipByteSource(ChunkedSource(Array(whole.dropLast())), path: "in.gz")
      _ = try SpooledInput(spooling: source, path: "in.gz")
    }
    #expect(error?.description.contains("breaks off") == true)
  }
}
