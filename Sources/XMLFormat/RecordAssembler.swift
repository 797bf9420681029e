import CXML
import Diagnostics
import Records

/// Makes records of events.
///
/// ```text
/// <rubrica> <contatto nick="x"> <nome>Ada</nome> </contatto> …
/// └ ancestor └ record            └ leaf
/// ```
struct RecordAssembler: ~Copyable, Sendable {
  /// An element that is open and encloses records, or might.
  struct Ancestor: Sendable {
    var name: UInt32
    /// Its start tag, byte for byte.
    var tag: [UInt8]
    var line: Int
    var hasElements = false
    var hasContent = false
    /// Whether it stands on the path whose children are the records.
    var isOnPath: Bool
  }

  /// How many batches' worth of fields are too many for one: 2 MiB of them.
  private static let fieldLimit = 1 << 18
  /// How many further values of its fields a record may have, and how many faults of it are told.
  private static let repeatLimit = 1 << 16
  private static let faultLimit = 1000
  /// How many kinds of records a document may have.
  static let kindLimit = 4096
  /// How many different remarks on elements that are not read are made.
  private static let noteLimit = 8

  let file: String
  let limits: ReadLimits
  var rule = RecordRule.nothing
  var columns = ColumnTable()
  /// The names of the columns of one kind, as far as they were known at the beginning of a record.
  private var expectedKind = -1
  private var expectedNames: [UInt32] = []
  var record = OpenRecord()
  var ancestors: [Ancestor] = []
  /// The ancestors of the first record.
  private(set) var framingTags: [(name: String, tag: [UInt8])]?
  private var count: Int64 = 0
  private var notes: [Diagnostic] = []
  private var notedNames: Set<UInt32> = []
  private var hasNotedText = false
  /// By a name's number: 0 unknown, 1 names records, 2 does not.
  private var verdicts: [UInt8] = []
  /// The line that the byte at `lineOffset` of the input is on.
  private var line = 1
  private var column = 1
  private var lineOffset: Int64 = 0
  /// Behind the last record that is complete.
  private(set) var behindLastRecord: Int64 = 0
  /// Whether some record had more fields than are allowed.
  private(set) var hasTooManyKinds = false

  init(file: String, limits: ReadLimits) {
    self.file = file
    self.limits = limits
  }

  /// Whether the user has been told that the record path matches nothing.
  var hasSaidSo = false

  /// Whether any record has been seen.
  var hasRecords: Bool { count > 0 }

  /// Moves the remarks so far into a batch.
  mutating func moveNotes(to batch: inout RecordBatch) {
    guard !notes.isEmpty else { return }
    batch.notes += notes
    notes.removeAll()
  }

  // MARK: Events

  /// Takes events from `start` on, until all are taken or the batch is full.
  ///
  /// - Parameters:
  ///   - shift: What to add to an event's text offset to get one in the batch's text.
  /// - Returns: The position of the first event that was not taken.
  mutating func take(
    from start: Int,
    of parser: borrowing EventParser,
    into batch: inout RecordBatch,
    shift: Int
  ) -> Int {
    let events = unsafe parser.events
    let end = events.count
    var index = start
    while index < end {
      let event = unsafe events[index]
      index += 1
      let kind = Int(event.kind)
      if record.isOpen {
        if kind == CXML_LEAF {
          takeLeaf(event, of: parser, shift: shift)
        } else if kind == CXML_TEXT {
          takeText(event, shift: shift)
        } else if kind == CXML_START {
          record.depth += 1
          let attributes = unsafe Self.attributeCount(in: events, from: index)
          unsafe takeChild(event, attributes: events[index..<index + attributes], of: parser, shift: shift)
          index += attributes
        } else if record.depth > 0 {
          if record.depth == 1 { endChild(at: Int64(event.offset), of: parser) }
          record.depth -= 1
        } else {
          close(at: Int64(event.offset), of: parser, into: &batch)
          if batch.fields.count >= Self.fieldLimit { return index }
        }
        continue
      }
      switch kind {
      case CXML_START, CXML_LEAF:
        let attributes = kind == CXML_LEAF ? 0 : unsafe Self.attributeCount(in: events, from: index)
        if isRecord(event.name, of: parser) {
          open(event, shift: shift, of: parser, in: batch)
          for position in index..<index + attributes {
            takeAttribute(unsafe events[position], of: parser, shift: shift)
          }
          if kind == CXML_LEAF {
            takeOwnLeafText(event, in: batch, shift: shift)
            close(at: Int64(event.offset) + Int64(event.element_count), of: parser, into: &batch)
          }
        } else if kind == CXML_START {
          enter(event, hasAttributes: attributes > 0, of: parser, in: batch)
        } else {
          if !ancestors.isEmpty { ancestors[ancestors.count - 1].hasElements = true }
          if Self.holdsText(event, in: batch, shift: shift) {
            noteUnread(event.name, line: line(at: Int64(event.offset), of: parser, in: batch), of: parser)
          }
        }
        index += attributes
      case CXML_TEXT:
        if Int(event.flags) & CXML_BLANK == 0 { takeTextOutside(of: parser) }
      default:
        leave(of: parser)
      }
    }
    return index
  }

