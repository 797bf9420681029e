import Diagnostics
import EntityModel
import Records

/// The head of an input: what stands before its first record, and what follows from it.
struct CSVHead {
  /// The columns' names; empty without a header, names or records.
  var columns: [String] = []
  /// What the cells of the header line are, if there is just one.
  var header: [[UInt8]] = []
  /// What is wrong with the header; nothing else counts then.
  var faults: [Diagnostic] = []
  /// What was repaired in the header.
  var notes: [Diagnostic] = []
  /// The first byte behind the head.
  var position = 0
  /// The line of that byte.
  var line = 1
  /// The line end that the input uses.
  var separator: [UInt8] = [0x0A]
}

/// Reads the head of an input from its first bytes.
struct CSVHeadReader {
  let file: String
  let dialect: CSVDialect
  let limits: ReadLimits
  let parser: CSVRecordParser

  /// The head; nil if that takes more bytes.
  ///
  /// - Complexity: O(bytes); begins from the start at each call.
  func head(of bytes: UnsafePointer<UInt8>, to end: Int, isEnd: Bool) -> CSVHead? {
    var head = CSVHead()
    guard end >= 3 || isEnd else { return nil }
    if unsafe end >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF { head.position = 3 }

    let firstEnd = unsafe parser.syntax.firstLineEnd(bytes, from: head.position, to: end)
    guard firstEnd < end || isEnd || end > limits.recordByteCount else { return nil }
    guard let length = unsafe parser.syntax.lineEndLength(bytes, at: firstEnd, end: end, isEnd: isEnd) else {
      return nil
    }
    // One further away may be out of sight, depending on the size of the chunks.
    if length > 0, firstEnd < limits.recordByteCount {
      head.separator = (0..<length).map { unsafe bytes[firstEnd + $0] }
    }

    for _ in 0..<max(0, dialect.skippedLines) where head.position < end || !isEnd {
      guard head.position < end, unsafe skipLine(bytes, to: end, isEnd: isEnd, &head) else { return nil }
    }
    var header = CSVHeader()
    if head.position > limits.recordByteCount { header.refuse(tooLong()) }
    if case .lines(let count) = dialect.header {
      while header.lineCount < count, header.faults.isEmpty {
        guard unsafe readHeaderLine(bytes, to: end, isEnd: isEnd, into: &header, of: &head) else { return nil }
      }
    }
    if header.lineCount == 1 { head.header = header.labels.map { Array($0.name.utf8) } }
    if header.lineCount > 0, header.faults.isEmpty, dialect.badRows == .repair, dialect.columns == nil {
      guard let width = unsafe usualWidth(bytes, from: head.position, to: end, isEnd: isEnd) else { return nil }
      let place = header.labels.first?.location ?? SourceLocation(file: file)
      head.notes += header.repair(width: width, at: place)
    }
    if header.faults.isEmpty, let told = dialect.columns {
      if header.lineCount > 0, header.labels.count != told.count {
        let location = header.labels.first?.location ?? SourceLocation(file: file)
        var fault = Diagnostic.differentCount(told: told.count, found: header.labels.count, at: location)
        if dialect.badRows == .repair {
          fault.severity = .warning
          fault.message += "; repaired: the names of --columns hold"
          head.notes.append(fault)
        } else {
          header.refuse(fault)
        }
      }
      header.replace(with: told, file: file)
    } else if header.faults.isEmpty, header.lineCount == 0 {
      // Where most records agree, a first one that differs is the odd one out.
      guard let usual = unsafe usualWidth(bytes, from: head.position, to: end, isEnd: isEnd),
        let first = unsafe widthOfFirstRecord(bytes, from: head.position, to: end, isEnd: isEnd)
      else { return nil }
      let width = usual > 0 ? usual : first
      header.replace(with: (0..<width).map { "column_\($0 + 1)" }, file: file)
    }
    header.check()
    if header.labels.count > limits.columnCount {
      header.refuse(
        .tooManyColumns(header.labels.count, limit: limits.columnCount, at: SourceLocation(file: file, line: head.line))
      )
    }
    head.faults = header.faults
    head.columns = header.labels.map(\.name)
    return head
  }

  /// What is said of a head that does not end within the longest allowed record.
  func tooLong() -> Diagnostic {
    Diagnostic(
      code: .recordTooLong,
      location: SourceLocation(file: file),
      expected: "a record or header within \(limits.recordByteCount) bytes",
      message: "no record begins within the first \(limits.recordByteCount) bytes",
      remedy: "check the delimiter, the quote and --skip-lines, or raise the limit with --max-record-size"
    )
  }

