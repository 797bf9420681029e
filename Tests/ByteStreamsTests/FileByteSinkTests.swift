import ByteStreams
import Diagnostics
import Glibc
import Records
import Testing

extension ByteSink where Self: ~Copyable {
  mutating func write(_ text: String) throws(WriteError) { try write(Array(text.utf8).span) }
}

@Suite struct AtomicOutputs {
  let folder = TemporaryFolder()

  @Test func `a new file appears when it is complete`() throws {
    var sink = try FileByteSink(path: folder("out"))
    try sink.write("a,b\n")
    #expect(folder.content(of: "out") == nil)
    #expect(folder.names.count == 1)
    try sink.finish()
    #expect(folder.text(of: "out") == "a,b\n")
    #expect(folder.names == ["out"])
  }

  @Test func `an old file stays until the new one is complete`() throws {
    folder.put("old", in: "out")
    var sink = try FileByteSink(path: folder("out"))
    try sink.write("new")
    #expect(folder.text(of: "out") == "old")
    try sink.finish()
    #expect(folder.text(of: "out") == "new")
    #expect(folder.names == ["out"])
  }

  @Test func `a sink that is given up leaves the old file and nothing else`() throws {
    folder.put("old", in: "out")
    do {
      var sink = try FileByteSink(path: folder("out"))
      try sink.write("half of the n")
      #expect(folder.names.count == 2)
    }
    #expect(folder.text(of: "out") == "old")
    #expect(folder.names == ["out"])
  }

  @Test func `a failed write leaves the old file and nothing else`() async {
    // A process of its own, because the limit on the size of files holds for a whole process.
    await #expect(processExitsWith: .exitCode(7)) {
      let folder = TemporaryFolder()
      folder.put("old", in: "out")
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 4, rlim_max: rlim_t.max)
      _ = unsafe setrlimit(__rlimit_resource_t(1), &limit)
      let path = folder("out")
      let error = failure { () throws(WriteError) in
        var sink = try FileByteSink(path: path)
        try sink.write("longer than the limit")
        try sink.finish()
      }
      let isIntact = folder.text(of: "out") == "old" && folder.names == ["out"]
      exit(isIntact && error == .failed(path: path, reason: "File too large") ? 7 : 1)
    }
  }

  @Test func `permissions of the old file are kept, those of a new one follow the umask`() throws {
    folder.put("old", in: "secret", mode: 0o600)
    for name in ["secret", "new"] {
      var sink = try FileByteSink(path: folder(name))
      try sink.write("x")
      try sink.finish()
    }
    #expect(folder.mode(of: "secret") & 0o777 == 0o600)
    let mask = umask(0o022)
    umask(mask)
    #expect(folder.mode(of: "new") & 0o777 == 0o666 & ~mask)
  }

  @Test func `a link is replaced and not followed`() throws {
    folder.put("precious", in: "target")
    for destination in ["target", "absent"] {
      _ = unsafe symlink(destination, folder("out"))
      var sink = try FileByteSink(path: folder("out"))
      try sink.write("new")
      try sink.finish()
      #expect(folder.mode(of: "out") & S_IFMT == S_IFREG)
      #expect(folder.text(of: "out") == "new")
      #expect(folder.text(of: "target") == "precious")
      _ = unsafe unlink(folder("out"))
    }
    #expect(folder.names == ["target"])
  }

  @Test func `another hard link keeps the old content`() throws {
    folder.put("old", in: "a")
    _ = unsafe link(folder("a"), folder("b"))
    var sink = try FileByteSink(path: folder("a"))
    try sink.write("new")
    try sink.finish()
    #expect(folder.text(of: "a") == "new")
    #expect(folder.text(of: "b") == "old")
  }

  @Test func `devices are written to directly`() throws {
    _ = unsafe symlink("/dev/null", folder("null"))
    for path in ["/dev/null", folder("null")] {
      var sink = try FileByteSink(path: path)
      try sink.write("x")
      try sink.finish()
    }
    #expect(folder.mode(of: "null") & S_IFMT == S_IFLNK)
    #expect(folder.names == ["null"])
  }

  @Test func `a full device is a failed write, not a success`() throws {
    let error = failure { () throws(WriteError) in
      var sink = try FileByteSink(path: "/dev/full")
      try sink.write("x")
      try sink.finish()
    }
    #expect(error == .failed(path: "/dev/full", reason: "No space left on device"))
    #expect(error?.kind.exitStatus == 74)
  }

  @Test func `a descriptor's path continues where the descriptor stands`() throws {
    folder.put("head ", in: "out")
    let file = unsafe open(folder("out"), O_WRONLY | O_APPEND)
    var sink = try FileByteSink(path: "/dev/fd/\(file)")
    try sink.write("tail")
    try sink.finish()
    close(file)
    #expect(folder.text(of: "out") == "head tail")
  }

  @Test func `a place that cannot hold a file is said at once`() {
    folder.put("x", in: "file")
    for (path, reason) in [
      (folder.path, "Is a directory"), (folder("absent/out"), "No such file or directory"),
      (folder("file/out"), "Not a directory"), ("", "No such file or directory"),
      (folder(String(repeating: "n", count: 256)), "File name too long"), (folder("a\0b"), "Invalid argument"),
    ] {
      let error = failure { () throws(WriteError) in _ = try FileByteSink(path: path) }
      #expect(error == .cannotCreate(path: path, reason: reason))
    }
    #expect(folder.names == ["file"])
  }

  @Test func `a name of the greatest length can be written`() throws {
    let name = String(repeating: "è", count: 127)
    var sink = try FileByteSink(path: folder(name))
    try sink.write("x")
    try sink.finish()
    #expect(folder.names == [name])
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may write everything"))
  func `a protected file is not replaced`() {
    folder.put("old", in: "out", mode: 0o444)
    let path = folder("out")
    let error = failure { () throws(WriteError) in _ = try FileByteSink(path: path) }
    #expect(error == .cannotCreate(path: path, reason: "Permission denied"))
  }
}

