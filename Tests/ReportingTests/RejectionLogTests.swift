import Diagnostics
import EntityModel
import Glibc
import Records
import Reporting
import Testing

@Suite struct KeptRejects {
  let scratch = ScratchFolder()

  @Test func `without a rejected record nothing is created`() throws {
    var log = RejectionLog(folder: scratch("rejects"), sink: RecordingSink())
    log.begin(file: scratch("a.txt"), format: .text)
    try log.record([], of: makeBatch(["a\n"]), framing: RejectFraming())
    try log.end()
    log.begin(file: scratch("b.txt"), format: .text)
    try log.end()
    #expect(scratch.names.isEmpty)
    #expect(log.files.isEmpty && log.rejectedCount == 0 && log.faultCounts.isEmpty)
  }

  @Test func `records keep their bytes, in the order of the input, in the input's frame`() throws {
    let sink = RecordingSink()
    var log = RejectionLog(folder: nil, sink: sink)
    log.begin(file: scratch("a.txt"), format: .text)
    let framing = RejectFraming(
      opening: Array("nome;cognome\r\n".utf8),
      separator: Array("\r\n".utf8),
      closing: Array("# end".utf8)
    )
    let first = makeBatch(of: [[0x61], [0xFF, 0x00, 0x1B, 0x0A], Array("b\r\n".utf8), Array("c\r\n".utf8)])
    try log.record([reject(3), reject(1, [.encodingError, .illegalCharacter])], of: first, framing: framing)
    try log.record([reject(0)], of: makeBatch(["d\r\n"]), framing: framing)
    try log.end()

    #expect(
      scratch.bytes(of: "a.rejected.txt") == Array("nome;cognome\r\n".utf8) + [0xFF, 0x00, 0x1B, 0x0A]
        + Array("c\r\nd\r\n# end".utf8)
    )
    #expect(log.rejectedCount == 3)
    #expect(log.faultCounts == [.encodingError: 1, .illegalCharacter: 1, .required: 2])
    #expect(sink.told.map(\.message) == ["record 1", "record 1", "record 3", "record 0"])
    #expect(
      log.files == [
        RejectionLog.Files(
          input: scratch("a.txt"),
          rejected: scratch("a.rejected.txt"),
          faults: scratch("a.rejects.csv")
        )
      ]
    )
  }

  @Test func `every fault is a line of the table`() throws {
    var fault = DiagnosticTexts.required
    fault.location.byteCount = 2
    fault.value = ""
    fault.expected = "a text"
    var whole = fault
    whole.code = .missingCell
    whole.location = SourceLocation(file: "contacts.txt", record: 3, line: 4, byteOffset: 36, byteCount: 9)
    (whole.entity, whole.field, whole.value, whole.expected) = (nil, nil, nil, nil)
    let rejection = Rejection(record: 0, diagnostics: [fault, whole])
    _ = try keep([rejection], of: makeBatch(["x\n"]), from: scratch("contacts.txt"))
    #expect(
      scratch.text(of: "contacts.rejects.csv") == """
        file,record,line,column,byte,length,entity,field,code,value,expected,message,hint
        contacts.txt,3,4,5,40,2,Contatto,cognome,required,"",a text,required value is missing,\
        "give 'cognome' a value, or make it optional in the model"
        contacts.txt,3,4,,36,9,,,missing-cell,,,required value is missing,\
        "give 'cognome' a value, or make it optional in the model"

        """
    )
  }

  @Test func `hostile names and values stay in their cell and on their line`() throws {
    var fault = DiagnosticTexts.required
    fault.location.file = "a\n,\"b\"\u{1B}.txt"
    fault.field = "=cmd|' /C calc'!A0"
    fault.value = "x\r\n\"y\""
    let rejection = Rejection(record: 0, diagnostics: [fault])
    _ = try keep([rejection], of: makeBatch(["x\n"]), from: scratch("a\n'\u{1B}.txt"))
    let lines = try #require(scratch.text(of: "a\n'\u{1B}.rejects.csv")).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[1].hasPrefix(#""a\n,""b""\x1B.txt",3,4,5,"#))
    #expect(lines[1].contains(#",=cmd|' /C calc'!A0,required,"x\r\n""y""",,"#))
  }

  @Test(arguments: [(",\n", "[{},\n{}]"), ("\n", "[{}\n{}\n]"), ("", "[{}{}]")])
  func `the closing follows a separator only where that ends lines`(separator: String, written: String) throws {
    let framing = RejectFraming(opening: [0x5B], separator: Array(separator.utf8), closing: [0x5D])
    _ = try keep([reject(0), reject(1)], of: makeBatch(["{}", "{}"]), from: scratch("a"), framing: framing)
    #expect(scratch.text(of: "a.rejected") == written)
  }

  @Test func `two rejections of one record keep its bytes once and all its faults`() throws {
    let sink = RecordingSink()
    var log = RejectionLog(folder: nil, sink: sink)
    log.begin(file: scratch("a.txt"), format: .text)
    try log.record(
      [reject(1, [.required]), reject(0, [.missingCell]), reject(1, [.duplicateKey])],
      of: makeBatch(["a\n", "b\n"]),
      framing: RejectFraming(separator: [0x0A])
    )
    try log.end()
    #expect(scratch.text(of: "a.rejected.txt") == "a\nb\n")
    #expect(log.rejectedCount == 2)
    #expect(sink.told.map(\.code) == [.missingCell, .required, .duplicateKey])
  }

  @Test func `what hangs below a rejected record is in its bytes once`() throws {
    var batch = makeBatch(["<a><b/></a>", "<c/>"])
    // The inner record is complete before the one around it.
    var inner = batch.records[0]
    inner.raw = TextSlice(3..<7)
    batch.records.insert(inner, at: 0)
    var log = RejectionLog(folder: nil, sink: RecordingSink())
    log.begin(file: scratch("a.xml"), format: .xml)
    let framing = RejectFraming(opening: Array("<r>\n".utf8), separator: [0x0A], closing: Array("</r>\n".utf8))
    try log.record([reject(0), reject(1), reject(2)], of: batch, framing: framing)
    try log.end()
    #expect(scratch.text(of: "a.rejected.xml") == "<r>\n<a><b/></a>\n<c/>\n</r>\n")
    #expect(log.rejectedCount == 3)
  }

  @Test func `older files are never written to, and the pair has one number`() throws {
    for name in ["a.rejected.txt", "a.rejects-2.csv"] { scratch.make(name) }
    _ = try keep([reject(0)], of: makeBatch(["x\n"]), from: scratch("a.txt"))
    _ = try keep([reject(0)], of: makeBatch(["y\n"]), from: scratch("a.txt"))
    #expect(
      scratch.names == [
        "a.rejected-3.txt", "a.rejected-4.txt", "a.rejected.txt", "a.rejects-2.csv", "a.rejects-3.csv",
        "a.rejects-4.csv",
      ]
    )
    #expect(scratch.text(of: "a.rejected.txt") == "old")
    #expect(scratch.text(of: "a.rejected-3.txt") == "x\n")
    #expect(scratch.text(of: "a.rejected-4.txt") == "y\n")
  }

  @Test func `rejects of a mended rejects file stand beside it`() throws {
    scratch.make("a.rejected.txt", "mended")
    let files = try keep([reject(0)], of: makeBatch(["x\n"]), from: scratch("a.rejected.txt"))
    #expect(files.map(\.rejected) == [scratch("a.rejected-2.txt")])
    #expect(scratch.text(of: "a.rejected.txt") == "mended")
  }

  @Test func `a link in the way is not followed`() throws {
    _ = unsafe symlink(scratch("elsewhere"), scratch("a.rejected.txt"))
    _ = try keep([reject(0)], of: makeBatch(["x\n"]), from: scratch("a.txt"))
    #expect(scratch.names == ["a.rejected-2.txt", "a.rejected.txt", "a.rejects-2.csv"])
  }

  @Test func `a folder for the rejects is created with those above it, and keeps equal names apart`() throws {
    var log = RejectionLog(folder: scratch("x/y//z"), sink: RecordingSink())
    for input in ["one/a.csv", "two/a.csv", "-"] {
      log.begin(file: input, format: .csv)
      try log.record([reject(0)], of: makeBatch([input + "\n"]), framing: RejectFraming())
      try log.end()
    }
    #expect(scratch.text(of: "x/y/z/a.rejected.csv") == "one/a.csv\n")
    #expect(scratch.text(of: "x/y/z/a.rejected-2.csv") == "two/a.csv\n")
    #expect(scratch.text(of: "x/y/z/stdin.rejected.csv") == "-\n")
    #expect(log.files.map(\.input) == ["one/a.csv", "two/a.csv", "-"])
    #expect(log.rejectedCount == 3)
  }

  @Test func `only the owner can read what was rejected`() throws {
    _ = try keep([reject(0)], of: makeBatch(["x\n"]), from: scratch("a.txt"))
    for name in ["a.rejected.txt", "a.rejects.csv"] {
      var status = stat()
      #expect(unsafe stat(scratch(name), &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
    }
  }

  @Test func `a log that is dropped leaves what it has kept`() throws {
    func start() throws {
      var log = RejectionLog(folder: nil, sink: RecordingSink())
      log.begin(file: scratch("a.txt"), format: .text)
      try log.record([reject(0)], of: makeBatch(["x\n"]), framing: RejectFraming())
    }
    try start()
    #expect(scratch.text(of: "a.rejected.txt") == "x\n")
    #expect(scratch.text(of: "a.rejects.csv")?.split(separator: "\n").count == 2)
  }

  @Test func `many large records arrive whole`() throws {
    var random = UInt64(7)
    var records: [[UInt8]] = []
    for number in 0..<200 {
      random = random &* 6_364_136_223_846_793_005 &+ 1
      records.append([UInt8](repeating: UInt8(number), count: Int(random >> 33) % 5_000) + [0x0A])
    }
    _ = try keep(records.indices.map { reject($0) }, of: makeBatch(of: records), from: scratch("a"))
    #expect(scratch.bytes(of: "a.rejected") == Array(records.joined()))
    #expect(scratch.text(of: "a.rejects.csv")?.split(separator: "\n").count == 201)
  }
}

