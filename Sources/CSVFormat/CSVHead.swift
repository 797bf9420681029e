import Diagnostics
import EntityModel
import Records

/// The head of an input: what stands before its first record, and what follows from it.
struct CSVHead {
  /// The columns' names; empty without a header, names or records.
  var columns: [String] = []
  /// What the cells of the header line are, if there is just one.
  var header: [[UInt8]] = []
  /// Which of them have quotes.
  var headerQuotes: [Bool] = []
  /// What is wrong with the header; nothing else counts then.
  var faults: [Diagnostic] = []
  /// What was repaired in the header.
  var notes: [Diagnostic] = []
  /// The first byte behind the head.
  var position = 0
  /// The bytes of the head that have no place in a file of rejects.
  var leftOut = 0..<0
  /// The line of that byte.
  var line = 1
  /// The line end that the input uses.
  var separator: [UInt8] = [0x0A]
}

/// Reads the head of an input from its first bytes.
struct CSVHeadReader {
  let file: String
  let dialect: CSVDialect
  let frame: CSVRejectFrame
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

    for index in 0..<max(0, dialect.skippedLines) where head.position < end || !isEnd {
      let start = head.position
      guard start < end, unsafe skipLine(bytes, to: end, isEnd: isEnd, &head) else { return nil }
      guard frame.leftOutLines.contains(index) else { continue }
      head.leftOut = (head.leftOut.isEmpty ? start : head.leftOut.lowerBound)..<head.position
    }
    var header = CSVHeader()
    if head.position > limits.recordByteCount { header.refuse(tooLong()) }
    if case .lines(let count) = dialect.header {
      while header.lineCount < count, header.faults.isEmpty {
        guard unsafe readHeaderLine(bytes, to: end, isEnd: isEnd, into: &header, of: &head) else { return nil }
      }
    }
    if dialect.endsWithDelimiter, header.labels.count > 1, header.labels.last?.name.isEmpty ?? false {
      header.removeLabel(at: header.labels.count - 1)
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
      guard let width = unsafe widthWithoutHeader(bytes, from: head.position, to: end, isEnd: isEnd) else { return nil }
      guard width <= limits.columnCount else {
        // No names are made for them, which would weigh more than the whole record.
        let place = SourceLocation(file: file, line: head.line)
        head.faults = [.tooManyColumns(width, limit: limits.columnCount, at: place)]
        return head
      }
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

  /// Passes over the line at the head's position; false if that takes more bytes.
  func skipLine(_ bytes: UnsafePointer<UInt8>, to end: Int, isEnd: Bool, _ head: inout CSVHead) -> Bool {
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
  func isPassedOver(_ bytes: UnsafePointer<UInt8>, at position: Int, to end: Int, isEnd: Bool) -> Bool? {
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
      var locator = CSVCellLocator(file: file, syntax: parser.syntax, position: start, line: line)
      return unsafe locator.location(of: range, in: bytes)
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
      let limit = max(opening, min(end, start + limits.recordByteCount))
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
      guard record.cellCount <= limits.columnCount else {
        let whole = location(start..<record.end)
        header.refuse(.tooManyColumns(record.cellCount, limit: limits.columnCount, at: whole))
        return true
      }
      var escaped = record.escapedFields[...]
      var locator = CSVCellLocator(file: file, syntax: parser.syntax, position: start, line: line)
      header.add(
        record.fields.enumerated().map { index, field in
          let cell = unsafe UnsafeBufferPointer(start: bytes + Int(field.text.offset), count: field.count)
          let location = unsafe locator.location(of: field.text.range, in: bytes)
          guard escaped.first == index else { return (unsafe Array(cell), location) }
          escaped.removeFirst()
          return (unsafe parser.syntax.unescaped(cell), location)
        }
      )
      head.headerQuotes = record.fields.map(\.isQuoted)
      head.position = record.end
      head.line += record.lineEnds
    }
    return true
  }
}

/// Finds the line and the column of cells that come one after the other, in time linear in their bytes.
struct CSVCellLocator {
  private let file: String
  private let syntax: CSVSyntax
  private var position: Int
  private var line: Int
  private var column = 1

  /// - Parameters:
  ///   - position: The beginning of a line, before all places that are asked for.
  ///   - line: The number of that line.
  init(file: String, syntax: CSVSyntax, position: Int, line: Int) {
    self.file = file
    self.syntax = syntax
    self.position = position
    self.line = line
  }

  /// The place of some bytes that begin no earlier than those asked for before.
  mutating func location(of range: Range<Int>, in bytes: UnsafePointer<UInt8>) -> SourceLocation {
    while position < range.lowerBound {
      let length = unsafe syntax.lineEndLength(bytes, at: position, end: range.lowerBound, isEnd: true) ?? 0
      if length > 0 {
        line += 1
        column = 1
      } else if unsafe bytes[position] & 0xC0 != 0x80 {
        column += 1
      }
      position += max(1, length)
    }
    return SourceLocation(
      file: file,
      line: line,
      column: column,
      byteOffset: Int64(range.lowerBound),
      byteCount: range.count
    )
  }
}
