import Records

/// Turns the bytes of a batch into records, one after the other, and decides about damaged ones.
///
/// Sound records come from `CSVBlockScanner`, all others from `CSVRecordParser`; both give the same, so where bytes
/// happen to end makes no difference.
struct CSVRecordScan: Sendable {
  let parser: CSVRecordParser
  let blocks: CSVBlockScanner?
  /// How many cells a record has.
  let width: Int
  /// What mends bad records; nil where they are rejected.
  let mending: CSVMending?

  /// The line at which the scan stands.
  var line: Int
  /// How many records there were so far.
  var ordinal: Int64 = 0
  /// Whether the scan stands within a line that is passed over, a comment.
  private var isSkippingLine = false
  /// The record that is too long and has not ended yet.
  private var longRecord: CSVLongRecord?
  /// How many bytes at the beginning of the last scan belong to a record of an earlier one.
  private(set) var continuedByteCount = 0
  /// Whether the last scan ended because it had found enough, not because a record was incomplete.
  private(set) var hasEnough = false

  /// The batch's tables while it is filled.
  var table = CSVRecordTable()
  var faults: [FoundFault] = []

  private var parsed = ParsedRecord()

  init(parser: CSVRecordParser, width: Int, repairs: Bool, line: Int) {
    self.parser = parser
    self.width = width
    mending = repairs ? CSVMending(parser: parser, width: width) : nil
    self.line = line
    let safe = min(parser.recordByteCount, parser.fieldByteCount)
    blocks = CSVBlockScanner(parser.syntax, width: width, safeByteCount: safe)
  }

  /// Begins a batch; the tables are empty but may have storage.
  mutating func begin() {
    table.begin()
    faults.removeAll(keepingCapacity: true)
  }

  var hasRecords: Bool { table.recordCount > 0 }

  /// Finds the records in some bytes.
  ///
  /// - Parameters:
  ///   - bytes: Readable for 64 bytes past `end`.
  ///   - end: Where the bytes end; `isEnd` says that the input does too.
  ///   - enough: How many bytes of records make a batch, however many more are in sight.
  /// - Returns: The offset of the first byte that belongs to no record yet.
  mutating func scan(_ bytes: UnsafePointer<UInt8>, to end: Int, isEnd: Bool, enough: Int) -> Int {
    var position = 0
    hasEnough = false
    continuedByteCount = 0
    if longRecord != nil {
      continuedByteCount = unsafe passLongRecord(bytes, from: 0, to: end, isEnd: isEnd)
      position = continuedByteCount
      if longRecord != nil { return position }
    }
    while position < end {
      if (position >= enough && hasRecords) || longRecord != nil {
        hasEnough = true
        break
      }
      if isSkippingLine {
        let lineEnd = unsafe parser.syntax.firstLineEnd(bytes, from: position, to: end, isEnd: isEnd)
        guard lineEnd < end else { return end }
        guard let length = unsafe parser.syntax.lineEndLength(bytes, at: lineEnd, end: end, isEnd: isEnd) else {
          return lineEnd
        }
        isSkippingLine = false
        line += 1
        position = lineEnd + length
        continue
      }
      if let blocks, width > 0 {
        let sight = position < enough ? min(end, enough) : end
        switch unsafe run(blocks, bytes, at: &position, to: sight, isEnd: isEnd && sight == end) {
        case .full: continue
        case .endOfBytes:
          if sight < end, hasRecords {
            hasEnough = true
            return position
          }
          guard position < end, sight < end || isEnd || end - position > parser.recordByteCount else { return position }
        case .odd: break
        }
      }
      guard let next = unsafe step(bytes, at: position, to: end, isEnd: isEnd) else { return position }
      position = next
    }
    return position
  }

  private mutating func run(
    _ blocks: CSVBlockScanner,
    _ bytes: UnsafePointer<UInt8>,
    at position: inout Int,
    to end: Int,
    isEnd: Bool
  ) -> CSVBlockScanner.Stop {
    var progress = CSVBlockScanner.Progress(
      position: position,
      line: line,
      ordinal: ordinal,
      fieldCount: table.fieldCount,
      recordCount: table.recordCount
    )
    let stop = unsafe table.run(blocks, bytes, to: end, isEnd: isEnd, &progress)
    position = progress.position
    line = progress.line
    ordinal = progress.ordinal
    return stop
  }

  /// Takes one record, empty line or comment; returns where the next begins, nil if that takes more bytes to know.
  private mutating func step(_ bytes: UnsafePointer<UInt8>, at start: Int, to end: Int, isEnd: Bool) -> Int? {
    switch unsafe match(parser.syntax.comment, bytes, at: start, end: end, isEnd: isEnd) {
    case .yes:
      isSkippingLine = true
      return start
    case .cut: return nil
    case .no: break
    }
    guard let emptyLine = unsafe parser.syntax.lineEndLength(bytes, at: start, end: end, isEnd: isEnd) else {
      return nil
    }
    if emptyLine > 0 {
      if width == 1 {
        parsed.reset()
        parsed.fields.append(Field(TextSlice(start..<start)))
        parsed.cellCount = 1
        append(start..<start + emptyLine)
      }
      line += 1
      return start + emptyLine
    }
    let outcome = unsafe parser.parse(bytes, from: start, to: end, isEnd: isEnd, wanted: width, into: &parsed)
    var opening: Int?
    switch outcome {
    case .needsMore: return nil
    case .tooLong: return unsafe beginLongRecord(bytes, from: start, isPlain: false)
    case .unterminated(let quote):
      if end - start > parser.recordByteCount, unsafe !isFollowedByRecords(quote, bytes, from: start) {
        return unsafe beginLongRecord(bytes, from: start, isPlain: false)
      }
      opening = quote
    case .complete:
      if parsed.cellCount == width, parsed.brokenQuotes.isEmpty {
        takeParsed(from: start)
        return parsed.end
      }
      opening = unsafe parser.strayQuote(in: parsed, bytes, width: width)
    }
    let lineLimit = outcome == .complete ? parsed.end : end
    if let mending {
      if opening != nil || !parsed.brokenQuotes.isEmpty {
        guard isEnd || end - start >= mending.sightByteCount else { return nil }
        if let faults = unsafe mending.mend(bytes, from: start, to: end, isEnd: isEnd, into: &parsed) {
          for fault in faults { note(fault) }
          takeParsed(from: start)
          return parsed.end
        }
      }
      if let delimiter = unsafe mending.reread(bytes, from: start, to: lineLimit, into: &parsed) {
        note(.otherDelimiter(delimiter))
        takeParsed(from: start)
        return parsed.end
      }
    }
    if let opening { return unsafe takeDamagedLine(bytes, from: start, opening: opening, to: lineLimit) }
    takeParsed(from: start)
    return parsed.end
  }

