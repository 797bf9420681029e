import Diagnostics
import JSONSyntax
import Records

/// Makes records of the tokens of an object: one, and those that stand within it.
///
/// Slices point at the input; strings with escapes are only noted, and rewritten behind the input once no more of it will
/// be read into the batch.
struct RecordAssembly: Sendable {
  /// A field of the batch that is a string which must be unescaped.
  private struct BatchRewrite: Sendable {
    var position: Int
    var isRepeat: Bool
    var record: Int
    var kind: Int
    var column: Int
  }

  /// How many faults of one record are told.
  private static let faultLimit = 1000

  var kinds: ObjectKinds
  let limits: ReadLimits
  /// The names of members whose arrays are lists of values, in lower case.
  let lists: Set<String>
  /// For every column of every kind whether it may hold several values.
  var isList: [[Bool]] = []
  /// What finds out which arrays hold records; nil where that is known.
  private(set) var discovery: NestingDiscovery?

  /// The record at hand, and those around it, the outermost first.
  var record = OpenObject()
  var outer: [OpenObject] = []
  var spare: [OpenObject] = []
  var nested = NestedObjects()

  private var rewrites: [BatchRewrite] = []

  /// - Parameters:
  ///   - lists: The names of members whose arrays are lists of values, in lower case.
  ///   - nesting: Which members are records.
  ///   - discoversNesting: Whether it is to be found out which members are records.
  init(
    limits: ReadLimits,
    lists: Set<String> = [],
    nesting: RecordNesting = RecordNesting(),
    discoversNesting: Bool = false
  ) {
    self.limits = limits
    self.lists = lists
    kinds = ObjectKinds(nesting)
    discovery = discoversNesting ? NestingDiscovery() : nil
  }

  /// Forgets what belongs to the batch before.
  mutating func beginBatch() {
    rewrites.removeAll(keepingCapacity: true)
  }

  /// Begins a record that stands in no other.
  mutating func beginRecord(at start: Int, memberDepth: Int) {
    abandon()
    record.begin(kind: 0, node: kinds.root, start: start, slot: -1, memberDepth: memberDepth)
    discovery?.beginRecord()
  }

  /// Forgets the record in progress.
  mutating func abandon() {
    while let enclosing = outer.popLast() {
      spare.append(record)
      record = enclosing
    }
    nested.removeAll()
    record.removeFields()
  }

  /// Adds a fault of the record that stands in no other, which makes no sense then, nor does what stands in it.
  mutating func refuseRecord(_ fault: JSONFault) {
    abandon()
    addFault(fault)
  }

  mutating func addFault(_ fault: JSONFault) {
    record.isUnreadable = true
    // A record of a million faults is as useless as one of a thousand, and costs more memory than its input.
    if record.faults.count < Self.faultLimit { record.faults.append(fault) }
  }

  /// Adds the record, whose fields are complete, and those within it to the batch.
  ///
  /// - Returns: How many records that makes.
  mutating func endRecord(ordinal: Int64, place: JSONPlace, raw: Range<Int>, in batch: inout RecordBatch) -> Int {
    // Fields that have a fault would only bring further ones.
    if record.isUnreadable { record.removeFields() }
    let count = record.fields.count
    add(
      RecordHeader(
        ordinal: ordinal,
        line: place.line,
        column: UInt32(clamping: place.column),
        raw: TextSlice(raw),
        fieldStart: UInt32(truncatingIfNeeded: batch.fields.count),
        fieldCount: UInt32(truncatingIfNeeded: count),
        kind: UInt16(truncatingIfNeeded: record.kind),
        isUnreadable: record.isUnreadable
      ),
      record.fields[...],
      record.repeats[...],
      record.rewrites[...],
      record.faults,
      to: &batch
    )
    record.faults.removeAll(keepingCapacity: true)
    guard !nested.records.isEmpty else { return 1 }
    var places = JSONTokenizer(at: raw.lowerBound, place: place)
    for (index, inner) in nested.records.enumerated() {
      let place = places.place(at: inner.range.lowerBound, in: batch.text.bytes)
      let fields = inner.isUnreadable ? inner.fields.lowerBound..<inner.fields.lowerBound : inner.fields
      add(
        RecordHeader(
          ordinal: ordinal + 1 + Int64(index),
          parent: ordinal + 1 + Int64(inner.parent),
          line: place.line,
          column: UInt32(clamping: place.column),
          raw: TextSlice(inner.range),
          fieldStart: UInt32(truncatingIfNeeded: batch.fields.count),
          fieldCount: UInt32(truncatingIfNeeded: fields.count),
          kind: UInt16(truncatingIfNeeded: inner.kind),
          isUnreadable: inner.isUnreadable
        ),
        nested.fields[fields],
        inner.isUnreadable ? [] : nested.repeats[inner.repeats],
        inner.isUnreadable ? [] : nested.rewrites[inner.rewrites],
        inner.faults,
        to: &batch
      )
    }
    defer { nested.removeAll() }
    return 1 + nested.records.count
  }

