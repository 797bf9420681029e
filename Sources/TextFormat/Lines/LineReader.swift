import Diagnostics
import Records

/// Brings the bytes of an input to a parser of lines, chunk by chunk.
///
/// A line that ends out of sight is kept for the next batch; one longer than a record may be is told, and its bytes are
/// handed on as they pass by.
struct LineReader<Parser: LineParser>: ~Copyable {
  private var source: any ByteSource & ~Copyable
  private let file: String
  private let limits: ReadLimits
  private(set) var parser: Parser
  /// What the last batch left over: bytes from `offset` on.
  private var rest = TextBuffer()
  private var offset: Int64 = 0
  private var hasEnded = false
  private var skipper: BlockSkipper?
  private var lineEnd: [UInt8] = [0x0A]
  private var head: [UInt8]?
  /// How much of the head is lines that are skipped.
  private var skippedByteCount = 0

  init(_ source: consuming any ByteSource & ~Copyable, file: String, limits: ReadLimits, parser: Parser) {
    self.source = source
    self.file = file
    self.limits = limits
    self.parser = parser
  }

  var shapes: [RecordShape] { parser.shapes }

  var framing: RejectFraming {
    RejectFraming(
      opening: parser.opening(after: head ?? [], skippedByteCount: skippedByteCount, lineEnd: lineEnd),
      separator: parser.separator(lineEnd: lineEnd)
    )
  }

  /// Reads the head of the input; does nothing the second time.
  ///
  /// - Throws: `ReadError.refused` for a head that cannot be used, or does not end within the longest record.
  mutating func open() throws(ReadError) {
    guard head == nil else { return }
    var wanted = max(limits.chunkByteCount, 3)
    while true {
      try Self.fill(&rest, to: wanted, from: &source, &hasEnded)
      let count = rest.count
      if let found = Self.firstLineEnd(rest.bytes, limit: limits.recordByteCount, isFinal: hasEnded) {
        lineEnd = found
      } else if count <= limits.recordByteCount {
        wanted = count + max(limits.chunkByteCount, count)
        continue
      }
      let start = Self.byteOrderMarkCount(rest.bytes)
      rest.reserve(LineScan.slack)
      var parser = parser
      // The same bytes are looked at whatever the size of the chunks: the head, and the line that shows its end.
      let mostCount = 2 * limits.recordByteCount + 4
      let sight = min(count, mostCount)
      let isFinal = hasEnded && sight == count
      let limit = limits.recordByteCount
      var begin = start
      let found = unsafe rest.withUnsafeBytes { bytes, _ in
        Result<Int?, ReadError> { () throws(ReadError) in
          let lines = unsafe parser.skipLines(bytes, from: start, to: sight, isFinal: isFinal, limit: limit)
          guard let lines else { return nil }
          begin = lines
          return try unsafe parser.parseHead(bytes, from: begin, to: sight, isFinal: isFinal)
        }
      }
      if let end = try found.get() {
        guard end <= limits.recordByteCount else { throw headTooLong() }
        self.parser = parser
        skippedByteCount = begin - start
        head = Self.copy(of: rest.bytes, start..<end)
        rest.removePrefix(end)
        offset = Int64(end)
        return
      }
      guard count < mostCount, !hasEnded else { throw headTooLong() }
      wanted = count + max(limits.chunkByteCount, count)
    }
  }

