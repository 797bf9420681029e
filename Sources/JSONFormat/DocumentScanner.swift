import JSONSyntax
import Records

/// Finds the records of one array of objects, or those that a path leads to.
///
/// ```text
/// {"meta": {…}, "data": {"rows": [{…}, {…}]}}        /data/rows
///  └ passed over  └ container      └ record
/// ```
/// With a path there may be several documents one behind the other, such as one a line.
struct DocumentScanner: RecordScanner {
  private enum Position { case outside, inRecord, inOtherValue, atEnd }

  /// An array or object around records.
  private struct Container: Sendable {
    /// How far its members' names have got, or its elements.
    var progress: JSONRecordPath.Progress
    /// Whether its elements are records.
    var holdsRecords: Bool
  }

  var assembly: RecordAssembly
  private(set) var ordinal: Int64 = 0
  private var tokenizer: JSONTokenizer
  private var position = Position.outside
  private let limit: Int
  private let path: JSONRecordPath?
  private var containers: [Container] = []
  /// How far the path has got with the member whose value comes next.
  private var member: JSONRecordPath.Progress?
  /// Where the record in progress begins.
  private var start = 0
  private var startPlace = JSONPlace()
  private var startDepth = 0
  /// What a value in the place of a record is.
  private var kind = JSONToken.Kind.null

  init(path: JSONRecordPath?, limits: ReadLimits, assembly: RecordAssembly) {
    limit = limits.recordByteCount
    self.path = path
    tokenizer = JSONTokenizer(isSequence: path != nil)
    self.assembly = assembly
  }

  mutating func scan(_ batch: inout RecordBatch, isComplete: Bool) throws(ScanFailure) -> ScanProgress {
    // The tokenizer behind the last whole record.
    var checkpoint = tokenizer
    while position != .atEnd {
      let token = try nextToken(in: batch, isComplete: isComplete)
      guard token.kind != .incomplete else { break }
      switch position {
      case .outside: try pass(token, in: &batch)
      case .inRecord:
        if assembly.take(token, depth: tokenizer.depth, in: batch) { try endRecord(in: &batch) }
      case .inOtherValue:
        if tokenizer.depth == startDepth { try endRecord(in: &batch) }
      case .atEnd: break
      }
      if position == .outside { checkpoint = tokenizer }
    }
    let isInRecord = position == .inRecord || position == .inOtherValue
    if isInRecord, batch.count == 0 { return ScanProgress(end: start, place: startPlace, isInRecord: true) }
    if isInRecord {
      assembly.abandon()
      tokenizer = checkpoint
      position = .outside
    }
    let end = tokenizer.position
    return ScanProgress(end: end, place: tokenizer.place(at: end, in: batch.text.bytes), isInRecord: false)
  }

  mutating func discard(_ byteCount: Int, of bytes: Span<UInt8>) {
    tokenizer.discard(byteCount, of: bytes)
  }

  // MARK: Around records

  /// Takes a token that is in no record.
  private mutating func pass(_ token: JSONToken, in batch: inout RecordBatch) throws(ScanFailure) {
    switch token.kind {
    case .end: position = .atEnd
    case .endArray, .endObject:
      containers.removeLast()
      member = nil
    case .name: member = progress(of: token, in: batch)
    default:
      let isElement = containers.last?.holdsRecords ?? false
      let progress = member ?? containers.last?.progress ?? path?.start
      let isMeant = progress.map { path?.isComplete($0) ?? false } ?? containers.isEmpty
      // The member stays, since a record that is begun anew must find it.
      if isElement || (isMeant && token.kind != .beginArray && token.kind != .null) {
        guard path != nil || isElement else { throw noArray(token, in: batch) }
        try beginRecord(with: token, in: &batch)
      } else {
        if token.kind == .beginArray || token.kind == .beginObject {
          let progress = progress ?? JSONRecordPath("/").start
          containers.append(Container(progress: progress, holdsRecords: isMeant && token.kind == .beginArray))
        } else if path == nil {
          throw noArray(token, in: batch)
        }
        member = nil
      }
    }
  }

  /// How far the path gets with a name.
  private func progress(of name: JSONToken, in batch: borrowing RecordBatch) -> JSONRecordPath.Progress? {
    guard let path, let container = containers.last else { return nil }
    let raw = batch.text.bytes.extracting(name.range)
    guard name.hasEscapes else { return path.progress(of: raw, below: container.progress) }
    var meaning: [UInt8] = []
    _ = JSONString.appendUnescaped(raw, to: &meaning)
    return path.progress(of: meaning.span, below: container.progress)
  }

  private mutating func beginRecord(with token: JSONToken, in batch: inout RecordBatch) throws(ScanFailure) {
    start = token.kind == .string ? token.range.lowerBound - 1 : token.range.lowerBound
    startPlace = tokenizer.place(at: start, in: batch.text.bytes)
    kind = token.kind
    let isOpen = kind == .beginObject || kind == .beginArray
    startDepth = tokenizer.depth - (isOpen ? 1 : 0)
    assembly.beginRecord(at: start, memberDepth: startDepth + 1)
    position = kind == .beginObject ? .inRecord : .inOtherValue
    // A plain value ends where it begins.
    if !isOpen { try endRecord(in: &batch) }
  }

  private mutating func endRecord(in batch: inout RecordBatch) throws(ScanFailure) {
    let raw = start..<tokenizer.position
    guard raw.count <= limit else { throw .tooLong(raw, place: startPlace) }
    if position == .inOtherValue { assembly.addFault(.notAnObject(kind.valueName, at: raw)) }
    ordinal += Int64(assembly.endRecord(ordinal: ordinal + 1, place: startPlace, raw: raw, in: &batch))
    position = .outside
    member = nil
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
      ),
      isObject: token.kind == .beginObject
    )
  }
}