  private mutating func add(
    _ header: RecordHeader,
    _ fields: ArraySlice<Field>,
    _ repeats: ArraySlice<(column: Int, field: Field)>,
    _ pending: ArraySlice<OpenObject.PendingRewrite>,
    _ faults: [JSONFault],
    to batch: inout RecordBatch
  ) {
    let position = batch.records.count
    let (fieldStart, repeatStart) = (batch.fields.count, batch.repeats.count)
    batch.records.append(header)
    batch.fields += fields
    for (column, field) in repeats {
      batch.repeats.append(RepeatedField(record: position, column: column, field: field))
    }
    for rewrite in pending {
      rewrites.append(
        BatchRewrite(
          position: rewrite.position + (rewrite.isRepeat ? repeatStart : fieldStart),
          isRepeat: rewrite.isRepeat,
          record: position,
          kind: Int(header.kind),
          column: rewrite.column
        )
      )
    }
    for fault in faults {
      let location = batch.location(atOffset: fault.range.lowerBound, byteCount: fault.range.count, in: position)
      batch.faults.append(RecordFault(record: position, diagnostic: fault.diagnostic(at: location)))
    }
  }

  /// Takes a token of a record.
  ///
  /// - Returns: Whether it closes the record that stands in no other.
  mutating func take(_ token: JSONToken, depth: Int, in batch: borrowing RecordBatch) -> Bool {
    discovery?.see(token, in: batch.text)
    if let array = record.array {
      guard depth == array.depth else { return false }
      record.array = nil
      // Its own text, as it is written: an array of one is not its element, and an empty one not nothing.
      let text = JSONToken(.string, array.start..<token.range.upperBound)
      if isAtItem {
        addItem(text, in: batch)
      } else if let records = record.records {
        addLeaf(text, start: array.start, end: token.range.upperBound, node: records.node, kind: records.kind)
      } else {
        addValue(text, in: batch)
      }
      return false
    }
    if isAtItem, let list = record.list {
      take(token, ofList: list, depth: depth, in: batch)
      return false
    }
    if let records = record.records {
      take(token, of: records, depth: depth, in: batch)
      return false
    }
    if record.undecided != nil, decide(token, depth: depth, in: batch) { return false }
    switch token.kind {
    case .name:
      record.name = token
      if !record.objects.isEmpty { record.objects[record.objects.count - 1].isEmpty = false }
    case .string, .number, .true, .false, .null:
      if !takeRecord(token, depth: depth, in: batch) { addValue(token, in: batch) }
    case .beginArray:
      if !takeRecord(token, depth: depth, in: batch) { beginArray(token, depth: depth, in: batch) }
    case .beginObject:
      if !takeRecord(token, depth: depth, in: batch) { beginObject(token, in: batch) }
    case .endObject:
      guard depth >= record.memberDepth else {
        guard !outer.isEmpty else { return true }
        closeNested(at: token.range.upperBound)
        return false
      }
      endObject(token, in: batch)
    case .endArray, .end, .incomplete: break
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
          field: kinds.tables[rewrite.kind].names[rewrite.column],
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
      let meant = Field(TextSlice(start..<batch.text.count), isQuoted: true)
      if rewrite.isRepeat {
        batch.repeats[rewrite.position].field = meant
      } else {
        batch.fields[rewrite.position] = meant
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
}
