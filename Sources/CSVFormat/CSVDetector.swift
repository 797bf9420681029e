import Diagnostics
import EntityModel

/// Finds out in which dialect an input is written, from its first bytes.
package enum CSVDetector {
  static let delimiters = [",", "\t", ";", "|"]

  /// Detects whatever was not told.
  ///
  /// Delimiters are judged by how many of the records have the same number of cells, quotes respected, by that number,
  /// and by whether the cells hold other delimiters. A line that begins with `#` is a comment if it has another number
  /// of cells than the records; in a single column it is a value like any other. The first line is a header if its cells
  /// match known names or stand above a column of numbers, dates or booleans.
  ///
  /// - Parameters:
  ///   - sample: The first bytes of the input, UTF-8; a byte order mark is passed over.
  ///   - isWholeInput: Whether the input ends with the sample. Otherwise its last line is not looked at.
  ///   - told: What the user told, which always holds.
  ///   - knownNames: The attributes of the model; empty without one.
  ///   - defaultDelimiter: What is taken if none shows.
  ///   - assumesHeader: Whether the first line is a header if nothing speaks against it.
  /// - Complexity: O(bytes of the sample), a few times over.
  package static func detect(
    sample: Span<UInt8>,
    isWholeInput: Bool,
    told: CSVSettings,
    knownNames: [String],
    defaultDelimiter: String,
    assumesHeader: Bool
  ) -> CSVDetection {
    let separator = separatorLine(of: sample, told: told)
    let separatorLines = separator == nil ? 0 : 1
    var told = told
    if let separator, told.delimiter == nil { told.delimiter = separator.delimiter }
    var sample = CSVSample(
      sample,
      isWholeInput: isWholeInput,
      skippedLines: told.skippedLines ?? separatorLines,
      skippedFooterLines: told.skippedFooterLines ?? 0
    )
    var dialect = CSVDialect(told, defaultDelimiter: defaultDelimiter)
    dialect.skippedLines = told.skippedLines ?? separatorLines
    var detection = CSVDetection(dialect: dialect, reasons: [], isDelimited: told.delimiter != nil)
    guard dialect.contradiction == nil else {
      detection.dialect.header = told.header ?? (assumesHeader ? .lines(1) : .none)
      return detection
    }
    if let separator { detection.add(separator, isFollowed: separator.delimiter == told.delimiter) }

    let hashLines = told.comment == nil ? self.hashLines(of: sample) : []
    if !hashLines.isEmpty, detection.dialect.contradiction(withComment: "#") == nil { detection.dialect.comment = "#" }
    var trial = detectDelimiter(sample, told: told, knownNames: told.columns ?? knownNames, in: &detection)
    detectQuote(sample, told: told, trial: &trial, in: &detection)
    detectTextQuotes(sample, told: told, trial: &trial, in: &detection)
    if detection.dialect.comment != nil, told.comment == nil {
      detection.dialect.comment = comment(among: hashLines, of: sample, trial: trial, in: detection.dialect)
      if let comment = detection.dialect.comment {
        detection.reasons.append("comment '\(comment)'")
      }
      trial = CSVTrial(sample, in: detection.dialect)
    }
    detectEscape(sample, told: told, trial: &trial, in: &detection)
    let bounds = CSVTableBounds(trial, in: sample)
    if told.skippedLines == nil, told.header != CSVDialect.Header.none, let preamble = bounds.preamble {
      detection.dialect.skippedLines = preamble
      sample = sample.skipping(lines: preamble, footerLines: 0)
      trial = CSVTrial(sample, in: detection.dialect)
    }
    // Lines that fall away are lost: only one who wants repairs asks for that, unless they count the records rightly.
    let footer = told.skippedFooterLines == nil ? CSVTableBounds(trial, in: sample).footer : nil
    if let footer, footer.recordCount != nil || told.badRows == .repair {
      detection.dialect.skippedFooterLines = footer.lineCount
      sample = sample.skipping(lines: 0, footerLines: footer.lineCount)
      trial = CSVTrial(sample, in: detection.dialect)
    }
    if told.delimiter == nil { judgeDelimiter(trial, knownNames: told.columns ?? knownNames, in: &detection) }
    if told.skippedLines == nil, detection.dialect.skippedLines > separatorLines {
      detection.frame.leftOutLines = separatorLines..<detection.dialect.skippedLines
      detection.reasons.append("\(lineCount(detection.dialect.skippedLines)) before the header")
    }
    let widthWithEmptyLastCell = CSVTableBounds(trial, in: sample).widthWithEmptyLastCell
    if let header = told.header {
      detection.dialect.header = header
    } else {
      let width = widthWithEmptyLastCell ?? .max
      let guess = CSVHeaderGuess(
        rows: widthWithEmptyLastCell == nil ? trial.rows : trial.rows.map { Array($0.prefix(width - 1)) },
        modelNames: knownNames,
        toldNames: told.columns,
        assumesHeader: assumesHeader
      )
      let lines = guess.isHeader && !guess.isByName ? CSVTableBounds(trial, in: sample).headerLineCount : 1
      detection.dialect.header = guess.isHeader ? .lines(lines) : .none
      detection.reasons.append(lines > 1 ? "header of \(lines) lines" : guess.reason)
    }
    if let footer, detection.dialect.skippedFooterLines > 0 {
      let headerLines = if case .lines(let count) = detection.dialect.header { count } else { 0 }
      let isCounted = footer.recordCount.map { $0 == trial.rows.count - headerLines } ?? false
      if isCounted || told.badRows == .repair {
        detection.add(footerOf: lineCount(footer.lineCount), isCounted: isCounted)
      } else {
        detection.dialect.skippedFooterLines = 0
      }
    }
    detection.take(widthWithEmptyLastCell: widthWithEmptyLastCell)
    return detection
  }

  private static func lineCount(_ count: Int) -> String { count == 1 ? "1 line" : "\(count) lines" }

  /// The line that tells the delimiter, unless the user told that no line is passed over, or it cannot be a delimiter.
  private static func separatorLine(of sample: Span<UInt8>, told: CSVSettings) -> CSVSeparatorLine? {
    guard told.skippedLines != 0 else { return nil }
    let head = sample.extracting(0..<min(sample.count, 32))
    guard let separator = CSVSeparatorLine(head.indices.map { head[$0] }) else { return nil }
    return CSVDialect(told, defaultDelimiter: separator.delimiter).contradiction == nil ? separator : nil
  }

  // MARK: Comments

  /// The lines that begin with `#`, if there are enough others for them to be comments.
  private static func hashLines(of sample: CSVSample) -> [Range<Int>] {
    guard sample.holds("#") else { return [] }
    let lines = sample.lines.filter { ![0x0A, 0x0D].contains(sample.bytes[$0.lowerBound]) }
    let hashLines = lines.filter { sample.bytes[$0.lowerBound] == 0x23 }
    return 2 * hashLines.count <= lines.count || isPreamble(hashLines, of: lines) ? hashLines : []
  }

  /// Whether the lines are the first ones, with others behind them.
  private static func isPreamble(_ hashLines: [Range<Int>], of lines: [Range<Int>]) -> Bool {
    hashLines.count < lines.count && lines.starts(with: hashLines)
  }

  /// What comments begin with; nil if the lines with `#` are rather records.
  private static func comment(
    among hashLines: [Range<Int>],
    of sample: CSVSample,
    trial: CSVTrial,
    in dialect: CSVDialect
  ) -> String? {
    var plain = dialect
    plain.comment = nil
    let isComment = hashLines.map { line -> Bool in
      let text = sample.bytes[line].prefix { $0 != 0x0A && $0 != 0x0D }
      guard trial.cellCount > 1 else { return false }
      let alone = CSVSample(Array(text).span, isWholeInput: true, skippedLines: 0, skippedFooterLines: 0)
      return CSVTrial(alone, in: plain).cellCount != trial.cellCount
    }
    // More lines that have the table's cells than others speak for records.
    guard isComment.count(where: { $0 }) * 2 > isComment.count else { return nil }
    let comments = zip(hashLines, isComment).filter(\.1).map(\.0)
    let areDoubled = comments.allSatisfy { $0.count > 1 && sample.bytes[$0.lowerBound + 1] == 0x23 }
    return areDoubled && comments.count < hashLines.count ? "##" : "#"
  }
}

extension CSVDialect {
  /// The contradiction that a comment would make.
  fileprivate func contradiction(withComment comment: String) -> String? {
    var dialect = self
    dialect.comment = comment
    return dialect.contradiction
  }
}