  /// Takes the record just parsed, with its faults or its repairs.
  private mutating func takeParsed(from start: Int) {
    let isUnreadable = !parsed.brokenQuotes.isEmpty && mending == nil
    for broken in parsed.brokenQuotes {
      note(.textAfterQuote(text: broken.offset..<broken.offset + broken.count, column: broken.column))
    }
    if parsed.cellCount < width {
      note(.missingCells(count: parsed.cellCount))
      if mending != nil {
        let end = Field(TextSlice(parsed.end..<parsed.end))
        parsed.fields.append(contentsOf: repeatElement(end, count: width - parsed.cellCount))
      }
    } else if parsed.cellCount > width {
      note(.extraCells(count: parsed.cellCount, first: parsed.firstExtra))
    }
    if let long = parsed.longField {
      faults.append(
        FoundFault(
          record: table.recordCount,
          kind: .fieldTooLong(column: long.column, cell: long.range),
          isRepaired: false
        )
      )
    }
    append(start..<parsed.end, isUnreadable: isUnreadable)
    line += parsed.lineEnds
  }

  private mutating func note(_ kind: FoundFault.Kind) {
    faults.append(FoundFault(record: table.recordCount, kind: kind, isRepaired: mending != nil))
  }

  private mutating func append(_ raw: Range<Int>, isUnreadable: Bool = false) {
    ordinal += 1
    table.append(parsed, raw: raw, ordinal: ordinal, line: line, isUnreadable: isUnreadable)
  }

  // MARK: Open quotes

  /// Takes what stands before the next line as a record whose quote at `opening` is never closed.
  private mutating func takeDamagedLine(
    _ bytes: UnsafePointer<UInt8>,
    from start: Int,
    opening: Int,
    to end: Int
  ) -> Int {
    let contentEnd = unsafe parser.syntax.firstLineEnd(bytes, from: opening, to: end)
    let lineEnd = unsafe contentEnd + (parser.syntax.lineEndLength(bytes, at: contentEnd, end: end, isEnd: true) ?? 0)
    guard lineEnd - start <= parser.recordByteCount else {
      return unsafe beginLongRecord(bytes, from: start, isPlain: true)
    }
    _ = unsafe parser.parse(
      bytes,
      from: start,
      to: lineEnd,
      isEnd: true,
      wanted: width,
      plainFrom: opening,
      into: &parsed
    )
    note(.unterminatedQuote(opening: opening))
    if mending != nil {
      takeParsed(from: start)
    } else {
      let lineEnds = parsed.lineEnds
      // The cells before the quote are sound.
      let kept = parsed.fields.prefix { Int($0.text.offset) + $0.count < opening }.count
      parsed.fields.removeLast(parsed.fields.count - kept)
      parsed.escapedFields.removeAll { $0 >= kept }
      append(start..<lineEnd, isUnreadable: true)
      line += lineEnds
    }
    return lineEnd
  }

  // MARK: Long records

  /// Takes the beginning of a record that is too long, and passes over the rest of it from then on.
  private mutating func beginLongRecord(_ bytes: UnsafePointer<UInt8>, from start: Int, isPlain: Bool) -> Int {
    parsed.reset()
    faults.append(FoundFault(record: table.recordCount, kind: .recordTooLong, isRepaired: false))
    append(start..<start, isUnreadable: true)
    longRecord = CSVLongRecord(isPlain: isPlain)
    let end = unsafe passLongRecord(bytes, from: start, to: start + parser.recordByteCount, isEnd: false)
    longRecord?.settle()
    table.extendLast(to: start..<end)
    return end
  }

  /// Passes over bytes of the record that is too long; returns the first byte that is not its own.
  private mutating func passLongRecord(
    _ bytes: UnsafePointer<UInt8>,
    from start: Int,
    to end: Int,
    isEnd: Bool
  ) -> Int {
    guard var record = longRecord else { return start }
    let (position, hasEnded) = unsafe record.pass(
      bytes,
      from: start,
      to: end,
      isEnd: isEnd,
      syntax: parser.syntax,
      lineEnds: &line
    )
    longRecord = hasEnded ? nil : record
    return position
  }

  /// Whether what follows a quote, as far as it is in sight, is rather records than the text of a cell.
  private func isFollowedByRecords(_ opening: Int, _ bytes: UnsafePointer<UInt8>, from start: Int) -> Bool {
    // A part of it is enough to tell.
    let end = min(start + parser.recordByteCount, opening + (1 << 20))
    let lines = unsafe parser.linesLikeRecords(bytes, from: opening, to: end, width: width)
    return lines.sound > 0 && lines.sound >= lines.unsound
  }
}
