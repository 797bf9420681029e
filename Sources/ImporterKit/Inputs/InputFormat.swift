import CSVFormat
import Diagnostics
import EntityModel
import JSONFormat
import Records
import Reporting
import TextFormat
import XMLFormat

/// How one input is spelled, and how that is known.
struct InputFormat: Sendable {
  /// The readers to choose from, with what each must know.
  enum Spelling: Sendable {
    case delimited(CSVDialect)
    case records
    case fixed(FixedWidthLayout)
    case lines(FixedWidthLayout)
    case outline(OutlineLayout)
    case xml(recordPath: String?)
    case propertyList(recordPath: String?)
    case json(FileFormat, recordPath: String?)
  }

  var format: FileFormat
  var spelling: Spelling
  /// What is shown of it, the most telling part first.
  var traits: [String]
  /// Why it was taken for this; nil when it was told, or when its name says it.
  var reason: String?
  /// Which lines of delimited text stand in a file of rejects, besides the records.
  var rejectFrame = CSVRejectFrame()
  /// How many cells the records of delimited text have of which the last is empty in all of them.
  var widthWithEmptyLastCell: Int?

  /// Whether quotes keep a null token what it is.
  var quotesProtect: Bool {
    switch spelling {
    case .delimited, .json, .propertyList: true
    case .records, .fixed, .lines, .outline, .xml: false
    }
  }

  /// Whether a header names the columns.
  var hasHeader: Bool {
    switch spelling {
    case .delimited(let dialect): dialect.header != .none
    case .fixed(let layout), .lines(let layout): layout.headerLineCount > 0 && layout.names == nil
    case .records, .outline, .xml, .propertyList, .json: false
    }
  }

  /// The path of records that was told.
  var recordPath: String? {
    switch spelling {
    case .xml(let path), .propertyList(let path), .json(_, let path): path
    case .delimited, .records, .fixed, .lines, .outline: nil
    }
  }

  /// What people call the format.
  var name: String {
    switch (spelling, format) {
    case (.delimited, .csv): "CSV"
    case (.delimited, .tsv): "TSV"
    case (.delimited, _): "delimited text"
    case (.records, _): "text records"
    case (.fixed, _): "fixed-width text"
    case (.lines, _): "lines of text"
    case (.outline, _): "outline"
    case (.xml, _): "XML"
    case (.propertyList, _): "property list"
    case (.json, .ndjson): "NDJSON"
    case (.json, _): "JSON"
    }
  }

  /// Delimited text that was read before.
  struct Precedent: Sendable {
    var format: FileFormat
    var csv: CSVPrecedent
  }

  /// What can be said of an input before its model is known.
  struct Kind: Sendable {
    var format: FileFormat
    /// The layout of plain text; nil where only the model's names can decide between delimited, fixed and lines.
    var layout: TextLayout?
    var reason: String?
    /// How an outline is read.
    var outline: OutlineLayout?

    /// Whether records may say themselves what they are.
    var namesItsRecords: Bool { format == .xml || format == .plist || layout == .records || layout == .outline }
  }

  /// Finds the format: what was told wins, then the content, then the name.
  ///
  /// - Throws: `ReadError.refused` for content that no reader takes.
  static func kind(of content: InputContent, options: ReadingOptions) throws(ReadError) -> Kind {
    let told = options.format ?? (options.layout == nil && options.widths == nil ? nil : .text)
    let (format, reason) = told.map { ($0, nil) } ?? formatOfContent(content)
    // XML says itself which encoding it is in.
    let namesItsEncoding = format == .xml || (format == .plist && !content.sample.starts(with: Array("bplist".utf8)))
    if !namesItsEncoding { try refuseForeignContent(content) }
    guard format == .text else { return Kind(format: format, layout: nil, reason: reason) }
    let choice = TextLayoutChoice(content, options: options)
    return Kind(format: .text, layout: choice.layout, reason: choice.reason ?? reason, outline: choice.outline)
  }

  /// Finds out how an input of a known kind is spelled.
  ///
  /// - Parameters:
  ///   - content: The input with its sample.
  ///   - options: What was told, by the user or by a data package.
  ///   - knownNames: The names that a header may have, from the model; empty without one.
  ///   - entity: What the records become, where the model knows it.
  ///   - precedent: An input that was read before, which this one may be like; this one, if it may be one for others.
  /// - Throws: `ReadError.refused` for fixed-width text whose columns are unknown, `UsageFailure` for a dialect that
  ///   contradicts itself.
  init(
    _ kind: Kind,
    of content: InputContent,
    options: ReadingOptions,
    knownNames: [String],
    entity: Entity?,
    precedent: inout Precedent?
  ) throws {
    format = kind.format
    reason = kind.reason
    traits = []
    switch kind.format {
    case .xml: spelling = .xml(recordPath: options.recordPath)
    case .plist: spelling = .propertyList(recordPath: options.recordPath)
    case .json, .ndjson: spelling = .json(kind.format, recordPath: options.recordPath)
    case .text where kind.layout == .records: spelling = .records
    case .text where kind.layout == .outline:
      var outline = kind.outline ?? OutlineLayout(style: .labels)
      outline.levels = [FilePath.subject(of: content.path)]
      spelling = .outline(outline)
    case .csv, .tsv, .text:
      spelling = .delimited(CSVDialect())
      if kind.format == .text, try takeAsLines(kind.layout, content, options, knownNames: knownNames, entity: entity) {
        return
      }
      let detection = detectDialect(of: content, told: options.csvSettings, knownNames: knownNames, &precedent)
      if let contradiction = detection.dialect.contradiction {
        throw UsageFailure(
          "'\(excerpt(of: content.path))' cannot be read so: \(contradiction)",
          remedy: "check --delimiter, --quote, --escape and --comment"
        )
      }
      spelling = .delimited(detection.dialect)
      traits = detection.reasons
      rejectFrame = detection.frame
      widthWithEmptyLastCell = detection.widthWithEmptyLastCell
    }
  }

