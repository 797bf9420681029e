import CSVFormat
import Diagnostics
import EntityModel
import JSONFormat
import Records
import TestSupport
import TextFormat
import Validation
import XMLFormat

/// Every writer and its reader: a table that is written and read again is the same, or writing refuses it.
enum RoundTripTarget {
  private static let names = [
    "a", "b c", "è", "x-1", "1", "#", "a\"b", "a,b", "a:b", "%x", "+", "xml", "a;b", "'", "_x0041_", "é\u{301}",
  ]

  /// One row's value: NULL, an integer, or text.
  private enum Cell { case null, integer(Int64), text([UInt8]) }

  static func run(_ bytes: [UInt8]) throws(LawBreach) {
    var input = FuzzInput(bytes)
    let format = Int(input.byte()) % 5
    let settings = input.byte()
    let entity = input.pick(["Note", "x y", "1", "è"])
    let first = Int(input.byte())
    let width = Int(first >> 4 & 3) + 1
    let columns = (0..<width).map { column in
      WrittenColumn(
        name: names[(first + column * 3) % names.count],
        type: settings >> column & 1 == 0 ? .text : .integer(bits: 64)
      )
    }
    var cells: [Cell] = []
    while !input.rest.isEmpty, cells.count < 200 {
      let isInteger = columns[cells.count % width].type != .text
      var piece = FuzzInput(input.piece(upTo: 0x1F))
      switch piece.byte() {
      case UInt8(ascii: "N"): cells.append(.null)
      case _ where isInteger:
        cells.append(.integer(piece.rest.reduce(0) { $0 &* 257 &+ Int64(truncatingIfNeeded: $1) &- 128 }))
      default: cells.append(.text(piece.bytes))
      }
    }
    while cells.count % width != 0 { cells.append(.null) }
    guard !cells.isEmpty else { return }

    let output = WrittenBytes()
    let written: [UInt8]
    do throws(WriteError) {
      try write(cells, columns, entity, format, settings, to: output)
      written = output.bytes
    } catch {
      guard case .cannotHold = error else { throw LawBreach("writing fails: \(error)") }
      return
    }
    var random = SplitMix64(seed: bytes.seed)
    let pieces = Pieces(for: written.count, using: &random)
    try check(read(written, pieces, entity, format, settings), cells, columns, written)
  }

  private static func dialect(_ settings: UInt8) -> CSVDialect {
    var dialect = CSVDialect(delimiter: [",", ";", "\t", "::"][Int(settings >> 4 & 3)])
    if settings & 128 != 0 { dialect.escape = "\\" }
    if settings & 64 != 0 { dialect.comment = "#" }
    return dialect
  }

  private static func write(
    _ cells: [Cell],
    _ columns: [WrittenColumn],
    _ entity: String,
    _ format: Int,
    _ settings: UInt8,
    to output: WrittenBytes
  ) throws(WriteError) {
    var rows = ValueBatch()
    var text = TextBuffer()
    for (index, cell) in cells.enumerated() {
      if index % columns.count == 0 {
        rows.rows.append(ValueBatch.Row(entity: 0, record: 0, valueStart: UInt32(rows.values.count)))
      }
      switch cell {
      case .null: rows.values.append(.null)
      case .integer(let number): rows.values.append(.integer(number))
      case .text(let bytes):
        rows.values.append(.text(TextSlice(text.count..<text.count + bytes.count)))
        text.append(bytes.span)
      }
    }
    let sink = MemorySink(output)
    switch format {
    case 0:
      var writer = try CSVWriter(sink, columns: columns, dialect: dialect(settings), writesHeader: true)
      try writer.write(rows, text: text)
      try writer.finish()
    case 1:
      var writer = try TextRecordsWriter(sink, entity: entity, columns: columns)
      try writer.write(rows, text: text)
      try writer.finish()
    case 2:
      var writer = try XMLWriter(sink, entity: entity, columns: columns)
      try writer.write(rows, text: text)
      try writer.finish()
    default:
      var writer = JSONRecordWriter(sink, columns: columns, format: format == 3 ? .json : .ndjson)
      try writer.write(rows, text: text)
      try writer.finish()
    }
  }

  private static func read(
    _ written: [UInt8],
    _ pieces: Pieces,
    _ entity: String,
    _ format: Int,
    _ settings: UInt8
  ) -> Reading {
    let readable: ReadableFormat =
      switch format {
      case 0: .csv(dialect(settings))
      case 1: .records
      case 2: .xml(recordPath: nil, knownNames: [entity])
      case 3: .json
      default: .ndjson
      }
    return readable.read(written, pieces)
  }

  private static func check(
    _ reading: Reading,
    _ cells: [Cell],
    _ columns: [WrittenColumn],
    _ written: [UInt8]
  ) throws(LawBreach) {
    let file = shown(written)
    try expect(reading.failure == nil, "what was written is refused, \(String(describing: reading.failure)): \(file)")
    try expect(
      reading.records.count == cells.count / columns.count,
      "\(cells.count / columns.count) rows are \(reading.records.count) records: \(file)"
    )
    for (index, record) in reading.records.enumerated() {
      try expect(record.faults.isEmpty && record.repeats.isEmpty, "row \(index + 1) has faults: \(record) \(file)")
      let names = reading.shapes[record.kind].columns
      for (column, expected) in columns.enumerated() {
        let position = names.firstIndex { $0.utf8.elementsEqual(expected.name.utf8) }
        let cell = position.flatMap { $0 < record.cells.count ? record.cells[$0] : nil }
        let found = try value(of: cell)
        let isSame: Bool
        switch (cells[index * columns.count + column], found) {
        case (.null, nil): isSame = true
        case (.integer(let number), let found?): isSame = found.elementsEqual("\(number)".utf8)
        case (.text(let bytes), let found?): isSame = found == bytes
        default: isSame = false
        }
        try expect(
          isSame,
          "row \(index + 1), '\(expected.name)' is \(found.map(shown) ?? "NULL") when it is read again: \(file)"
        )
      }
    }
  }

  private static func value(of cell: Reading.Cell?) throws(LawBreach) -> [UInt8]? {
    guard let cell, !cell.isNull else { return nil }
    guard cell.isBase64 else { return cell.bytes }
    var decoded = TextBuffer()
    let fault = decodeBase64(cell.bytes.span, into: &decoded)
    try expect(fault == nil, "the base64 \(shown(cell.bytes)) is none")
    return copy(decoded.bytes)
  }
}
