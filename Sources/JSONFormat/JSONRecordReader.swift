package import Diagnostics
package import EntityModel
import JSONSyntax
package import Records

/// Reads one JSON array of objects, an object a line, or the objects that a path leads to, as records.
///
/// A string is a quoted field, its escapes undone behind the input; a number, `true` and `false` are fields of their own
/// spelling. `null` is a field that is given and NULL, an absent member an absent field. The members of an object
/// within a record are fields of their own (`address.city`). An array is text, byte for byte as it is written: an array of
/// one is not its element, and an empty one not NULL; so is an object without members. Arrays that are told to be lists
/// give their elements; objects and arrays of objects that are told to be records are records behind the one around them,
/// and other values there are records that have `#text` alone.
///
/// A malformed array is refused as a whole, since nothing tells where its next record begins; a malformed line of NDJSON
/// is one rejected record. The bytes of a record are its object's, or its line with the line end. A record past the limit
/// refuses the document in either format, so that no byte of it is lost.
package struct JSONRecordReader: RecordReader, ~Copyable {
  private var source: any ByteSource & ~Copyable
  private let file: String
  private let limits: ReadLimits
  private var scanner: any RecordScanner
  private let isArray: Bool
  private let recordPath: JSONRecordPath?
  private var sourceIsAtEnd = false
  /// Whether a byte order mark has been looked for.
  private var hasStarted = false
  /// Input that belongs to no record of the last batch.
  private var carry = TextBuffer()
  /// Offset in the input of the first byte of `carry`.
  private var byteOffset: Int64 = 0
  /// The batch that `open` has read.
  private var opened: RecordBatch?

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - source: UTF-8; a byte order mark is passed over.
  ///   - file: The input's name, for messages.
  ///   - format: `.ndjson` for an object a line, any other for one array of objects.
  ///   - recordPath: Where records are instead: at the members of a name, or at names from the top on such as
  ///     `/export/contacts`; arrays on the way do not count. A malformed line then refuses the document.
  ///   - lists: The names of members whose arrays are lists of values, in lower case; other arrays are text.
  ///   - nesting: Which members are records of their own; nothing by default.
  ///   - discoversNesting: Whether to find out which are; see `foundNesting`.
  ///   - limits: A record past its limit refuses the document.
  package init(
    _ source: consuming any ByteSource & ~Copyable,
    file: String,
    format: FileFormat,
    recordPath: String? = nil,
    lists: Set<String> = [],
    nesting: RecordNesting = RecordNesting(),
    discoversNesting: Bool = false,
    limits: ReadLimits = ReadLimits()
  ) {
    self.source = source
    self.file = file
    self.limits = limits
    let path = recordPath.map(JSONRecordPath.init)
    self.recordPath = path
    isArray = format != .ndjson || path != nil
    let assembly = RecordAssembly(limits: limits, lists: lists, nesting: nesting, discoversNesting: discoversNesting)
    scanner =
      isArray
      ? DocumentScanner(path: path, limits: limits, assembly: assembly)
      : LineScanner(limits: limits, assembly: assembly)
  }

  /// The shape of the records that stand in no other, then of those within, with the names of all members seen so far in
  /// the order of their first sight.
  package var shapes: [RecordShape] { scanner.assembly.kinds.namedShapes }

  /// Which arrays have turned out to hold objects.
  package var foundNesting: RecordNesting { scanner.assembly.discovery?.nesting ?? RecordNesting() }

  /// The brackets and commas of an array, with the names of a path before it; or line ends.
  package var framing: RejectFraming {
    guard isArray else { return RejectFraming(separator: [0x0A]) }
    var opening: [UInt8] = []
    var closing = Array("\n]".utf8)
    for name in recordPath?.names ?? [] {
      opening.append(UInt8(ascii: "{"))
      _ = JSONString.appendEscaped(Array(name.utf8).span, to: &opening)
      opening.append(UInt8(ascii: ":"))
      closing.append(UInt8(ascii: "}"))
    }
    opening += Array("[\n".utf8)
    return RejectFraming(opening: opening, separator: Array(",\n".utf8), closing: closing + [0x0A])
  }

  /// Reads the first batch, which the first `fill` hands out.
  package mutating func open() throws(ReadError) {
    guard !hasStarted else { return }
    var batch = RecordBatch(capacity: 2 * limits.chunkByteCount)
    _ = try readBatch(into: &batch)
    opened = consume batch
  }

  /// Reads the next records; see `RecordReader`.
  package mutating func fill(_ batch: inout RecordBatch) throws(ReadError) -> Bool {
    guard let first = opened.take() else { return try readBatch(into: &batch) }
    batch = first
    return batch.count > 0
  }

  private mutating func readBatch(into batch: inout RecordBatch) throws(ReadError) -> Bool {
    batch.reset()
    batch.innerSeparator = UInt8(ascii: ",")
    batch.file = file
    batch.byteOffset = byteOffset
    batch.text.append(carry.bytes)
    carry.truncate(to: 0)
    try start(&batch)
    scanner.assembly.beginBatch()
    while true {
      let progress: ScanProgress
      do throws(ScanFailure) {
        progress = try scanner.scan(&batch, isComplete: sourceIsAtEnd)
      } catch {
        // The message shows what stands there, which must not end with the bytes that happen to be here.
        if case .malformed(let error) = error, error.byteOffset + 64 > batch.text.count, !sourceIsAtEnd {
          try readMore(into: &batch)
          continue
        }
        throw refusal(error, in: batch)
      }
      if batch.count > 0 || sourceIsAtEnd {
        cut(&batch, at: progress.end)
        break
      }
      if batch.text.count - progress.end > limits.recordByteCount {
        let tooLong = ScanFailure.tooLong(progress.end..<batch.text.count, place: progress.place)
        throw refusal(tooLong, in: batch)
      }
      // White space between records is not kept, however much there is.
      if !progress.isInRecord { drop(progress.end, from: &batch) }
      try readMore(into: &batch)
    }
    scanner.assembly.finishBatch(&batch)
    batch.shapes = shapes
    return batch.count > 0
  }

  /// Reads as many bytes as tell whether the input has a byte order mark, and takes that away.
  private mutating func start(_ batch: inout RecordBatch) throws(ReadError) {
    guard !hasStarted else { return }
    hasStarted = true
    while batch.text.count < 3, !sourceIsAtEnd { try readMore(into: &batch) }
    guard Self.hasMark(batch.text.bytes) else { return }
    batch.text.removePrefix(3)
    byteOffset = 3
    batch.byteOffset = 3
  }

  private static func hasMark(_ bytes: Span<UInt8>) -> Bool {
    bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
  }

  private mutating func readMore(into batch: inout RecordBatch) throws(ReadError) {
    if try source.read(limits.chunkByteCount, into: &batch.text) == 0 { sourceIsAtEnd = true }
  }

  /// Leaves the batch with the input up to `end`, and keeps the rest for the next one.
  private mutating func cut(_ batch: inout RecordBatch, at end: Int) {
    scanner.discard(end, of: batch.text.bytes)
    carry.append(batch.text.bytes.extracting(end..<batch.text.count))
    batch.text.truncate(to: end)
    byteOffset += Int64(end)
  }

  /// Takes bytes that nothing points at from the front of the batch.
  private mutating func drop(_ byteCount: Int, from batch: inout RecordBatch) {
    guard byteCount > 0 else { return }
    scanner.discard(byteCount, of: batch.text.bytes)
    batch.text.removePrefix(byteCount)
    byteOffset += Int64(byteCount)
    batch.byteOffset = byteOffset
  }

  private func refusal(_ failure: ScanFailure, in batch: borrowing RecordBatch) -> ReadError {
    var location = SourceLocation(file: file, byteOffset: batch.byteOffset)
    switch failure {
    case .malformed(let error), .noArray(let error, _):
      var remedy = "mend the file there; nothing of it is loaded"
      if case .noArray(_, let isObject) = failure {
        remedy =
          isObject
          ? "name the member that holds the records with --record-path, or tell --format ndjson for an object a line"
          : "put the records between [ and ], parted by commas, or tell --format ndjson for an object a line"
      }
      // A download or a copy that broke off is another fault than a document of another kind.
      let isCutOff =
        error.found == "the end of the text" && (scanner.ordinal > 0 || error.expected != "a value")
      var start = recordPath == nil ? "the document is not an array of records: " : "the document is not JSON: "
      if case .malformed = failure, isCutOff {
        start = "the document is cut off, it ends within a record or before the array does: "
        remedy = "get the whole file; nothing of it is loaded"
      }
      location.line = error.place.line
      location.column = error.place.column
      location.byteOffset += Int64(error.byteOffset)
      return .refused([
        Diagnostic(
          code: .malformedJSON,
          location: location,
          expected: error.expected,
          message: start + error.description,
          remedy: remedy
        )
      ])
    case .tooLong(let range, let place):
      location.record = scanner.ordinal + 1
      location.line = place.line
      location.column = place.column
      location.byteOffset += Int64(range.lowerBound)
      // How much more of it is there depends on the size of the chunks.
      location.byteCount = min(range.count, limits.recordByteCount + 1)
      return .refused([
        Diagnostic(
          code: .recordTooLong,
          location: location,
          expected: "at most \(limits.recordByteCount) bytes",
          message: "a record is longer than \(limits.recordByteCount) bytes",
          remedy: "raise the limit with --max-record-size"
        )
      ])
    }
  }
}
