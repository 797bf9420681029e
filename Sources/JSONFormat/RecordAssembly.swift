import Diagnostics
import JSONSyntax
import Records

/// Makes the fields of a record from the tokens of an object.
///
/// Slices point at the input; strings with escapes are only noted, and rewritten behind the input once no more of it will
/// be read into the batch.
struct RecordAssembly: Sendable {
  /// A field of the batch that is a string which must be unescaped.
  private struct PendingRewrite: Sendable {
    /// Position among the fields, or among the repeats.
    var position: Int
    var isRepeat = false
    var record: Int
    var column: Int
  }

  /// How many faults of one record are told.
  private static let faultLimit = 1000

  private(set) var columns = ColumnTable()
  private let limits: ReadLimits
  /// The names of members whose arrays are lists of values, in lower case.
  private let lists: Set<String>
  /// For every column whether it may hold several values.
  private var isList: [Bool] = []
  /// The tokenizer's depth between the members of a record.
  private var memberDepth = 1

  // The record in progress.
  private var fieldStart = 0
  private var rewriteStart = 0
  private var repeatStart = 0
  /// The column of the field before, which the next one probably follows.
  private var column = -1
  /// The name whose value comes next.
  private var name: JSONToken?
  /// The array at hand: where it begins, and the depth behind it.
  private var array: (start: Int, depth: Int)?
  /// The list at hand: its column, how many items it has had, and the depth behind it.
  private var list: (column: Int, count: Int, depth: Int)?
  /// The objects that are open within the record.
  private var objects: [InnerObject] = []
  /// Their names with a dot behind each, which the names of their members follow.
  private var prefix: [UInt8] = []
  private var faults: [JSONFault] = []
  private var isUnreadable = false
  private var hasTooManyColumns = false

  private var rewrites: [PendingRewrite] = []

  /// An object within a record.
  private struct InnerObject: Sendable {
    var start: Int
    var name: JSONToken
    /// How long the prefix was before it.
    var prefixCount: Int
    var isEmpty = true
  }

  /// - Parameter lists: The names of members whose arrays are lists of values, in lower case.
  init(limits: ReadLimits, lists: Set<String> = []) {
    self.limits = limits
    self.lists = lists
  }

  /// Forgets what belongs to the batch before.
  mutating func beginBatch() {
    rewrites.removeAll(keepingCapacity: true)
  }

  mutating func beginRecord(memberDepth: Int, in batch: borrowing RecordBatch) {
    self.memberDepth = memberDepth
    fieldStart = batch.fields.count
    rewriteStart = rewrites.count
    repeatStart = batch.repeats.count
    column = -1
    name = nil
    array = nil
    list = nil
    objects.removeAll(keepingCapacity: true)
    prefix.removeAll(keepingCapacity: true)
    faults.removeAll(keepingCapacity: true)
    isUnreadable = false
    hasTooManyColumns = false
  }

  /// Takes back what a record has put into the batch so far.
  mutating func abandonFields(in batch: inout RecordBatch) {
    batch.fields.removeLast(batch.fields.count - fieldStart)
    batch.repeats.removeLast(batch.repeats.count - repeatStart)
    rewrites.removeLast(rewrites.count - rewriteStart)
  }

  mutating func addFault(_ fault: JSONFault) {
    isUnreadable = true
    // A record of a million faults is as useless as one of a thousand, and costs more memory than its input.
    if faults.count < Self.faultLimit { faults.append(fault) }
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
    if let array {
      guard depth == array.depth else { return false }
      self.array = nil
      // Its own text, as it is written: an array of one is not its element, and an empty one not nothing.
      let text = JSONToken(.string, array.start..<token.range.upperBound)
      if list != nil { addItem(text, to: &batch) } else { addValue(text, to: &batch) }
      return false
    }
    if let list, token.kind != .beginArray, token.kind != .beginObject {
      if depth > list.depth {
        addItem(token, to: &batch)
      } else {
        // A list without items is given all the same.
        if list.count == 0 {
          let end = token.range.lowerBound
          addItem(JSONToken(.string, end..<end), to: &batch)
        }
        self.list = nil
      }
      return false
    }
    switch token.kind {
    case .name:
      name = token
      if !objects.isEmpty { objects[objects.count - 1].isEmpty = false }
    case .string, .number, .true, .false, .null: addValue(token, to: &batch)
    case .beginArray where list == nil: beginArray(token, depth: depth, in: batch)
    case .beginObject where list == nil: beginObject(token, in: batch)
    // In a list, an array or object is one item, as it is written.
    case .beginArray, .beginObject: array = (token.range.lowerBound, depth - 1)
    case .endObject:
      guard depth >= memberDepth else { return true }
      endObject(token, in: &batch)
    case .endArray, .end, .incomplete: break
    }
    return false
  }

