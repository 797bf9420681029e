import Diagnostics
import EntityModel
import Records
import TestSupport
import Testing
import TextFormat

@Suite struct WritingRecords {
  @Test func `NULL is left out, and the empty string is not`() throws {
    let written = try writeRecords([[Array("1".utf8), nil, []], [nil, nil, nil]], columns: ["a", "b", "c"])
    #expect(String(decoding: written, as: UTF8.self) == "%rec: Note\n\na: 1\nc:\n\n%null:\n")
  }

  @Test func `values over several lines keep their line ends`() throws {
    let written = try writeRecords([[Array("1\r\n 2\r\n\n".utf8)], [Array("\r3\r".utf8)]], columns: ["a"], entity: "")
    #expect(String(decoding: written, as: UTF8.self) == "a: 1\r\n+  2\r\n+\n+\n\na:\r+ 3\r+\n")
  }

  @Test(arguments: [
    "\n", "a\n", "\r", "\r\n", " ", "\t", " \t", ": ", "#x", "+x", "%null:", "\n\n", "a: b\n\nc: d", "\n#", " \n ",
    "\n+",
  ])
  func `values that look like grammar survive`(value: String) throws {
    let rows: [[Bytes?]] = [[Array(value.utf8), Array(value.utf8)], [nil, Array(value.utf8)]]
    let read = try readRecords(try writeRecords(rows, columns: ["a", "b"]))
    #expect(read.records.map { [$0.fields["a"], $0.fields["b"]] } == rows)
  }

  @Test func `rows of nothing but NULLs survive, and no rows are no records`() throws {
    let rows: [[Bytes?]] = [[nil], [nil], [[]], [nil]]
    let read = try readRecords(try writeRecords(rows, columns: ["a"]))
    #expect(read.records.map { [$0.fields["a"]] } == rows)
    #expect(try readRecords(try writeRecords([], columns: ["a"])).records == [])
  }

  @Test func `typed values have the spelling of their type`() throws {
    let written = WrittenBytes()
    let columns: [(String, AttributeType, Value)] = [
      ("i", .integer(bits: 64), .integer(-5)), ("d", .double, .real(0.5)), ("b", .boolean, .integer(1)),
      ("m", .decimal(precision: 6, scale: 2), .real(1.5)), ("x", .binary, .blob(TextSlice(0..<2))),
      ("e", .binary, .blob(TextSlice(0..<0))), ("n", .date, .null),
    ]
    var writer = try TextRecordsWriter(
      MemorySink(written),
      entity: "E",
      columns: columns.map { WrittenColumn(name: $0.0, type: $0.1) }
    )
    var text = TextBuffer()
    text.append("hi")
    var batch = ValueBatch()
    batch.rows = [ValueBatch.Row(entity: 0, record: 0, valueStart: 0)]
    batch.values = columns.map(\.2)
    try writer.write(batch, text: text)
    try writer.finish()
    #expect(written.text == "%rec: E\n\ni: -5\nd: 0.5\nb: true\nm: 1.50\nx: aGk=\ne: \n")
    let read = try readRecords(written.bytes)
    #expect(read.records.map(\.text) == [["i": "-5", "d": "0.5", "b": "true", "m": "1.50", "x": "aGk=", "e": ""]])
  }

  @Test func `much output goes out in pieces and whole`() throws {
    let rows: [[Bytes?]] = (0..<5000).map { [Array("value \($0)".utf8), Bytes(repeating: 0x78, count: $0 % 200)] }
    let read = try readRecords(try writeRecords(rows, columns: ["a", "b"]))
    #expect(read.records.map { [$0.fields["a"], $0.fields["b"]] } == rows)
  }

  @Test(arguments: [
    ("", "it is empty"), ("a:b", "it holds a colon"), ("a\nb", "it holds a line end"), ("a\rb", "it holds a line end"),
    ("#a", "it begins with '#'"), ("+a", "it begins with '+'"), ("%a", "it begins with '%'"),
    (" a", "it begins or ends with a space or tab"), ("a\t", "it begins or ends with a space or tab"),
    ("a\u{0}", "it holds the character NUL"), ("\u{FEFF}a", "it begins with a byte order mark"),
    (String(repeating: "k", count: 1025), "it is longer than 1024 bytes"),
  ])
  func `names that cannot be keys are refused`(name: String, reason: String) {
    do throws(WriteError) {
      _ = try writeRecords([], columns: ["ok", name])
      Issue.record("the name was taken")
    } catch {
      #expect(error.description.hasSuffix("cannot be a key of text records: \(reason)"))
      #expect(error.kind == .data)
    }
  }

  @Test func `twin names and entities that cannot be named are refused`() {
    for (columns, entity) in [(["a", "a"], "E"), (["a"], " E"), (["a"], "E\nF")] {
      #expect(throws: WriteError.self) { try writeRecords([], columns: columns, entity: entity) }
    }
    #expect(throws: Never.self) { try writeRecords([], columns: ["é", "e\u{301}"], entity: "Two words") }
  }
}

@Suite struct DetectingRecords {
  static let records = [
    "date: 2013-02-11\ntitle: Perché\nbody: x\n\ntitle: Lista\nbody: y\n y2\n+ y3\n", "%rec: Note\n\na: 1\n",
    "a: 1\nb: 2",
    "# head\n\nname: Ada\n\nname: Bob\n", "\u{FEFF}a: 1\r\nb:\r\n\r\na: 2\r\n",
    "name: Ada\nage: 1\noops\nnick: a\ntown: b\n",
    "artist.label: x\nkey-2: y\n",
  ]
  static let others = [
    "", "\n\n", "name,note\nAda,see: this\nBob,see: that\n", "name\tage\nAda\t1\n", "12:30 lunch\n13:30 tea\n",
    "http://a\n\nhttp://b\n",
    "nome;cognome\nAda;Lovelace\n", "one\ntwo\nthree\n", "<a>\n<b>x: y</b>\n</a>", "{\"a\": 1,\n\"b\": 2}",
    "Note: only this\n",
    "# a: b\n# c: d\n", "  a: 1\n  b: 2\n",
  ]

  @Test(arguments: records) func `blocks of fields are records`(sample: String) {
    let answer = TextRecordsDetector.detect(sample: Array(sample.utf8).span, isWholeInput: true)
    #expect(answer.isRecords, "\(answer.reason)")
  }

  @Test(arguments: others) func `other text is not`(sample: String) {
    let answer = TextRecordsDetector.detect(sample: Array(sample.utf8).span, isWholeInput: true)
    #expect(!answer.isRecords, "\(answer.reason)")
    #expect(!answer.reason.isEmpty)
  }

  @Test func `the reason counts`() {
    let answer = TextRecordsDetector.detect(sample: Array("a: 1\nb: 2\n\na: 3\n".utf8).span, isWholeInput: true)
    #expect(answer.reason == "3 'Key: value' lines in 2 blocks parted by blank lines")
  }

  @Test func `a cut last line is not looked at`() {
    let sample = Array("a: 1\nb: 2\nthe rest of this li".utf8)
    #expect(
      TextRecordsDetector.detect(sample: sample.span, isWholeInput: false).reason == "2 'Key: value' lines in 1 block"
    )
  }
}
