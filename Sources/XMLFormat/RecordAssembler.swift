import CXML
import Diagnostics
import Records

/// Makes records of events.
///
/// ```text
/// <rubrica> <contatto nick="x"> <nome>Ada</nome> <casa><via>…</via></casa> </contatto> …
/// └ ancestor └ record            └ leaf           └ child with an inner field
/// ```
struct RecordAssembler: ~Copyable, Sendable {
  /// How many batches' worth of fields are too many for one: 2 MiB of them.
  private static let fieldLimit = 1 << 18
  /// How many kinds of records a document may have.
  static let kindLimit = 4096

  let file: String
  let limits: ReadLimits
  var surroundings: Surroundings
  var framing = DocumentFraming()
  var columns = ColumnTable()
  var paths = FieldPaths()
  /// What is known of a property list while one is read.
  var propertyList = PropertyListPosition()
  /// The paths of the columns of one kind, as far as they were known at the beginning of a record.
  var expectedKind = -1
  var expectedPaths: [UInt32] = []
  /// Which parts of records are records.
  var nesting = NestingPlaces()
  /// What stands several times in one element, if that is looked for.
  var discovery: NestingDiscovery?
  var record = OpenRecord()
  /// The records that enclose the one at hand, the outermost first.
  var outer: [OpenRecord] = []
  /// Storage for the next ones.
  var spare: [OpenRecord] = []
  /// The records within the outermost one.
  var nested = NestedRecords()
  var count: Int64 = 0
  /// The text of the records at hand between two chunks.
  private var text = TextBuffer()
  /// Elements whose tags were said to fall away, by path.
  var pathsOfMarkup: Set<UInt32> = []
  /// The line that the byte at `lineOffset` of the input is on.
  private var line = 1
  private(set) var column = 1
  private var lineOffset: Int64 = 0
  /// Behind the last record that is complete.
  var behindLastRecord: Int64 = 0
  /// Whether there were more kinds of records than are allowed.
  var hasTooManyKinds = false
  /// Why the document is refused, if it is.
  var refusal: Diagnostic?
  /// Whether the batch's rewrites must be put in order, since text was written behind that of later fields.
  var hasLateText = false

  /// The names of elements that may be items of a list, in lower case; those of inner ones with the way to them.
  var lists: Set<String> = []
  /// Whether the elements at some ways are such, as far as that was asked.
  var listPaths: [UInt32: Bool] = [:]

  init(file: String, limits: ReadLimits) {
    self.file = file
    self.limits = limits
    surroundings = Surroundings(file: file)
  }

  /// Whether the user has been told that the record path matches nothing.
  var hasSaidSo = false

  /// Whether any record has been seen.
  var hasRecords: Bool { count > 0 }

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
    if case .propertyList = surroundings.rule {
      return takeList(from: start, of: parser, into: &batch, shift: shift)
    }
    let events = unsafe parser.events
    let end = events.count
    var index = start
    while index < end {
      let event = unsafe events[index]
      index += 1
      let kind = Int(event.kind)
      if record.isOpen {
        if record.node >= 0, record.elements.isEmpty,
          takeNested(event, from: &index, of: parser, in: batch, shift: shift)
        {
          continue
        }
        if kind == CXML_LEAF {
          takeLeaf(event, of: parser, shift: shift)
        } else if kind == CXML_TEXT {
          takeText(event, shift: shift)
        } else if kind == CXML_START {
          let attributes = unsafe Self.attributeCount(in: events, from: index)
          unsafe beginElement(event, attributes: events[index..<index + attributes], of: parser, shift: shift)
          index += attributes
        } else if !record.elements.isEmpty {
          endElement(event, of: parser, in: &batch, shift: shift)
        } else {
          close(at: Int64(event.offset), of: parser, into: &batch)
          if batch.fields.count >= Self.fieldLimit { return index }
        }
        continue
      }
      switch kind {
      case CXML_START, CXML_LEAF:
        let attributes = kind == CXML_LEAF ? 0 : unsafe Self.attributeCount(in: events, from: index)
        if surroundings.isRecord(event.name, of: parser) {
          open(event, shift: shift, of: parser, in: batch)
          for position in index..<index + attributes {
            takeAttribute(unsafe events[position], of: parser, shift: shift)
          }
          if kind == CXML_LEAF {
            let isBlank = !Self.holdsText(event, in: batch, shift: shift)
            record.takeOwnText(Int(event.text) + shift, Int(event.text_count), isBlank: isBlank)
            close(at: Int64(event.offset) + Int64(event.element_count), of: parser, into: &batch)
          }
        } else if kind == CXML_START {
          let line = line(at: Int64(event.offset), of: parser, in: batch)
          surroundings.enter(
            event,
            hasAttributes: unsafe Self.holdData(events[index..<index + attributes], of: parser),
            line: line,
            of: parser,
            in: batch
          )
        } else {
          let line =
            Self.holdsText(event, in: batch, shift: shift) ? line(at: Int64(event.offset), of: parser, in: batch) : nil
          surroundings.passOver(event.name, textOnLine: line, of: parser)
        }
        index += attributes
      case CXML_TEXT:
        if Int(event.flags) & CXML_BLANK == 0 { surroundings.takeText(of: parser) }
      default:
        surroundings.leave(of: parser)
      }
    }
    return index
  }

  /// Attributes that say how a document is written, not what is in it.
  private static let technicalNames: Set<String> = [
    "version", "schemaLocation", "noNamespaceSchemaLocation", "lang", "space", "base",
  ]

  /// Whether any of some attributes may hold data.
  private static func holdData(
    _ attributes: Slice<UnsafeBufferPointer<CXMLEvent>>,
    of parser: borrowing EventParser
  ) -> Bool {
    unsafe attributes.contains { !technicalNames.contains(parser.name($0.name)) }
  }

  static func attributeCount(in events: UnsafeBufferPointer<CXMLEvent>, from start: Int) -> Int {
    var end = start
    while end < events.count, unsafe Int(events[end].kind) == CXML_ATTRIBUTE { end += 1 }
    return end - start
  }

  /// Whether an event's text is more than white space.
  static func holdsText(_ event: CXMLEvent, in batch: borrowing RecordBatch, shift: Int) -> Bool {
    let bytes = batch.text.bytes
    let start = Int(event.text) + shift
    for index in start..<start + Int(event.text_count) where !isBlank(bytes[index]) { return true }
    return false
  }

  // MARK: Between two chunks

  /// The outermost record's offset in the input.
  var outermostOffset: Int64 { outer.isEmpty ? record.offset : outer[0].offset }

  /// Takes the text of the records at hand out of a batch, before that is handed on.
  mutating func keepText(of batch: borrowing RecordBatch) {
    let start = (outer.first ?? record).textStart
    text.truncate(to: 0)
    text.append(batch.text.bytes.extracting(start...))
    shift(by: -start)
  }

  /// Puts the text kept into the next batch.
  mutating func restoreText(in batch: inout RecordBatch) {
    shift(by: batch.text.count)
    batch.text.append(text.bytes)
    text.truncate(to: 0)
  }

  private mutating func shift(by distance: Int) {
    guard distance != 0 else { return }
    record.shift(by: distance)
    for index in outer.indices { outer[index].shift(by: distance) }
    nested.shift(by: distance)
  }

  // MARK: Lines

  /// The line of a byte of the input that is in the batch, at or behind the last one asked for.
  mutating func line(at offset: Int64, of parser: borrowing EventParser, in batch: borrowing RecordBatch) -> Int {
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
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
