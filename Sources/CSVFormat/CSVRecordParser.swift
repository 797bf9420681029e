import Records

/// What one record was found to be.
///
/// Reused from record to record, so that its arrays keep their storage.
struct ParsedRecord {
  /// A closing quote that text follows.
  struct BrokenQuote {
    /// The text's first byte.
    var offset: Int
    var count: Int
    var column: Int
  }

  /// The cells, as many as were wanted; a cell with a broken quote is its untouched bytes.
  var fields: [Field] = []
  /// Positions in `fields` of the cells with doubled or escaped quotes, still in their spelling.
  var escapedFields: [Int] = []
  /// How many cells there are, wanted or not.
  var cellCount = 0
  /// The first byte, and the count of bytes, of the first cell past the wanted ones.
  var firstExtra = 0..<0
  /// The byte after the line end.
  var end = 0
  /// How many line ends it holds, its own included.
  var lineEnds = 0
  /// The first broken quotes; see `brokenQuoteLimit`.
  var brokenQuotes: [BrokenQuote] = []
  /// The opening quote of the first cell that holds a line end.
  var multilineOpening: Int?
  /// The opening quote of a cell with line ends whose closing quote stands where a cell begins and has text behind it.
  var strayOpening: Int?
  /// The first cell past the longest allowed: its column and place.
  var longField: (column: Int, range: Range<Int>)?

  /// How many broken quotes of a record are told; one record may hold millions.
  static let brokenQuoteLimit = 16

  mutating func reset() {
    fields.removeAll(keepingCapacity: true)
    escapedFields.removeAll(keepingCapacity: true)
    brokenQuotes.removeAll(keepingCapacity: true)
    cellCount = 0
    end = 0
    lineEnds = 0
    multilineOpening = nil
    strayOpening = nil
    longField = nil
  }
}

/// Reads one record byte by byte, in any dialect: RFC 4180, section 2, rules 5 to 7, and the rules of `CSVReader`.
struct CSVRecordParser: Sendable {
  enum Outcome: Equatable {
    case complete
    /// The bytes end before the record does.
    case needsMore
    /// The input, or the longest allowed record, ends within a quoted cell.
    case unterminated(opening: Int)
    /// There is no line end within the longest allowed record.
    case tooLong
  }

  let syntax: CSVSyntax
  /// The longest record, line end included.
  let recordByteCount: Int
  /// The longest cell.
  let fieldByteCount: Int

  /// Reads the record at `start`, which is neither an empty line nor a comment.
  ///
  /// - Parameters:
  ///   - end: Where the bytes end; `isEnd` says that the input does too.
  ///   - wanted: How many cells to keep.
  ///   - plainFrom: Cells from this offset on are read as if no quotes existed.
  /// - Complexity: O(bytes of the record, or of the longest allowed one).
  func parse(
    _ bytes: UnsafePointer<UInt8>,
    from start: Int,
    to end: Int,
    isEnd: Bool,
    wanted: Int,
    plainFrom: Int = .max,
    into record: inout ParsedRecord
  ) -> Outcome {
    record.reset()
    let isLimited = end - start > recordByteCount
    let bound = isLimited ? start + recordByteCount + 1 : end
    var position = start
    while true {
      let cellStart = position
      var quoted: Range<Int>?
      var hasPairs = false
      if !syntax.quote.isEmpty, cellStart < plainFrom {
        switch unsafe match(syntax.quote, bytes, at: position, end: end, isEnd: isEnd) {
        case .no: break
        case .cut: return .needsMore
        case .yes:
          // The closing quote must begin within the longest allowed record.
          let bound = min(bound, start + recordByteCount)
          let cell = unsafe quotedCell(bytes, from: position, bound: bound, end: end, isEnd: isEnd, into: &record)
          switch cell {
          case .stopped(let atEnd):
            return atEnd && (isEnd || isLimited) ? .unterminated(opening: cellStart) : .needsMore
          case .closed(let content, let pairs):
            position = content.upperBound + syntax.quote.count
            quoted = content
            hasPairs = pairs
          }
        }
      }
      let textStart = position
      var delimiterCount = 0
      var lineEndCount = 0
      scan: while true {
        guard position < bound else {
          if isLimited { return .tooLong }
          if isEnd { break scan }
          return .needsMore
        }
        let byte = unsafe bytes[position]
        if byte == syntax.delimiter[0] {
          switch unsafe match(syntax.delimiter, bytes, at: position, end: end, isEnd: isEnd) {
          case .yes:
            delimiterCount = syntax.delimiter.count
            break scan
          case .cut: return .needsMore
          case .no: break
          }
        } else if byte == 0x0A || byte == 0x0D {
          guard let length = unsafe syntax.lineEndLength(bytes, at: position, end: end, isEnd: isEnd) else {
            return .needsMore
          }
          if length > 0 {
            lineEndCount = length
            break scan
          }
        }
        position += 1
      }
      let cell = cellStart..<position
      if quoted != nil, position > textStart {
        unsafe note(brokenQuoteAt: textStart..<position, ofCell: cellStart, bytes: bytes, in: &record)
        quoted = nil
        hasPairs = false
      }
      let content = quoted ?? cell
      if content.count > fieldByteCount, record.longField == nil { record.longField = (record.cellCount, cell) }
      if record.fields.count < wanted {
        if hasPairs { record.escapedFields.append(record.fields.count) }
        let kept = content.lowerBound..<content.lowerBound + min(content.count, fieldByteCount)
        record.fields.append(Field(TextSlice(kept), isQuoted: quoted != nil))
      } else if record.cellCount == wanted {
        record.firstExtra = cell
      }
      record.cellCount += 1
      if delimiterCount > 0 {
        position += delimiterCount
        continue
      }
      record.end = position + lineEndCount
      if lineEndCount > 0 { record.lineEnds += 1 }
      return record.end - start > recordByteCount ? .tooLong : .complete
    }
  }