  private static func attributeCount(in events: UnsafeBufferPointer<CXMLEvent>, from start: Int) -> Int {
    var end = start
    while end < events.count, unsafe Int(events[end].kind) == CXML_ATTRIBUTE { end += 1 }
    return end - start
  }

  // MARK: Outside of records

  /// Whether an element that begins outside of any record is one.
  private mutating func isRecord(_ name: UInt32, of parser: borrowing EventParser) -> Bool {
    switch rule {
    case .children(let path, _):
      return ancestors.count == path.count && (ancestors.last?.isOnPath ?? false)
    case .root: return ancestors.isEmpty
    case .nothing: return false
    case .named(let names):
      guard !ancestors.isEmpty else { return false }
      return verdict(on: name) { names.contains(lowercasedASCII(XMLName.decoding(parser.name(name)))) }
    case .told(let path):
      // Only the name decides most of the time; the ancestors are looked at where that fits.
      let ancestors = ancestors
      let isNamed = verdict(on: name) { path.endsWith(parser.name(name)) }
      return isNamed && path.matches(parser.name(name), below: ancestors.map { parser.name($0.name) })
    }
  }

  private mutating func verdict(on name: UInt32, _ decide: () -> Bool) -> Bool {
    while verdicts.count <= Int(name) { verdicts.append(0) }
    if verdicts[Int(name)] == 0 { verdicts[Int(name)] = decide() ? 1 : 2 }
    return verdicts[Int(name)] == 1
  }

  private mutating func enter(
    _ event: CXMLEvent,
    hasAttributes: Bool,
    of parser: borrowing EventParser,
    in batch: borrowing RecordBatch
  ) {
    let isOnPath: Bool =
      if case .children(let path, _) = rule, ancestors.count < path.count {
        (ancestors.last?.isOnPath ?? true) && path[ancestors.count] == parser.name(event.name)
      } else { false }
    if !ancestors.isEmpty { ancestors[ancestors.count - 1].hasElements = true }
    let start = Int(Int64(event.offset) - batch.byteOffset)
    var ancestor = Ancestor(name: event.name, tag: [], line: 0, isOnPath: isOnPath)
    // The tags are wanted around the first record alone.
    if framingTags == nil {
      let bytes = batch.text.bytes
      for index in start..<start + Int(event.tag_count) { ancestor.tag.append(bytes[index]) }
    }
    ancestor.line = line(at: Int64(event.offset), of: parser, in: batch)
    ancestor.hasContent = hasAttributes && !ancestors.isEmpty
    ancestors.append(ancestor)
  }

  private mutating func leave(of parser: borrowing EventParser) {
    guard let ancestor = ancestors.popLast(), !ancestor.hasElements, ancestor.hasContent else { return }
    noteUnread(ancestor.name, line: ancestor.line, of: parser)
  }

  private mutating func takeTextOutside(of parser: borrowing EventParser) {
    guard let last = ancestors.indices.last else { return }
    ancestors[last].hasContent = true
    if case .told = rule { return }
    guard ancestors[last].hasElements, !hasNotedText else { return }
    hasNotedText = true
    notes.append(
      .notRead("text in <\(excerpt(of: parser.name(ancestors[last].name)))>", file: file, line: ancestors[last].line)
    )
  }

