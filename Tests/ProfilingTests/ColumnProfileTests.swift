import Profiling
import Records
import TestSupport
import Testing

@Suite struct ProfilingColumns {
  @Test func `NULL, the empty string and absence are told apart`() {
    let rows: [[Cell]] = [["a", ""], [.quoted(""), .absent], ["a"], ["NA", .quoted("NA")]]
    let columns = profiles(columns: ["x", "y"], rows, nullTokens: ["NA"])[0].columns
    #expect(columns[0].valueCount == 3)
    #expect(columns[0].emptyCount == 1)
    #expect(columns[0].nullCount == 1)
    #expect(columns[0].nullTokenCount == 1)
    #expect(columns[0].distinct.count == 2)
    #expect(columns[1].valueCount == 1)
    #expect(columns[1].nullCount == 3)
    #expect(columns[1].absentCount == 2)
  }

  @Test func `a column that is met late was absent before`() {
    let columns = profiles(columns: ["x", "y", "z"], [["a"], ["b"], ["c", "d"]])[0].columns
    #expect(columns.map(\.nullCount) == [0, 2, 3])
    #expect(columns.map(\.absentCount) == [0, 2, 3])
    #expect(columns.map(\.valueCount) == [3, 1, 0])
  }

  @Test func `ends, lengths and first values are those of the column, with their lines`() {
    let column = profile(["bb", "ä", "ccc", "bb", "a"])
    #expect(column.least.map { [$0.text, "\($0.line ?? 0)"] } == ["a", "6"])
    #expect(column.greatest.map { [$0.text, "\($0.line ?? 0)"] } == ["ä", "3"])
    #expect(column.shortest?.value.text == "ä")
    #expect(column.shortest?.characters == 1)
    #expect(column.longest?.value.text == "ccc")
    #expect(column.longest?.value.line == 4)
    #expect(column.sample.map(\.text) == ["bb", "ä", "ccc", "a"])
    #expect(column.top.map(\.value.text) == ["bb"])
    #expect(column.top.map(\.count) == [2])
  }

  @Test func `only what is certain makes a key`() {
    #expect(profile(["a", "b"]).isKeyCandidate)
    #expect(!profile(["a", "a"]).isKeyCandidate)
    #expect(!profile(["a", ""]).isKeyCandidate)
    #expect(!profile(["a", .quoted("")]).isKeyCandidate)
    #expect(!profile([]).isKeyCandidate)
    let many = (0..<70_000).map { Cell.plain("k\($0 * 7_919 % 70_000)") }
    let shuffled = profile(many)
    #expect(shuffled.isUnique == nil)
    #expect(!shuffled.isKeyCandidate)
  }

  @Test(arguments: [0, 1, 9_999_990]) func `values in ascending order are counted exactly, however many`(_ start: Int) {
    let column = profile((0..<70_000).map { .plain(String(start + $0)) })
    #expect(column.distinct.isExact)
    #expect(column.distinct.count == 70_000)
    #expect(column.isKeyCandidate)
    #expect(column.top.isEmpty)
    let broken = profile((0..<70_000).map { .plain(String(start + ($0 == 69_999 ? 5 : $0))) })
    #expect(!broken.distinct.isExact)
    #expect(broken.isUnique != true)
  }

  static let remarks: [(Cell, ValueRemark?)] = [
    (" a", .surroundingSpace), ("a\t", .surroundingSpace), ("\u{A0}a", .surroundingSpace),
    ("a\u{3000}", .surroundingSpace),
    ("a\u{2003}", .surroundingSpace), ("a b", nil), ("à", nil), ("a\nb", .lineBreak), ("é\rb", .lineBreak),
    ("a\u{2028}b", .lineBreak), ("a\u{1B}b", .controlCharacter), ("abcdefgh\u{1}", .controlCharacter),
    ("abcdefg\u{7F}h", .controlCharacter), ("a\tb", nil), ("é\u{85}", .controlCharacter),
    (.bytes([0x61, 0xFF]), .invalidUTF8), (.bytes([0xC0, 0x80]), .invalidUTF8),
    (.bytes([0xED, 0xA0, 0x80]), .invalidUTF8),
    ("a\u{FFFD}", .replacementCharacter), ("cafÃ©", .doubleEncoding), ("Ã la carte", nil),
    ("a\u{200B}b", .invisibleCharacter),
    ("a\u{202E}b", .invisibleCharacter), ("x\u{FEFF}", .invisibleCharacter), ("日本語のメモ", nil), ("abcdefgh~", nil),
  ]

  @Test(arguments: remarks) func `what is odd about a value is found`(_ value: Cell, _ remark: ValueRemark?) {
    let column = profile([value, "plain", value])
    #expect(column.remarks.map(\.remark) == (remark.map { [$0] } ?? []))
    #expect(column.remarks.map(\.count) == (remark == nil ? [] : [2]))
    #expect(column.remarks.allSatisfy { $0.first.line == 2 })
  }

  @Test func `values that differ by case are found`() {
    let column = profile(["Rome", "Milan", "ROME", "rome", "7", "Rome"])
    #expect(column.caseTwins?.count == 3)
    #expect(column.caseTwins?.first.text == "Rome")
    #expect(column.caseTwins?.second.text == "ROME")
    #expect(profile(["Rome", "Romes"]).caseTwins == nil)
  }

  @Test func `a long value is kept by its beginning, whole characters only`() {
    let kept = KeptValue(Array(("x" + String(repeating: "é", count: 300)).utf8).span)
    #expect(kept.isCut)
    #expect(kept.bytes.count == 199)
    #expect(String(validating: kept.bytes, as: UTF8.self) != nil)
  }

  @Test func `broken records are counted and their fields are not`() {
    var batch = makeBatch(columns: ["v"], [["a"], ["b"]])
    batch.records[1].isUnreadable = true
    var profile = RecordProfile()
    profile.observe(batch)
    #expect(profile.recordCount == 2)
    #expect(profile.profiles(batch.shapes)[0].columns[0].valueCount == 1)
  }

  @Test func `line ends are counted`() {
    var batch = RecordBatch()
    batch.shapes = [RecordShape(columns: ["v"])]
    for line in ["a\n", "b\r\n", "c\r", "d"] {
      let start = batch.text.count
      batch.text.append(line)
      batch.records.append(
        RecordHeader(ordinal: 1, line: 1, raw: TextSlice(start..<batch.text.count), fieldStart: 0, fieldCount: 0)
      )
    }
    var profile = RecordProfile()
    profile.observe(batch)
    #expect(profile.lineEnds.lf == 1)
    #expect(profile.lineEnds.crlf == 1)
    #expect(profile.lineEnds.cr == 1)
    #expect(profile.lineEnds.none == 1)
  }
}
