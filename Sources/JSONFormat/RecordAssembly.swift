import Diagnostics
import JSONSyntax
import Records

/// Makes the fields of a record from the tokens of an object.
///
/// Slices point at the input; strings with escapes are only noted, and rewritten behind the input once no more of it will
/// be read into the batch.
struct RecordAssembly: Sendable {
  /// A string that must be unescaped: a field of the batch, or a repeated one.
  private struct PendingRewrite: Sendable {
    var isRepeat: Bool
    var position: Int
    var record: Int
    var column: Int
  }

  private(set) var columns = ColumnTable()
  private let limits: ReadLimits
  /// The tokenizer's depth between the members of a record.
  private let memberDepth: Int

  // The record in progress.
  private var fieldStart = 0
  private var repeatStart = 0
  private var rewriteStart = 0
  private var column = -1
  private var isInArray = false
  private var elementCount = 0
  /// The depth at which a value that is passed over began; nil when none is.
  private var skippedDepth: Int?
  private var faults: [JSONFault] = []
  private var isUnreadable = false

  private var rewrites: [PendingRewrite] = []

  init(memberDepth: Int, limits: ReadLimits) {
    self.memberDepth = memberDepth
    self.limits = limits
  }

  /// Forgets what belongs to the batch before.
  mutating func beginBatch() {
    rewrites.removeAll(keepingCapacity: true)
  }

  mutating func beginRecord(in batch: borrowing RecordBatch) {
    fieldStart = batch.fields.count
    repeatStart = batch.repeats.count
    rewriteStart = rewrites.count
    column = -1
    isInArray = false
    skippedDepth = nil
    faults.removeAll(keepingCapacity: true)
    isUnreadable = false
  }

  /// Takes back what a record has put into the batch so far.
  mutating func abandonFields(in batch: inout RecordBatch) {
    batch.fields.removeLast(batch.fields.count - fieldStart)
    batch.repeats.removeLast(batch.repeats.count - repeatStart)
    rewrites.removeLast(rewrites.count - rewriteStart)
  }

  mutating func addFault(_ fault: JSONFault) {
    faults.append(fault)
    isUnreadable = true
  }

  /// Adds the record, whose fields are complete, to the batch.
  mutating func endRecord(ordinal: Int64, place: JSONPlace, raw: Range<Int>, in batch: inout RecordBatch) {
    // Fields that have a fault would only bring further ones.
    if isUnreadable { abandonFields(in: &batch) }
    let record = batch.records.count
    batch.records.append(
      RecordHeader(
        ordinal: ordinal,
        line: place.line,
        column: UInt32(clamping: place.column),
        raw: TextSlice(raw),
        fieldStart: UInt32(truncatingIfNeeded: fieldStart),
        fieldCount: UInt32(truncatingIfNeeded: batch.fields.count - fieldStart),
        isUnreadable: isUnreadable
      )
    )
    for fault in faults {
      let location = batch.location(atOffset: fault.range.lowerBound, byteCount: fault.range.count, in: record)
      batch.faults.append(RecordFault(record: record, diagnostic: fault.diagnostic(at: location)))
    }
    faults.removeAll(keepingCapacity: true)
  }

  /// Takes a token of a record.
  ///
  /// - Returns: Whether it closes the record.
  mutating func take(_ token: JSONToken, depth: Int, in batch: inout RecordBatch) -> Bool {
    if let skipped = skippedDepth {
      if depth == skipped { skippedDepth = nil }
      return false
    }
    switch token.kind {
    case .name: column = position(ofColumn: token, in: batch)
    case .string, .number, .true, .false, .null: addValue(token, to: &batch)
    case .beginArray where !isInArray:
      isInArray = true
      elementCount = 0
    case .beginArray, .beginObject:
      addFault(.nested(token.kind.valueName, at: token.range, field: columnName))
      skippedDepth = depth - 1
    case .endArray:
      isInArray = false
      // An empty array is a value that was given, and is nothing.
      if elementCount == 0 { addValue(JSONToken(.null, token.range), to: &batch) }
    case .endObject: return depth < memberDepth
    case .end, .incomplete: break
    }
    return false
  }

