import ByteStreams
import Diagnostics
import Glibc
import Records
import Testing

@Suite struct DescriptorOutputs {
  init() { signal(SIGPIPE, SIG_IGN) }

  @Test func `bytes arrive, and the descriptor stays open`() throws {
    var ends: [Int32] = [0, 0]
    _ = unsafe pipe(&ends)
    do {
      var sink = DescriptorByteSink(ends[1], name: "pipe")
      try sink.write("abc")
      try sink.finish()
    }
    let count = unsafe write(ends[1], "d", 1)
    #expect(count == 1)
    close(ends[1])
    #expect(try readAll(FileByteSource(path: "/proc/self/fd/\(ends[0])")) == Array("abcd".utf8))
    close(ends[0])
  }

  @Test func `a reader that has gone is a broken pipe`() {
    var ends: [Int32] = [0, 0]
    _ = unsafe pipe(&ends)
    close(ends[0])
    let error = failure { () throws(WriteError) in
      var sink = DescriptorByteSink(ends[1], name: "pipe")
      try sink.write("abc")
    }
    #expect(error == .brokenPipe)
    close(ends[1])
  }

  @Test func `a full device and a closed descriptor are failed writes`() {
    let full = unsafe open("/dev/full", O_WRONLY)
    for (number, reason) in [(full, "No space left on device"), (Int32(9999), "Bad file descriptor")] {
      let error = failure { () throws(WriteError) in
        var sink = DescriptorByteSink(number, name: "standard output")
        try sink.write("abc")
      }
      #expect(error == .failed(path: "standard output", reason: reason))
    }
    close(full)
  }

  @Test func `more than a pipe holds goes out whole, also when the pipe does not block`() async throws {
    var ends: [Int32] = [0, 0]
    _ = unsafe pipe(&ends)
    let (reader, writer) = (ends[0], ends[1])
    _ = fcntl(writer, F_SETFL, O_NONBLOCK)
    let content = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 9) }
    async let received = Task.detached { try readAll(FileByteSource(path: "/proc/self/fd/\(reader)")) }.value
    try await Task.detached {
      // The reader opens the pipe anew, so this end must not be closed before it has.
      var sink = DescriptorByteSink(writer, name: "pipe")
      try sink.write(content.span)
      close(writer)
    }.value
    #expect(try await received == content)
    close(reader)
  }
}

@Suite struct NewFiles {
  let folder = TemporaryFolder()

  @Test func `a new file is the owner's alone`() throws {
    guard var file = try NewFile(path: folder("r")) else {
      Issue.record("it did not exist")
      return
    }
    try file.write("abc")
    try file.finish()
    #expect(file.byteCount == 3)
    #expect(folder.text(of: "r") == "abc")
    #expect(folder.mode(of: "r") & 0o777 == 0o600)
  }

  @Test func `what exists is not touched`() throws {
    folder.put("old", in: "r")
    _ = unsafe symlink("absent", folder("link"))
    for name in ["r", "link"] {
      let made = try NewFile(path: folder(name)) != nil
      #expect(!made)
    }
    #expect(folder.text(of: "r") == "old")
    #expect(folder.names == ["link", "r"])
  }

  @Test func `a folder that is not there cannot take a file`() {
    let path = folder("absent/r")
    let error = failure { () throws(WriteError) in _ = try NewFile(path: path) }
    #expect(error == .cannotCreate(path: path, reason: "No such file or directory"))
  }

  @Test func `what was written survives a run that gives up`() throws {
    do {
      guard var file = try NewFile(path: folder("r")) else { return }
      try file.write("abc")
    }
    #expect(folder.text(of: "r") == "abc")
  }

  @Test func `pieces of every size arrive in order`() throws {
    var expected: [UInt8] = []
    guard var file = try NewFile(path: folder("r"), mode: 0o644) else { return }
    for count in [1, 60_000, 10_000, 65_536, 65_537, 200_000, 0, 3] {
      let piece = (0..<count).map { UInt8(truncatingIfNeeded: $0 &+ count) }
      try file.write(piece.span)
      expected += piece
    }
    try file.flush()
    #expect(folder.content(of: "r") == expected)
    #expect(file.byteCount == Int64(expected.count))
  }
}
