import Diagnostics
import EntityModel
import ImporterKit
import TestSupport
import Testing

/// How one format spells a record of a number and a text.
private struct Spelling: CustomTestStringConvertible, Sendable {
  let format: FileFormat
  let head: [UInt8]
  let open: @Sendable (Int) -> [UInt8]
  let close: [UInt8]
  let tail: [UInt8]
  /// What a record says between two.
  let between: [UInt8]
  var testDescription: String { format.rawValue }

  init(
    _ format: FileFormat,
    head: String,
    open: @escaping @Sendable (Int) -> String,
    close: String,
    between: String = "",
    tail: String = ""
  ) {
    self.format = format
    self.head = Array(head.utf8)
    self.open = { Array(open($0).utf8) }
    self.close = Array(close.utf8)
    self.between = Array(between.utf8)
    self.tail = Array(tail.utf8)
  }

  func file(_ texts: [[UInt8]]) -> [UInt8] {
    var bytes = head
    for (index, text) in texts.enumerated() {
      if index > 0 { bytes += between }
      bytes += open(index + 1) + text + close
    }
    return bytes + tail
  }

  static let all = [
    Spelling(.csv, head: "n,t\n", open: { "\($0),\"" }, close: "\"\n"),
    Spelling(.tsv, head: "n\tt\n", open: { "\($0)\t" }, close: "\n"),
    Spelling(.text, head: "", open: { "n: \($0)\nt: " }, close: "\n", between: "\n"),
    Spelling(.json, head: "[", open: { "{\"n\":\($0),\"t\":\"" }, close: "\"}", between: ",\n", tail: "]"),
    Spelling(.ndjson, head: "", open: { "{\"n\":\($0),\"t\":\"" }, close: "\"}\n"),
  ]
}

@Suite struct BytesInFields {
  /// Loads records with these texts between two sound ones; what is stored of them, and the faults.
  private func load(_ texts: [[UInt8]], as spelling: Spelling) throws -> (stored: [UInt8], faults: [Diagnostic]) {
    let folder = Folder()
    let name = "t.\(spelling.format.rawValue)"
    folder.write(spelling.file([Array("one".utf8)] + texts + [Array("last".utf8)]), to: name)
    var job = LoadJob(inputs: [folder(name)], database: folder("t.sqlite"))
    job.reading.format = spelling.format
    if spelling.format == .text { job.reading.layout = .records }
    if spelling.format == .csv || spelling.format == .tsv { job.reading.header = .lines(1) }
    job.model.entity = "t"
    job.model.types = [
      ModelOptions.TypedColumn(column: "n", type: .integer(bits: 64)),
      ModelOptions.TypedColumn(column: "t", type: .text),
    ]
    let collected = Collected()
    let outcome = try job.run(diagnostics: collected)
    var export = ExportJob(database: folder("t.sqlite"))
    export.format = .csv
    export.output = folder("out.csv")
    let count = try export.run()
    #expect(count + outcome.rejectedCount == Int64(texts.count) + 2)
    // The first and the last are never touched.
    let rows = Array((folder.read("out.csv") ?? []).dropFirst("n,t\n".utf8.count))
    let (first, last) = (Array("1,one\n".utf8), Array("\(texts.count + 2),last\n".utf8))
    #expect(rows.starts(with: first) && rows.suffix(last.count).elementsEqual(last))
    return (Array(rows.dropFirst(first.count).dropLast(last.count)), collected.all)
  }

  /// Where in the file the text of each record stands.
  private func offsets(of texts: [[UInt8]], as spelling: Spelling) -> [Int] {
    var offset = spelling.head.count
    return ([Array("one".utf8)] + texts).enumerated().map { index, text in
      if index > 0 { offset += spelling.between.count }
      offset += spelling.open(index + 1).count
      defer { offset += text.count + spelling.close.count }
      return offset
    }.dropFirst().map { $0 }
  }

  /// Each byte that text may hold, at the start, in the middle and at the end of a field.
  private static let keptBytes: [[UInt8]] =
    Array(0x01...0x08).map { [$0] } + [[0x0B], [0x0C]] + Array(0x0E...0x1F).map { [$0] }
    + [
      [0x7F], [0xC2, 0x80], [0xC2, 0x9F], [0xEF, 0xBB, 0xBF], [0xE2, 0x80, 0xA8], [0xEF, 0xBF, 0xBF],
      [0xF4, 0x8F, 0xBF, 0xBF],
    ]

  @Test(arguments: Spelling.all.prefix(3), keptBytes) fileprivate func `a control character is kept as it is`(
    spelling: Spelling,
    bytes: [UInt8]
  ) throws {
    let texts = [("", "x"), ("x", "x"), ("x", "")].map { Array($0.0.utf8) + bytes + Array($0.1.utf8) }
    let (stored, faults) = try load(texts, as: spelling)
    #expect(faults.isEmpty, "\(faults.map(\.message))")
    // The exporter may put quotes around some.
    func lines(_ quote: [UInt8]) -> [UInt8] {
      var lines: [UInt8] = []
      for (index, text) in texts.enumerated() { lines += Array("\(index + 2),".utf8) + quote + text + quote + [0x0A] }
      return lines
    }
    #expect(stored == lines([]) || stored == lines([0x22]))
  }

