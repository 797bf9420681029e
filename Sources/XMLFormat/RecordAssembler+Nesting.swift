import CXML
import Diagnostics
import Records

/// Records within records.
extension RecordAssembler {
  /// Takes an event directly in a record that may hold others, if it begins or ends one, or a wrapper around some.
  ///
  /// - Returns: false where the event is one of a field.
  mutating func takeNested(
    _ event: CXMLEvent,
    from index: inout Int,
    of parser: borrowing EventParser,
    in batch: borrowing RecordBatch,
    shift: Int
  ) -> Bool {
    let kind = Int(event.kind)
    let isElement = kind == CXML_START || kind == CXML_LEAF
    if let tag = record.undecided {
      guard isElement || !(kind == CXML_TEXT && Int(event.flags) & CXML_BLANK != 0) else { return true }
      record.undecided = nil
      guard case .either(let node, let wrapped) = nesting.place(of: tag.name, in: record.node, of: parser) else {
        return false
      }
      guard isElement, wrapped[lowercasedASCII(parser.decodedName(event.name))] != nil else {
        begin(tag, named: tag.name, node: node, of: parser, in: batch, shift: shift)
        // The event is the new record's.
        index -= 1
        return true
      }
      record.wrapped = wrapped
      record.wrapper = tag.name
    }
    if let wrapped = record.wrapped {
      guard isElement else {
        if kind == CXML_TEXT { return false }
        record.wrapped = nil
        return true
      }
      let (node, name) = nesting.wrapped(
        event.name,
        in: record.wrapper,
        around: wrapped,
        of: record.node,
        of: parser
      )
      take(event, named: name, node: node, from: &index, of: parser, in: batch, shift: shift)
      return true
    }
    guard isElement else { return false }
    switch nesting.place(of: event.name, in: record.node, of: parser) {
    case .field: return false
    case .record(let node):
      take(event, named: event.name, node: node, from: &index, of: parser, in: batch, shift: shift)
    case .either(let node, _):
      // An empty one is a wrapper around nothing.
      if kind == CXML_LEAF, !Self.holdsText(event, in: batch, shift: shift) { return true }
      if kind == CXML_START, unsafe Self.attributeCount(in: parser.events, from: index) == 0 {
        noteChild(of: parser)
        record.undecided = event
      } else {
        take(event, named: event.name, node: node, from: &index, of: parser, in: batch, shift: shift)
      }
    case .wrapper(let wrapped):
      if kind == CXML_LEAF { return !Self.holdsText(event, in: batch, shift: shift) }
      guard unsafe Self.attributeCount(in: parser.events, from: index) == 0 else { return false }
      noteChild(of: parser)
      record.wrapped = wrapped
      record.wrapper = event.name
    }
    return true
  }

  /// Takes an element that is a record, with its attributes.
  private mutating func take(
    _ event: CXMLEvent,
    named name: UInt32,
    node: Int,
    from index: inout Int,
    of parser: borrowing EventParser,
    in batch: borrowing RecordBatch,
    shift: Int
  ) {
    begin(event, named: name, node: node, of: parser, in: batch, shift: shift)
    guard Int(event.kind) == CXML_START else {
      let isBlank = !Self.holdsText(event, in: batch, shift: shift)
      record.takeOwnText(Int(event.text) + shift, Int(event.text_count), isBlank: isBlank)
      let isText =
        nesting.isText(node)
        || (record.kind >= 0 && columns.column(of: ColumnTable.ownText, in: record.kind, guess: 0) != nil)
      if isBlank, record.kind >= 0, isText {
        // Among others of nothing but text, an empty one is the empty text.
        let start = Int(event.text) + shift
        let field = Field(TextSlice(start..<start + Int(event.text_count)), isQuoted: true)
        add(field, on: ColumnTable.ownText, original: record.offset + Int64(record.tagByteCount), of: parser)
      }
      closeNested(at: Int64(event.offset) + Int64(event.element_count), of: parser)
      return
    }
    let events = unsafe parser.events
    let attributes = unsafe Self.attributeCount(in: events, from: index)
    for position in index..<index + attributes { takeAttribute(unsafe events[position], of: parser, shift: shift) }
    index += attributes
  }

  /// Notes that the record at hand has a child, and so is one for certain.
  private mutating func noteChild(of parser: borrowing EventParser) {
    record.hasChildren = true
    record.isInRun = false
    settleKind(of: parser)
    if record.ordinal == 0 { takeOrdinal() }
  }

