package import Diagnostics

/// Where bytes come from: a file, a pipe, a gzip stream.
package protocol ByteSource: ~Copyable, Sendable {
  /// Appends up to `byteCount` bytes to `text`; returns how many, 0 at the end. May return fewer than it could.
  mutating func read(_ byteCount: Int, into text: inout TextBuffer) throws(ReadError) -> Int
}

/// Where bytes go: a file that appears when it is complete, standard output, a gzip stream.
package protocol ByteSink: ~Copyable, Sendable {
  /// Takes all the bytes.
  mutating func write(_ bytes: Span<UInt8>) throws(WriteError)
  /// Makes the output complete and durable; without it nothing appears in an output's place.
  mutating func finish() throws(WriteError)
}

/// Turns the bytes of one input into batches of records.
package protocol RecordReader: ~Copyable, Sendable {
  /// Reads as far as the first record, so that names which stand at the head of the input are known.
  ///
  /// - Throws: `ReadError.refused` for a header that cannot be used.
  mutating func open() throws(ReadError)

  /// The shapes known so far; all of them once `fill` has returned false.
  var shapes: [RecordShape] { get }

  /// What a file of rejected records must hold around them to be read like this input.
  var framing: RejectFraming { get }

  /// What the input itself says of its kinds of records, by their position in `shapes`.
  var declarations: [Int: RecordDeclaration] { get }

  /// Which parts of records turned out to be records themselves, if the reader was told to look for them.
  var foundNesting: RecordNesting { get }

  /// Replaces the batch with the next records.
  ///
  /// - Returns: false when there are none left; the batch is empty then, but may hold notes. A batch without records that
  ///   is not the last one holds more of a record that is too long.
  /// - Throws: `ReadError.refused` for a document that is malformed as a whole.
  mutating func fill(_ batch: inout RecordBatch) throws(ReadError) -> Bool
}

extension RecordReader where Self: ~Copyable {
  /// Nothing, as in most formats.
  package var declarations: [Int: RecordDeclaration] { [:] }

  /// None, as in most formats.
  package var foundNesting: RecordNesting { RecordNesting() }
}

/// The bytes around rejected records that make a file of them: its header, what parts two records, its end.
package struct RejectFraming: Sendable, Hashable {
  /// Stands before the first record.
  package var opening: [UInt8]
  /// Stands between a record and the next: as much of it is written as the record does not end with already.
  ///
  /// All line ends count as one another here, so no record is cut off from its own. With a line end alone, a record
  /// that has none gets one; with two, a blank line parts the records:
  ///
  /// ```text
  /// separator     record ends    is written
  /// LF            …;b            LF
  /// CRLF          …;b LF         nothing
  /// LF LF         key: b         LF LF
  /// LF LF         key: b LF      LF
  /// , LF          …}             , LF
  /// ```
  package var separator: [UInt8]
  /// What stands before a record of each kind, by its position in the shapes, and again after one of another kind.
  package var kinds: [Kind] = []

  /// The opening of one kind of records.
  package struct Kind: Sendable, Hashable {
    /// What the records call themselves.
    package var name: String
    /// Stands before them.
    package var opening: [UInt8]

    /// Makes an opening.
    package init(name: String, opening: [UInt8]) {
      self.name = name
      self.opening = opening
    }
  }
  /// Stands after the last record, on a line of its own if the separator is nothing but line ends.
  package var closing: [UInt8]
  /// What the input is in when that is not UTF-8: the separator is UTF-8 still, the others are in the encoding already.
  package var encoding: SourceEncoding?

  /// The elements that enclose the records, the outermost first; `opening` and `closing` end and begin with theirs.
  ///
  /// Where the next rejected record stands in others, those that differ are closed and opened anew.
  package var levels: [Level]

  /// One element around records.
  package struct Level: Sendable, Hashable {
    /// Its start tag, with a line end.
    package var opening: [UInt8]
    /// Its end tag, with a line end.
    package var closing: [UInt8]

    /// Makes a level.
    package init(opening: [UInt8], closing: [UInt8]) {
      self.opening = opening
      self.closing = closing
    }
  }

  /// Makes a framing.
  package init(opening: [UInt8] = [], separator: [UInt8] = [], closing: [UInt8] = [], levels: [Level] = []) {
    self.opening = opening
    self.separator = separator
    self.closing = closing
    self.levels = levels
  }
}

/// Writes rows of one entity in a format.
package protocol RecordWriter: ~Copyable, Sendable {
  /// Writes the rows; text and bytes are slices of `text`.
  mutating func write(_ rows: borrowing ValueBatch, text: borrowing TextBuffer) throws(WriteError)
  /// Writes what stands after the last row and finishes the sink.
  mutating func finish() throws(WriteError)
}

/// How much of an input is held at once, and the sizes past which a record is refused.
package struct ReadLimits: Sendable, Hashable {
  /// How many bytes a reader asks its source for, and so about how many a batch holds.
  package var chunkByteCount: Int
  /// The longest record, in bytes.
  package var recordByteCount: Int
  /// The longest field, in bytes.
  package var fieldByteCount: Int
  /// The most columns of a record.
  package var columnCount: Int

  /// The documented defaults: 128 KiB, 16 MiB, 10,000,000 bytes and 16,384 columns.
  package init(
    chunkByteCount: Int = 128 << 10,
    recordByteCount: Int = 16 << 20,
    fieldByteCount: Int = 10_000_000,
    columnCount: Int = 16_384
  ) {
    self.chunkByteCount = chunkByteCount
    self.recordByteCount = recordByteCount
    self.fieldByteCount = fieldByteCount
    self.columnCount = columnCount
  }
}