  @Test(arguments: Spelling.all.prefix(3)) fileprivate func `a NUL rejects its record alone`(spelling: Spelling) throws
  {
    let texts = ["\u{0}x", "x\u{0}y", "x\u{0}", "\u{0}"].map { Array($0.utf8) }
    let (stored, faults) = try load(texts, as: spelling)
    #expect(stored.isEmpty)
    #expect(faults.map(\.code) == texts.map { _ in .illegalCharacter })
    let places = zip(offsets(of: texts, as: spelling), texts).map { Int64($0 + ($1.firstIndex(of: 0) ?? 0)) }
    #expect(faults.map(\.location.byteOffset) == places)
  }

  struct IllFormed: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    /// Where in them the first byte at fault stands.
    var at = 0
    let reason: String
  }

  /// The classes of the Unicode Standard, table 3-7 and its notes.
  static let illFormed = [
    IllFormed(testDescription: "a continuation byte", bytes: [0x80], reason: "it continues no character"),
    IllFormed(testDescription: "the last continuation byte", bytes: [0xBF], reason: "it continues no character"),
    IllFormed(
      testDescription: "one byte too many",
      bytes: [0xC3, 0xA9, 0xA9],
      at: 2,
      reason: "it continues no character"
    ),
    IllFormed(testDescription: "overlong slash of 2", bytes: [0xC0, 0xAF], reason: "more bytes than it needs"),
    IllFormed(testDescription: "overlong NUL", bytes: [0xC0, 0x80], reason: "more bytes than it needs"),
    IllFormed(testDescription: "overlong C1", bytes: [0xC1, 0xBF], reason: "more bytes than it needs"),
    IllFormed(testDescription: "overlong slash of 3", bytes: [0xE0, 0x80, 0xAF], reason: "more bytes than it needs"),
    IllFormed(testDescription: "overlong E0", bytes: [0xE0, 0x9F, 0xBF], reason: "more bytes than it needs"),
    IllFormed(
      testDescription: "overlong slash of 4",
      bytes: [0xF0, 0x80, 0x80, 0xAF],
      reason: "more bytes than it needs"
    ),
    IllFormed(testDescription: "overlong F0", bytes: [0xF0, 0x8F, 0xBF, 0xBF], reason: "more bytes than it needs"),
    IllFormed(testDescription: "high surrogate", bytes: [0xED, 0xA0, 0x80], reason: "half of a surrogate pair"),
    IllFormed(testDescription: "low surrogate", bytes: [0xED, 0xBF, 0xBF], reason: "half of a surrogate pair"),
    IllFormed(
      testDescription: "CESU-8",
      bytes: [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80],
      reason: "half of a surrogate pair"
    ),
    IllFormed(testDescription: "past the last", bytes: [0xF4, 0x90, 0x80, 0x80], reason: "past the last code point"),
    IllFormed(testDescription: "F5", bytes: [0xF5, 0x80, 0x80, 0x80], reason: "past the last code point"),
    IllFormed(
      testDescription: "five bytes",
      bytes: [0xF8, 0x88, 0x80, 0x80, 0x80],
      reason: "no character has such a byte"
    ),
    IllFormed(testDescription: "FE", bytes: [0xFE], reason: "no character has such a byte"),
    IllFormed(testDescription: "FF", bytes: [0xFF], reason: "no character has such a byte"),
    IllFormed(testDescription: "cut after 1 of 2", bytes: [0xC3], reason: "breaks off"),
    IllFormed(testDescription: "cut after 1 of 3", bytes: [0xE2], reason: "breaks off"),
    IllFormed(testDescription: "cut after 2 of 3", bytes: [0xE2, 0x82], reason: "breaks off"),
    IllFormed(testDescription: "cut after 3 of 4", bytes: [0xF0, 0x9F, 0x98], reason: "breaks off"),
    IllFormed(testDescription: "cut by another", bytes: [0xE2, 0xC3, 0xA9], reason: "breaks off"),
  ]

  @Test(arguments: Spelling.all, illFormed) fileprivate func `an ill-formed sequence rejects its record alone`(
    spelling: Spelling,
    sequence: IllFormed
  ) throws {
    let surroundings = [("", "x"), ("é\\\\", "x"), ("x", "")]
    let texts = surroundings.map { Array($0.0.utf8) + sequence.bytes + Array($0.1.utf8) }
    let (stored, faults) = try load(texts, as: spelling)
    #expect(stored.isEmpty)
    #expect(faults.filter { $0.severity == .error }.map(\.code) == texts.map { _ in .encodingError })
    for (index, fault) in faults.prefix(texts.count).enumerated() {
      let offset = offsets(of: texts, as: spelling)[index] + surroundings[index].0.utf8.count + sequence.at
      #expect(fault.location.byteOffset == Int64(offset))
      #expect(fault.location.byteCount == 1)
      #expect(fault.field == "t")
      #expect(fault.message.contains("at offset \(offset) is not valid UTF-8"), "\(fault.message)")
      #expect(fault.message.contains(sequence.reason), "\(fault.message)")
    }
  }
}
