import CXML
import Diagnostics
import Records

/// What stands in a record: attributes, leaves, children with attributes or elements of their own, and text.
extension RecordAssembler {
  /// Begins the record at hand, at its start tag.
  mutating func beginRecord(
    _ event: CXMLEvent,
    shift: Int,
    of parser: borrowing EventParser,
    in batch: borrowing RecordBatch
  ) {
    record.begin(
      offset: Int64(event.offset),
      name: event.name,
      tagByteCount: Int(event.tag_count),
      textStart: Int(event.text) + shift
    )
    record.line = line(at: record.offset, of: parser, in: batch)
    record.column = column
  }

  mutating func open(
    _ event: CXMLEvent,
    shift: Int,
    of parser: borrowing EventParser,
    in batch: borrowing RecordBatch
  ) {
    beginRecord(event, shift: shift, of: parser, in: batch)
    record.instance = discovery?.begin() ?? 0
    surroundings.noteRecord()
    record.node = nesting.root(event.name, of: parser)
    record.kind = columns.knownKind(of: event.name, node: -1)
    expectColumns()
    // A sibling of records without attributes and children is no record, unless its name is known to be theirs.
    if record.kind < 0, surroundings.isCertainly(event.name, of: parser) { settleKind(of: parser) }
  }

  /// Remembers which columns the record at hand will probably fill, in their order.
  mutating func expectColumns() {
    guard record.kind >= 0 else { return }
    if expectedKind != record.kind || expectedPaths.count != columns.columnCount(of: record.kind) {
      expectedKind = record.kind
      expectedPaths = columns.paths(of: record.kind)
    }
  }

  /// Makes sure that the record at hand has a kind.
  mutating func settleKind(of parser: borrowing EventParser) {
    guard record.kind < 0 else { return }
    if let kind = columns.kind(of: record.name, of: parser, limit: Self.kindLimit) {
      record.kind = kind
    } else {
      hasTooManyKinds = true
      record.kind = 0
    }
  }

  mutating func takeText(_ event: CXMLEvent, shift: Int) {
    let start = Int(event.text) + shift
    let isBlank = Int(event.flags) & CXML_BLANK != 0
    guard let last = record.elements.indices.last else {
      record.takeOwnText(start, Int(event.text_count), isBlank: isBlank)
      return
    }
    record.pieces.append(TextSlice(start..<start + Int(event.text_count)))
    if !isBlank { record.elements[last].hasText = true }
  }

  mutating func takeAttribute(_ event: CXMLEvent, of parser: borrowing EventParser, shift: Int) {
    // What XML Schema says of the record is not data.
    guard Int(event.flags) & CXML_SCHEMA_INSTANCE == 0 else { return }
    settleKind(of: parser)
    let field = value(of: event, shift: shift)
    if field.count == 6, parser.name(event.name) == "encoding", parser.text(of: event) == "base64" {
      record.base64Mark = OpenRecord.InnerField(path: event.name, field: field, original: Int64(event.offset))
      return
    }
    add(field, on: event.name, original: Int64(event.offset), of: parser)
  }

  private func value(of event: CXMLEvent, shift: Int) -> Field {
    let start = Int(event.text) + shift
    return Field(TextSlice(start..<start + Int(event.text_count)), isQuoted: true)
  }

  mutating func takeLeaf(_ event: CXMLEvent, of parser: borrowing EventParser, shift: Int) {
    guard record.elements.isEmpty else {
      takeInnerLeaf(event, shift: shift)
      return
    }
    record.hasChildren = true
    record.isInRun = false
    settleKind(of: parser)
    discovery?.add(event.name, in: record.instance, kind: record.kind)
    let field = value(of: event, shift: shift)
    let original = Int64(event.offset) + Int64(event.tag_count)
    // Most records have their fields in the order of the ones before.
    let next = record.fields.count
    if next < expectedPaths.count, expectedPaths[next] == event.name, expectedKind == record.kind,
      Int(event.text_count) <= limits.fieldByteCount
    {
      record.fields.append(field)
      record.rewrites.append((field.text.offset, original))
      record.nextColumn = next + 1
    } else {
      add(field, on: event.name, original: original, of: parser)
    }
  }

  private mutating func takeInnerLeaf(_ event: CXMLEvent, shift: Int) {
    let last = record.elements.count - 1
    record.elements[last].hasElements = true
    takeSpace(before: event, shift: shift)
    let field = value(of: event, shift: shift)
    if field.count > 0 { record.pieces.append(field.text) }
    let path = paths.child(of: record.elements[last].path, named: event.name)
    discovery?.add(path, in: record.elements[last].instance, kind: record.kind)
    addInner(
      field,
      on: path,
      original: Int64(event.offset) + Int64(event.tag_count),
      item: record.elements[last].item
    )
  }

  /// Keeps the white space before a tag, which counts if it turns out to stand within text.
  private mutating func takeSpace(before event: CXMLEvent, shift: Int) {
    let byteCount = Int(event.flags) >> CXML_BEFORE_SHIFT
    guard byteCount > 0 else { return }
    let end = Int(event.text) + shift
    record.pieces.append(TextSlice(end - byteCount..<end))
  }

