package import Diagnostics
package import EntityModel
package import Records

/// Reads CSV and its relatives: RFC 4180 in any line ends, with the delimiter, quote, escape and comment of a dialect.
///
/// A cell that begins with a quote ends at the next quote that is neither doubled nor escaped; a quote anywhere else is
/// an ordinary character. An empty cell is NULL without quotes and the empty string with them. LF, CRLF and CR end a
/// record. Empty lines are passed over; in a table of one column they are a NULL.
///
/// ## Damaged records
///
/// A quote that opens and is never closed must not swallow the file. These rules decide, and they look at nothing but
/// the bytes of the record and its limit, so that the size of a chunk makes no difference:
///
/// 1. If the input, or the longest allowed record, ends within a quoted cell, the damaged record ends with the line on
///    which that cell opens. Reading resumes on the next line.
/// 2. If a record of several lines has the right number of cells and every closing quote ends its cell, it is sound.
/// 3. Otherwise it is damaged as in 1 if the quote that closes one of its multi-line cells stands where a cell begins
///    and has text behind it (it was meant to open that cell), or if nine in ten, and at least three, of the lines
///    between the first and the last are records of the right width by themselves.
/// 4. Otherwise it is one record with a wrong number of cells, or with text behind a closing quote.
///
/// With `BadRows.repair`, the rest of a damaged line is read without quotes, a cell with text behind its closing quote
/// as it stands, missing cells are NULL and extra ones cut; each repair is a warning among the batch's notes.
package struct CSVReader: RecordReader, ~Copyable {
  private var input: CSVInput
  private let file: String
  private let dialect: CSVDialect
  private let frame: CSVRejectFrame
  private let limits: ReadLimits
  private let parser: CSVRecordParser

  /// How many bytes the next record is known to be longer than.
  private var incompleteByteCount = 0
  /// Whether all records have been handed out.
  private var isFinished = false
  /// Set once the head of the input has been read.
  private var scan: CSVRecordScan?
  private var columns: [String] = []
  /// What the header says; it may stand once more among the records.
  private var headerRepeat: CSVHeaderRepeat?
  /// What was repaired in the header, until the first batch takes it along.
  private var headNotes: [Diagnostic] = []

  /// The bytes around rejected records.
  ///
  /// The opening is the byte order mark, the skipped lines and the header; the closing is the skipped footer, known once
  /// `fill` has returned false. `CSVRejectFrame` says which of the skipped lines count.
  package private(set) var framing = RejectFraming()

  /// Makes a reader of UTF-8; a byte order mark is dropped.
  ///
  /// - Parameter frame: Which of the lines that are no records stand in a file of rejects.
  package init(
    _ source: consuming any ByteSource & ~Copyable,
    file: String,
    dialect: CSVDialect,
    frame: CSVRejectFrame = CSVRejectFrame(),
    limits: ReadLimits = ReadLimits()
  ) {
    input = CSVInput(source)
    self.file = file
    self.dialect = dialect
    self.frame = frame
    var limits = limits
    limits.chunkByteCount = max(1, limits.chunkByteCount)
    limits.recordByteCount = min(max(1, limits.recordByteCount), 1 << 30)
    // A field's count has 29 bits.
    limits.fieldByteCount = min(max(1, limits.fieldByteCount), 1 << 29 - 1)
    self.limits = limits
    parser = CSVRecordParser(
      syntax: CSVSyntax(dialect),
      recordByteCount: limits.recordByteCount,
      fieldByteCount: limits.fieldByteCount
    )
  }

  /// One shape without a name; its columns are the header's, those told, or `column_1` and so on.
  package var shapes: [RecordShape] { [RecordShape(columns: columns)] }

  /// Reads the skipped lines and the header; without a header, looks at the first record to learn how many cells it has.
  ///
  /// - Throws: `ReadError.refused` with every fault of the header, `.empty` for an input without bytes.
  package mutating func open() throws(ReadError) {
    guard scan == nil else { return }
    if let contradiction = dialect.contradiction {
      throw .refused([
        Diagnostic(
          code: .blankHeader,
          location: SourceLocation(file: file),
          message: "the dialect cannot be read: \(contradiction)",
          remedy: "check --delimiter, --quote, --escape and --comment"
        )
      ])
    }
    let reader = CSVHeadReader(file: file, dialect: dialect, frame: frame, limits: limits, parser: parser)
    var text = TextBuffer()
    var found: CSVHead?
    while found == nil {
      try input.draw(max(limits.chunkByteCount, text.count), into: &text)
      if input.isAtEnd, text.count == 0 { throw .empty(path: file) }
      let end = scannableEnd(of: text)
      let isAtEnd = input.isAtEnd
      found = unsafe text.withUnsafeBytes { bytes, _ in unsafe reader.head(of: bytes, to: end, isEnd: isAtEnd) }
      // A head ends within the longest record, and may need two more of that length behind it to be understood.
      let isTooLong = text.count / 3 > limits.recordByteCount + 16
      if found == nil, isAtEnd || isTooLong { throw .refused([reader.tooLong()]) }
    }
    guard let head = found else { return }
    if !head.faults.isEmpty { throw .refused(head.faults) }
    columns = head.columns
    headNotes = head.notes
    headerRepeat = CSVHeaderRepeat(
      header: head.header,
      quotes: head.headerQuotes,
      repairs: dialect.badRows == .repair
    )
    framing.opening =
      copy(of: text, 0..<head.leftOut.lowerBound) + copy(of: text, head.leftOut.upperBound..<head.position)
    framing.separator = head.separator
    input.takeBack(&text, from: head.position)
    let width = columns.count + (dialect.endsWithDelimiter ? 1 : 0)
    scan = CSVRecordScan(parser: parser, width: width, repairs: dialect.badRows == .repair, line: head.line)
  }

  /// Replaces the batch with the next records.
  ///
  /// - Returns: false at the end of the input.
  package mutating func fill(_ batch: inout RecordBatch) throws(ReadError) -> Bool {
    try open()
    batch.reset()
    batch.file = file
    batch.shapes = shapes
    batch.byteOffset = input.offset
    swap(&batch.notes, &headNotes)
    guard !isFinished, var scan = scan.take() else { return false }
    defer { self.scan = scan }
    // A buffer that once held the longest record is not kept for ever.
    if batch.text.capacity > 16 * limits.chunkByteCount + (1 << 20) { batch.text = TextBuffer() }
    swap(&scan.table.fields, &batch.fields)
    swap(&scan.table.records, &batch.records)
    scan.begin()
    var consumed = 0
    var end = 0
    try input.draw(incompleteByteCount + more(than: incompleteByteCount), into: &batch.text)
    while true {
      end = scannableEnd(of: batch.text)
      batch.text.reserve(64)
      let (sight, isAtEnd, enough) = (end, input.isAtEnd, 2 * limits.chunkByteCount)
      consumed = unsafe batch.text.withUnsafeBytes { bytes, _ in
        unsafe scan.scan(bytes, to: sight, isEnd: isAtEnd, enough: enough)
      }
      if isAtEnd || scan.hasRecords || scan.continuedByteCount > 0 { break }
      batch.text.removePrefix(consumed)
      batch.byteOffset += Int64(consumed)
      try input.draw(more(than: batch.text.count), into: &batch.text)
    }
    scan.table.finish()
    swap(&scan.table.fields, &batch.fields)
    swap(&scan.table.records, &batch.records)
    if input.isAtEnd, consumed == end {
      isFinished = true
      if frame.keepsFooter { framing.closing = copy(of: batch.text, consumed..<batch.text.count) }
      batch.text.truncate(to: consumed)
    } else {
      incompleteByteCount = scan.hasEnough ? 0 : batch.text.count - consumed
      input.takeBack(&batch.text, from: consumed)
    }
    batch.continuedByteCount = scan.continuedByteCount
    unescape(scan.table.escapedFields, in: &batch)
    if dialect.endsWithDelimiter {
      CSVLastDelimiter.trim(&scan.faults, in: &batch, width: columns.count, repairs: dialect.badRows == .repair)
    }
    headerRepeat?.mark(&scan.faults, in: &batch)
    report(scan.faults, in: &batch)
    return batch.count > 0 || batch.continuedByteCount > 0 || !isFinished
  }

  /// How many bytes to ask for when `count` are not enough: at least as many again, so that reading stays linear.
  private func more(than count: Int) -> Int {
    max(limits.chunkByteCount, min(count, limits.recordByteCount))
  }

  /// Where the bytes end that may be records: before as many lines as the footer has.
  ///
  /// A footer longer than the longest record is none; so the memory stays bounded.
  private func scannableEnd(of text: borrowing TextBuffer) -> Int {
    guard dialect.skippedFooterLines > 0, text.count > 0 else { return text.count }
    let least = max(0, text.count - limits.recordByteCount)
    let bytes = text.bytes
    var lines = 0
    var position = text.count
    // The line end at the very end closes the last line.
    if bytes[position - 1] == 0x0A { position -= 1 }
    if position > 0, bytes[position - 1] == 0x0D { position -= 1 }
    while position > least {
      let byte = bytes[position - 1]
      if byte == 0x0A || byte == 0x0D {
        lines += 1
        if lines == dialect.skippedFooterLines { return position }
        if byte == 0x0A, position > 1, bytes[position - 2] == 0x0D { position -= 1 }
      }
      position -= 1
    }
    return least
  }

  private func copy(of text: borrowing TextBuffer, _ range: Range<Int>) -> [UInt8] {
    let bytes = text.bytes
    return range.map { bytes[$0] }
  }

  /// Words the faults; a repaired one is a note.
  private func report(_ faults: [FoundFault], in batch: inout RecordBatch) {
    guard !faults.isEmpty else { return }
    let words = CSVFaultReport(
      columns: columns,
      delimiter: dialect.delimiter,
      hasHeader: dialect.columns != nil || dialect.header != .none,
      limits: limits
    )
    for fault in faults {
      let diagnostic = words.diagnostic(for: fault, in: batch)
      if fault.isRepaired {
        batch.notes.append(diagnostic)
      } else {
        batch.faults.append(RecordFault(record: fault.record, diagnostic: diagnostic))
      }
    }
  }

  /// Rewrites cells with doubled or escaped quotes behind the input.
  private func unescape(_ escapedFields: [Int], in batch: inout RecordBatch) {
    guard !escapedFields.isEmpty else { return }
    let syntax = parser.syntax
    // An empty cell may stand at the very end of the input's bytes; it must not look like a rewritten one.
    batch.text.append(0x0A)
    for index in escapedFields {
      let slice = batch.fields[index].text
      let start = batch.text.count
      unsafe batch.text.fill(Int(slice.count)) { room in
        // `room` is the end of the same storage.
        let content = unsafe UnsafeBufferPointer(
          start: UnsafePointer(room - start + Int(slice.offset)),
          count: Int(slice.count)
        )
        return unsafe syntax.unescape(content, to: room)
      }
      batch.fields[index] = Field(TextSlice(start..<batch.text.count), isQuoted: true)
      batch.rewrites.append(Rewrite(text: UInt32(truncatingIfNeeded: start), original: slice.offset))
    }
  }
}
