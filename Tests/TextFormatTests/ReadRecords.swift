import Diagnostics
import EntityModel
import Records
import TestSupport
import TextFormat

typealias Bytes = [UInt8]

/// A record as tests compare it: bytes, no offsets.
struct ReadRecord: Hashable, CustomStringConvertible {
  var kind = ""
  var fields: [String: Bytes] = [:]
  var repeats: [String: [Bytes]] = [:]
  var raw: Bytes = []
  var line = 0
  var faults: [DiagnosticCode] = []
  var isUnreadable = false

  var description: String {
    let shown = fields.sorted { $0.key < $1.key }.map {
      "\($0.key)=\(String(decoding: $0.value, as: UTF8.self).debugDescription)"
    }
    return "\(kind)@\(line) \(shown) \(repeats) \(faults) raw \(String(decoding: raw, as: UTF8.self).debugDescription)"
  }

  /// The fields as text, for tables of cases.
  var text: [String: String] { fields.mapValues { String(decoding: $0, as: UTF8.self) } }
}

/// Everything that a reader makes of an input.
struct ReadInput: Hashable {
  var records: [ReadRecord] = []
  var shapes: [RecordShape] = []
  var framing = RejectFraming()
  var diagnostics: [Diagnostic] = []
}

func readRecords(
  _ input: Bytes,
  chunkSize: Int = .max,
  limits: ReadLimits = ReadLimits(),
  opening: Bool = true
) throws(ReadError) -> ReadInput {
  var reader = TextRecordsReader(ChunkedSource(input, chunkSize: chunkSize), file: "in.txt", limits: limits)
  if opening { try reader.open() }
  var batch = RecordBatch()
  var result = ReadInput()
  while try reader.fill(&batch) {
    for record in 0..<batch.count {
      let header = batch.records[record]
      var read = ReadRecord(line: header.line, isUnreadable: header.isUnreadable)
      let shape = batch.shapes[Int(header.kind)]
      read.kind = shape.name
      for (column, name) in shape.columns.enumerated() {
        let field = batch.field(column, of: record)
        guard !field.isAbsent else { continue }
        precondition(field.isQuoted)
        read.fields[name] = bytes(batch.text.bytes(of: field.text))
        // Where a field is said to stand in the input, its first line must stand.
        let start = Int(batch.byteOffset) + batch.originalOffset(of: field)
        let firstLine = read.fields[name]?.prefix { $0 != 10 && $0 != 13 } ?? []
        // A backslash at a line's end joins the next line.
        let standing = input[start...].prefix(firstLine.count).prefix { $0 != 0x5C }
        precondition(firstLine.starts(with: standing))
      }
      for further in batch.repeats where further.record == record {
        read.repeats[shape.columns[further.column], default: []].append(bytes(batch.text.bytes(of: further.field.text)))
      }
      read.raw = bytes(batch.raw(record))
      let start = Int(batch.byteOffset) + Int(header.raw.offset)
      precondition(input[start..<start + read.raw.count].elementsEqual(read.raw))
      read.faults = batch.faults.filter { $0.record == record }.map(\.diagnostic.code)
      result.records.append(read)
      precondition(header.ordinal == Int64(result.records.count))
    }
    result.diagnostics += batch.faults.map(\.diagnostic)
  }
  result.shapes = reader.shapes
  result.framing = reader.framing
  return result
}

func readRecords(_ input: String, chunkSize: Int = .max, limits: ReadLimits = ReadLimits()) throws(ReadError)
  -> ReadInput
{
  try readRecords(Array(input.utf8), chunkSize: chunkSize, limits: limits)
}

func bytes(_ span: Span<UInt8>) -> Bytes { span.indices.map { span[$0] } }

/// Writes rows of texts and NULLs.
func writeRecords(_ rows: [[Bytes?]], columns: [String], entity: String = "Note") throws(WriteError) -> Bytes {
  let written = WrittenBytes()
  var writer = try TextRecordsWriter(
    MemorySink(written),
    entity: entity,
    columns: columns.map { WrittenColumn(name: $0, type: .text) }
  )
  // Two batches, since what stands between rows must not depend on where a batch ends.
  for part in [rows[..<(rows.count / 2)], rows[(rows.count / 2)...]] {
    var batch = ValueBatch()
    var text = TextBuffer()
    for row in part {
      batch.rows.append(ValueBatch.Row(entity: 0, record: 0, valueStart: UInt32(batch.values.count)))
      for value in row {
        guard let value else {
          batch.values.append(.null)
          continue
        }
        batch.values.append(.text(TextSlice(text.count..<text.count + value.count)))
        text.append(value.span)
      }
    }
    try writer.write(batch, text: text)
  }
  try writer.finish()
  return written.bytes
}
