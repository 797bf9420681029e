import Diagnostics
import EntityModel
import Records
import TestSupport
import TextFormat

/// What a reader of lines makes of an input: cells as text, nil for NULL.
struct ReadLines: Hashable {
  var columns: [String] = []
  var rows: [[String?]] = []
  var raws: [String] = []
  var lines: [Int] = []
  var faults: [String] = []
  var notes: [String] = []
  var opening = ""
  /// What is handed on of records that are too long to be held.
  var continued = ""
}

func readLines(
  _ input: [UInt8],
  _ layout: FixedWidthLayout,
  chunkSize: Int = .max,
  limits: ReadLimits = ReadLimits()
) throws(ReadError) -> ReadLines {
  var limits = limits
  limits.chunkByteCount = min(limits.chunkByteCount, chunkSize)
  var reader = FixedWidthReader(
    ChunkedSource(input, chunkSize: chunkSize),
    file: "in.txt",
    layout: layout,
    limits: limits
  )
  try reader.open()
  var result = ReadLines()
  result.columns = reader.shapes[0].columns
  result.opening = String(decoding: reader.framing.opening, as: UTF8.self)
  var batch = RecordBatch()
  while try reader.fill(&batch) {
    result.continued += text(batch.continuedRaw())
    for record in 0..<batch.count {
      let cells = result.columns.indices.map { column -> String? in
        let field = batch.field(column, of: record)
        return field.isNull ? nil : text(batch.text.bytes(of: field.text))
      }
      result.rows.append(cells)
      result.raws.append(text(batch.raw(record)))
      result.lines.append(batch.records[record].line)
      precondition(batch.records[record].ordinal == Int64(result.rows.count))
      let start = Int(batch.byteOffset) + Int(batch.records[record].raw.offset)
      precondition(
        text(batch.raw(record)) == String(decoding: input[start..<start + batch.raw(record).count], as: UTF8.self)
      )
    }
    for fault in batch.faults.map(\.diagnostic) { result.faults.append(shown(fault)) }
    for note in batch.notes { result.notes.append(shown(note)) }
  }
  return result
}

/// A fault's place and code.
func shown(_ fault: Diagnostic) -> String {
  let column = fault.location.column.map { ":\($0)" } ?? ""
  return "\(fault.location.line)\(column) \(fault.code.rawValue)\(fault.field.map { " " + $0 } ?? "")"
}

func text(_ bytes: Span<UInt8>) -> String {
  var copy: [UInt8] = []
  for index in bytes.indices { copy.append(bytes[index]) }
  return String(decoding: copy, as: UTF8.self)
}

func layout(_ widths: String, header: Int = 0) throws -> FixedWidthLayout {
  var layout = FixedWidthLayout(columns: try CharacterRange.list(widths))
  layout.headerLineCount = header
  return layout
}