  mutating func beginElement(
    _ event: CXMLEvent,
    attributes: Slice<UnsafeBufferPointer<CXMLEvent>>,
    of parser: borrowing EventParser,
    shift: Int
  ) {
    var path = event.name
    if let last = record.elements.indices.last {
      path = paths.child(of: record.elements[last].path, named: event.name)
      record.elements[last].hasElements = true
      takeSpace(before: event, shift: shift)
    } else {
      record.hasChildren = true
      record.isInRun = false
      settleKind(of: parser)
      record.pieces.removeAll(keepingCapacity: true)
      record.inner.removeAll(keepingCapacity: true)
    }
    var element = OpenRecord.Element(
      path: path,
      name: event.name,
      offset: Int64(event.offset),
      value: Int64(event.offset) + Int64(event.tag_count),
      firstPiece: record.pieces.count,
      firstInner: 0
    )
    if discovery != nil {
      discovery?.add(path, in: record.elements.last?.instance ?? record.instance, kind: record.kind)
      element.instance = discovery?.begin() ?? 0
    }
    element.item = item(at: path, of: parser) ?? record.elements.last?.item
    for position in unsafe attributes.indices {
      let attribute = unsafe attributes[position]
      if Int(attribute.flags) & CXML_SCHEMA_INSTANCE != 0 {
        // What else XML Schema says of an element is not data.
        if parser.name(attribute.name) == "nil" {
          element.isNil = attribute.text_count <= 4 && ["true", "1"].contains(parser.text(of: attribute))
        }
      } else if Int(attribute.flags) & CXML_XML_NAMESPACE != 0, parser.name(attribute.name) == "space" {
        continue
      } else if parser.name(attribute.name) == "encoding", parser.text(of: attribute) == "base64" {
        element.isBase64 = true
      } else {
        element.hasAttributes = true
        addInner(
          value(of: attribute, shift: shift),
          on: paths.child(of: path, named: attribute.name),
          original: Int64(attribute.offset),
          item: element.item
        )
      }
    }
    if element.hasAttributes {
      for index in record.elements.indices { record.elements[index].hasInnerAttributes = true }
    }
    element.firstInner = record.inner.count
    record.elements.append(element)
  }

  mutating func endElement(
    _ event: CXMLEvent,
    of parser: borrowing EventParser,
    in batch: inout RecordBatch,
    shift: Int
  ) {
    if event.text_count > 0 {
      let start = Int(event.text) + shift
      record.pieces.append(TextSlice(start..<start + Int(event.text_count)))
    }
    let element = record.elements.removeLast()
    let end = Int64(event.offset)
    let pieces = record.pieces[element.firstPiece...]
    let hasPieces = pieces.contains { $0.count > 0 }
    if element.isNil {
      if hasPieces || element.hasElements {
        note(.nilWithText(parser.decodedName(element.name), at: element.offset, byteCount: Int(end - element.offset)))
      }
      // NULL is given, which is not the same as not given.
      let start = Int(event.text) + shift
      addInner(Field(TextSlice(start..<start)), on: element.path, original: element.value, item: element.item)
    } else if element.hasText, element.hasElements {
      discovery?.addText(element.path, kind: record.kind)
      if element.hasInnerAttributes {
        note(.mixedContent(parser.decodedName(element.name), at: element.offset, byteCount: Int(end - element.offset)))
      }
      noteMarkup(in: element, of: parser)
      record.inner.removeLast(record.inner.count - element.firstInner)
      let text = joined(pieces, orEmptyAt: Int(event.text) + shift, in: &batch)
      addInner(
        Field(text, isQuoted: true, isBase64: element.isBase64),
        on: element.path,
        original: element.value,
        item: element.item
      )
    } else if !element.hasElements, hasPieces || element.isBase64 || !element.hasAttributes {
      let text = joined(pieces, orEmptyAt: Int(event.text) + shift, in: &batch)
      addInner(
        Field(text, isQuoted: true, isBase64: element.isBase64),
        on: element.path,
        original: element.value,
        item: element.item
      )
    }
    if record.elements.isEmpty {
      for inner in record.inner {
        if let item = inner.item { takeItem(item, of: inner.path, at: inner, of: parser) }
        add(inner.field, on: inner.path, original: inner.original, of: parser)
      }
    }
  }

  /// Pieces of text moved together.
  func joined(_ pieces: ArraySlice<TextSlice>, orEmptyAt end: Int, in batch: inout RecordBatch) -> TextSlice {
    guard !pieces.isEmpty else { return TextSlice(end..<end) }
    return batch.text.join(pieces)
  }

  private mutating func addInner(_ field: Field, on path: UInt32, original: Int64, item: OpenRecord.Item?) {
    guard record.inner.count < Self.repeatLimit else {
      // One is told, of which the record is rejected; all are not kept.
      if record.inner.count == Self.repeatLimit { note(.tooManyRepeats(limit: Self.repeatLimit, at: original)) }
      return
    }
    record.inner.append(OpenRecord.InnerField(path: path, field: field, original: original, item: item))
  }

  /// Says once for each element that the tags in its text fall away.
  private mutating func noteMarkup(in element: OpenRecord.Element, of parser: borrowing EventParser) {
    guard pathsOfMarkup.count < 8, pathsOfMarkup.insert(element.path).inserted else { return }
    surroundings.notes.append(
      .markupDropped(parser.decodedName(element.name), file: file, line: record.line)
    )
  }
}
