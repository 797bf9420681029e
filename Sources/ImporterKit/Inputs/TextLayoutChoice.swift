import CSVFormat
import Diagnostics
import EntityModel
import Records
import TextFormat

/// The layout of plain text, as far as it is known before the model is.
struct TextLayoutChoice {
  /// Nil where it is delimited, fixed or lines.
  var layout: TextLayout?
  /// Why it was taken for this, if it was not told.
  var reason: String?
  /// How an outline is read.
  var outline: OutlineLayout?

  /// Finds out: what was told wins, then what the content shows for certain.
  init(_ content: InputContent, options: ReadingOptions) {
    layout = options.layout ?? (options.widths != nil ? .fixed : options.tellsDelimiter ? .delimited : nil)
    guard layout == .outline || layout == nil && !options.tellsColumns else { return }
    let sample = content.sample
    var comment: String?
    if case .text(let text)? = options.comment { comment = text }
    var finding = OutlineDetector.detect(
      sample: sample.span,
      isWholeInput: content.isWholeInSample,
      comment: comment,
      skippedLineCount: options.skippedLines ?? 0,
      delimiter: options.delimiter
    )
    if finding.isCertain || layout == .outline {
      finding.layout.comment = comment
      finding.layout.skippedLineCount = options.skippedLines ?? 0
      reason = finding.isCertain || layout == nil ? finding.reason : nil
      layout = .outline
      outline = finding.layout
      return
    }
    let records = TextRecordsDetector.detect(sample: sample.span, isWholeInput: content.isWholeInSample)
    guard records.isRecords else { return }
    layout = .records
    reason = records.reason
  }
}

extension InputFormat {
  /// Takes an input for fixed-width text or for lines, if it is told or certain to be.
  ///
  /// - Returns: false where it is delimited text.
  /// - Throws: `ReadError.refused` when it is told to be fixed-width text, and its columns are nowhere to be found.
  mutating func takeAsLines(
    _ layout: TextLayout?,
    _ content: InputContent,
    _ options: ReadingOptions,
    knownNames: [String],
    entity: Entity?
  ) throws(ReadError) -> Bool {
    guard layout == .fixed || layout == .lines || layout == nil else { return false }
    guard layout != .lines else {
      takeAsValues(options, entity: entity, isTold: true)
      return true
    }
    let detection = detectFixedWidth(content, options, knownNames: knownNames, entity: entity)
    guard layout == .fixed || detection.isCertain else {
      guard layout == nil, isNothingButLines(content, options, knownNames: knownNames) else { return false }
      takeAsValues(options, entity: entity, isTold: false)
      return true
    }
    guard let columns = detection.layout else { throw .refused([.noColumns(content.path, because: detection.reason)]) }
    if let names = options.columns, names.count != columns.columns.count {
      throw .refused([.differentCount(content.path, told: names.count, columns: columns.columns.count)])
    }
    spelling = .fixed(columns)
    reason = options.widths == nil ? detection.reason : nil
    traits = ["widths " + columns.widths] + (detection.headerReason.map { [$0] } ?? [])
    if columns.isCutShort, columns.columns.count > 1 { traits.append("NULL where a line ends early") }
    return true
  }

  private func detectFixedWidth(
    _ content: InputContent,
    _ options: ReadingOptions,
    knownNames: [String],
    entity: Entity?
  ) -> FixedWidthDetection {
    let sample = content.sample
    let told = options.widths ?? (options.layout == .fixed ? entity?.widths : nil)
    var settings = FixedWidthLayout(columns: told ?? [])
    settings.names = options.columns
    settings.take(options)
    var detection = FixedWidthDetector.detect(
      sample: sample.span,
      isWholeInput: content.isWholeInSample,
      settings: settings,
      toldHeader: options.headerLineCount,
      knownNames: options.columns ?? knownNames
    )
    if told != nil, options.widths == nil { detection.reason = "widths from the lengths in the model" }
    return detection
  }

