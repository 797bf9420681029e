import CXML
import Diagnostics
import JSONSyntax
import Records

/// Makes records of the events of a property list.
///
/// ```text
/// <plist><array> <dict> <key>name</key><string>Ada</string> … </dict> …
/// └ outer ─────┘ └ record, with inner elements
/// ```
/// Strings are text; numbers, dates, true and false are values of their own spelling; data is base64. A dictionary
/// within a record gives columns such as `address.city`, an array of plain values its JSON text.
extension RecordAssembler {
  mutating func takeList(
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
      switch Int(event.kind) {
      case CXML_START, CXML_LEAF:
        let isLeaf = Int(event.kind) == CXML_LEAF
        let attributes = isLeaf ? 0 : unsafe Self.attributeCount(in: events, from: index)
        index += attributes
        let element = propertyList.element(event.name, of: parser)
        if record.isOpen {
          beginInner(element, event)
          if attributes > 0 { note(.notAPropertyList("a value has attributes", at: Int64(event.offset), byteCount: 1)) }
        } else {
          beginOuter(element, event, isLeaf: isLeaf, of: parser, in: batch, shift: shift)
        }
        guard isLeaf else { break }
        let behind = Int64(event.offset) + Int64(event.element_count)
        if record.isOpen {
          if event.text_count > 0 { takeListText(event, shift: shift, of: parser) }
          endInner(at: behind, emptyAt: Int(event.text) + shift, of: parser, into: &batch)
        } else {
          endOuter(of: parser)
        }
      case CXML_TEXT: takeListText(event, shift: shift, of: parser)
      case CXML_END:
        if record.isOpen {
          endInner(at: Int64(event.offset), emptyAt: Int(event.text) + shift, of: parser, into: &batch)
        } else {
          endOuter(of: parser)
        }
      default: break
      }
      if !record.isOpen, batch.fields.count >= 1 << 18 { return index }
    }
    return index
  }

  private mutating func takeListText(_ event: CXMLEvent, shift: Int, of parser: borrowing EventParser) {
    let isBlank = Int(event.kind) == CXML_TEXT && Int(event.flags) & CXML_BLANK != 0
    let start = Int(event.text) + shift
    guard record.isOpen else {
      if let last = propertyList.outer.indices.last, propertyList.outer[last].element == .key {
        propertyList.outer[last].key = (propertyList.outer[last].key ?? "") + parser.text(of: event)
      }
      return
    }
    guard let last = propertyList.inner.last, !last.isSkipped else { return }
    switch last.element {
    case .dictionary, .array, .list:
      if !isBlank { noteStray("text stands between the values", at: last.offset) }
    case .yes, .no:
      if !isBlank { noteStray("text stands in <true> or <false>", at: last.offset) }
    default: record.pieces.append(TextSlice(start..<start + Int(event.text_count)))
    }
  }

  private mutating func noteStray(_ what: String, at offset: Int64) {
    note(.notAPropertyList(what, at: max(offset, record.offset), byteCount: 1))
  }

  // MARK: Outside of records

  private mutating func beginOuter(
    _ element: PropertyListPosition.Element,
    _ event: CXMLEvent,
    isLeaf: Bool,
    of parser: borrowing EventParser,
    in batch: borrowing RecordBatch,
    shift: Int
  ) {
    guard case .propertyList(let rule) = surroundings.rule else { return }
    let parent = propertyList.outer.last
    if parent?.content == .elements || (parent?.content == .values && element == .key) {
      openListRecord(element, event, isKeyed: element == .key, of: parser, in: batch, shift: shift)
      return
    }
    var path = parent?.path ?? []
    var keyTag: [UInt8] = []
    if element != .key, let last = propertyList.outer.indices.last, let key = propertyList.outer[last].key,
      propertyList.outer[last].element == .dictionary
    {
      path.append(key)
      keyTag = propertyList.outer[last].keyTag
      propertyList.outer[last].key = nil
    }
    let isContainer = element == .dictionary || element == .array
    let group = isContainer && parent != nil ? rule.groups.first { $0.path == path } : nil
    let content = group.map { $0.content ?? (element == .array ? .elements : .values) }
    if content == .itself {
      openListRecord(element, event, isKeyed: false, of: parser, in: batch, shift: shift)
      return
    }
    let line = line(at: Int64(event.offset), of: parser, in: batch)
    if element != .key, element != .list, !isContainer, !path.isEmpty {
      surroundings.noteUnread("the value of '\(excerpt(of: path[path.count - 1]))'", line: line)
    }
    if element == .dictionary, content == .elements || element == .array && content == .values {
      surroundings.noteUnread("the value of '\(excerpt(of: path.last ?? ""))'", line: line)
    }
    var outer = PropertyListPosition.Outer(element: element, path: path, content: content)
    if element == .key {
      outer.key = isLeaf ? parser.text(of: event) : ""
      outer.keyTag = Self.bytes(from: Int64(event.offset), Int(event.element_count), in: batch)
    }
    propertyList.outer.append(outer)
    surroundings.enter(event, lead: keyTag, line: line, in: batch)
  }

  private static func bytes(from offset: Int64, _ count: Int, in batch: borrowing RecordBatch) -> [UInt8] {
    let start = Int(offset - batch.byteOffset)
    let bytes = batch.text.bytes
    var copy: [UInt8] = []
    for index in start..<min(start + count, bytes.count) { copy.append(bytes[index]) }
    return copy
  }

  private mutating func endOuter(of parser: borrowing EventParser) {
    guard let outer = propertyList.outer.popLast() else { return }
    surroundings.leaveSilently()
    guard outer.element == .key, let last = propertyList.outer.indices.last else { return }
    propertyList.outer[last].key = outer.key ?? ""
    propertyList.outer[last].keyTag = outer.keyTag
  }

  private mutating func openListRecord(
    _ element: PropertyListPosition.Element,
    _ event: CXMLEvent,
    isKeyed: Bool,
    of parser: borrowing EventParser,
    in batch: borrowing RecordBatch,
    shift: Int
  ) {
    record.begin(
      offset: Int64(event.offset),
      name: event.name,
      tagByteCount: Int(event.tag_count),
      textStart: Int(event.text) + shift
    )
    record.line = line(at: record.offset, of: parser, in: batch)
    record.column = column
    let label = propertyList.outer.last?.path.last ?? ""
    record.kind = columns.unnamedKind(label, limit: Self.kindLimit) ?? 0
    expectColumns()
    propertyList.isKeyed = isKeyed
    propertyList.inner.removeAll(keepingCapacity: true)
    beginInner(element, event)
  }

  // MARK: In a record

  private mutating func beginInner(_ element: PropertyListPosition.Element, _ event: CXMLEvent) {
    let offset = Int64(event.offset)
    var inner = PropertyListPosition.Inner(element: element, offset: offset, value: offset + Int64(event.tag_count))
    defer { propertyList.inner.append(inner) }
    if element == .unknown || element == .list {
      noteStray("an element stands here that no property list has", at: offset)
      if let last = propertyList.inner.indices.last { propertyList.inner[last].key = nil }
      inner.isSkipped = true
      return
    }
    guard let last = propertyList.inner.indices.last else {
      if element == .array { noteArray(at: offset, path: nil) }
      if element == .key, !propertyList.isKeyed { noteStray("a key has no value", at: offset) }
      inner.isSkipped = element == .array
      if element != .dictionary { inner.path = element == .key ? ColumnTable.ownKey : ColumnTable.ownText }
      record.pieces.removeAll(keepingCapacity: true)
      return
    }
    let parent = propertyList.inner[last]
    switch parent.element {
    case _ where parent.isSkipped: inner.isSkipped = true
    case .dictionary where element == .key:
      if parent.key != nil { noteStray("a key has no value", at: offset) }
    case .dictionary:
      guard let key = parent.key else {
        noteStray("a value has no key", at: offset)
        inner.isSkipped = true
        break
      }
      inner.path = parent.path.map { paths.child(of: $0, named: key) } ?? key
      propertyList.inner[last].key = nil
      propertyList.inner[last].holdsSomething = true
      if element == .array { propertyList.arrayText = [UInt8(ascii: "[")] }
    case .array where element == .dictionary || element == .array || element == .key:
      noteArray(at: parent.offset, path: parent.path)
      propertyList.inner[last].isSkipped = true
      inner.isSkipped = true
    case .array: break
    default:
      noteStray("an element stands within a plain value", at: offset)
      inner.isSkipped = true
    }
    record.pieces.removeAll(keepingCapacity: true)
  }

  private mutating func noteArray(at offset: Int64, path: UInt32?) {
    let name = path.flatMap { paths.names(on: $0).last }.map { paths.keys[Int($0 - FieldPaths.firstKey)] }
    note(.nestedRecord(name ?? "the record", at: offset, byteCount: 1))
  }

  private mutating func endInner(
    at end: Int64,
    emptyAt: Int,
    of parser: borrowing EventParser,
    into batch: inout RecordBatch
  ) {
    guard let inner = propertyList.inner.popLast() else {
      // The dictionary that holds the records ends behind a key.
      noteStray("a key has no value", at: record.offset)
      close(at: propertyList.keyEnd, of: parser, into: &batch)
      endOuter(of: parser)
      return
    }
    if !inner.isSkipped { finish(inner, emptyAt: emptyAt, of: parser, in: &batch) }
    guard propertyList.inner.isEmpty else { return }
    if propertyList.isKeyed {
      // The key has ended; the value follows.
      propertyList.isKeyed = false
      propertyList.keyEnd = end
    } else {
      close(at: end, of: parser, into: &batch)
    }
  }

  private mutating func finish(
    _ inner: PropertyListPosition.Inner,
    emptyAt: Int,
    of parser: borrowing EventParser,
    in batch: inout RecordBatch
  ) {
    switch inner.element {
    case .dictionary:
      if inner.key != nil { noteStray("a key has no value", at: inner.offset) }
      // An empty one is given all the same.
      if let path = inner.path, !inner.holdsSomething { addLate("{}", isText: true, on: path, inner, parser, &batch) }
    case .array:
      propertyList.arrayText.append(UInt8(ascii: "]"))
      guard let path = inner.path else { return }
      let text = propertyList.arrayText
      addLate(text, isText: true, on: path, inner, parser, &batch)
    case .key where inner.path == nil:
      let text = joined(record.pieces[...], orEmptyAt: emptyAt, in: &batch)
      guard let last = propertyList.inner.indices.last else { return }
      let bytes = batch.text.bytes(of: text)
      var key: [UInt8] = []
      for index in bytes.indices { key.append(bytes[index]) }
      propertyList.inner[last].key = paths.key(key)
    case .yes, .no:
      let word = inner.element == .yes ? "true" : "false"
      if let path = inner.path {
        addLate(word, isText: false, on: path, inner, parser, &batch)
      } else {
        appendToArray(Array(word.utf8), isText: false)
      }
    case .key, .string, .number, .date, .data:
      let text = joined(record.pieces[...], orEmptyAt: emptyAt, in: &batch)
      // A value of these types without characters is no value of its type, and not NULL either.
      let isText = inner.element == .string || inner.element == .key || inner.element == .data || text.count == 0
      guard let path = inner.path else {
        let bytes = batch.text.bytes(of: text)
        var copy: [UInt8] = []
        for index in bytes.indices { copy.append(bytes[index]) }
        appendToArray(copy, isText: inner.element != .number || !JSONNumber.isValid(bytes))
        return
      }
      add(
        Field(text, isQuoted: isText, isBase64: inner.element == .data),
        on: path,
        original: inner.value,
        of: parser
      )
    case .list, .unknown: return
    }
  }

  private mutating func appendToArray(_ value: [UInt8], isText: Bool) {
    if propertyList.arrayText.count > 1 { propertyList.arrayText += Array(", ".utf8) }
    if isText {
      _ = JSONString.appendEscaped(value.span, to: &propertyList.arrayText)
    } else {
      propertyList.arrayText += value
    }
  }

  /// Adds a value that does not stand so in the input.
  private mutating func addLate(
    _ text: some StringProtocol,
    isText: Bool,
    on path: UInt32,
    _ inner: PropertyListPosition.Inner,
    _ parser: borrowing EventParser,
    _ batch: inout RecordBatch
  ) {
    addLate(Array(text.utf8), isText: isText, on: path, inner, parser, &batch)
  }

  private mutating func addLate(
    _ text: [UInt8],
    isText: Bool,
    on path: UInt32,
    _ inner: PropertyListPosition.Inner,
    _ parser: borrowing EventParser,
    _ batch: inout RecordBatch
  ) {
    let start = batch.text.count
    batch.text.append(text.span)
    hasLateText = true
    let field = Field(TextSlice(start..<batch.text.count), isQuoted: isText)
    add(field, on: path, original: inner.offset, of: parser)
  }
}
