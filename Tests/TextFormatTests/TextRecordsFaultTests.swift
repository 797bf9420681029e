import Diagnostics
import Records
import Synchronization
import TestSupport

import Testing
import TextFormat

@Suite struct FaultyRecords {
  private func faults(_ input: String, limits: ReadLimits = ReadLimits()) throws -> [String] {
    try readRecords(input, chunkSize: 3, limits: limits).diagnostics.map {
      "\($0.location.record):\($0.location.line):\($0.location.column ?? 0)"
        + " @\($0.location.byteOffset)+\($0.location.byteCount) [\($0.code.rawValue)] \($0.message)"
    }
  }

  @Test func `every unreadable line is told, with its place, and the rest of the record is there`() throws {
    let input = "a: 1\n\n+ x\nè perso\na: 2\n: y\n \n\n%oops\n\nb: 3\n%rec: N\n  more\nc: 4\n"
    #expect(
      try faults(input) == [
        "2:3:1 @6+3 [unreadable-line] the line '+ x' continues a value, but no field stands above it",
        "2:4:1 @10+8 [unreadable-line] the line 'è perso' has no colon, so it is no 'Key: value'",
        "2:6:1 @24+3 [unreadable-line] the line ': y' has no key before its colon",
        "3:12:1 @43+7 [unreadable-line] the line '%rec: N' begins with '%' within a record",
        "3:13:1 @51+6 [unreadable-line] the line '  more' continues a value, but no field stands above it",
      ]
    )
    let read = try readRecords(input)
    #expect(read.records.map(\.text) == [["a": "1"], ["a": "2"], ["b": "3", "c": "4"]])
    #expect(String(decoding: read.records[1].raw, as: UTF8.self) == "+ x\nè perso\na: 2\n: y\n")
    #expect(read.records.allSatisfy { !$0.isUnreadable })
  }

  @Test func `a fault has a remedy, and what is shown is escaped and cut`() throws {
    let line = "\u{1B}[31m" + String(repeating: "x", count: 100)
    let fault = try #require(try readRecords(line + "\n").diagnostics.first)
    #expect(fault.value == "\\x1B[31m" + String(repeating: "x", count: 35) + "…")
    #expect(fault.remedy == "write 'Key: value', or put '+ ' before the line if it continues the value above it")
    #expect(fault.expected == "'Key: value', '+ text', an indented line or '# comment'")
  }

  @Test func `so many unreadable lines are told in sum`() throws {
    let input = "a: 1\n" + String(repeating: "x\n", count: 250) + "\nb: 2\n"
    let all = try faults(input)
    #expect(all.count == 101)
    #expect(all.last == "1:1:0 @0+505 [unreadable-line] 150 more lines of the record cannot be read")
    #expect(try readRecords(input).records.map(\.text) == [["a": "1"], ["b": "2"]])
  }

  @Test func `keys that cannot be names are faults`() throws {
    let long = String(repeating: "k", count: 1025)
    #expect(
      try faults("a\u{0}b: 1\n\(long): 2\nc: 3\n") == [
        "1:1:1 @0+3 [illegal-character] the key 'a\\x00b' holds the character NUL",
        "1:2:1 @7+1025 [field-too-long] the key '\(String(repeating: "k", count: 40))…' is 1025 bytes long,"
          + " and the limit is 1024",
      ]
    )
    let invalid = try readRecords(Array("a".utf8) + [0xFF] + Array(": 1\n+ 2\nb: 2\n".utf8))
    #expect(invalid.records.map(\.faults) == [[.encodingError, .unreadableLine]])
    #expect(invalid.records.map(\.text) == [["b": "2"]])
    #expect(invalid.shapes == [RecordShape(columns: ["b"])])
    #expect(try readRecords("\(long.dropLast()): 2\n").diagnostics == [])
  }

  @Test func `more keys than columns are faults`() throws {
    let input = "a: 1\nb: 2\nc: 3\nd: 4\n\nb: 5\n\nc: 6\n"
    let read = try readRecords(input, limits: ReadLimits(columnCount: 2))
    #expect(read.records.map(\.faults) == [[.extraCell, .extraCell], [], [.extraCell]])
    #expect(read.shapes == [RecordShape(columns: ["a", "b"])])
  }

  @Test func `a value past the limit is a fault, over one line or several`() throws {
    let limits = ReadLimits(fieldByteCount: 4)
    #expect(
      try faults("a: 1234\nb: 12345\nc: 12\n+ 3\nc: 12\n+ 34\n+ 5\n", limits: limits) == [
        "1:2:0 @11+5 [field-too-long] the value is longer than 4 bytes",
        "1:5:0 @30+5 [field-too-long] the value is longer than 4 bytes",
      ]
    )
  }

  @Test(arguments: [1, 2, 3, 7, 64, 4096, 128 << 10], ["\n", "\r\n", "\r"])
  func `reading goes on behind a record that is too long`(chunkSize: Int, lineEnd: String) throws {
    let long = (0..<50).map { "k\($0): \($0)" }.joined(separator: lineEnd)
    let input = ["a: 1", "", long, "", "", "a: 2", "", "# " + String(repeating: "c", count: 300), "a: 3", "", long]
      .joined(separator: lineEnd)
    for chunk in [chunkSize, 128 << 10] {
      let limits = ReadLimits(chunkByteCount: chunk, recordByteCount: 100)
      let read = try readRecords(input, chunkSize: chunkSize, limits: limits)
      #expect(read.records.map(\.faults) == [[], [.recordTooLong], [], [], [.recordTooLong]])
      #expect(read.records.map(\.isUnreadable) == [false, true, false, false, true])
      #expect(read.records.map { $0.text["a"] } == ["1", nil, "2", "3", nil])
      #expect(read.records.map(\.line) == [1, 3, 55, 58, 60])
      #expect(read.records[1].raw == Array(long.utf8.prefix(100)))
      #expect(
        read.diagnostics.map(\.location.byteOffset) == [
          Int64(4 + lineEnd.utf8.count * 2), Int64(input.utf8.count - long.utf8.count),
        ]
      )
    }
  }

  @Test func `a record as long as the limit is read`() throws {
    for chunk in [1, 4, 128 << 10] {
      let limits = ReadLimits(chunkByteCount: chunk, recordByteCount: 10)
      let read = try readRecords("a: 345678\n\na: 3456789\n\na: 1\n", limits: limits)
      #expect(read.records.map(\.faults) == [[], [.recordTooLong], []], "\(chunk)")
    }
  }

  @Test func `an endless line takes no more memory than the limit`() throws {
    struct Endless: ByteSource, ~Copyable {
      var left = 64 << 20
      let seen: Peak
      mutating func read(_ byteCount: Int, into text: inout TextBuffer) throws(ReadError) -> Int {
        let count = min(byteCount, left)
        left -= count
        unsafe text.fill(count) { room in
          unsafe room.update(repeating: UInt8(ascii: "x"), count: count)
          return count
        }
        seen.note(text.capacity)
        return count
      }
    }
    let peak = Peak()
    var reader = TextRecordsReader(Endless(seen: peak), file: "-", limits: ReadLimits(recordByteCount: 1 << 20))
    var batch = RecordBatch()
    var codes: [DiagnosticCode] = []
    while try reader.fill(&batch) { codes += batch.faults.map(\.diagnostic.code) }
    #expect(codes == [.recordTooLong])
    #expect(peak.value <= 4 << 20)
  }

  @Test func `descriptors without end refuse the input`() {
    let input = String(repeating: "%doc: x\n", count: 100)
    for chunk in [8, 128 << 10] {
      do throws(ReadError) {
        _ = try readRecords(input, limits: ReadLimits(chunkByteCount: chunk, recordByteCount: 100))
        Issue.record("they were taken")
      } catch {
        #expect(error.description == "the lines that begin with '%' are longer than 100 bytes altogether")
        #expect(error.kind == .data)
      }
    }
  }

  @Test func `hostile fields fill no memory`() throws {
    // Each record has the last of many columns only, so that all before it are absent.
    let head = (0..<10_000).map { "\($0):\n" }.joined()
    let input = head + "\n" + String(repeating: "9999:\n\n", count: 2000)
    var reader = TextRecordsReader(ChunkedSource(input), file: "-")
    var batch = RecordBatch()
    var count = 0
    var most = 0
    while try reader.fill(&batch) {
      count += batch.count
      most = max(most, batch.fields.count)
    }
    #expect(count == 2001)
    #expect(most < 300_000)
  }
}

/// The greatest number noted.
final class Peak: Sendable {
  private let most = Mutex(0)
  var value: Int { most.withLock { $0 } }
  func note(_ value: Int) { most.withLock { $0 = max($0, value) } }
}
