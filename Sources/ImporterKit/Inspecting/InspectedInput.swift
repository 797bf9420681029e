public import Diagnostics
public import EntityModel

/// What is in one file, and how that is known.
public struct InspectedInput: Sendable, Hashable {
  /// A setting that was not left to detection.
  public struct Told: Sendable, Hashable {
    /// The option's name, without dashes.
    public var name: String
    /// Its value.
    public var value: String
    /// Who told it: `option` or `datapackage.json`.
    public var origin: String
  }

  /// How the records end, in records.
  public struct LineEnds: Sendable, Hashable {
    /// Records that end with LF.
    public var lf: Int64 = 0
    /// Records that end with CR LF.
    public var crlf: Int64 = 0
    /// Records that end with CR alone.
    public var cr: Int64 = 0
    /// Records that end without one, such as a last record.
    public var none: Int64 = 0
  }

  /// Why an input could not be read, or not to its end.
  public struct Failure: Sendable, Hashable {
    /// The sentence.
    public var message: String
    /// What to do about it.
    public var remedy: String?
    /// The exit status that it means.
    public var exitStatus: Int32
  }

  /// The path as it was named; `-` is standard input.
  public var path: String
  /// The size in bytes, before decompression; nil for a pipe.
  public var byteCount: Int64?
  /// Whether it is compressed by gzip.
  public var isCompressed = false
  /// The format.
  public var format: FileFormat?
  /// What people call the format, such as `text records`.
  public var formatName = ""
  /// Why it is taken for that format, such as `its first line is an object`.
  public var formatReason = ""
  /// The encoding.
  public var encoding = ""
  /// How the encoding is known; nil where it was told, is the default, or stands in the document.
  public var encodingReason: String?
  /// Whether a byte order mark stands at its beginning.
  public var hasByteOrderMark = false
  /// The dialect of delimited text.
  public var dialect: CSVDialect?
  /// What was detected, with the evidence, in short phrases.
  public var evidence: [String] = []
  /// What was told, and so not detected.
  public var told: [Told] = []
  /// How the records end; nil where records are no lines.
  public var lineEnds: LineEnds?
  /// The records, faulty ones included.
  public var recordCount: Int64 = 0
  /// Records in which reading found a fault; `load` would reject them.
  public var faultyCount: Int64 = 0
  /// How many faults there are of each code.
  public var faultCounts: [DiagnosticCode: Int64] = [:]
  /// The first faults, at most ten.
  public var firstFaults: [Diagnostic] = []
  /// The kinds of records.
  public var entities: [InspectedEntity] = []
  /// Why it was not read, or not to its end; everything else is then what was found before.
  public var failure: Failure?

  /// Makes an input of which nothing is known yet.
  init(path: String) {
    self.path = path
  }
}

/// One kind of record in a file.
public struct InspectedEntity: Sendable, Hashable {
  /// The name that `load` would give it.
  public var name: String
  /// How many records there are, faulty ones included.
  public var recordCount: Int64
  /// Its columns in the order of the file.
  public var columns: [InspectedColumn]
  /// Columns past the bound, which were not looked at.
  public var passedOverColumnCount: Int

  /// The columns that can each tell one record from another.
  public var keyCandidates: [String] { columns.filter(\.isKeyCandidate).map(\.name) }
}