@Suite struct SeparatedRejects {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let separator: String
    let records: [String]
    let written: String
  }

  static let cases = [
    Case(testDescription: "lines", separator: "\n", records: ["a\n", "b\n"], written: "a\nb\n"),
    Case(testDescription: "a line without its end", separator: "\n", records: ["a", "b", "c\n"], written: "a\nb\nc\n"),
    Case(testDescription: "mixed line ends", separator: "\r\n", records: ["a\n", "b\r", "c"], written: "a\nb\rc"),
    Case(testDescription: "CRLF where LF is expected", separator: "\n", records: ["a\r\n", "b"], written: "a\r\nb"),
    Case(
      testDescription: "blocks",
      separator: "\n\n",
      records: ["a\n", "b\n\n", "c", "d"],
      written: "a\n\nb\n\nc\n\nd"
    ),
    Case(
      testDescription: "blocks with CRLF",
      separator: "\r\n\r\n",
      records: ["a\r\n", "b\n", "c\r\n\r\n", "d\n\n", "e", "f"],
      written: "a\r\n\r\nb\n\r\nc\r\n\r\nd\n\ne\r\n\r\nf"
    ),
    Case(
      testDescription: "a record that is nothing but line ends",
      separator: "\n\n",
      records: ["\n", "a"],
      written: "\n\na"
    ),
    Case(testDescription: "array elements", separator: ",\n", records: ["{}", "{},", "{}"], written: "{},\n{},\n{}"),
    Case(testDescription: "no separator", separator: "", records: ["a", "b"], written: "ab"),
    Case(
      testDescription: "UTF-16",
      separator: "\n\0",
      records: ["a\0\n\0", "b\0", "c\0"],
      written: "a\0\n\0b\0\n\0c\0"
    ),
  ]

  @Test(arguments: cases) func `as much of a separator is written as is missing`(_ example: Case) throws {
    let scratch = ScratchFolder()
    let all = example.records.indices.map { reject($0) }
    let framing = RejectFraming(separator: Array(example.separator.utf8))
    _ = try keep(all, of: makeBatch(example.records), from: scratch("a"), framing: framing)
    #expect(scratch.text(of: "a.rejected") == example.written)
  }
}

