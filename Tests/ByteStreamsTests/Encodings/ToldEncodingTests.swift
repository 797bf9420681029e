import ByteStreams
import Diagnostics
import Testing

@Suite struct EncodingNaming {
  @Test(arguments: [
    ("utf8", "UTF-8"), ("UTF-8", "UTF-8"), ("utf_8", "UTF-8"), ("utf-8-sig", "UTF-8"), ("ascii", "ASCII"),
    ("US-ASCII", "ASCII"), ("utf-16", "UTF-16"), ("UTF16", "UTF-16"), ("ucs-2", "UTF-16"), ("utf-16-le", "UTF-16LE"),
    ("UTF-16BE", "UTF-16BE"), ("utf32", "UTF-32"), ("utf-32be", "UTF-32BE"), ("windows-1252", "windows-1252"),
    ("Windows_1252", "windows-1252"), ("cp1252", "CP1252"), ("1252", "CP1252"), ("latin1", "ISO-8859-1"),
    ("latin-1", "latin1"), ("ISO-8859-15", "ISO-8859-15"), ("iso8859-15", "ISO-8859-15"), ("mac-roman", "MACINTOSH"),
    ("sjis", "sjis"), ("shift-jis", "Shift_JIS"), ("ms932", "ms932"), ("gb2312", "GB2312"), ("koi8-r", "KOI8-R"),
    ("IBM037", "IBM037"), ("big5", "Big5"), ("TIS-620", "TIS-620"),
  ]) func `a name is found however people spell it`(name: String, known: String) throws {
    let found = try ToldEncoding.named(name).name
    #expect(found.lowercased() == known.lowercased() || found == name, "\(found)")
  }

  @Test(arguments: [
    ("windos-1252", "did you mean 'windows-1252'?"), ("utf-9", "did you mean 'UTF-8'?"),
    ("Shift_JIX", "did you mean 'Shift_JIS'?"),
  ]) func `a wrong name gets the nearest one`(name: String, remedy: String) {
    let refusal = refusal(of: name)
    #expect(refusal?.message == "there is no encoding '\(name)'")
    #expect(refusal?.remedy == remedy)
  }

  @Test(arguments: [
    "", "/", "latin1//TRANSLIT", "x\u{0}y", "é", String(repeating: "a", count: 500), "../../etc/passwd",
  ])
  func `a name that could mean something else to the C library is none`(name: String) {
    #expect(refusal(of: name)?.message.hasPrefix("there is no encoding") == true)
  }

  @Test(arguments: [
    "UTF-7", "ISO-2022-JP", "ISO-2022-JP-2", "ISO-2022-KR", "ISO-2022-CN", "UTF-7-IMAP", "IBM930", "IBM939", "IBM1390",
  ]) func `an encoding with shifts is refused`(name: String) {
    let refusal = refusal(of: name)
    #expect(refusal?.message.contains("cannot be read") == true)
    #expect(refusal?.remedy.contains("iconv -f \(name) -t UTF-8") == true)
  }

  private func refusal(of name: String) -> ToldEncoding.Refusal? {
    do throws(ToldEncoding.Refusal) {
      _ = try ToldEncoding.named(name)
      return nil
    } catch {
      return error
    }
  }
}

