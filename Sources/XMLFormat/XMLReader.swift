import CXML
package import Diagnostics
package import Records

/// Reads the records of an XML document by streaming; see `RecordRule` for what a record is.
///
/// Attributes and child elements are fields, what stands within a child is one of its own (`address.city`); a record's
/// own text is the field `#text`. An element that is there is quoted, an empty one the empty string; one that has
/// `xsi:nil` is not quoted; one that is not there, or has attributes and nothing else, is absent. Line ends in fields are LF, as XML has it.
/// Property lists are read as `RecordAssembler.takeList` says.
///
/// ```text
/// text of a batch │ input: … <contatto nick="x"><nome>Nicol&#242;</nome></contatto> … │ x Nicolò │
///                 │        raw of the record ──────────────────────────── rewrites ◀──│──┘      │
/// ```
///
/// Memory: a chunk and its events; one record, while its end has not been seen; the first one's bytes, while it is not
/// known to be one.
package struct XMLReader: RecordReader, ~Copyable {
  private var source: ForesightedSource
  private let parser: EventParser
  private var assembler: RecordAssembler
  private let limits: ReadLimits
  private let recordPath: RecordPath?
  private let knownNames: Set<String>
  private let isPropertyList: Bool
  private let isDecoded: Bool
  private let usesLibXML2Alone: Bool
  private var isOpen = false
  private var hasEnded = false
  /// Input that the next batch begins with, and where it stands.
  private var carry = TextBuffer()
  private var carryOffset: Int64 = 0
  /// How much of the parser's events and of their text is used up.
  private var nextEvent = 0
  private var usedText = 0

  /// Makes a reader that has read nothing yet.
  ///
  /// - Parameters:
  ///   - file: The input's name, for messages.
  ///   - recordPath: Which elements are records: a name, or names from the root on such as `/export/contact`.
  ///   - knownNames: Entities; elements named like one of them (without regard to ASCII case) are records.
  ///   - nesting: Which child elements are records, and not fields.
  ///   - lists: The names of elements that may be items of a list, in lower case.
  ///   - discoversNesting: Whether child elements that stand several times in one element are looked for.
  ///   - isPropertyList: Whether the document is a property list, in which a record path is one of keys.
  ///   - isDecoded: Whether the source gives UTF-8 whatever the document's declaration says.
  ///   - usesLibXML2Alone: Whether even plain documents are left to libxml2, for a comparison with our own parser.
  package init(
    _ source: consuming any ByteSource & ~Copyable,
    file: String,
    recordPath: String? = nil,
    knownNames: [String] = [],
    nesting: RecordNesting = RecordNesting(),
    lists: Set<String> = [],
    discoversNesting: Bool = false,
    isPropertyList: Bool = false,
    isDecoded: Bool = false,
    usesLibXML2Alone: Bool = false,
    limits: ReadLimits = ReadLimits()
  ) {
    self.source = ForesightedSource(source)
    self.isDecoded = isDecoded
    self.usesLibXML2Alone = usesLibXML2Alone
    self.limits = limits
    self.recordPath = recordPath.map(RecordPath.init)
    self.isPropertyList = isPropertyList
    self.knownNames = Set(knownNames.map(lowercasedASCII))
    parser = EventParser(isDecoded: isDecoded, usesLibXML2Alone: usesLibXML2Alone)
    assembler = RecordAssembler(file: file, limits: limits)
    assembler.lists = lists
    assembler.nesting = NestingPlaces(nesting)
    if discoversNesting { assembler.discovery = NestingDiscovery() }
  }

  /// The kinds of records and their fields, as far as they have been read.
  package var shapes: [RecordShape] { assembler.columns.shapes }

  /// Which child elements turned out to be records, once the document has been read.
  package var foundNesting: RecordNesting {
    assembler.discovery?.nesting(columns: assembler.columns, paths: assembler.paths, of: parser) ?? RecordNesting()
  }

  /// What the records are and why, once `open` has returned; such as "records are <contatto> elements, …".
  package var recordDescription: String { assembler.surroundings.rule.description }

  /// The XML declaration and the start tags around the last record, and the end tags.
  package var framing: RejectFraming {
    assembler.framing.framing(of: assembler.surroundings.framingTags ?? assembler.surroundings.tags)
  }

  /// Reads the beginning of the document, 64 KiB or more, and finds out what its records are.
  ///
  /// - Throws: `ReadError.refused` with `malformed-xml` or `entity-refused`.
  package mutating func open() throws(ReadError) {
    guard !isOpen else { return }
    isOpen = true
    while !hasEnded, parser.takenByteCount < DocumentOutline.byteCount {
      hasEnded = try Self.feed(limits.chunkByteCount, from: &source, to: parser, keptIn: &carry, file: assembler.file)
    }
    assembler.framing = DocumentFraming(declaration: declarationBytes(), width: parser.width)
    assembler.surroundings.rule = try rule()
  }

  private mutating func rule() throws(ReadError) -> RecordRule {
    if isPropertyList {
      let outline = PropertyListOutline(of: parser)
      return .propertyList(
        recordPath.map { PropertyListRule(told: $0, in: outline) } ?? PropertyListRule(of: outline)
      )
    }
    if let recordPath { return .told(recordPath) }
    var outline = DocumentOutline(limit: limits.recordByteCount)
    outline.take(parser)
    if outline.holds(anyOf: knownNames) { return .named(knownNames) }
    if !hasEnded, !outline.isDecided { outline = try longerOutline() }
    outline.end()
    return outline.rule()
  }

  /// The outline of a document whose first record may be longer than what has been read: its bytes are read ahead.
  private mutating func longerOutline() throws(ReadError) -> DocumentOutline {
    let scout = EventParser(isDecoded: isDecoded, usesLibXML2Alone: usesLibXML2Alone)
    var outline = DocumentOutline(limit: limits.recordByteCount)
    var isAccepted = scout.feed(carry.bytes)
    var hasMore = true
    while true {
      outline.take(scout)
      scout.forgetEvents()
      // What is wrong with the document is told when it is read.
      guard isAccepted, hasMore, !outline.isDecided, scout.takenByteCount < outline.limit else { return outline }
      hasMore = try source.lookAhead(limits.chunkByteCount) { bytes in
        isAccepted = scout.feed(bytes)
      }
      if !hasMore { _ = scout.finish() }
    }
  }

  /// Replaces the batch with the next records.
  package mutating func fill(_ batch: inout RecordBatch) throws(ReadError) -> Bool {
    try open()
    batch.reset()
    batch.file = assembler.file
    while true {
      batch.text.truncate(to: 0)
      batch.byteOffset = carryOffset
      batch.text.append(carry.bytes)
      if nextEvent == parser.eventCount {
        guard !hasEnded else { return finish(&batch) }
        parser.forgetEvents()
        nextEvent = 0
        usedText = 0
        // A record that spans many chunks is read in ever larger steps, so that its bytes are not moved for each; not
        // in too large ones, since events weigh more than the bytes that they come from.
        var wanted = max(limits.chunkByteCount, carry.count / 16)
        repeat {
          let before = batch.text.count
          hasEnded = try Self.feed(wanted, from: &source, to: parser, keptIn: &batch.text, file: assembler.file)
          wanted -= batch.text.count - before
        } while !hasEnded && wanted > 0 && carry.count > limits.chunkByteCount
      }
      assemble(into: &batch)
      if let refusal = assembler.refusal { throw .refused([refusal]) }
      if assembler.hasLateText {
        assembler.hasLateText = false
        batch.rewrites.sort { $0.text < $1.text }
      }
      batch.shapes = assembler.columns.shapes
      if assembler.hasTooManyKinds { throw tooManyKinds() }
      if batch.count > 0 {
        assembler.surroundings.moveNotes(to: &batch)
        return true
      }
    }
  }

  // MARK: Steps

  /// Reads a chunk behind a buffer's bytes and has it parsed; true at the end.
  private static func feed(
    _ byteCount: Int,
    from source: inout ForesightedSource,
    to parser: borrowing EventParser,
    keptIn buffer: inout TextBuffer,
    file: String
  ) throws(ReadError) -> Bool {
    let start = buffer.count
    let hasEnded = try source.read(byteCount, into: &buffer) == 0
    let isAccepted = hasEnded ? parser.finish() : parser.feed(buffer.bytes.extracting(start..<buffer.count))
    guard isAccepted else { throw .refused([.refusal(parser.failure, file: file)]) }
    return hasEnded
  }

  /// Makes records of the events at hand and keeps the input that the next ones need.
  private mutating func assemble(into batch: inout RecordBatch) {
    let inputCount = batch.text.count
    if assembler.record.isOpen { assembler.restoreText(in: &batch) }
    let shift = batch.text.count - usedText
    parser.appendText(from: usedText, to: &batch.text)
    nextEvent = assembler.take(from: nextEvent, of: parser, into: &batch, shift: shift)
    var keptFrom = parser.takenByteCount
    if nextEvent < parser.eventCount {
      usedText = Int(unsafe parser.events[nextEvent].text)
      keptFrom = assembler.behindLastRecord
    } else if assembler.record.isOpen {
      assembler.checkLength(upTo: keptFrom)
      assembler.keepText(of: batch)
      keptFrom = assembler.outermostOffset
    }
    assembler.countLines(upTo: keptFrom, of: parser, in: batch)
    carry.truncate(to: 0)
    carry.append(batch.text.bytes.extracting(Int(keptFrom - batch.byteOffset)..<inputCount))
    carryOffset = keptFrom
  }

  private mutating func finish(_ batch: inout RecordBatch) -> Bool {
    batch.reset()
    batch.shapes = assembler.columns.shapes
    assembler.surroundings.moveNotes(to: &batch)
    if let recordPath, !assembler.hasRecords, !assembler.hasSaidSo {
      assembler.hasSaidSo = true
      batch.notes.append(.pathNotFound(recordPath.text, file: assembler.file))
    }
    return false
  }

  private func tooManyKinds() -> ReadError {
    .refused([
      Diagnostic(
        code: .malformedXML,
        location: SourceLocation(file: assembler.file),
        message: "the document has more than \(RecordAssembler.kindLimit) kinds of records",
        remedy: "tell which elements are records with --record-path"
      )
    ])
  }

  // MARK: Framing

  private func declarationBytes() -> [UInt8] {
    let place = parser.declaration
    let bytes = carry.bytes
    // In UTF-16 the byte order mark belongs to it, and stays even without a declaration.
    let start = parser.width == CXML_BYTES ? Int(place.lowerBound) : 0
    var end = Int(place.upperBound)
    if place.isEmpty, parser.width != CXML_BYTES, bytes.count > 1, bytes[0] >= 0xFE { end = 2 }
    var copy: [UInt8] = []
    for index in start..<max(start, end) { copy.append(bytes[index]) }
    return copy
  }
}