@Suite struct FailuresToKeepRejects {
  let scratch = ScratchFolder()

  @Test func `a folder that is missing or no folder is named, with a way out`() {
    for (input, reason) in [("none/a.txt", "No such file or directory"), ("file/a.txt", "Not a directory")] {
      scratch.make("file")
      let path = scratch(input.replacing(".txt", with: ".rejected.txt"))
      #expect(
        throws: WriteError.cannotCreate(path: path, reason: reason + "; --rejects names another folder")
      ) {
        _ = try keep([reject(0)], of: makeBatch(["x\n"]), from: scratch(input))
      }
    }
  }

  @Test func `a folder that cannot be created is named`() {
    scratch.make("file")
    #expect(throws: WriteError.cannotCreate(path: scratch("file/x"), reason: "Not a directory")) {
      _ = try keep([reject(0)], of: makeBatch(["x\n"]), from: "a.txt", folder: scratch("file/x"))
    }
  }

  @Test func `a name with a NUL makes no other file`() {
    #expect(throws: WriteError.self) {
      _ = try keep([reject(0)], of: makeBatch(["x\n"]), from: scratch("a\0b.txt"))
    }
    #expect(scratch.names.isEmpty)
  }

  @Test func `a pair that cannot be completed leaves no half`() async {
    await #expect(processExitsWith: .success) { exit(Self.statusWithOneDescriptorLeft()) }
  }

  @Test func `a full disk is told with the name of the file`() async {
    await #expect(processExitsWith: .exitCode(74)) { exit(Self.statusWithLimitedFileSize()) }
  }

  /// Keeps a reject when the process may open one file, not two.
  private static func statusWithOneDescriptorLeft() -> Int32 {
    let scratch = ScratchFolder()
    let free = dup(0)
    close(free)
    var limit = rlimit(rlim_cur: rlim_t(free) + 1, rlim_max: rlim_t(free) + 1)
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1 }
    do {
      _ = try keep([reject(0)], of: makeBatch(["x\n"]), from: scratch("a.txt"))
      return 2
    } catch WriteError.cannotCreate(let path, let reason) {
      // The test library's own threads may take the last descriptor before the first file does.
      let isOfPair = path == scratch("a.rejects.csv") || path == scratch("a.rejected.txt")
      let isTold = isOfPair && reason.hasPrefix("Too many open files")
      return isTold && scratch.names.isEmpty ? 0 : 3
    } catch { return 4 }
  }

  /// Keeps more than a file may hold; the system answers with an error, once its signal is ignored.
  private static func statusWithLimitedFileSize() -> Int32 {
    let scratch = ScratchFolder()
    _ = signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: 4_096, rlim_max: 4_096)
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { return 1 }
    let long = String(repeating: "x", count: 3_000) + "\n"
    do {
      _ = try keep([reject(0), reject(1)], of: makeBatch([long, long]), from: scratch("a.txt"))
      return 2
    } catch let error as WriteError {
      let expected = WriteError.failed(path: scratch("a.rejected.txt"), reason: "File too large")
      return error == expected ? error.kind.exitStatus : 3
    } catch { return 4 }
  }
}
