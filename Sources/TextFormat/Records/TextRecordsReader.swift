package import Diagnostics
package import Records

/// Reads `Key: value` blocks that are parted by blank lines, in the manner of GNU recutils' rec format.
///
/// - A key is what stands before the first colon of a line, without blanks at its end. A value is what follows the colon
///   but for one space or tab; nothing else is trimmed. `Key:` is the empty string, a key that is absent is NULL.
/// - A line `+` or `+ text` continues a value with a line end, which is the file's own, byte for byte. A line indented by
///   spaces or tabs does so too; the blanks of the value's first such line are taken from each of them.
/// - A line without a colon continues a value that ends in a backslash, which goes, as does the line end.
/// - A line that begins with `#` is a comment. `%rec: Name` begins another kind of record, which the other lines of
///   its block that begin with `%` describe (`RecordDescriptors`). A block `%null:` is a record without any field.
/// - A key that stands twice in a record gives further values (`RecordBatch.repeats`).
///
/// LF, CRLF and CR end a line. Bytes are checked to be UTF-8 in keys alone; values are for validation to check.
package struct TextRecordsReader: RecordReader, ~Copyable {
  private var source: any ByteSource & ~Copyable
  private let file: String
  private let limits: ReadLimits
  private var parser: BlockParser
  /// What the last batch left over: bytes from `offset` on.
  private var rest = TextBuffer()
  private var offset: Int64 = 0
  private var hasEnded = false
  private var lineEnd: [UInt8]?
  /// Whether the last byte read is the carriage return that is, or begins, the first line end.
  private var beginsLineEnd = false
  /// Records that `open` has read.
  private var opened: RecordBatch?

  /// Reads from a source.
  ///
  /// - Parameters:
  ///   - source: Bytes in UTF-8; a byte order mark at their head is dropped.
  ///   - file: The input's name, for messages.
  package init(_ source: consuming any ByteSource & ~Copyable, file: String, limits: ReadLimits = ReadLimits()) {
    self.source = source
    self.file = file
    self.limits = limits
    parser = BlockParser(file: file, limits: limits)
  }

  package var shapes: [RecordShape] { parser.kinds.shapes }

  /// The `%` lines of each kind before its records, and a blank line between records.
  ///
  /// The separator has two line ends, because a record's bytes end with one and a blank line must follow.
  package var framing: RejectFraming {
    let lineEnd = lineEnd ?? [0x0A]
    var framing = RejectFraming(separator: lineEnd + lineEnd)
    framing.kinds = parser.kinds.shapes.indices.map { kind in
      RejectFraming.Kind(
        name: parser.kinds.shapes[kind].name,
        opening: parser.kinds.opening(of: kind, lineEnd: lineEnd)
      )
    }
    return framing
  }

  /// What the descriptors say, once the input has been read.
  package var declarations: [Int: RecordDeclaration] {
    var declarations: [Int: RecordDeclaration] = [:]
    for (kind, shape) in parser.kinds.shapes.enumerated() where !parser.kinds.descriptors[kind].isEmpty {
      let descriptors = RecordDescriptors(parser.kinds.descriptors[kind], name: shape.name, file: file)
      declarations[kind] = descriptors.declaration
    }
    return declarations
  }

  package mutating func open() throws(ReadError) {
    guard opened == nil, offset == 0 else { return }
    var batch = RecordBatch(file: file, capacity: limits.chunkByteCount)
    _ = try read(&batch)
    opened = consume batch
  }

  package mutating func fill(_ batch: inout RecordBatch) throws(ReadError) -> Bool {
    if var first = opened.take() {
      swap(&first, &batch)
      return batch.count > 0 || batch.continuedByteCount > 0
    }
    return try read(&batch)
  }

  /// Replaces the batch with the records of about a chunk of bytes, or with more of one that is too long, unless the
  /// input has ended.
  private mutating func read(_ batch: inout RecordBatch) throws(ReadError) -> Bool {
    batch.reset()
    batch.file = file
    parser.rewritten.truncate(to: 0)
    // Out of the batch, so that its tables can be filled while its bytes are looked at.
    var text = TextBuffer()
    swap(&text, &batch.text)
    defer { swap(&text, &batch.text) }
    // A buffer that once held the longest record is not kept for ever.
    if text.capacity > 16 * limits.chunkByteCount + (1 << 20) {
      text = TextBuffer()
      parser.rewritten = TextBuffer()
    }
    text.append(rest.bytes)
    rest.truncate(to: 0)
    // At the head, enough to tell a byte order mark.
    var wanted = max(limits.chunkByteCount, offset == 0 ? 3 : 1)
    var used = 0
    while true {
      batch.byteOffset = offset
      try fill(&text, to: wanted)
      let count = text.count
      used = passSkipped(in: text, &batch)
      if parser.skipper == nil, batch.continuedByteCount == 0 {
        if offset == 0 { used = max(used, Self.byteOrderMarkCount(text.bytes)) }
        let start = used
        text.reserve(LineScan.slack)
        used = unsafe text.withUnsafeBytes { bytes, _ in
          unsafe parser.parse(bytes, from: start, to: count, isFinal: hasEnded, into: &batch)
        }
      }
      try checkDescriptors(batch)
      if batch.count > 0 || batch.continuedByteCount > 0 || hasEnded && used == count { break }
      // No record is complete: forget what is passed, and read on.
      text.removePrefix(used)
      offset += Int64(used)
      let growth = min(text.count, max(limits.recordByteCount - text.count + 1, 0))
      wanted = text.count + max(limits.chunkByteCount, growth)
    }
    keepRest(of: text, from: used)
    batch.shapes = parser.kinds.shapes
    if batch.count > 0 {
      // The byte that `BlockParser.rewrittenOffset` counts.
      if parser.rewritten.count > 1 << 20 { text.reserveExactly(1 + parser.rewritten.count) }
      text.append(0x0A)
      text.append(parser.rewritten.bytes)
    } else {
      text.truncate(to: batch.continuedByteCount)
    }
    return batch.count > 0 || batch.continuedByteCount > 0
  }

  private mutating func fill(_ text: inout TextBuffer, to byteCount: Int) throws(ReadError) {
    let start = text.count
    // Doubling a buffer that nears the longest record would take twice that.
    if byteCount > 1 << 20, byteCount > text.count { text.reserveExactly(byteCount - text.count + LineScan.slack) }
    while !hasEnded, text.count < byteCount {
      hasEnded = try source.read(byteCount - text.count, into: &text) == 0
    }
    noteLineEnd(text.bytes, from: start)
  }

  private mutating func keepRest(of text: borrowing TextBuffer, from used: Int) {
    rest.append(text.bytes.extracting(used...))
    offset += Int64(used)
  }

  // MARK: What is too long

  /// Passes over what is in sight of a record or comment that is too long; hands it on if it is a record.
  ///
  /// - Returns: How much it is.
  private mutating func passSkipped(in text: borrowing TextBuffer, _ batch: inout RecordBatch) -> Int {
    guard var current = parser.skipper else { return 0 }
    let end = unsafe text.withUnsafeBytes { bytes, count in unsafe current.skip(bytes, from: 0, to: count) }
    let used = end ?? text.count
    if current.target == .blankLine { batch.continuedByteCount = used }
    parser.skipper = end == nil && !hasEnded ? current : nil
    if parser.skipper == nil { parser.line += current.lineCount }
    return used
  }

  /// Refuses descriptors that are too long, once the records before them are out of the way.
  private func checkDescriptors(_ batch: borrowing RecordBatch) throws(ReadError) {
    if parser.kinds.descriptorByteCount > limits.recordByteCount { throw descriptorsTooLong() }
    if parser.isDescriptorTooLong, batch.count == 0 { throw descriptorsTooLong() }
  }

  private func descriptorsTooLong() -> ReadError {
    .refused([.descriptorsTooLong(limit: limits.recordByteCount, at: SourceLocation(file: file))])
  }

  // MARK: The head of the input

  /// Finds the input's first line end among bytes that have just been read.
  private mutating func noteLineEnd(_ text: Span<UInt8>, from start: Int) {
    guard lineEnd == nil else { return }
    for index in start..<text.count {
      let byte = text[index]
      if beginsLineEnd {
        lineEnd = byte == 0x0A ? [0x0D, 0x0A] : [0x0D]
        return
      }
      if byte == 0x0A {
        lineEnd = [0x0A]
        return
      }
      beginsLineEnd = byte == 0x0D
    }
    if beginsLineEnd, hasEnded { lineEnd = [0x0D] }
  }

  private static func byteOrderMarkCount(_ text: Span<UInt8>) -> Int {
    text.count >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF ? 3 : 0
  }
}