  private enum QuotedCell {
    case closed(content: Range<Int>, hasPairs: Bool)
    /// The bytes end; `atEnd` says that they end within the cell, not within a token that may go on.
    case stopped(atEnd: Bool)
  }

  /// Reads from an opening quote to its closing one.
  private func quotedCell(
    _ bytes: UnsafePointer<UInt8>,
    from opening: Int,
    bound: Int,
    end: Int,
    isEnd: Bool,
    into record: inout ParsedRecord
  ) -> QuotedCell {
    let quote = syntax.quote
    let escape = syntax.escape
    let contentStart = opening + quote.count
    var position = contentStart
    var hasPairs = false
    while position < bound {
      let byte = unsafe bytes[position]
      if !escape.isEmpty, byte == escape[0] {
        switch unsafe match(escape, bytes, at: position, end: end, isEnd: isEnd) {
        case .cut: return .stopped(atEnd: false)
        case .no: break
        case .yes:
          let next = position + escape.count
          let escaped = unsafe (
            match(quote, bytes, at: next, end: end, isEnd: isEnd),
            match(escape, bytes, at: next, end: end, isEnd: isEnd)
          )
          switch escaped {
          case (.yes, _): position = next + quote.count
          case (_, .yes): position = next + escape.count
          case (.cut, _), (_, .cut): return .stopped(atEnd: false)
          case (.no, .no):
            position = next
            continue
          }
          hasPairs = true
          continue
        }
      }
      if byte == quote[0] {
        switch unsafe match(quote, bytes, at: position, end: end, isEnd: isEnd) {
        case .cut: return .stopped(atEnd: false)
        case .no: break
        case .yes where syntax.doublesQuotes:
          switch unsafe match(quote, bytes, at: position + quote.count, end: end, isEnd: isEnd) {
          case .cut: return .stopped(atEnd: false)
          case .yes:
            hasPairs = true
            position += 2 * quote.count
            continue
          case .no: return .closed(content: contentStart..<position, hasPairs: hasPairs)
          }
        case .yes:
          switch unsafe syntax.endsCell(bytes, at: position + quote.count, end: end, isEnd: isEnd) {
          case .cut: return .stopped(atEnd: false)
          case .yes: return .closed(content: contentStart..<position, hasPairs: hasPairs)
          case .no: break
          }
        }
      } else if byte == 0x0A || byte == 0x0D, unsafe syntax.endsLine(bytes, at: position, end: end) {
        record.lineEnds += 1
        if record.multilineOpening == nil { record.multilineOpening = opening }
      }
      position += 1
    }
    return .stopped(atEnd: true)
  }

  /// Notes text behind a closing quote, and whether that quote was rather meant to open a cell.
  private func note(
    brokenQuoteAt text: Range<Int>,
    ofCell cellStart: Int,
    bytes: UnsafePointer<UInt8>,
    in record: inout ParsedRecord
  ) {
    if record.brokenQuotes.count < ParsedRecord.brokenQuoteLimit {
      record.brokenQuotes.append(.init(offset: text.lowerBound, count: text.count, column: record.cellCount))
    }
    if record.strayOpening == nil, unsafe closesWhereOneOpens(textStart: text.lowerBound, cellStart: cellStart, bytes) {
      record.strayOpening = cellStart
    }
  }
}
