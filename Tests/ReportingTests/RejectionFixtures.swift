import Diagnostics
import EntityModel
import Records
import Reporting

/// A sink that remembers what it was told.
final class RecordingSink: DiagnosticSink {
  var told: [Diagnostic] = []
  func note(_ diagnostic: Diagnostic) { told.append(diagnostic) }
}

/// A batch whose records are these bytes, one after the other.
func makeBatch(of records: [[UInt8]], file: String = "in") -> RecordBatch {
  var batch = RecordBatch(file: file)
  var line = 1
  for record in records {
    let start = batch.text.count
    batch.text.append(record.span)
    batch.records.append(
      RecordHeader(
        ordinal: Int64(batch.records.count + 1),
        line: line,
        raw: TextSlice(start..<batch.text.count),
        fieldStart: 0,
        fieldCount: 0
      )
    )
    line += record.filter { $0 == 0x0A }.count
  }
  return batch
}

func makeBatch(_ records: [String]) -> RecordBatch {
  makeBatch(of: records.map { Array($0.utf8) })
}

/// A rejection of a record with one fault for each code.
func reject(_ record: Int, _ codes: [DiagnosticCode] = [.required]) -> Rejection {
  Rejection(
    record: record,
    diagnostics: codes.map {
      Diagnostic(
        code: $0,
        location: SourceLocation(file: "in", record: Int64(record + 1), line: record + 1),
        message: "record \(record)",
        remedy: "mend it"
      )
    }
  )
}

/// Keeps the rejections of one batch of one input, completely.
func keep(
  _ rejections: [Rejection],
  of batch: borrowing RecordBatch,
  from input: String,
  folder: String? = nil,
  format: FileFormat = .text,
  framing: RejectFraming = RejectFraming(separator: [0x0A])
) throws -> [RejectionLog.Files] {
  var log = RejectionLog(folder: folder, sink: RecordingSink())
  log.begin(file: input, format: format)
  try log.record(rejections, of: batch, framing: framing)
  try log.end()
  return log.files
}
