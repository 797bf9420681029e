import Diagnostics
import Records
import TestSupport

@testable import XMLFormat

/// The chunk sizes at which every reader must read the same.
let chunkSizes = [1, 2, 3, 7, 64, 4096, 128 << 10]

/// A record as a test compares it.
struct ReadRecord: Equatable, CustomStringConvertible {
  var kind: String
  var fields: [String: String]
  var raw: String
  var line: Int
  var base64: Set<String> = []
  /// Fields that are not marked as text.
  var bare: Set<String> = []
  /// The document that a file of this record alone would be.
  var document = ""
  var repeats: [String] = []
  /// Its ordinal, its parent's, and the kinds from the outermost record to its own.
  var ordinal: Int64 = 0
  var parent: Int64 = -1
  var path = ""
  var columns: [String] = []

  var description: String { "\(kind)@\(line)\(fields)\(repeats)" }
}

/// All that reading a document gives.
struct ReadDocument: Equatable {
  var records: [ReadRecord] = []
  var faults: [Diagnostic] = []
  var notes: [Diagnostic] = []
  var refusal: Diagnostic?
  var description = ""
  var columns: [String: [String]] = [:]
  var framing = RejectFraming()
  /// Where each field's value stands in the input, in record and column order.
  var places: [Int64] = []
  var batchCount = 0
}

/// Reads a whole document.
func readXML(
  _ bytes: [UInt8],
  chunkSize: Int = 128 << 10,
  recordPath: String? = nil,
  knownNames: [String] = [],
  nesting: RecordNesting = RecordNesting(),
  lists: Set<String> = [],
  isPropertyList: Bool = false,
  limits: ReadLimits = ReadLimits()
) throws -> ReadDocument {
  var reader = XMLReader(
    ChunkedSource(bytes, chunkSize: chunkSize),
    file: "test.xml",
    recordPath: recordPath,
    knownNames: knownNames,
    nesting: nesting,
    lists: lists,
    isPropertyList: isPropertyList,
    limits: limits
  )
  var document = ReadDocument()
  var batch = RecordBatch()
  do {
    while true {
      let hasRecords = try reader.fill(&batch)
      document.notes += batch.notes
      guard hasRecords else { break }
      document.batchCount += 1
      collect(batch, framing: reader.framing, into: &document)
    }
  } catch .refused(let diagnostics) {
    document.refusal = diagnostics.first
    document.batchCount = 0
    return document
  }
  document.description = reader.recordDescription
  document.framing = reader.framing
  for shape in reader.shapes { document.columns[shape.name] = shape.columns }
  document.batchCount = 0
  return document
}

func readXML(
  _ text: String,
  chunkSize: Int = 128 << 10,
  recordPath: String? = nil,
  knownNames: [String] = [],
  nesting: RecordNesting = RecordNesting(),
  isPropertyList: Bool = false,
  limits: ReadLimits = ReadLimits()
) throws -> ReadDocument {
  try readXML(
    Array(text.utf8),
    chunkSize: chunkSize,
    recordPath: recordPath,
    knownNames: knownNames,
    nesting: nesting,
    isPropertyList: isPropertyList,
    limits: limits
  )
}

private func collect(_ batch: borrowing RecordBatch, framing: RejectFraming, into document: inout ReadDocument) {
  for index in 0..<batch.count {
    let header = batch.records[index]
    let shape = batch.shapes[Int(header.kind)]
    var record = ReadRecord(kind: shape.name, fields: [:], raw: text(batch.raw(index)), line: header.line)
    for column in 0..<shape.columns.count {
      let field = batch.field(column, of: index)
      guard !field.isAbsent else { continue }
      record.fields[shape.columns[column]] = field.isNull ? "NULL" : text(batch.text.bytes(of: field.text))
      if !field.isQuoted { record.bare.insert(shape.columns[column]) }
      if field.isBase64 { record.base64.insert(shape.columns[column]) }
      document.places.append(batch.byteOffset + Int64(batch.originalOffset(of: field)))
    }
    record.ordinal = header.ordinal
    record.parent = header.parent
    var enclosing: Int? = Int(header.kind)
    var names: [String] = []
    while let kind = enclosing {
      names.append(batch.shapes[kind].name)
      enclosing = batch.shapes[kind].parent
    }
    record.path = names.reversed().joined(separator: "/")
    record.columns = shape.columns
    for more in batch.repeats where more.record == index {
      record.repeats.append("\(shape.columns[more.column])=\(text(batch.text.bytes(of: more.field.text)))")
    }
    let around = batch.framing(of: index) ?? framing
    record.document =
      String(decoding: around.opening, as: UTF8.self) + record.raw
      + String(decoding: around.separator + around.closing, as: UTF8.self)
    document.records.append(record)
  }
  document.faults += batch.faults.map(\.diagnostic)
}

func text(_ bytes: Span<UInt8>) -> String {
  unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
}