  /// Whether delimited text would have one column, without a header or quotes.
  private func isNothingButLines(_ content: InputContent, _ options: ReadingOptions, knownNames: [String]) -> Bool {
    guard (options.columns?.count ?? 1) == 1, knownNames.count < 2, options.header.map({ $0 == .none }) ?? true else {
      return false
    }
    let sample = content.sample
    let cells = CSVDetector.detect(
      sample: sample.span,
      isWholeInput: content.isWholeInSample,
      told: options.csvSettings,
      knownNames: knownNames,
      defaultDelimiter: ",",
      assumesHeader: false
    )
    let isQuoted = sample.first == UInt8(ascii: "\"") || content.hasQuotedLine
    guard !content.hasRegularDelimiter else { return false }
    return !cells.isDelimited && cells.dialect.header == .none && !isQuoted
  }

  private mutating func takeAsValues(_ options: ReadingOptions, entity: Entity?, isTold: Bool) {
    let only = entity.flatMap { $0.attributes.count == 1 ? $0.attributes[0].name : nil }
    var lines = FixedWidthLayout.lines(
      named: options.columns?.first ?? ((options.headerLineCount ?? 0) == 0 ? only : nil)
    )
    lines.take(options)
    lines.headerLineCount = options.headerLineCount ?? 0
    spelling = .lines(lines)
    reason = isTold ? nil : "no delimiter, no columns, no keys"
  }
}

extension InputContent {
  /// Whether one delimiter stands equally often on every line, of which there are several.
  fileprivate var hasRegularDelimiter: Bool {
    let lines = sample.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).dropLast(isWholeInSample ? 0 : 1)
    guard lines.count > 1 else { return false }
    return [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "|"), 0x09].contains { mark in
      let counts = Set(lines.map { line in line.count { $0 == mark } })
      return counts.count == 1 && !counts.contains(0)
    }
  }

  /// Whether a line of the sample begins with a quote.
  fileprivate var hasQuotedLine: Bool {
    zip(sample, sample.dropFirst()).contains { $0 == 0x0A && $1 == UInt8(ascii: "\"") }
  }
}

extension FixedWidthLayout {
  fileprivate mutating func take(_ options: ReadingOptions) {
    skippedLineCount = options.skippedLines ?? 0
    if case .text(let text)? = options.comment { comment = text }
    isRepairing = options.badRows == .repair
  }
}

extension ReadingOptions {
  fileprivate var headerLineCount: Int? {
    header.map { header in
      switch header {
      case .none: 0
      case .lines(let count): count
      }
    }
  }
}

extension Entity {
  /// The columns that attributes of known length make, one after another; nil where one has none.
  fileprivate var widths: [CharacterRange]? {
    var ranges: [CharacterRange] = []
    for (index, attribute) in attributes.enumerated() {
      let first = (ranges.last?.last ?? 0) + 1
      guard let length = attribute.maximumLength, length > 0 else {
        guard index == attributes.count - 1, index > 0 else { return nil }
        return ranges + [CharacterRange(first: first, last: nil)]
      }
      ranges.append(CharacterRange(first: first, last: first + length - 1))
    }
    return ranges.isEmpty ? nil : ranges
  }
}

extension Diagnostic {
  /// Fixed-width text was told, but not where its columns are, and they do not show.
  fileprivate static func noColumns(_ path: String, because reason: String) -> Diagnostic {
    Diagnostic(
      code: .formatError,
      location: SourceLocation(file: path),
      expected: "columns aligned by spaces, or widths",
      message: "the columns of the fixed-width text cannot be found: \(reason)",
      remedy: "tell where they are, such as --widths 1-10,11-30,31-"
    )
  }

  /// Names were told for another number of columns.
  fileprivate static func differentCount(_ path: String, told: Int, columns: Int) -> Diagnostic {
    Diagnostic(
      code: .missingLabel,
      location: SourceLocation(file: path),
      expected: "\(columns) names",
      message: "--columns has \(told) names, but there are \(columns) columns",
      remedy: "name each column once, in the order of --widths"
    )
  }
}
