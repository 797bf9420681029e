import CSVFormat
import Diagnostics
import EntityModel
import Records
import TestSupport

/// One cell as it was read.
enum Cell: Hashable, CustomStringConvertible {
  case null
  case text(String)
  /// Bytes that are not UTF-8.
  case bytes([UInt8])

  init(_ bytes: [UInt8]) {
    self = String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .bytes(bytes)
  }

  var description: String {
    switch self {
    case .null: "NULL"
    case .text(let text): text.debugDescription
    case .bytes(let bytes): "\(bytes)"
    }
  }
}

/// One record as it was read, with everything that a later stage may rely on.
struct ReadRecord: Hashable {
  var cells: [Cell]
  var raw: [UInt8]
  var line: Int
  var ordinal: Int64
  var byteOffset: Int64
  var isUnreadable: Bool
  var faults: [Diagnostic]
  /// Where the cells stand in the input.
  var cellOffsets: [Int64]
}

/// An input as it was read.
struct ReadTable: Hashable {
  var columns: [String] = []
  var records: [ReadRecord] = []
  var notes: [Diagnostic] = []
  var framing = RejectFraming()

  var cells: [[Cell]] { records.map(\.cells) }
  /// The codes of each record's faults.
  var codes: [[DiagnosticCode]] { records.map { $0.faults.map(\.code) } }
  var raws: [String] { records.map { String(decoding: $0.raw, as: UTF8.self) } }
}

/// Reads a whole input.
func read(
  _ bytes: [UInt8],
  _ dialect: CSVDialect = CSVDialect(),
  frame: CSVRejectFrame = CSVRejectFrame(),
  chunkSize: Int = 128 << 10,
  limits: ReadLimits = ReadLimits()
) throws(ReadError) -> ReadTable {
  var limits = limits
  limits.chunkByteCount = min(chunkSize, 128 << 10)
  var reader = CSVReader(
    ChunkedSource(bytes, chunkSize: chunkSize),
    file: "in.csv",
    dialect: dialect,
    frame: frame,
    limits: limits
  )
  try reader.open()
  var table = ReadTable()
  var batch = RecordBatch()
  while try reader.fill(&batch) {
    let continued = copy(batch.text.bytes.extracting(0..<batch.continuedByteCount))
    if !continued.isEmpty { table.records[table.records.count - 1].raw += continued }
    for index in 0..<batch.count {
      let header = batch.records[index]
      let fields = (0..<Int(header.fieldCount)).map { batch.field($0, of: index) }
      table.records.append(
        ReadRecord(
          cells: fields.map { $0.isNull ? .null : Cell(copy(batch.text.bytes(of: $0.text))) },
          raw: copy(batch.raw(index)),
          line: header.line,
          ordinal: header.ordinal,
          byteOffset: batch.byteOffset + Int64(header.raw.offset),
          isUnreadable: header.isUnreadable,
          faults: batch.faults.filter { $0.record == index }.map(\.diagnostic),
          cellOffsets: fields.map { batch.byteOffset + Int64(batch.originalOffset(of: $0)) }
        )
      )
    }
    table.notes += batch.notes
  }
  table.columns = reader.shapes[0].columns
  table.framing = reader.framing
  return table
}

func read(
  _ text: String,
  _ dialect: CSVDialect = CSVDialect(),
  frame: CSVRejectFrame = CSVRejectFrame(),
  chunkSize: Int = 128 << 10,
  limits: ReadLimits = ReadLimits()
) throws(ReadError) -> ReadTable {
  try read(Array(text.utf8), dialect, frame: frame, chunkSize: chunkSize, limits: limits)
}

func copy(_ bytes: Span<UInt8>) -> [UInt8] {
  bytes.indices.map { bytes[$0] }
}

/// The chunk sizes at which every reading must give the same.
let chunkSizes = [1, 2, 3, 7, 64, 4096, 128 << 10]

extension CSVDialect {
  /// A dialect with some properties set.
  static func with(_ change: (inout CSVDialect) -> Void) -> CSVDialect {
    var dialect = CSVDialect()
    change(&dialect)
    return dialect
  }
}
