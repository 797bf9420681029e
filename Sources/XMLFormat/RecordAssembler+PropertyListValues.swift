import CXML
import Diagnostics
import JSONSyntax
import Records

/// Makes fields of what stands within a record of a property list.
extension RecordAssembler {
  mutating func beginInner(_ element: PropertyListPosition.Element, _ event: CXMLEvent) {
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

  mutating func endInner(
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
      guard let path = inner.path, !inner.holdsSomething else { return }
      addLate(Array("{}".utf8), isText: true, on: path, inner, parser, &batch)
    case .array:
      propertyList.arrayText.append(UInt8(ascii: "]"))
      guard let path = inner.path else { return }
      addLate(propertyList.arrayText, isText: true, on: path, inner, parser, &batch)
    case .key where inner.path == nil:
      let text = joined(record.pieces[...], orEmptyAt: emptyAt, in: &batch)
      guard let last = propertyList.inner.indices.last else { return }
      propertyList.inner[last].key = paths.key(Self.copy(of: text, in: batch))
    case .yes, .no:
      let word = Array((inner.element == .yes ? "true" : "false").utf8)
      if let path = inner.path {
        addLate(word, isText: false, on: path, inner, parser, &batch)
      } else {
        appendToArray(word, isText: false)
      }
    case .key, .string, .number, .date, .data:
      let text = joined(record.pieces[...], orEmptyAt: emptyAt, in: &batch)
      // A value of these types without characters is no value of its type, and not NULL either.
      let isText = inner.element == .string || inner.element == .key || inner.element == .data || text.count == 0
      guard let path = inner.path else {
        let isNumber = inner.element == .number && JSONNumber.isValid(batch.text.bytes(of: text))
        appendToArray(Self.copy(of: text, in: batch), isText: !isNumber)
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

  private static func copy(of text: TextSlice, in batch: borrowing RecordBatch) -> [UInt8] {
    let bytes = batch.text.bytes(of: text)
    return bytes.indices.map { bytes[$0] }
  }
}