  /// Replaces the batch with the next records.
  mutating func fill(_ batch: inout RecordBatch) throws(ReadError) -> Bool {
    try open()
    batch.reset()
    batch.file = file
    // Out of the batch, so that its tables can be filled while its bytes are looked at.
    var text = TextBuffer()
    swap(&text, &batch.text)
    defer { swap(&text, &batch.text) }
    // A buffer that once held the longest record is not kept for ever.
    if text.capacity > 16 * limits.chunkByteCount + (1 << 20) { text = TextBuffer() }
    text.append(rest.bytes)
    rest.truncate(to: 0)
    var wanted = max(limits.chunkByteCount, 1)
    var used = 0
    while true {
      batch.byteOffset = offset
      try Self.fill(&text, to: wanted, from: &source, &hasEnded)
      let count = text.count
      used = passLongLine(in: text, &batch)
      if skipper == nil, batch.continuedByteCount == 0 {
        let start = used
        let isFinal = hasEnded
        text.reserve(LineScan.slack)
        used = unsafe text.withUnsafeBytes { bytes, _ in
          unsafe parser.parse(bytes, from: start, to: count, isFinal: isFinal, into: &batch)
        }
        if parser.longLine != nil { skipper = BlockSkipper(to: .nextLine) }
      }
      if batch.count > 0 || batch.continuedByteCount > 0 || hasEnded && used == count { break }
      // Nothing is complete: forget what is passed, and read on.
      text.removePrefix(used)
      offset += Int64(used)
      let growth = min(text.count, max(limits.recordByteCount - text.count + 1, 0))
      wanted = text.count + max(limits.chunkByteCount, growth)
    }
    rest.append(text.bytes.extracting(used...))
    offset += Int64(used)
    batch.shapes = parser.shapes
    if !batch.rewrites.isEmpty {
      text.append(0)
      text.append(parser.rewritten.span)
    }
    parser.rewritten = []
    if batch.count == 0 { text.truncate(to: batch.continuedByteCount) }
    return batch.count > 0 || batch.continuedByteCount > 0
  }

  /// Passes over what is in sight of a line that is too long, and hands it on if it is a record; returns how much.
  private mutating func passLongLine(in text: borrowing TextBuffer, _ batch: inout RecordBatch) -> Int {
    guard var current = skipper else { return 0 }
    let end = unsafe text.withUnsafeBytes { bytes, count in unsafe current.skip(bytes, from: 0, to: count) }
    let used = end ?? text.count
    if parser.longLine == .record { batch.continuedByteCount = used }
    skipper = end == nil && !hasEnded ? current : nil
    if skipper == nil {
      parser.passLines(current.lineCount)
      parser.longLine = nil
    }
    return used
  }

  private static func fill(
    _ text: inout TextBuffer,
    to byteCount: Int,
    from source: inout any ByteSource & ~Copyable,
    _ hasEnded: inout Bool
  ) throws(ReadError) {
    // Doubling a buffer that nears the longest record would take twice that.
    if byteCount > 1 << 20, byteCount > text.count { text.reserveExactly(byteCount - text.count + LineScan.slack) }
    while !hasEnded, text.count < byteCount {
      hasEnded = try source.read(byteCount - text.count, into: &text) == 0
    }
  }

  private func headTooLong() -> ReadError {
    .refused([
      Diagnostic(
        code: .recordTooLong,
        location: SourceLocation(file: file),
        expected: "a header within \(limits.recordByteCount) bytes",
        message: "no record begins within the first \(limits.recordByteCount) bytes",
        remedy: "check --header and --skip-lines, or raise the limit with --max-record-size"
      )
    ])
  }

  /// The first line end, which is taken for the one that the input uses; nil when it is not in sight.
  private static func firstLineEnd(_ text: Span<UInt8>, limit: Int, isFinal: Bool) -> [UInt8]? {
    // One further away than a record may be long counts for nothing, whatever the size of the chunks.
    for index in 0..<min(text.count, limit) where LineScan.isLineEnd(text[index]) {
      guard text[index] == 0x0D else { return [0x0A] }
      guard index + 1 < text.count || isFinal else { return nil }
      return index + 1 < text.count && text[index + 1] == 0x0A ? [0x0D, 0x0A] : [0x0D]
    }
    return isFinal ? [0x0A] : nil
  }

  private static func copy(of text: Span<UInt8>, _ range: Range<Int>) -> [UInt8] { range.map { text[$0] } }

  private static func byteOrderMarkCount(_ text: Span<UInt8>) -> Int {
    text.count >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF ? 3 : 0
  }
}