@Suite struct EncodingDetecting {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    var told: String?
    let name: String
    var reason: String?
    var isContradiction = false
  }

  private static func utf16(_ text: String, big: Bool = false) -> [UInt8] {
    text.utf16.flatMap { big ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  private static func utf32(_ text: String, big: Bool = false) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar in
      let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: scalar.value >> $0) }
      return big ? bytes : bytes.reversed()
    }
  }

  private static let mark = "byte order mark"
  private static let second = "zero bytes at every second place"
  private static let three = "zero bytes at three of four places"
  private static let cases: [Case] = [
    Case(testDescription: "plain", bytes: Array("a,b\n".utf8), name: "UTF-8"),
    Case(testDescription: "not UTF-8", bytes: [0x61, 0xE9, 0x0A], name: "UTF-8"),
    Case(testDescription: "UTF-8 mark", bytes: [0xEF, 0xBB, 0xBF, 0x61], name: "UTF-8", reason: mark),
    Case(testDescription: "UTF-16LE mark", bytes: [0xFF, 0xFE, 0x61, 0], name: "UTF-16LE", reason: mark),
    Case(testDescription: "UTF-16BE mark", bytes: [0xFE, 0xFF, 0, 0x61], name: "UTF-16BE", reason: mark),
    Case(testDescription: "UTF-32LE mark", bytes: [0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0], name: "UTF-32LE", reason: mark),
    Case(testDescription: "UTF-32BE mark", bytes: [0, 0, 0xFE, 0xFF, 0, 0, 0, 0x61], name: "UTF-32BE", reason: mark),
    Case(testDescription: "a mark alone", bytes: [0xFF, 0xFE], name: "UTF-16LE", reason: mark),
    Case(testDescription: "UTF-16LE", bytes: utf16("a,b\n1,2\n"), name: "UTF-16LE", reason: second),
    Case(testDescription: "UTF-16BE", bytes: utf16("a,b\n1,2\n", big: true), name: "UTF-16BE", reason: second),
    Case(testDescription: "UTF-16LE, Chinese", bytes: utf16("姓名,城市\n王小明,北京市\n"), name: "UTF-16LE", reason: second),
    Case(
      testDescription: "UTF-16BE, Chinese",
      bytes: utf16("姓名,城市\n王小明,北京市\n", big: true),
      name: "UTF-16BE",
      reason: second
    ),
    Case(testDescription: "UTF-16LE, emoji", bytes: utf16("a,😀\n"), name: "UTF-16LE", reason: second),
    Case(testDescription: "UTF-16LE, cut", bytes: utf16("abc\n") + [0x61], name: "UTF-16LE", reason: second),
    Case(testDescription: "UTF-32LE", bytes: utf32("a,b\n"), name: "UTF-32LE", reason: three),
    Case(testDescription: "UTF-32BE", bytes: utf32("a,b\n", big: true), name: "UTF-32BE", reason: three),
    Case(testDescription: "a NUL in a field", bytes: Array("a,b\nx\u{0}y,2\n".utf8), name: "UTF-8"),
    Case(testDescription: "a NUL at the end of a short file", bytes: Array(" lead;\"\"\r\u{0}".utf8), name: "UTF-8"),
    Case(testDescription: "lines of one NUL", bytes: Array("x\n\u{0}\n".utf8), name: "UTF-8"),
    Case(testDescription: "cells of one NUL", bytes: Array("1,\u{0}\n2,\u{0}\n3,\u{0}\n".utf8), name: "UTF-8"),
    Case(
      testDescription: "a NUL before bytes of none",
      bytes: [0, 0xFF] + Array(",trail ,null,x\n".utf8),
      name: "UTF-8"
    ),
    Case(testDescription: "NULs for blanks", bytes: Array("ab\u{0}\u{0}\u{0}cd\n".utf8), name: "UTF-8"),
    Case(
      testDescription: "a NUL after each letter of a field",
      bytes: Array("a,b\nx\u{0}y\u{0}z\u{0},2\n".utf8),
      name: "UTF-8"
    ),
    Case(testDescription: "nothing but NUL", bytes: [0, 0, 0, 0, 0, 0, 0, 0], name: "UTF-8"),
    Case(
      testDescription: "told UTF-16, mark",
      bytes: [0xFF, 0xFE, 0x61, 0],
      told: "UTF-16",
      name: "UTF-16LE",
      reason: mark
    ),
    Case(
      testDescription: "told UTF-16, NUL first",
      bytes: [0xFF, 0xFE, 0, 0],
      told: "UTF-16",
      name: "UTF-16LE",
      reason: mark
    ),
    Case(
      testDescription: "told UTF-16, zero bytes",
      bytes: utf16("a\n"),
      told: "UTF-16",
      name: "UTF-16LE",
      reason: second
    ),
    Case(
      testDescription: "told UTF-16, nothing to go by",
      bytes: [0x4E, 0x2D, 0x65, 0x87],
      told: "UTF-16",
      name: "UTF-16BE",
      reason: "no byte order mark: RFC 2781"
    ),
    Case(testDescription: "told and so", bytes: [0xE9], told: "windows-1252", name: "windows-1252"),
    Case(
      testDescription: "told UTF-8, mark",
      bytes: [0xEF, 0xBB, 0xBF, 0x61],
      told: "UTF-8",
      name: "UTF-8",
      reason: mark
    ),
    Case(
      testDescription: "told otherwise than the mark",
      bytes: [0xEF, 0xBB, 0xBF, 0x61],
      told: "windows-1252",
      name: "UTF-8",
      reason: mark,
      isContradiction: true
    ),
    Case(
      testDescription: "told the other order",
      bytes: [0xFE, 0xFF, 0, 0x61],
      told: "UTF-16LE",
      name: "UTF-16BE",
      reason: mark,
      isContradiction: true
    ),
    Case(testDescription: "told outweighs zero bytes", bytes: utf16("a,b\n"), told: "UTF-8", name: "UTF-8"),
  ]

  @Test(arguments: cases) func `the mark decides, then what was told, then zero bytes`(example: Case) throws {
    let detection = EncodingDetection.detect(
      sample: example.bytes.span,
      isWholeInput: true,
      told: try example.told.map { name in try ToldEncoding.named(name) }
    )
    #expect(detection.encoding.name == example.name)
    #expect(detection.reason == example.reason)
    #expect((detection.contradiction != nil) == example.isContradiction)
  }
}