  /// Says once for each name that elements of that name are passed over.
  private mutating func noteUnread(_ name: UInt32, line: Int, of parser: borrowing EventParser) {
    if case .told = rule { return }
    guard notedNames.count < Self.noteLimit, notedNames.insert(name).inserted else { return }
    notes.append(.notRead("the element <\(excerpt(of: parser.name(name)))>", file: file, line: line))
  }

  // MARK: Lines

  /// The line of a byte of the input that is in the batch, at or behind the last one asked for.
  private mutating func line(at offset: Int64, of parser: borrowing EventParser, in batch: borrowing RecordBatch) -> Int
  {
    guard offset > lineOffset else { return line }
    let base = batch.byteOffset
    let bytes = batch.text.bytes.extracting(Int(lineOffset - base)..<Int(offset - base))
    line += parser.lineCount(in: bytes, column: &column)
    lineOffset = offset
    return line
  }

  /// Counts the lines before a byte, whose predecessors are let go.
  mutating func countLines(upTo offset: Int64, of parser: borrowing EventParser, in batch: borrowing RecordBatch) {
    _ = line(at: offset, of: parser, in: batch)
  }

  // MARK: The record at hand

  private mutating func open(
    _ event: CXMLEvent,
    shift: Int,
    of parser: borrowing EventParser,
    in batch: borrowing RecordBatch
  ) {
    record.begin(event, textStart: Int(event.text) + shift)
    record.line = line(at: record.offset, of: parser, in: batch)
    record.column = column
    if let last = ancestors.indices.last { ancestors[last].hasElements = true }
    record.kind = columns.knownKind(of: event.name)
    if record.kind >= 0, expectedKind != record.kind || expectedNames.count != columns.columnCount(of: record.kind) {
      expectedKind = record.kind
      expectedNames = columns.names(of: record.kind)
    }
    if record.kind < 0 {
      // A sibling of records without attributes and children is no record, unless its name is known to be theirs.
      if case .children(_, let kinds) = rule, !kinds.contains(parser.name(event.name)) { return }
      settleKind(of: parser)
    }
  }

  /// Makes sure that the record at hand has a kind.
  private mutating func settleKind(of parser: borrowing EventParser) {
    guard record.kind < 0 else { return }
    if let kind = columns.kind(of: record.name, of: parser, limit: Self.kindLimit) {
      record.kind = kind
    } else {
      hasTooManyKinds = true
      record.kind = 0
    }
    if framingTags == nil { framingTags = ancestors.map { (parser.name($0.name), $0.tag) } }
  }

  private mutating func takeOwnLeafText(_ event: CXMLEvent, in batch: borrowing RecordBatch, shift: Int) {
    record.ownText = Int(event.text) + shift
    record.ownByteCount = Int(event.text_count)
    record.hasOwnText = Self.holdsText(event, in: batch, shift: shift)
  }

  /// Whether an event's text is more than white space.
  private static func holdsText(_ event: CXMLEvent, in batch: borrowing RecordBatch, shift: Int) -> Bool {
    let bytes = batch.text.bytes
    let start = Int(event.text) + shift
    for index in start..<start + Int(event.text_count) where !isBlank(bytes[index]) { return true }
    return false
  }

  private mutating func takeText(_ event: CXMLEvent, shift: Int) {
    if record.depth == 1 {
      if record.leaf.byteCount == 0 { record.leaf.text = Int(event.text) + shift }
      record.leaf.byteCount += Int(event.text_count)
    } else if record.depth == 0 {
      let isBlank = Int(event.flags) & CXML_BLANK != 0
      if record.ownByteCount == 0 { record.ownText = Int(event.text) + shift }
      record.ownByteCount += Int(event.text_count)
      if !isBlank { record.hasOwnText = true }
    }
  }

  private mutating func takeAttribute(_ event: CXMLEvent, of parser: borrowing EventParser, shift: Int) {
    // What XML Schema says of the record is not data.
    guard Int(event.flags) & CXML_SCHEMA_INSTANCE == 0 else { return }
    settleKind(of: parser)
    let start = Int(event.text) + shift
    add(
      Field(TextSlice(start..<start + Int(event.text_count)), isQuoted: true),
      named: event.name,
      original: Int64(event.offset),
      of: parser
    )
  }