  private mutating func begin(
    _ event: CXMLEvent,
    named name: UInt32,
    node: Int,
    of parser: borrowing EventParser,
    in batch: borrowing RecordBatch,
    shift: Int
  ) {
    noteChild(of: parser)
    let parent = record.ordinal
    let parentKind = record.kind
    outer.append(record)
    record = spare.popLast() ?? OpenRecord()
    beginRecord(event, shift: shift, of: parser, in: batch)
    record.node = nesting.isLeaf(node) ? -1 : node
    takeOrdinal()
    record.slot = nested.records.count
    nested.records.append(
      NestedRecords.Record(
        ordinal: record.ordinal,
        parent: parent,
        line: record.line,
        column: record.column,
        offset: record.offset
      )
    )
    let known = columns.knownKind(of: name, node: node)
    if known >= 0 {
      record.kind = known
    } else if let kind = columns.kind(
      of: name,
      node: node,
      parent: parentKind,
      of: parser,
      limit: Self.kindLimit
    ) {
      record.kind = kind
    } else {
      hasTooManyKinds = true
      record.kind = 0
    }
    expectColumns()
  }

  /// Puts a record that is complete aside, and goes on with the one around it.
  mutating func closeNested(at end: Int64, of parser: borrowing EventParser) {
    guard !takeKey(of: parser) else { return }
    takeOwnText(of: parser)
    if record.ownRunCount > 0, record.hasChildren { record.rewrites.sort { $0.text < $1.text } }
    var complete = nested.records[record.slot]
    complete.byteCount = Int(end - record.offset)
    complete.kind = record.kind
    complete.fields = nested.fields.count..<nested.fields.count + record.fields.count
    nested.fields += record.fields
    complete.rewrites = nested.rewrites.count..<nested.rewrites.count + record.rewrites.count
    nested.rewrites += record.rewrites
    complete.repeats = nested.repeats.count..<nested.repeats.count + record.repeats.count
    nested.repeats += record.repeats
    complete.faults = record.faults
    nested.records[record.slot] = complete
    guard let enclosing = outer.popLast() else { return }
    spare.append(record)
    record = enclosing
    expectColumns()
  }

  /// Makes a field of the record around of one that is nothing but text, where that is the key of a record elsewhere.
  private mutating func takeKey(of parser: borrowing EventParser) -> Bool {
    guard record.fields.isEmpty, !record.hasChildren, record.ownRunCount == 1, record.base64Mark == nil,
      record.faults.isEmpty, record.slot == nested.records.count - 1, let enclosing = outer.last, enclosing.node >= 0,
      nesting.takesKey(named: record.name, in: enclosing.node, of: parser)
    else { return false }
    let key = record
    nested.records.removeLast()
    count -= 1
    outer.removeLast()
    spare.append(record)
    record = enclosing
    expectColumns()
    let field = Field(TextSlice(key.ownText..<key.ownText + key.ownByteCount), isQuoted: true)
    add(field, on: key.name, original: key.offset + Int64(key.tagByteCount), of: parser)
    return true
  }

  /// Adds the records within the outermost one to a batch, behind it.
  mutating func emitNested(into batch: inout RecordBatch) {
    guard !nested.records.isEmpty else { return }
    let base = batch.byteOffset
    for complete in nested.records {
      let position = batch.records.count
      let start = Int(complete.offset - base)
      batch.records.append(
        RecordHeader(
          ordinal: complete.ordinal,
          parent: complete.parent,
          line: complete.line,
          column: UInt32(truncatingIfNeeded: complete.column),
          raw: TextSlice(start..<start + complete.byteCount),
          fieldStart: UInt32(truncatingIfNeeded: batch.fields.count),
          fieldCount: UInt32(truncatingIfNeeded: complete.fields.count),
          kind: UInt16(truncatingIfNeeded: complete.kind)
        )
      )
      batch.fields += nested.fields[complete.fields]
      for rewrite in nested.rewrites[complete.rewrites] {
        batch.rewrites.append(
          Rewrite(text: rewrite.text, original: UInt32(truncatingIfNeeded: rewrite.original - base))
        )
      }
      for (column, field) in nested.repeats[complete.repeats] {
        batch.repeats.append(RepeatedField(record: position, column: column, field: field))
      }
      for fault in complete.faults { report(fault, of: position, in: &batch) }
    }
    nested.removeAll()
    // Fields of the outermost record may stand behind those of others.
    hasLateText = true
  }
}
