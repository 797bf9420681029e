import Diagnostics
import EntityModel
import Records
import TestSupport
import Testing

@testable import XMLFormat

/// A cell as a test writes it.
enum Cell: Equatable, Sendable {
  case null
  case integer(Int64)
  case text([UInt8])
  case blob([UInt8])

  static func text(_ string: String) -> Cell { .text(Array(string.utf8)) }
}

func writeXML(_ rows: [[Cell]], entity: String, columns: [WrittenColumn]) throws -> [UInt8] {
  let written = WrittenBytes()
  var writer = try XMLWriter(MemorySink(written), entity: entity, columns: columns)
  var batch = ValueBatch()
  var text = TextBuffer()
  func slice(_ bytes: [UInt8]) -> TextSlice {
    let start = text.count
    text.append(bytes.span)
    return TextSlice(start..<text.count)
  }
  for (index, row) in rows.enumerated() {
    batch.rows.append(
      ValueBatch.Row(entity: 0, record: UInt32(index), valueStart: UInt32(batch.values.count))
    )
    for cell in row {
      switch cell {
      case .null: batch.values.append(.null)
      case .integer(let number): batch.values.append(.integer(number))
      case .text(let bytes): batch.values.append(.text(slice(bytes)))
      case .blob(let bytes): batch.values.append(.blob(slice(bytes)))
      }
    }
  }
  try writer.write(batch, text: text)
  try writer.finish()
  return written.bytes
}

@Suite struct XMLWriting {
  @Test func `one element a row, one child a value, nothing for NULL`() throws {
    let columns = [WrittenColumn(name: "nome", type: .text), WrittenColumn(name: "età", type: .integer(bits: 16))]
    let rows: [[Cell]] = [
      [.text("D'Este & <Co>\r\n"), .integer(-7)], [.text(""), .null], [.null, .null], [.text("a\u{1}"), .null],
    ]
    let text = String(decoding: try writeXML(rows, entity: "Contatto", columns: columns), as: UTF8.self)
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <records>
          <Contatto>
            <nome>D'Este &amp; &lt;Co&gt;&#13;
        </nome>
            <età>-7</età>
          </Contatto>
          <Contatto>
            <nome/>
          </Contatto>
          <Contatto/>
          <Contatto>
            <nome encoding="base64">YQE=</nome>
          </Contatto>
        </records>

        """
    )
  }

  @Test func `names that XML cannot hold are escaped and read back`() throws {
    let names = [
      "First name", "1st", "", "_x0041_", "a:b", "#text", "\u{1F600}", "é", "x_", "_", "_x", "_x_", "a<b>", "-",
      "\u{0}",
      "_x0041", "xmlns", "a\u{300}", "_x00000041_",
    ]
    for name in names {
      let encoded = XMLName.encoding(name)
      #expect(XMLName.decoding(encoded) == name, "\(encoded)")
      let columns = [WrittenColumn(name: name, type: .text)]
      let document = try readXML(try writeXML([[.text("v")], [.text("w")]], entity: name, columns: columns))
      #expect(document.records.map(\.fields) == [[name: "v"], [name: "w"]], "\(encoded)")
      #expect(document.records.first?.kind == name)
    }
    #expect(XMLName.encoding("First name") == "First_x0020_name")
    #expect(XMLName.encoding("_x0041_") == "_x005F_x0041_")
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `reading what was written gives the same cells`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let pieces: [[UInt8]] = [
      "a", "Ada", " ", "\n", "\r", "\r\n", "\t", "&", "<", ">", "]]>", "\"", "'", "&amp;", "<!--", "é", "日本",
      "\u{1F600}",
      "\u{85}", "\u{2028}", "\u{FFFD}", "\u{FEFF}", "abcdefghijklmnop", "\u{7F}",
    ].map { Array($0.utf8) }
    let odd: [[UInt8]] = [
      [0], [1], [0x1B], [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xEF, 0xBF, 0xBF], [0xEF, 0xBF, 0xBE],
    ]
    let columnCount = Int.random(in: 1...5, using: &random)
    let columns = (0..<columnCount).map { WrittenColumn(name: "c \($0)", type: .text) }
    var rows: [[Cell]] = []
    for _ in 0..<Int.random(in: 0...30, using: &random) {
      rows.append(
        (0..<columnCount).map { _ in
          var bytes: [UInt8] = []
          for _ in 0..<Int.random(in: 0...6, using: &random) {
            let isOdd = Int.random(in: 0..<40, using: &random) == 0
            bytes += (isOdd ? odd : pieces).randomElement(using: &random) ?? []
          }
          return switch Int.random(in: 0..<6, using: &random) {
          case 0: .null
          case 1: .text([])
          case 2: .blob(bytes)
          default: .text(bytes)
          }
        }
      )
    }
    let written = try writeXML(rows, entity: "E", columns: columns)
    let chunkSize = [1, 7, 64, 4096].randomElement(using: &random) ?? 1
    let document = try readXML(written, chunkSize: chunkSize, knownNames: ["E"])
    #expect(document.faults == [] && document.notes == [] && document.refusal == nil)
    try #require(document.records.count == rows.count)
    for (row, record) in zip(rows, document.records) {
      for (column, cell) in zip(columns, row) {
        let value = record.fields[column.name].map { Array($0.utf8) }
        let isMarked = record.base64.contains(column.name)
        switch cell {
        case .null: #expect(value == nil)
        case .text(let bytes) where !isMarked:
          #expect(value == bytes)
          #expect(XMLHolds(bytes))
        case .text(let bytes):
          #expect(!XMLHolds(bytes))
          #expect(value == base64(bytes))
        case .blob(let bytes): #expect(isMarked && value == base64(bytes))
        case .integer: break
        }
      }
    }
  }

  /// An independent judgement of what XML 1.0 can hold.
  private func XMLHolds(_ bytes: [UInt8]) -> Bool {
    guard let string = String(validating: bytes, as: UTF8.self) else { return false }
    return string.unicodeScalars.allSatisfy {
      [9, 10, 13].contains($0.value) || ($0.value >= 0x20 && $0.value != 0xFFFE && $0.value != 0xFFFF)
    }
  }

  private func base64(_ bytes: [UInt8]) -> [UInt8] {
    var buffer = TextBuffer()
    ValueSpelling.appendBase64(bytes.span, to: &buffer)
    return Array(text(buffer.bytes).utf8)
  }
}

@Suite struct XMLDetection {
  @Test(arguments: [
    ("<?xml version='1.0'?><r/>", true), ("\u{FEFF}<?xml version='1.0'?>", true), ("\n <rubrica>", true),
    ("<Products a='1'/>", true), ("<!-- x --><r/>", true), ("<!DOCTYPE plist PUBLIC ''>", true),
    ("<d:r xmlns:d=''>", true),
    ("<r", true), ("<5;3\n", false), ("<a;b\n1;2", false), ("a,b\n1,2\n", false), ("", false), ("<", false),
    ("<!DOCTYPE html><html>", false), ("<html><body>", false), ("{\"a\":1}", false),
  ]) func `XML is told by its beginning`(sample: String, isXML: Bool) {
    let verdict = XMLDetector.detect(sample: Array(sample.utf8).span)
    #expect(verdict.isXML == isXML, "\(verdict.reason)")
    let wide = Array(sample.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
    if isXML, sample.first != "\n" { #expect(XMLDetector.detect(sample: wide.span).isXML) }
  }
}
