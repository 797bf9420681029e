import Diagnostics
import Records
import TestSupport
import Testing
import TextFormat

@Suite struct RecordsLayout {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let input: String
    let records: [[String: String]]

    init(_ testDescription: String, _ input: String, _ records: [[String: String]]) {
      self.testDescription = testDescription
      self.input = input
      self.records = records
    }
  }

  static let cases = [
    Case("one field", "a: 1\n", [["a": "1"]]),
    Case("no final line end", "a: 1", [["a": "1"]]),
    Case("blank lines part records", "a: 1\n\na: 2\n\n\n\na: 3\n", [["a": "1"], ["a": "2"], ["a": "3"]]),
    Case("a line of blanks is blank", "a: 1\n \t \na: 2\n  ", [["a": "1"], ["a": "2"]]),
    Case("blank lines at the head", "\n \n\na: 1\n", [["a": "1"]]),
    Case("nothing but blank lines", "\n\n  \n", []),
    Case("nothing", "", []),
    Case("an empty value is the empty string", "a:\nb: \nc:\t", [["a": "", "b": "", "c": ""]]),
    Case(
      "one blank after the colon goes, no other",
      "a:  x  \nb:\t\ty\t\nc:z",
      [["a": " x  ", "b": "\ty\t", "c": "z"]]
    ),
    Case("a value may hold colons and marks", "a: b: #c: %d + e\n", [["a": "b: #c: %d + e"]]),
    Case("blanks before the colon", "a b \t: x\n", [["a b": "x"]]),
    Case(
      "order and set of fields may differ",
      "a: 1\nb: 2\n\nb: 3\na: 4\n\nc: 5\n",
      [["a": "1", "b": "2"], ["b": "3", "a": "4"], ["c": "5"]]
    ),
    Case(
      "a key that begins another",
      "ab: 1\na: 2\n\na: 3\nab: 4\n",
      [["ab": "1", "a": "2"], ["a": "3", "ab": "4"]]
    ),
    Case("comments", "# head\n\n# of one\na: 1\n# within\nb: 2\n# after\n\n#\n", [["a": "1", "b": "2"]]),
    Case("plus continues", "a: 1\n+ 2\n+3\n+\n+  4\nb: x\n", [["a": "1\n2\n3\n\n 4", "b": "x"]]),
    Case("plus after an empty value", "a:\n+ x\n", [["a": "\nx"]]),
    Case("indentation continues", "a: 1\n  2\n    3\n  4\nb: x\n", [["a": "1\n2\n  3\n4", "b": "x"]]),
    Case("less indentation than before", "a: 1\n    2\n  3\n", [["a": "1\n2\n3"]]),
    Case("tabs and spaces are not the same", "a: 1\n\t2\n 3\n\t\t4\n", [["a": "1\n2\n 3\n\t4"]]),
    Case(
      "keys around eight bytes, alike at their beginning",
      "abcdefg: 1\nabcdefgh: 2\nabcdefghi: 3\nabcdefghX: 4\n\nabcdefg: 5\nabcdefgh: 6\nabcdefghX: 7\nabcdefghi: 8\n",
      [
        ["abcdefg": "1", "abcdefgh": "2", "abcdefghi": "3", "abcdefghX": "4"],
        ["abcdefg": "5", "abcdefgh": "6", "abcdefghX": "7", "abcdefghi": "8"],
      ]
    ),
    Case("each field has its own indentation", "a: 1\n  2\nb: 1\n 2\n   3\n", [["a": "1\n2", "b": "1\n2\n  3"]]),
    Case("both continuations", "a: 1\n  2\n+ 3\n   4\n", [["a": "1\n2\n3\n 4"]]),
    Case("a comment does not end a value", "a: 1\n# c\n+ 2\n# c\n 3\n", [["a": "1\n2\n3"]]),
    Case("CRLF", "a: 1\r\n+ 2\r\nb: 3\r\n\r\na: 4\r\n", [["a": "1\r\n2", "b": "3"], ["a": "4"]]),
    Case("CR", "a: 1\r+ 2\rb: 3\r\ra: 4\r", [["a": "1\r2", "b": "3"], ["a": "4"]]),
    Case("line ends of all kinds in one value", "a: 1\r\n+ 2\r+ 3\n+ 4\r\n", [["a": "1\r\n2\r3\n4"]]),
    Case("byte order mark", "\u{FEFF}a: 1\n\na: 2\n", [["a": "1"], ["a": "2"]]),
    Case("byte order mark alone", "\u{FEFF}", []),
    Case("a record without fields", "%null:\n\na: 1\n\n%null: \n", [[:], ["a": "1"], [:]]),
    Case(
      "descriptors are no records",
      "%rec: Note\n%key: a\n+ more\n # more\n%doc: text\n  more\n\na: 1\n",
      [["a": "1"]]
    ),
    Case("descriptors may stand right above a record", "%rec: Note\na: 1\n+ 2\n", [["a": "1\n2"]]),
    Case("letters of any kind", "naïve café: Ωμέγα 🎉\n", [["naïve café": "Ωμέγα 🎉"]]),
    Case("values that are not checked", "a: \u{0}\u{1B}\n", [["a": "\u{0}\u{1B}"]]),
  ]

  @Test(arguments: cases, [1, 2, 3, 7, 64, 4096, 128 << 10])
  func `records do not depend on chunk size`(example: Case, chunkSize: Int) throws {
    // The reader's own chunks, and the source's.
    for limits in [ReadLimits(), ReadLimits(chunkByteCount: chunkSize)] {
      let read = try readRecords(example.input, chunkSize: chunkSize, limits: limits)
      #expect(read.records.map(\.text) == example.records)
      #expect(read.records.allSatisfy { $0.faults.isEmpty && $0.repeats.isEmpty })
    }
  }

  @Test func `the notes of the fixtures are read`() throws {
    let notes = """
      date: 2013-02-11T08:30:00Z
      title: Perché lo yogurt
      keywords: cucina, latte
      body: Prova numero uno.

      title: Lista
      date: 2012-12-31T23:59:59Z
      keywords: casa
      body: riga uno
       riga due, con virgola
       e "virgolette"
      """
    let read = try readRecords(notes)
    #expect(read.shapes == [RecordShape(columns: ["date", "title", "keywords", "body"])])
    #expect(
      read.records.map { $0.text["body"] } == [
        "Prova numero uno.", "riga uno\nriga due, con virgola\ne \"virgolette\"",
      ]
    )
    #expect(read.records.map { $0.text["title"] } == ["Perché lo yogurt", "Lista"])
    #expect(read.records.map(\.line) == [1, 6])
  }

  @Test func `a record's bytes are its lines, comments and line ends with them`() throws {
    let read = try readRecords("# head\na: 1\r\n# in\r\n+ 2\r\n\r\n\r\na: 3")
    #expect(read.records.map { String(decoding: $0.raw, as: UTF8.self) } == ["a: 1\r\n# in\r\n+ 2\r\n", "a: 3"])
    #expect(read.records.map(\.line) == [2, 7])
  }

  @Test func `a key that stands twice gives further values, each with its own lines`() throws {
    let read = try readRecords("k: 1\nk: 2\n+ 3\na: x\nk:\n\nk: 4\n")
    #expect(read.records[0].text == ["k": "1", "a": "x"])
    #expect(read.records[0].repeats == ["k": [Array("2\n3".utf8), []]])
    #expect(read.records[1].repeats == [:])
  }

  @Test(arguments: [1, 5, 4096])
  func `kinds of record have names and columns of their own`(chunkSize: Int) throws {
    let input =
      "a: 0\n\n%rec: Label\n\nname: B\n\n%rec: Artist \n%key: name\n\nname: M\ntown: H\n\n%rec: Label\n\nfounded: 1\n"
    let read = try readRecords(input, chunkSize: chunkSize, limits: ReadLimits(chunkByteCount: chunkSize))
    #expect(read.records.map(\.kind) == ["", "Label", "Artist", "Label"])
    #expect(
      read.shapes == [
        RecordShape(columns: ["a"]), RecordShape(name: "Label", columns: ["name", "founded"]),
        RecordShape(name: "Artist", columns: ["name", "town"]),
      ]
    )
    #expect(
      read.framing.kinds.map { String(decoding: $0.opening, as: UTF8.self) }
        == ["", "%rec: Label\n\n", "%rec: Artist \n%key: name\n\n"]
    )
  }

  @Test func `names are known once the input is opened`() throws {
    var reader = TextRecordsReader(ChunkedSource("%rec: N\n\nb: 1\na: 2\n\nc: 3\n", chunkSize: 1), file: "-")
    try reader.open()
    #expect(reader.shapes == [RecordShape(name: "N", columns: ["b", "a", "c"])])
    var batch = RecordBatch()
    #expect(try reader.fill(&batch))
    #expect(batch.count == 2)
    let shapes = batch.shapes
    #expect(shapes == reader.shapes)
    #expect(try !reader.fill(&batch))
    #expect(batch.count == 0)
    #expect(try !reader.fill(&batch))
  }

  @Test func `opening is not needed`() throws {
    #expect(try readRecords(Array("a: 1\n".utf8), opening: false).records.map(\.text) == [["a": "1"]])
  }

  @Test(arguments: ["\n", "\r\n", "\r"], [1, 7, 4096])
  func `framed rejects read like the input`(lineEnd: String, chunkSize: Int) throws {
    let input = "%rec: N\n%key: a\n\na: 1\n+ 2\n\n# c\na: 3\nb:\n\na: 4".split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    .joined(separator: lineEnd)
    let read = try readRecords(input, chunkSize: chunkSize, limits: ReadLimits(chunkByteCount: chunkSize))
    var rejects = read.framing.kinds[0].opening
    for (index, record) in read.records.enumerated() {
      if index > 0, !rejects.suffix(read.framing.separator.count).elementsEqual(read.framing.separator) {
        rejects += read.framing.separator
      }
      rejects += record.raw
    }
    rejects += read.framing.closing
    let again = try readRecords(rejects)
    #expect(again.records.map(\.fields) == read.records.map(\.fields))
    #expect(again.records.map(\.raw) == read.records.map(\.raw))
    #expect(again.records.map(\.kind) == ["N", "N", "N"])
    #expect(again.framing == read.framing)
  }

  @Test func `many columns keep apart`() throws {
    let names = (0..<2000).map { "column \($0)" }
    let forward = names.map { "\($0): \($0)\n" }.joined()
    let backward = names.reversed().map { "\($0): \($0)\n" }.joined()
    let sparse = "column 1999: x\n"
    let read = try readRecords([forward, backward, sparse, forward].joined(separator: "\n"), chunkSize: 1000)
    let expected = Dictionary(uniqueKeysWithValues: names.map { ($0, $0) })
    #expect(read.records.map(\.text) == [expected, expected, ["column 1999": "x"], expected])
    #expect(read.shapes[0].columns == names)
  }
}