  /// Passes over the line at the head's position; false if that takes more bytes.
  private func skipLine(_ bytes: UnsafePointer<UInt8>, to end: Int, isEnd: Bool, _ head: inout CSVHead) -> Bool {
    let lineEnd = unsafe parser.syntax.firstLineEnd(bytes, from: head.position, to: end)
    guard lineEnd < end || isEnd,
      let length = unsafe parser.syntax.lineEndLength(bytes, at: lineEnd, end: end, isEnd: isEnd)
    else {
      return false
    }
    head.position = lineEnd + length
    if length > 0 { head.line += 1 }
    return true
  }

  /// Whether a line that is no record begins at `position`; nil if that takes more bytes.
  private func isPassedOver(_ bytes: UnsafePointer<UInt8>, at position: Int, to end: Int, isEnd: Bool) -> Bool? {
    switch unsafe match(parser.syntax.comment, bytes, at: position, end: end, isEnd: isEnd) {
    case .yes: return true
    case .cut: return nil
    case .no: return unsafe parser.syntax.lineEndLength(bytes, at: position, end: end, isEnd: isEnd).map { $0 > 0 }
    }
  }

  /// Reads one header line, or passes over a line that is none; false if that takes more bytes.
  private func readHeaderLine(
    _ bytes: UnsafePointer<UInt8>,
    to end: Int,
    isEnd: Bool,
    into header: inout CSVHeader,
    of head: inout CSVHead
  ) -> Bool {
    let start = head.position
    guard start <= limits.recordByteCount else {
      header.refuse(tooLong())
      return true
    }
    guard start < end else {
      if isEnd { header.refuse(.noHeader(at: SourceLocation(file: file, line: head.line, byteOffset: Int64(start)))) }
      return isEnd
    }
    guard let isPassedOver = unsafe isPassedOver(bytes, at: start, to: end, isEnd: isEnd) else { return false }
    if isPassedOver { return unsafe skipLine(bytes, to: end, isEnd: isEnd, &head) }

    var record = ParsedRecord()
    let line = head.line
    let wanted = limits.columnCount + 1
    let location = { (range: Range<Int>) in
      unsafe self.location(of: range, in: bytes, recordStart: start, line: line)
    }
    let outcome = unsafe parser.parse(bytes, from: start, to: end, isEnd: isEnd, wanted: wanted, into: &record)
    if outcome != .needsMore, outcome != .tooLong, dialect.badRows == .repair {
      guard let note = unsafe repair(&record, outcome, bytes, at: start, to: end, isEnd: isEnd) else { return false }
      if let message = note.message {
        let length = unsafe parser.syntax.firstLineEnd(bytes, from: start, to: end)
        head.notes.append(.repairedHeader(message, at: location(start..<length)))
      }
    }
    switch record.end > start ? .complete : outcome {
    case .needsMore: return false
    case .tooLong: header.refuse(tooLong())
    case .unterminated(let opening):
      // What is shown ends with the longest record, wherever the bytes end.
      let limit = min(end, start + limits.recordByteCount)
      let quoted = opening..<(unsafe parser.syntax.firstLineEnd(bytes, from: opening, to: limit))
      let value = unsafe excerpt(of: UnsafeBufferPointer(start: bytes + quoted.lowerBound, count: quoted.count).span)
      header.refuse(.brokenHeader("the quote that opens '\(value)' in the header is not closed", at: location(quoted)))
    case .complete:
      if let broken = record.brokenQuotes.first, dialect.badRows == .reject {
        let text = broken.offset..<broken.offset + broken.count
        let value = unsafe excerpt(of: UnsafeBufferPointer(start: bytes + text.lowerBound, count: text.count).span)
        header.refuse(
          .brokenHeader(
            "'\(value)' stands after the closing quote of a header cell",
            at: location(text),
            .textAfterQuote
          )
        )
        return true
      }
      var escaped = record.escapedFields[...]
      header.add(
        record.fields.enumerated().map { index, field in
          let cell = unsafe UnsafeBufferPointer(start: bytes + Int(field.text.offset), count: field.count)
          guard escaped.first == index else { return (unsafe Array(cell), location(field.text.range)) }
          escaped.removeFirst()
          let text = unsafe [UInt8](unsafeUninitializedCapacity: cell.count) { buffer, count in
            if let output = buffer.baseAddress { unsafe count = parser.syntax.unescape(cell, to: output) }
          }
          return (text, location(field.text.range))
        }
      )
      head.position = record.end
      head.line += record.lineEnds
    }
    return true
  }