  /// Begins a value that is text as it is written, or a list.
  private mutating func beginArray(_ token: JSONToken, depth: Int, in batch: borrowing RecordBatch) {
    array = (token.range.lowerBound, depth - 1)
    guard !lists.isEmpty, let name else { return }
    let column = position(ofColumn: name, in: batch)
    guard column >= 0 else {
      self.name = nil
      return
    }
    while isList.count < columns.count { isList.append(lists.contains(lowercasedASCII(columns.names[isList.count]))) }
    guard isList[column] else { return }
    self.name = nil
    array = nil
    list = (column, 0, depth - 1)
    self.column = column
  }

  /// Adds an item of the list at hand.
  private mutating func addItem(_ token: JSONToken, to batch: inout RecordBatch) {
    guard let (column, count, _) = list else { return }
    list?.count += 1
    let limit = min(limits.fieldByteCount, 1 << 29 - 1)
    guard token.range.count <= limit else {
      addFault(.fieldTooLong(at: token.range, field: columns.names[column], limit: limit))
      return
    }
    let slice = token.kind == .null ? token.range.lowerBound..<token.range.lowerBound : token.range
    let field = Field(TextSlice(slice), isQuoted: token.kind == .string)
    let record = batch.records.count
    guard count == 0 else {
      batch.repeats.append(RepeatedField(record: record, column: column, field: field))
      guard token.hasEscapes else { return }
      rewrites.append(.init(position: batch.repeats.count - 1, isRepeat: true, record: record, column: column))
      return
    }
    let position = fieldStart + column
    while batch.fields.count <= position { batch.fields.append(.absent) }
    batch.fields[position] = field
    if token.hasEscapes { rewrites.append(.init(position: position, record: record, column: column)) }
  }

  private mutating func beginObject(_ token: JSONToken, in batch: borrowing RecordBatch) {
    guard let name else { return }
    self.name = nil
    objects.append(InnerObject(start: token.range.lowerBound, name: name, prefixCount: prefix.count))
    // A name that is not Unicode has its fault when a member needs it.
    _ = appendName(name, in: batch)
    prefix.append(UInt8(ascii: "."))
  }

  /// Ends an object; one without members is given all the same, and is its own text.
  private mutating func endObject(_ token: JSONToken, in batch: inout RecordBatch) {
    guard let object = objects.popLast() else { return }
    prefix.removeLast(prefix.count - object.prefixCount)
    guard object.isEmpty else { return }
    name = object.name
    addValue(JSONToken(.string, object.start..<token.range.upperBound), to: &batch)
  }

  /// Appends what a name means to the prefix; false if it is not Unicode.
  private mutating func appendName(_ name: JSONToken, in batch: borrowing RecordBatch) -> Bool {
    let raw = batch.text.bytes.extracting(name.range)
    if name.hasEscapes { return JSONString.appendUnescaped(raw, to: &prefix) == nil }
    for index in raw.indices { prefix.append(raw[index]) }
    return true
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

  private mutating func addValue(_ token: JSONToken, to batch: inout RecordBatch) {
    guard let name else { return }
    self.name = nil
    column = position(ofColumn: name, in: batch)
    guard column >= 0 else { return }
    // A field counts its bytes in 29 bits.
    let limit = min(limits.fieldByteCount, 1 << 29 - 1)
    guard token.range.count <= limit else {
      addFault(.fieldTooLong(at: token.range, field: columns.names[column], limit: limit))
      return
    }
    let slice = token.kind == .null ? token.range.lowerBound..<token.range.lowerBound : token.range
    let field = Field(TextSlice(slice), isQuoted: token.kind == .string)
    let position = fieldStart + column
    while batch.fields.count <= position { batch.fields.append(.absent) }
    batch.fields[position] = field
    if token.hasEscapes {
      rewrites.append(.init(position: position, record: batch.records.count, column: column))
    }
  }

  /// The column of a name; -1 for one that cannot be used, which is a fault of the record.
  private mutating func position(ofColumn token: JSONToken, in batch: borrowing RecordBatch) -> Int {
    if prefix.isEmpty, !token.hasEscapes {
      return position(ofName: batch.text.bytes.extracting(token.range), token, in: batch)
    }
    let prefixCount = prefix.count
    let isUnicode = appendName(token, in: batch)
    let name = prefix
    prefix.removeLast(prefix.count - prefixCount)
    return isUnicode ? position(ofName: name.span, token, in: batch) : refuseName(token, in: batch)
  }

  private mutating func position(ofName name: Span<UInt8>, _ token: JSONToken, in batch: borrowing RecordBatch) -> Int {
    guard let position = columns.position(of: name, guess: column + 1) else {
      guard JSONString.firstInvalidByte(in: name) == nil else { return refuseName(token, in: batch) }
      guard columns.count < limits.columnCount else {
        guard !hasTooManyColumns else { return -1 }
        hasTooManyColumns = true
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