  private mutating func takeLeaf(_ event: CXMLEvent, of parser: borrowing EventParser, shift: Int) {
    guard record.depth == 0 else {
      if record.depth == 1 { noteNested("it holds elements of its own", of: parser) }
      return
    }
    record.hasChildren = true
    settleKind(of: parser)
    let start = Int(event.text) + shift
    let field = Field(TextSlice(start..<start + Int(event.text_count)), isQuoted: true)
    let original = Int64(event.offset) + Int64(event.tag_count)
    // Most records have their fields in the order of the ones before.
    let next = record.fields.count
    if next < expectedNames.count, expectedNames[next] == event.name, expectedKind == record.kind,
      Int(event.text_count) <= limits.fieldByteCount, !record.isOversized
    {
      record.fields.append(field)
      record.rewrites.append((field.text.offset, original))
      record.nextColumn = next + 1
    } else {
      add(field, named: event.name, original: original, of: parser)
    }
  }

  private mutating func takeChild(
    _ event: CXMLEvent,
    attributes: Slice<UnsafeBufferPointer<CXMLEvent>>,
    of parser: borrowing EventParser,
    shift: Int
  ) {
    guard record.depth == 1 else {
      if record.depth == 2 { noteNested("it holds elements of its own", of: parser) }
      return
    }
    record.hasChildren = true
    settleKind(of: parser)
    record.leaf = OpenRecord.Leaf(
      name: event.name,
      text: Int(event.text) + shift,
      offset: Int64(event.offset),
      value: Int64(event.offset) + Int64(event.tag_count)
    )
    for position in unsafe attributes.indices {
      let attribute = unsafe attributes[position]
      let name = parser.name(attribute.name)
      if Int(attribute.flags) & CXML_SCHEMA_INSTANCE != 0 {
        if name == "nil" { record.leaf.isNil = attribute.text_count == 4 || attribute.text_count == 1 }
        if record.leaf.isNil { record.leaf.isNil = parser.text(of: attribute).isOneOf("true", "1") }
      } else if Int(attribute.flags) & CXML_XML_NAMESPACE != 0, name == "space" {
        continue
      } else if name == "encoding", parser.text(of: attribute) == "base64" {
        record.leaf.isBase64 = true
      } else {
        noteNested("it has the attribute '\(excerpt(of: name))'", of: parser)
      }
    }
  }

  private mutating func endChild(at end: Int64, of parser: borrowing EventParser) {
    let leaf = record.leaf
    guard !leaf.isNested else { return }
    guard !leaf.isNil else {
      if leaf.byteCount > 0 {
        let byteCount = Int(end - leaf.offset)
        note(.nilWithText(parser.decodedName(leaf.name), at: leaf.offset, byteCount: byteCount))
      }
      _ = column(of: leaf.name, of: parser, at: leaf.offset)
      return
    }
    add(
      Field(TextSlice(leaf.text..<leaf.text + leaf.byteCount), isQuoted: true, isBase64: leaf.isBase64),
      named: leaf.name,
      original: leaf.value,
      of: parser
    )
  }

  /// Notes once that the child at hand is no plain value.
  private mutating func noteNested(_ reason: String, of parser: borrowing EventParser) {
    guard !record.leaf.isNested else { return }
    record.leaf.isNested = true
    let name = parser.name(record.leaf.name)
    var path = ""
    for ancestor in ancestors { path += "/" + parser.name(ancestor.name) }
    path += "/" + parser.name(record.name) + "/" + name
    note(
      .nestedRecord(name, path: path, because: reason, at: record.leaf.offset, byteCount: name.utf8.count + 1)
    )
  }

  private mutating func note(_ fault: PendingFault) {
    if record.faults.count < Self.faultLimit { record.faults.append(fault) }
  }

  // MARK: Fields

  private mutating func column(of name: UInt32, of parser: borrowing EventParser, at offset: Int64) -> Int? {
    if let column = columns.column(of: name, in: record.kind, guess: record.nextColumn) {
      record.nextColumn = column + 1
      return column
    }
    guard let column = columns.add(name, in: record.kind, of: parser, limit: limits.columnCount) else {
      note(.tooManyColumns(parser.decodedName(name), limit: limits.columnCount, at: offset))
      return nil
    }
    record.nextColumn = column + 1
    return column
  }

