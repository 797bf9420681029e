import Diagnostics
import Records

extension RecordValidator {
  /// Names the first bytes of a field that are no character, where they stand in the input.
  ///
  /// The field may have been rewritten (a doubled quote), its original has the same bytes at fault; so those are looked at.
  func encodingFault(of field: Field, in batch: borrowing RecordBatch, record: Int) -> Diagnostic {
    let start = batch.originalOffset(of: field)
    let raw = batch.records[record].raw.range
    let isWithin = raw.contains(start)
    let end = isWithin ? raw.upperBound : start + field.count
    let original = batch.text.bytes.extracting(0..<end)
    let offset = firstInvalidUTF8(in: original, from: start) ?? start
    var place = batch.location(atOffset: offset, byteCount: 1, in: record)
    let sequence = batch.invalidSequence(atOffset: offset)
    place.byteCount = sequence.bytes.count
    var message = "\(list(sequence.bytes)) at offset \(place.byteOffset) "
    message += sequence.bytes.count == 1 ? "is" : "are"
    guard let coding = batch.source?.coding else {
      message += " not valid UTF-8: \(UTF8Fault(of: original.extracting(offset...)).description)"
      return Diagnostic(
        code: .encodingError,
        location: place,
        expected: "UTF-8",
        message: message,
        remedy: encodingRemedy(for: batch.text.bytes.extracting(isWithin ? raw : start..<end))
      )
    }
    message += " not valid \(coding.name)" + (sequence.fault.reason.map { ": \($0)" } ?? "")
    return Diagnostic(
      code: .encodingError,
      location: place,
      expected: coding.name,
      message: message,
      remedy: coding.remedy
    )
  }

  /// Where the first NUL of a field stands in the batch's text; nil where an escape made it.
  func offsetOfNUL(in field: Field, of batch: borrowing RecordBatch, record: Int) -> Int? {
    let start = batch.originalOffset(of: field)
    let raw = batch.records[record].raw.range
    guard raw.contains(start) else { return nil }
    let bytes = batch.text.bytes
    return (start..<min(start + 2 * field.count + 2, raw.upperBound)).first { bytes[$0] == 0 }
  }

  /// The fault of a record that is told to be ASCII, and has another byte; nil if it has none.
  func asciiFault(of record: Int, in batch: borrowing RecordBatch) -> Diagnostic? {
    let header = batch.records[record]
    let bytes = batch.text.bytes
    guard let first = firstNonASCII(in: batch.rawText(record)) else { return nil }
    let offset = Int(header.raw.offset) + first
    var column: Int?
    for index in 0..<Int(header.fieldCount) where batch.originalOffset(of: batch.field(index, of: record)) <= offset {
      if !batch.field(index, of: record).isAbsent { column = index }
    }
    let names = batch.shapes[Int(header.kind)].columns
    let field = column.map { batch.field($0, of: record) }
    let isUTF8 = firstInvalidUTF8(in: batch.rawText(record)) == nil
    let place = batch.location(atOffset: offset, byteCount: 1, in: record)
    return Diagnostic(
      code: .encodingError,
      location: place,
      field: column.flatMap { $0 < names.count ? names[$0] : nil },
      value: field.map { excerpt(of: batch.text.bytes(of: $0.text)) },
      expected: "ASCII",
      message: "\(list([bytes[offset]])) at offset \(place.byteOffset) is not valid ASCII",
      remedy: isUTF8 ? "this is valid UTF-8: leave --encoding out" : encodingRemedy(for: batch.rawText(record))
    )
  }
}

/// Such as `byte 0xE9` or `bytes 0x00 0xD8`.
private func list(_ bytes: [UInt8]) -> String {
  let digits = bytes.prefix(8).map { "0x" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
  return (bytes.count == 1 ? "byte " : "bytes ") + digits.joined(separator: " ")
}
