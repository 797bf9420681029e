import Diagnostics
import Records
import TestSupport
import Testing

private func copy(_ buffer: borrowing TextBuffer) -> String {
  let bytes = buffer.bytes
  return String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
}

@Suite struct TextBuffers {
  @Test func `bytes are appended one by one, from spans, texts and from itself`() {
    var buffer = TextBuffer()
    buffer.append(UInt8(ascii: "a"))
    buffer.append("bcd")
    buffer.append([UInt8](repeating: UInt8(ascii: "e"), count: 3).span)
    buffer.append(copyOf: TextSlice(1..<3))
    #expect(copy(buffer) == "abcdeeebc")
  }

  @Test func `a copy of its own bytes survives the growth of the storage`() {
    var buffer = TextBuffer(capacity: 4)
    buffer.append("abcd")
    for _ in 0..<6 { buffer.append(copyOf: TextSlice(0..<buffer.count)) }
    #expect(copy(buffer) == String(repeating: "abcd", count: 64))
  }

  @Test func `a prefix is removed and the rest moves to the front`() {
    var buffer = TextBuffer()
    buffer.append("headtail")
    buffer.removePrefix(4)
    #expect(copy(buffer) == "tail")
    buffer.truncate(to: 2)
    #expect(copy(buffer) == "ta")
    buffer.removePrefix(2)
    #expect(copy(buffer) == "")
  }

  @Test func `a fill adds what was written of the room that it had`() {
    var buffer = TextBuffer()
    buffer.append("x")
    unsafe buffer.fill(8) { _ in 0 }
    #expect(copy(buffer) == "x")
    unsafe buffer.fill(8) { room in
      unsafe room.update(repeating: UInt8(ascii: "y"), count: 2)
      return 2
    }
    #expect(copy(buffer) == "xyy")
  }
}

@Suite struct Fields {
  @Test func `a field is NULL when it is absent, or empty and not quoted`() {
    let nothing = TextSlice(offset: 7, count: 0)
    #expect(Field.absent.isNull && Field.absent.isAbsent)
    #expect(Field(nothing).isNull && !Field(nothing).isAbsent)
    #expect(!Field(nothing, isQuoted: true).isNull)
    #expect(!Field(nothing, isBase64: true).isNull)
    #expect(!Field(TextSlice(offset: 7, count: 1)).isNull)
  }

  @Test func `flags do not touch the count`() {
    let field = Field(TextSlice(offset: .max, count: (1 << 29) - 1), isQuoted: true, isBase64: true)
    #expect(field.count == (1 << 29) - 1)
    #expect(field.text == TextSlice(offset: .max, count: (1 << 29) - 1))
    #expect(field.isQuoted && field.isBase64 && !field.isAbsent)
  }
}

@Suite struct Locations {
  @Test func `lines and columns count from the record's start over every line end`() {
    var batch = RecordBatch(file: "f.csv")
    batch.byteOffset = 100
    batch.text.append("é,\"a\r\nb\rc\nd\",x\n")
    batch.records = [
      RecordHeader(ordinal: 3, line: 10, raw: TextSlice(0..<batch.text.count), fieldStart: 0, fieldCount: 0)
    ]
    func place(_ offset: Int) -> String {
      let location = batch.location(atOffset: offset, byteCount: 1, in: 0)
      return "\(location.line):\(location.column ?? 0) byte \(location.byteOffset)"
    }
    #expect(place(0) == "10:1 byte 100")
    #expect(place(2) == "10:2 byte 102")
    #expect(place(4) == "10:4 byte 104")
    #expect(place(7) == "11:1 byte 107")
    #expect(place(9) == "12:1 byte 109")
    #expect(place(11) == "13:1 byte 111")
    #expect(place(14) == "13:4 byte 114")
  }

  @Test func `a rewritten field leads back to where it stood`() {
    var batch = RecordBatch(file: "f.csv")
    batch.text.append("a,\"b\"\"c\"\n")
    batch.text.append("b\"c")
    batch.rewrites = [Rewrite(text: 9, original: 3)]
    batch.records = [RecordHeader(ordinal: 1, line: 2, raw: TextSlice(0..<9), fieldStart: 0, fieldCount: 2)]
    let field = Field(TextSlice(9..<12), isQuoted: true)
    #expect(batch.originalOffset(of: field) == 3)
    #expect(batch.location(of: field, in: 0).column == 4)
    #expect(batch.originalOffset(of: Field(TextSlice(0..<1))) == 0)
    #expect(batch.location(of: .absent, in: 0).column == nil)
  }
}
