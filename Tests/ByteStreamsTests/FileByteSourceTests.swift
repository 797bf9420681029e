import ByteStreams
import Diagnostics
import Glibc
import Records
import Testing

@Suite struct FileInputs {
  let folder = TemporaryFolder()

  @Test(arguments: [1, 2, 3, 7, 64, 4096, 128 << 10])
  func `a file comes out as it is, whatever the size of the pieces`(pieceSize: Int) throws {
    let content = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    folder.put(content, in: "a")
    #expect(try readAll(FileByteSource(path: folder("a")), pieceSize: pieceSize) == content)
  }

  @Test func `bytes are appended to what the buffer holds`() throws {
    folder.put("world", in: "a")
    var source = try FileByteSource(path: folder("a"))
    var text = TextBuffer()
    text.append("hello ")
    #expect(try source.read(100, into: &text) == 5)
    #expect(bytes(of: text) == Array("hello world".utf8))
    #expect(try source.read(100, into: &text) == 0)
  }

  @Test func `the size of a file is known`() throws {
    folder.put("12345", in: "a")
    let size = try FileByteSource(path: folder("a")).byteCount
    #expect(size == 5)
  }

  @Test func `a missing file is missing`() {
    let path = folder("absent.csv")
    #expect(failure { () throws(ReadError) in _ = try FileByteSource(path: path) } == .missing(path: path))
  }

  @Test func `a folder is unreadable, and the message says why`() {
    let error = failure { () throws(ReadError) in _ = try FileByteSource(path: folder.path) }
    #expect(error == .unreadable(path: folder.path, reason: "Is a directory"))
    #expect(error?.kind.exitStatus == 66)
  }

  @Test func `a file below a file is unreadable`() {
    folder.put("x", in: "a")
    let path = folder("a/b")
    let error = failure { () throws(ReadError) in _ = try FileByteSource(path: path) }
    #expect(error == .unreadable(path: path, reason: "Not a directory"))
  }

  @Test func `a path with NUL names no other file`() {
    folder.put("x", in: "a")
    let path = folder("a\0b")
    let error = failure { () throws(ReadError) in _ = try FileByteSource(path: path) }
    #expect(error == .unreadable(path: path, reason: "Invalid argument"))
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may read everything"))
  func `a file without permission is unreadable`() {
    folder.put("x", in: "a", mode: 0)
    let path = folder("a")
    let error = failure { () throws(ReadError) in _ = try FileByteSource(path: path) }
    #expect(error == .unreadable(path: path, reason: "Permission denied"))
  }

  @Test func `a named pipe is read to its end and has no size`() throws {
    let path = folder("pipe")
    _ = unsafe mkfifo(path, 0o600)
    // Both ends, so that neither open waits for the other.
    let writer = unsafe open(path, O_RDWR)
    var source = try FileByteSource(path: path)
    #expect(source.byteCount == nil)
    _ = unsafe write(writer, "abc", 3)
    close(writer)
    var text = TextBuffer()
    while try source.read(2, into: &text) > 0 {}
    #expect(bytes(of: text) == Array("abc".utf8))
    try source.verifyUnchanged()
  }

  @Test func `files that give no size are read all the same`() throws {
    var source = try FileByteSource(path: "/proc/self/status")
    #expect(source.byteCount == nil)
    var text = TextBuffer()
    while try source.read(4096, into: &text) > 0 {}
    #expect(text.count > 100)
    try source.verifyUnchanged()
  }
}

@Suite struct ChangedInputs {
  enum Change: CaseIterable { case append, truncate, overwrite }
  let folder = TemporaryFolder()

  @Test func `a file that nobody touched is unchanged`() throws {
    folder.put("abc", in: "a")
    var source = try FileByteSource(path: folder("a"))
    var text = TextBuffer()
    while try source.read(2, into: &text) > 0 {}
    try source.verifyUnchanged()
  }

  @Test(arguments: Change.allCases)
  func `a file that changed while it was read is refused`(change: Change) throws {
    folder.put("abc", in: "a")
    var source = try FileByteSource(path: folder("a"))
    var text = TextBuffer()
    _ = try source.read(2, into: &text)
    switch change {
    case .append:
      let file = unsafe open(folder("a"), O_WRONLY | O_APPEND)
      _ = unsafe write(file, "d", 1)
      close(file)
    case .truncate: _ = unsafe truncate(folder("a"), 1)
    case .overwrite:
      // Same size and a time of change set apart, as a later write would have it.
      folder.put("xyz", in: "a")
      var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
      _ = unsafe utimensat(AT_FDCWD, folder("a"), &times, 0)
    }
    do throws(ReadError) {
      try source.verifyUnchanged()
      Issue.record("the change went unseen")
    } catch {
      guard case .refused(let diagnostics) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(diagnostics.map(\.code) == [.inputChanged])
      #expect(error.description.contains("changed while it was read"))
      #expect(error.kind.exitStatus == 1)
    }
  }

  @Test func `a file replaced by renaming is fine`() throws {
    folder.put("abc", in: "a")
    folder.put("other", in: "b")
    var source = try FileByteSource(path: folder("a"))
    _ = unsafe rename(folder("b"), folder("a"))
    var text = TextBuffer()
    while try source.read(2, into: &text) > 0 {}
    #expect(bytes(of: text) == Array("abc".utf8))
    try source.verifyUnchanged()
  }
}
