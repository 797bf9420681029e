import JSONSyntax
import Records

/// Finds the records of one array of objects.
struct ArrayScanner: RecordScanner {
  private enum Position { case beforeArray, betweenRecords, inRecord, inOtherValue, atEnd }

  var assembly: RecordAssembly
  private(set) var ordinal: Int64 = 0
  private var tokenizer = JSONTokenizer()
  private var position = Position.beforeArray
  private let limit: Int
  /// Where the record in progress begins.
  private var start = 0
  private var startPlace = JSONPlace()
  /// What a value in the place of a record is.
  private var kind = JSONToken.Kind.null

  init(limits: ReadLimits) {
    limit = limits.recordByteCount
    assembly = RecordAssembly(memberDepth: 2, limits: limits)
  }

  mutating func scan(_ batch: inout RecordBatch, isComplete: Bool) throws(ScanFailure) -> ScanProgress {
    // The tokenizer behind the last whole record.
    var checkpoint = tokenizer
    while position != .atEnd {
      let token = try nextToken(in: batch, isComplete: isComplete)
      guard token.kind != .incomplete else { break }
      switch position {
      case .beforeArray:
        guard token.kind == .beginArray else { throw noArray(token, in: batch) }
        position = .betweenRecords
      case .betweenRecords:
        switch token.kind {
        case .endArray: break
        case .end: position = .atEnd
        default: try beginRecord(with: token, in: &batch)
        }
      case .inRecord:
        if assembly.take(token, depth: tokenizer.depth, in: &batch) { try endRecord(in: &batch) }
      case .inOtherValue:
        if tokenizer.depth == 1 { try endRecord(in: &batch) }
      case .atEnd: break
      }
      if position == .betweenRecords { checkpoint = tokenizer }
    }
    let isInRecord = position == .inRecord || position == .inOtherValue
    if isInRecord, batch.count == 0 { return ScanProgress(end: start, place: startPlace, isInRecord: true) }
    if isInRecord {
      assembly.abandonFields(in: &batch)
      tokenizer = checkpoint
      position = .betweenRecords
    }
    let end = tokenizer.position
    return ScanProgress(end: end, place: tokenizer.place(at: end, in: batch.text.bytes), isInRecord: false)
  }

  mutating func discard(_ byteCount: Int, of bytes: Span<UInt8>) {
    tokenizer.discard(byteCount, of: bytes)
  }

  private mutating func beginRecord(with token: JSONToken, in batch: inout RecordBatch) throws(ScanFailure) {
    start = token.kind == .string ? token.range.lowerBound - 1 : token.range.lowerBound
    startPlace = tokenizer.place(at: start, in: batch.text.bytes)
    assembly.beginRecord(in: batch)
    kind = token.kind
    position = kind == .beginObject ? .inRecord : .inOtherValue
    // A plain value ends where it begins.
    if tokenizer.depth == 1 { try endRecord(in: &batch) }
  }

  private mutating func endRecord(in batch: inout RecordBatch) throws(ScanFailure) {
    let raw = start..<tokenizer.position
    guard raw.count <= limit else { throw .tooLong(raw, place: startPlace) }
    if position == .inOtherValue { assembly.addFault(.notAnObject(kind.valueName, at: raw)) }
    ordinal += 1
    assembly.endRecord(ordinal: ordinal, place: startPlace, raw: raw, in: &batch)
    position = .betweenRecords
  }

  private mutating func nextToken(
    in batch: borrowing RecordBatch,
    isComplete: Bool
  ) throws(ScanFailure) -> JSONToken {
    do throws(JSONSyntaxError) {
      return try tokenizer.next(in: batch.text.bytes, isComplete: isComplete)
    } catch {
      throw .malformed(error)
    }
  }

  private func noArray(_ token: JSONToken, in batch: borrowing RecordBatch) -> ScanFailure {
    .noArray(
      tokenizer.error(
        at: token.range.lowerBound - (token.kind == .string ? 1 : 0),
        in: batch.text.bytes,
        expected: "an array",
        found: token.kind.valueName
      )
    )
  }
}