  /// How many cells the first sound record has, else the first one; 0 without records, nil if that takes more bytes.
  private func widthOfFirstRecord(
    _ bytes: UnsafePointer<UInt8>,
    from start: Int,
    to end: Int,
    isEnd: Bool
  ) -> Int? {
    var place = CSVHead()
    place.position = start
    var record = ParsedRecord()
    var firstWidth: Int?
    while place.position < end, firstWidth == nil || place.position - start <= limits.recordByteCount {
      guard let isPassedOver = unsafe isPassedOver(bytes, at: place.position, to: end, isEnd: isEnd) else { return nil }
      if !isPassedOver {
        let outcome = unsafe parser.parse(bytes, from: place.position, to: end, isEnd: isEnd, wanted: 0, into: &record)
        switch outcome {
        case .needsMore: return nil
        case .complete where record.brokenQuotes.isEmpty: return record.cellCount
        case .complete: firstWidth = firstWidth ?? record.cellCount
        case .tooLong: return firstWidth ?? max(1, record.cellCount)
        case .unterminated(let opening):
          let lineEnd = unsafe parser.syntax.firstLineEnd(bytes, from: opening, to: end)
          _ = unsafe parser.parse(
            bytes,
            from: place.position,
            to: lineEnd,
            isEnd: true,
            wanted: 0,
            plainFrom: opening,
            into: &record
          )
          firstWidth = firstWidth ?? record.cellCount
        }
      }
      guard unsafe skipLine(bytes, to: end, isEnd: isEnd, &place) else { return nil }
    }
    if isEnd { return firstWidth ?? 0 }
    return place.position - start > limits.recordByteCount ? firstWidth : nil
  }

  private func location(
    of range: Range<Int>,
    in bytes: UnsafePointer<UInt8>,
    recordStart: Int,
    line: Int
  ) -> SourceLocation {
    var line = line
    var lineStart = recordStart
    var position = recordStart
    while position < range.lowerBound {
      let length = unsafe parser.syntax.lineEndLength(bytes, at: position, end: range.lowerBound, isEnd: true) ?? 0
      position += max(1, length)
      if length > 0 {
        line += 1
        lineStart = position
      }
    }
    var column = 1
    for offset in lineStart..<range.lowerBound where unsafe bytes[offset] & 0xC0 != 0x80 { column += 1 }
    return SourceLocation(
      file: file,
      line: line,
      column: column,
      byteOffset: Int64(range.lowerBound),
      byteCount: range.count
    )
  }
}

extension Diagnostic {
  /// A header whose quotes or delimiters were mended.
  fileprivate static func repairedHeader(_ message: String, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      severity: .warning,
      code: .textAfterQuote,
      location: location,
      message: message,
      remedy: "mend the header"
    )
  }

  /// The input has no line that could be a header.
  fileprivate static func noHeader(at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .blankHeader,
      location: location,
      expected: "a line with the columns' names",
      message: "the input ends before its header",
      remedy: "give the header, or read the file with --header none"
    )
  }

  /// A header cell's quotes are broken.
  fileprivate static func brokenHeader(
    _ message: String,
    at location: SourceLocation,
    _ code: DiagnosticCode = .unterminatedQuote
  ) -> Diagnostic {
    Diagnostic(
      code: code,
      location: location,
      expected: "a closing quote before a delimiter or a line end",
      message: message,
      remedy: "mend the header, or name the quote with --quote"
    )
  }

  /// The header has another number of cells than there are told names.
  fileprivate static func differentCount(told: Int, found: Int, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: told < found ? .extraLabel : .missingLabel,
      location: location,
      expected: "\(told) columns",
      message: "the header has \(found) columns, and --columns names \(told)",
      remedy: "name every column of the file, or check the delimiter"
    )
  }

  /// The header, or the first record, has more cells than are allowed.
  fileprivate static func tooManyColumns(_ count: Int, limit: Int, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .extraCell,
      location: location,
      expected: "at most \(limit) columns",
      message: "the file has \(count > limit + 1 ? "\(count)" : "more than \(limit)") columns; the limit is \(limit)",
      remedy: "check the delimiter, or raise the limit with --max-columns"
    )
  }
}
