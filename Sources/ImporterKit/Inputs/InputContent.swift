import ByteStreams
import Diagnostics
import Records
import Synchronization

/// The bytes of one input, decompressed, with a sample of their beginning.
///
/// A file can be opened again and again; a pipe once, unless it is spooled.
final class InputContent: Sendable {
  /// The input as the user named it; `-` is standard input.
  let path: String
  /// The size of a file in bytes, before decompression; nil for a pipe.
  let byteCount: Int64?
  /// Whether the input is compressed by gzip.
  let isCompressed: Bool
  /// The text of the first bytes, up to `sampleByteCount` of them; of a document that says itself which encoding it is in,
  /// the bytes as they are.
  ///
  /// Empty once it is forgotten.
  var sample: [UInt8] { heldSample.withLock { $0 } }
  private let heldSample: Mutex<[UInt8]>
  /// Whether a byte order mark of UTF-8 stands at its beginning.
  private let beginsWithMark: Bool
  /// Whether there are no more bytes than the sample's.
  let isWholeInSample: Bool
  /// What the text is spelled in, and how that is known.
  let encoding: InputEncoding
  /// Fills once the content has been read to its end; of a file, through `open(isDigested: true)` alone.
  private let digest = ContentDigest()
  /// What a file was when it was first opened; nil for a pipe.
  private let fingerprint: FileFingerprint?
  private let store: Mutex<Store>

  /// Enough to see the layout of any file that a person would call regular.
  static let sampleByteCount = 256 << 10

  private enum Store: ~Copyable {
    case file(FileFingerprint)
    case once(any ByteSource & ~Copyable)
    case spooled(SpooledInput)
    case taken
  }

  /// Opens an input and reads its sample.
  ///
  /// - Parameter encoding: What was told of the encoding.
  /// - Throws: `ReadError.missing`, `.unreadable`, or `.empty` for zero bytes.
  init(path: String, encoding told: InputEncoding.Told? = nil) throws(ReadError) {
    let file = try FileByteSource(path: path)
    let fingerprint = path == "-" ? nil : file.opened
    self.fingerprint = fingerprint
    byteCount = file.opened?.size
    let raw: PrefixedByteSource
    if fingerprint == nil {
      raw = try peek(2, of: DigestedByteSource(file, into: digest))
    } else {
      raw = try peek(2, of: file)
    }
    let isCompressed = raw.withPrefix { isGzip($0) }
    let peeked = try peek(Self.sampleByteCount, of: Self.decompressed(raw, if: isCompressed, path: path))
    let sample = peeked.withPrefix { Array(copying: $0) }
    guard !sample.isEmpty else { throw .empty(path: path) }
    self.path = path
    self.isCompressed = isCompressed
    isWholeInSample = peeked.holdsWholeInput
    encoding = InputEncoding(of: sample, isWholeInput: peeked.holdsWholeInput, told: told)
    let text = encoding.encoding.text(ofSample: sample.span, isWhole: peeked.holdsWholeInput)
    beginsWithMark = text.starts(with: Self.mark)
    heldSample = Mutex(text)
    if let fingerprint {
      store = Mutex(.file(fingerprint))
    } else {
      store = Mutex(.once(peeked))
    }
  }

  /// Copies a pipe to a temporary file, so that it can be opened more than once; does nothing for a file.
  func makeRereadable() throws(ReadError) {
    switch take() {
    case .once(let source): put(.spooled(try SpooledInput(spooling: source, path: path)))
    case let other: put(other)
    }
  }

  /// What a file of rejects must hold around them, with the byte order mark that the input has.
  ///
  /// Readers of UTF-8 pass over the mark, and most of them forget it.
  func framing(of reader: RejectFraming) -> RejectFraming {
    guard encoding.encoding.isRead, beginsWithMark, !reader.opening.starts(with: Self.mark) else { return reader }
    var framing = reader
    framing.opening = Self.mark + framing.opening
    return framing
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Gives the sample's memory back, of which a run over many files would hold much.
  func forgetSample() { heldSample.withLock { $0 = [] } }

  /// The bytes from the beginning.
  ///
  /// - Parameter isDigested: Whether the size and the SHA-256 of a file are taken on the way; a pipe's always are.
  /// - Throws: `ReadError.refused` with `input-changed` when a file is another than at the first time.
  func open(isDigested: Bool = false) throws(ReadError) -> any ByteSource & ~Copyable {
    switch take() {
    case .file(let fingerprint):
      put(.file(fingerprint))
      let file = try openAgain(fingerprint)
      guard isDigested else { return try Self.decompressed(file, if: isCompressed, path: path) }
      let digested = DigestedByteSource(file, into: digest)
      return try Self.decompressed(digested, if: isCompressed, path: path)
    case .once(let source): return source
    case .spooled(let input):
      put(.spooled(input))
      return input.open()
    case .taken: throw .failed(path: path, reason: "a pipe can be read once only")
    }
  }

  /// The size and SHA-256 of the content, before decompression.
  ///
  /// A file that was not read to its end by a digested source is read for it.
  /// - Returns: nil for a pipe of which there is more to come.
  func finishedDigest() throws(ReadError) -> ContentDigest.Value? {
    if let known = digest.value { return known }
    guard let fingerprint else { return nil }
    return try ContentDigest.value(of: openAgain(fingerprint))
  }

  private func openAgain(_ fingerprint: FileFingerprint) throws(ReadError) -> FileByteSource {
    let file = try FileByteSource(path: path)
    guard file.opened == fingerprint else { throw .refused([.inputChanged(path)]) }
    return file
  }

  private static func decompressed(
    _ source: consuming any ByteSource & ~Copyable,
    if isCompressed: Bool,
    path: String
  ) throws(ReadError) -> any ByteSource & ~Copyable {
    if isCompressed { return try GzipByteSource(source, path: path) }
    return source
  }

  private func take() -> Store {
    var taken = Store.taken
    store.withLock { swap(&$0, &taken) }
    return taken
  }

  private func put(_ content: consuming Store) {
    var content = content
    store.withLock { swap(&$0, &content) }
  }
}

extension Diagnostic {
  /// A file was replaced or written to between two readings of one run.
  fileprivate static func inputChanged(_ path: String) -> Diagnostic {
    Diagnostic(
      code: .inputChanged,
      location: SourceLocation(file: path),
      message: "the file changed between two readings of this run",
      remedy: "run again when nothing writes to it"
    )
  }
}