@Suite struct AbandonedTemporaries {
  let folder = TemporaryFolder()

  /// The id of a process that has ended.
  func deadProcess() -> pid_t {
    guard let shell = unsafe popen("echo $$", "r") else { return -1 }
    var line = [CChar](repeating: 0, count: 32)
    _ = unsafe fgets(&line, 32, shell)
    _ = unsafe pclose(shell)
    return pid_t(String(decoding: line.prefix { $0 > 13 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)) ?? -1
  }

  @Test func `what a killed run left is deleted, and nothing else`() throws {
    let kept = [
      ".out.importer-\(getppid())-0", ".out.importer-x-0", ".out.importer-", ".other.importer-\(deadProcess())-0",
      "out",
    ]
    for name in kept + [".out.importer-\(deadProcess())-3"] { folder.put("x", in: name) }
    let sink = try FileByteSink(path: folder("out"))
    _ = consume sink
    #expect(folder.names == kept.sorted())
  }

  @Test func `a locked file belongs to a run that is alive`() throws {
    let name = ".out.importer-\(deadProcess())-0"
    folder.put("x", in: name)
    let other = unsafe open(folder(name), O_RDONLY)
    flock(other, LOCK_EX)
    let sink = try FileByteSink(path: folder("out"))
    _ = consume sink
    #expect(folder.names == [name])
    close(other)
  }

  @Test func `two outputs for one place do not disturb each other`() throws {
    var first = try FileByteSink(path: folder("out"))
    var second = try FileByteSink(path: folder("out"))
    try first.write("first")
    try second.write("second")
    try second.finish()
    #expect(folder.text(of: "out") == "second")
    try first.finish()
    #expect(folder.text(of: "out") == "first")
    #expect(folder.names == ["out"])
  }
}
