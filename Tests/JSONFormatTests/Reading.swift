import Diagnostics
import EntityModel
import JSONFormat
import Records
import TestSupport

/// A record as tests compare it.
struct ReadRecord: Equatable {
  var ordinal: Int64
  var line: Int
  var raw: String
  /// By name, `name=spelling`; a string in quotes, NULL as `-`, further values after a comma.
  var fields: [String]
  var isUnreadable = false
  /// `line:column code message`.
  var faults: [String] = []
  /// Where the fields' original bytes begin in the input.
  var offsets: [Int64] = []
}

/// All that a reader has to say of an input.
struct ReadInput: Equatable {
  var columns: [String]
  var records: [ReadRecord]
}

/// Reads a whole input; the source gives at most `chunkSize` bytes a call.
func readJSON(
  _ bytes: [UInt8],
  _ format: FileFormat = .json,
  path: String? = nil,
  chunkSize: Int = .max,
  limits: ReadLimits = ReadLimits()
) throws(ReadError) -> ReadInput {
  var reader = JSONRecordReader(
    ChunkedSource(bytes, chunkSize: chunkSize),
    file: "in.json",
    format: format,
    recordPath: path,
    limits: limits
  )
  try reader.open()
  var result = ReadInput(columns: [], records: [])
  var batch = RecordBatch()
  while try reader.fill(&batch) { append(batch, to: &result.records) }
  result.columns = reader.shapes[0].columns
  return result
}

func readJSON(
  _ text: String,
  _ format: FileFormat = .json,
  path: String? = nil,
  chunkSize: Int = .max,
  limits: ReadLimits = ReadLimits()
) throws(ReadError) -> ReadInput {
  try readJSON(Array(text.utf8), format, path: path, chunkSize: chunkSize, limits: limits)
}

private func append(_ batch: borrowing RecordBatch, to records: inout [ReadRecord]) {
  func text(_ slice: TextSlice) -> String {
    let bytes = batch.text.bytes(of: slice)
    return String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
  }
  func spelling(_ field: Field) -> String {
    field.isNull ? "-" : field.isQuoted ? "'\(text(field.text))'" : text(field.text)
  }
  for (index, header) in batch.records.enumerated() {
    var record = ReadRecord(ordinal: header.ordinal, line: header.line, raw: text(header.raw), fields: [])
    for column in 0..<Int(header.fieldCount) {
      let field = batch.field(column, of: index)
      guard !field.isAbsent else { continue }
      let others = batch.repeats.filter { $0.record == index && $0.column == column }.map { "," + spelling($0.field) }
      record.fields.append("\(batch.shapes[0].columns[column])=\(spelling(field))\(others.joined())")
      record.offsets.append(batch.byteOffset + Int64(batch.originalOffset(of: field)))
    }
    record.isUnreadable = header.isUnreadable
    record.faults = batch.faults.filter { $0.record == index }.map(\.diagnostic).map {
      "\($0.location.line):\($0.location.column ?? 0) \($0.code.rawValue) \($0.message)"
    }
    records.append(record)
  }
}

/// `line:column code message` of the refusal; empty when the input is read.
func refusal(
  _ text: String,
  _ format: FileFormat = .json,
  path: String? = nil,
  chunkSize: Int = .max,
  limits: ReadLimits = ReadLimits()
) -> String {
  do throws(ReadError) {
    _ = try readJSON(text, format, path: path, chunkSize: chunkSize, limits: limits)
    return ""
  } catch {
    guard case .refused(let diagnostics) = error, let first = diagnostics.first else { return error.description }
    return "\(first.location.line):\(first.location.column ?? 0) \(first.code.rawValue) \(first.message)"
  }
}

/// The sizes at which every reader is tried.
let chunkSizes = [1, 2, 3, 7, 64, 4096, 128 << 10]