  /// Finds out the dialect of delimited text.
  private func detectDialect(
    of content: InputContent,
    told: CSVSettings,
    knownNames: [String],
    _ precedent: inout Precedent?
  ) -> CSVDetection {
    let sample = content.sample
    let isWhole = content.isWholeInSample
    if let precedent, precedent.format == format,
      let like = precedent.csv.detection(
        ofSample: sample.span,
        isWholeInput: isWhole,
        told: told,
        knownNames: knownNames
      )
    {
      return like
    }
    let detection = CSVDetector.detect(
      sample: sample.span,
      isWholeInput: isWhole,
      told: told,
      knownNames: knownNames,
      defaultDelimiter: format == .tsv ? "\t" : ",",
      assumesHeader: format != .text
    )
    if let csv = CSVPrecedent(detection, sample: sample.span, told: told, knownNames: knownNames) {
      precedent = Precedent(format: format, csv: csv)
    }
    return detection
  }

  /// The format that the content shows, else the name, with what gave it away.
  private static func formatOfContent(_ content: InputContent) -> (FileFormat, String?) {
    let sample = content.sample
    let xml = XMLDetector.detect(sample: sample.span)
    if xml.isXML { return (xml.isPropertyList ? .plist : .xml, xml.reason) }
    let json = JSONDetector.detect(sample: sample.span)
    if let format = json.format { return (format, json.reason) }
    switch content.nameExtension {
    case "csv": return (.csv, nil)
    case "tsv", "tab": return (.tsv, nil)
    case "json": return (.json, nil)
    case "ndjson", "jsonl": return (.ndjson, nil)
    default: return (.text, nil)
    }
  }

  /// Refuses what is certainly not text, with what it seems to be.
  private static func refuseForeignContent(_ content: InputContent) throws(ReadError) {
    func starts(with bytes: [UInt8]) -> Bool { content.sample.starts(with: bytes) }
    if starts(with: Array("bplist".utf8)) {
      throw .refused([
        .foreignContent(
          content.path,
          code: .formatError,
          "the file is a binary property list, which is not read",
          remedy: "make XML of it first: plutil -convert xml1 FILE, or plistutil -i FILE -o FILE.plist"
        )
      ])
    }
    let kinds: [([UInt8], String)] = [
      (Array("SQLite format 3".utf8), "an SQLite database"), ([0x50, 0x4B, 3, 4], "a ZIP archive or a spreadsheet"),
      (Array("%PDF".utf8), "a PDF document"), ([0x89, 0x50, 0x4E, 0x47], "a picture"),
      ([0x28, 0xB5, 0x2F, 0xFD], "compressed by zstd"),
      ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "compressed by xz"), (Array("BZh".utf8), "compressed by bzip2"),
      ([0x1F, 0x8B], "compressed by gzip twice"),
    ]
    guard let kind = kinds.first(where: { starts(with: $0.0) }) else { return }
    throw .refused([
      .foreignContent(
        content.path,
        code: .formatError,
        "the file is \(kind.1), not text",
        remedy: kind.1.hasPrefix("compressed")
          ? "decompress it into a pipe: … | importer load -" : "export it as CSV first"
      )
    ])
  }
}

extension InputContent {
  /// The last part of the name after a dot, in lower case, without `.gz`.
  var nameExtension: String {
    var parts = FilePath.lastComponent(of: path).lowercased().split(separator: ".", omittingEmptySubsequences: false)
    if parts.count > 1, parts.last == "gz" { parts.removeLast() }
    return parts.count > 1 ? String(parts[parts.count - 1]) : ""
  }
}

extension ReadingOptions {
  /// Whether the user told something that only delimited text has.
  var tellsDelimiter: Bool { delimiter != nil || quote != nil || escape != nil }

  /// Whether the user told something that only lines with columns have.
  var tellsColumns: Bool { header != nil || columns != nil }

  /// The settings of delimited text.
  var csvSettings: CSVSettings {
    func told(_ mark: Mark?) -> CSVSettings.Told? {
      mark.map { mark in
        switch mark {
        case .none: .none
        case .text(let text): .text(text)
        }
      }
    }
    var settings = CSVSettings()
    settings.delimiter = delimiter
    settings.quote = told(quote)
    settings.escape = told(escape)
    settings.lineEnd = lineEnd
    settings.comment = told(comment)
    settings.header = header
    settings.columns = columns
    settings.skippedLines = skippedLines
    settings.skippedFooterLines = skippedFooterLines
    settings.nullTokens = nullTokens
    settings.badRows = badRows
    return settings
  }
}

extension Diagnostic {
  fileprivate static func foreignContent(
    _ path: String,
    code: DiagnosticCode,
    _ message: String,
    remedy: String
  ) -> Diagnostic {
    Diagnostic(code: code, location: SourceLocation(file: path), message: message, remedy: remedy)
  }
}

extension FileFormat {
  /// Whether its records are objects.
  var isJSON: Bool { self == .json || self == .ndjson }
}