  private mutating func add(_ field: Field, named name: UInt32, original: Int64, of parser: borrowing EventParser) {
    guard !record.isOversized, let column = column(of: name, of: parser, at: original) else { return }
    var field = field
    if field.count > limits.fieldByteCount || field.text.count >= 1 << 29 {
      note(
        .fieldTooLong(
          columns.shapes[record.kind].columns[column],
          limit: limits.fieldByteCount,
          at: original,
          byteCount: Int(field.text.count)
        )
      )
      field = .absent
    } else if record.repeats.count < Self.repeatLimit {
      record.rewrites.append((field.text.offset, original))
    }
    let count = record.fields.count
    if column == count {
      record.fields.append(field)
    } else if column < count {
      if record.fields[column].isAbsent {
        record.fields[column] = field
      } else if record.repeats.count < Self.repeatLimit {
        record.repeats.append((column, field))
      } else {
        note(.tooManyRepeats(columns.shapes[record.kind].columns[column], limit: Self.repeatLimit, at: original))
      }
    } else {
      record.fields.append(contentsOf: repeatElement(.absent, count: column - count))
      record.fields.append(field)
    }
  }

  // MARK: The record's end

  private mutating func close(at end: Int64, of parser: borrowing EventParser, into batch: inout RecordBatch) {
    record.isOpen = false
    behindLastRecord = end
    if record.kind < 0 {
      // Neither attributes nor children, and not named like the records: something beside them.
      if record.hasOwnText { noteUnread(record.name, line: record.line, of: parser) }
      return
    }
    if record.hasOwnText { takeOwnText(of: parser) }
    let byteCount = Int(end - record.offset)
    if byteCount > limits.recordByteCount {
      record.isOversized = true
      record.faults = [.recordTooLong(limit: limits.recordByteCount, at: record.offset, byteCount: byteCount)]
      record.fields.removeAll()
      record.repeats.removeAll()
      record.rewrites.removeAll()
    }
    count += 1
    let position = batch.records.count
    let start = record.isOversized ? 0 : Int(record.offset - batch.byteOffset)
    batch.records.append(
      RecordHeader(
        ordinal: count,
        line: record.line,
        column: UInt32(truncatingIfNeeded: record.column),
        raw: TextSlice(start..<start + (record.isOversized ? 0 : byteCount)),
        fieldStart: UInt32(truncatingIfNeeded: batch.fields.count),
        fieldCount: UInt32(truncatingIfNeeded: record.fields.count),
        kind: UInt16(truncatingIfNeeded: record.kind),
        isUnreadable: record.isOversized
      )
    )
    batch.fields.append(contentsOf: record.fields)
    let base = batch.byteOffset
    for rewrite in record.rewrites {
      batch.rewrites.append(Rewrite(text: rewrite.text, original: UInt32(truncatingIfNeeded: rewrite.original - base)))
    }
    for (column, field) in record.repeats {
      batch.repeats.append(RepeatedField(record: position, column: column, field: field))
    }
    for fault in record.faults { report(fault, of: position, in: &batch) }
  }

  private mutating func takeOwnText(of parser: borrowing EventParser) {
    guard !record.hasChildren else {
      note(.mixedContent(at: record.offset, byteCount: record.tagByteCount))
      return
    }
    add(
      Field(TextSlice(record.ownText..<record.ownText + record.ownByteCount), isQuoted: true),
      named: ColumnTable.ownText,
      original: record.offset + Int64(record.tagByteCount),
      of: parser
    )
  }

  private func report(_ fault: PendingFault, of position: Int, in batch: inout RecordBatch) {
    var location: SourceLocation
    if record.isOversized {
      location = batch.location(of: position)
      location.byteOffset = fault.offset
      location.byteCount = fault.byteCount
    } else {
      location = batch.location(
        atOffset: Int(fault.offset - batch.byteOffset),
        byteCount: fault.byteCount,
        in: position
      )
    }
    batch.faults.append(
      RecordFault(
        record: position,
        diagnostic: Diagnostic(
          code: fault.code,
          location: location,
          field: fault.field,
          message: fault.message,
          remedy: fault.remedy
        )
      )
    )
  }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

extension String {
  fileprivate func isOneOf(_ first: String, _ second: String) -> Bool { self == first || self == second }
}