  /// Rewrites the strings with escapes behind the input, of which no more may come into the batch.
  mutating func finishBatch(_ batch: inout RecordBatch) {
    let faultCount = batch.faults.count
    var text: [UInt8] = []
    for rewrite in rewrites {
      let field = rewrite.isRepeat ? batch.repeats[rewrite.position].field : batch.fields[rewrite.position]
      text.removeAll(keepingCapacity: true)
      if let half = unescape(field, in: batch, to: &text) {
        let fault = JSONFault.loneSurrogate(
          at: half.offset..<half.offset + 6,
          field: columns.names[rewrite.column],
          escape: half.excerpt
        )
        let location = batch.location(atOffset: half.offset, byteCount: 6, in: rewrite.record)
        batch.faults.append(RecordFault(record: rewrite.record, diagnostic: fault.diagnostic(at: location)))
        batch.records[rewrite.record].isUnreadable = true
        batch.records[rewrite.record].fieldCount = 0
        continue
      }
      let start = batch.text.count
      batch.text.append(text.span)
      batch.rewrites.append(
        Rewrite(text: UInt32(truncatingIfNeeded: start), original: field.text.offset)
      )
      let rewritten = Field(TextSlice(start..<batch.text.count), isQuoted: true)
      if rewrite.isRepeat {
        batch.repeats[rewrite.position].field = rewritten
      } else {
        batch.fields[rewrite.position] = rewritten
      }
    }
    guard batch.faults.count > faultCount else { return }
    let ordered = batch.faults.enumerated().sorted {
      ($0.element.record, $0.offset) < ($1.element.record, $1.offset)
    }
    batch.faults = ordered.map(\.element)
  }

  /// Appends what a string means; where and what the half of a surrogate pair is that it cannot be read past.
  private func unescape(
    _ field: Field,
    in batch: borrowing RecordBatch,
    to text: inout [UInt8]
  ) -> (offset: Int, excerpt: String)? {
    let raw = batch.text.bytes(of: field.text)
    guard let offset = JSONString.appendUnescaped(raw, to: &text) else { return nil }
    return (Int(field.text.offset) + offset, excerpt(of: raw.extracting(offset..<offset + 6)))
  }

  private var columnName: String? { column >= 0 ? columns.names[column] : nil }

  private mutating func addValue(_ token: JSONToken, to batch: inout RecordBatch) {
    defer { elementCount += 1 }
    guard column >= 0 else { return }
    // A field counts its bytes in 29 bits.
    let limit = min(limits.fieldByteCount, 1 << 29 - 1)
    guard token.range.count <= limit else {
      addFault(.fieldTooLong(at: token.range, field: columnName, limit: limit))
      return
    }
    let slice = token.kind == .null ? token.range.lowerBound..<token.range.lowerBound : token.range
    let field = Field(TextSlice(slice), isQuoted: token.kind == .string)
    let record = batch.records.count
    guard !isInArray || elementCount == 0 else {
      if token.hasEscapes {
        rewrites.append(.init(isRepeat: true, position: batch.repeats.count, record: record, column: column))
      }
      batch.repeats.append(RepeatedField(record: record, column: column, field: field))
      return
    }
    let position = fieldStart + column
    while batch.fields.count <= position { batch.fields.append(.absent) }
    batch.fields[position] = field
    if token.hasEscapes {
      rewrites.append(.init(isRepeat: false, position: position, record: record, column: column))
    }
  }

  /// The column of a name; -1 for one that cannot be used, which is a fault of the record.
  private mutating func position(ofColumn token: JSONToken, in batch: borrowing RecordBatch) -> Int {
    let raw = batch.text.bytes.extracting(token.range)
    guard token.hasEscapes else { return position(ofName: raw, token, in: batch) }
    var name: [UInt8] = []
    guard JSONString.appendUnescaped(raw, to: &name) == nil else { return refuseName(token, in: batch) }
    return position(ofName: name.span, token, in: batch)
  }

  private mutating func position(ofName name: Span<UInt8>, _ token: JSONToken, in batch: borrowing RecordBatch) -> Int {
    guard let position = columns.position(of: name, guess: column + 1) else {
      guard JSONString.firstInvalidByte(in: name) == nil else { return refuseName(token, in: batch) }
      guard columns.count < limits.columnCount else {
        addFault(.tooManyColumns(at: token.range, limit: limits.columnCount))
        return -1
      }
      return columns.add(name)
    }
    let index = fieldStart + position
    guard index >= batch.fields.count || batch.fields[index].isAbsent else {
      addFault(.duplicate(columns.names[position], at: token.range))
      return -1
    }
    return position
  }

  private mutating func refuseName(_ token: JSONToken, in batch: borrowing RecordBatch) -> Int {
    let name = excerpt(of: batch.text.bytes.extracting(token.range))
    addFault(.unreadableName(at: token.range, excerpt: name))
    return -1
  }
}
