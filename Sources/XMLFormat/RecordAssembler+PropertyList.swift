import CXML
import Diagnostics
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

  mutating func noteStray(_ what: String, at offset: Int64) {
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

  mutating func endOuter(of parser: borrowing EventParser) {
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
    beginRecord(event, shift: shift, of: parser, in: batch)
    let label = propertyList.outer.last?.path.last ?? ""
    record.kind = columns.unnamedKind(label, limit: Self.kindLimit) ?? 0
    expectColumns()
    propertyList.isKeyed = isKeyed
    propertyList.inner.removeAll(keepingCapacity: true)
    beginInner(element, event)
  }
}
