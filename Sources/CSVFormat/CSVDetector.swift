import Diagnostics
import EntityModel

/// Finds out in which dialect an input is written, from its first bytes.
package enum CSVDetector {
  private static let delimiters = [",", "\t", ";", "|"]

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
    let sample = CSVSample(
      sample,
      isWholeInput: isWholeInput,
      skippedLines: told.skippedLines ?? 0,
      skippedFooterLines: told.skippedFooterLines ?? 0
    )
    var dialect = CSVDialect(delimiter: told.delimiter ?? defaultDelimiter)
    if let quote = told.quote { dialect.quote = quote.text }
    if let escape = told.escape {
      dialect.escape = escape.text
      dialect.doublesQuotes = escape != .none
    }
    dialect.lineEnd = told.lineEnd ?? .any
    if let comment = told.comment { dialect.comment = comment.text }
    dialect.columns = told.columns
    dialect.skippedLines = told.skippedLines ?? 0
    dialect.skippedFooterLines = told.skippedFooterLines ?? 0
    dialect.nullTokens = told.nullTokens
    dialect.badRows = told.badRows
    var detection = CSVDetection(dialect: dialect, reasons: [], isDelimited: told.delimiter != nil)
    guard dialect.contradiction == nil else {
      detection.dialect.header = told.header ?? (assumesHeader ? .lines(1) : .none)
      return detection
    }

    let hashLines = told.comment == nil ? self.hashLines(of: sample) : []
    if !hashLines.isEmpty, detection.dialect.contradiction(withComment: "#") == nil { detection.dialect.comment = "#" }
    var trial = detectDelimiter(sample, told: told, knownNames: told.columns ?? knownNames, in: &detection)
    detectQuote(sample, told: told, trial: &trial, in: &detection)
    if detection.dialect.comment != nil, told.comment == nil {
      detection.dialect.comment = comment(among: hashLines, of: sample, trial: trial, in: detection.dialect)
      if let comment = detection.dialect.comment {
        detection.reasons.append("comment '\(comment)'")
      }
      trial = CSVTrial(sample, in: detection.dialect)
    }
    detectEscape(sample, told: told, trial: &trial, in: &detection)
    if told.delimiter == nil { judgeDelimiter(trial, knownNames: told.columns ?? knownNames, in: &detection) }

    if let header = told.header {
      detection.dialect.header = header
    } else {
      let guess = CSVHeaderGuess(
        rows: trial.rows,
        modelNames: knownNames,
        toldNames: told.columns,
        assumesHeader: assumesHeader
      )
      detection.dialect.header = guess.isHeader ? .lines(1) : .none
      detection.reasons.append(guess.reason)
    }
    return detection
  }

  // MARK: Delimiter

  private static func detectDelimiter(
    _ sample: CSVSample,
    told: CSVSettings,
    knownNames: [String],
    in detection: inout CSVDetection
  ) -> CSVTrial {
    guard told.delimiter == nil else { return CSVTrial(sample, in: detection.dialect) }
    if let named = delimiterOfKnownHeader(sample, knownNames: knownNames, dialect: detection.dialect) {
      detection.dialect.delimiter = named.delimiter
      return named.trial
    }
    var best: (score: Double, delimiter: String, trial: CSVTrial)?
    let fallback = detection.dialect.delimiter
    for delimiter in [fallback] + delimiters.filter({ $0 != fallback }) {
      var dialect = detection.dialect
      dialect.delimiter = delimiter
      guard dialect.contradiction == nil else { continue }
      let trial = CSVTrial(sample, in: dialect)
      guard trial.cellCount > 1, trial.consistency >= 0.5 else { continue }
      // More columns speak for a delimiter, the less the more there are.
      let score =
        trial.consistency * (0.25 + 0.75 * cleanliness(of: trial, delimiter)) * (1 - 1 / Double(trial.cellCount + 1))
      if score > best?.score ?? 0 { best = (score, delimiter, trial) }
    }
    guard let best else { return CSVTrial(sample, in: detection.dialect) }
    detection.dialect.delimiter = best.delimiter
    return best.trial
  }

  /// The delimiter that makes nothing but names of the model of the first line, and most of them.
  private static func delimiterOfKnownHeader(
    _ sample: CSVSample,
    knownNames: [String],
    dialect: CSVDialect
  ) -> (delimiter: String, trial: CSVTrial)? {
    let known = Set(knownNames.map { Array($0.utf8) })
    var best: (delimiter: String, trial: CSVTrial, count: Int)?
    for delimiter in [dialect.delimiter] + delimiters.filter({ $0 != dialect.delimiter }) {
      var candidate = dialect
      candidate.delimiter = delimiter
      guard candidate.contradiction == nil else { continue }
      let trial = CSVTrial(sample, in: candidate)
      guard let header = trial.rows.first, header.count > best?.count ?? 0,
        header.allSatisfy({ known.contains($0.bytes) }), Set(header.map(\.bytes)).count == header.count
      else { continue }
      best = (delimiter, trial, header.count)
    }
    return best.map { ($0.delimiter, $0.trial) }
  }

  private static func cleanliness(of trial: CSVTrial, _ delimiter: String) -> Double {
    let others = delimiters.filter { $0 != delimiter }.compactMap(\.utf8.first)
    return trial.cleanliness(delimiter: delimiter.utf8.first ?? 0, others: others)
  }

  /// Says how regular the delimiter makes the records, and whether that is enough for delimited text.
  private static func judgeDelimiter(_ trial: CSVTrial, knownNames: [String], in detection: inout CSVDetection) {
    let delimiter = detection.dialect.delimiter
    guard trial.cellCount > 1, trial.consistency >= 0.5 else {
      let isOneColumn = trial.rows.allSatisfy { $0.count == 1 }
      detection.reasons.insert(isOneColumn ? "one column" : "delimiter \(name(of: delimiter)) assumed", at: 0)
      return
    }
    let rows = trial.rows.count
    let counts =
      "\(trial.matchingRows) of \(rows) \(rows == 1 ? "record has" : "records have") \(trial.cellCount) cells"
    detection.reasons.insert("delimiter \(name(of: delimiter)) (\(counts))", at: 0)
    let isClean = cleanliness(of: trial, delimiter) > 0.5
    let known = Set(knownNames.map { Array($0.utf8) })
    if let header = trial.rows.first, header.allSatisfy({ known.contains($0.bytes) }) {
      detection.isDelimited = true
      return
    }
    if rows == 1 {
      let labels = Set(trial.rows[0].map { CSVHeader.folded($0.bytes) })
      let isKnown = knownNames.contains { labels.contains(CSVHeader.folded($0.utf8)) }
      detection.isDelimited = isKnown || delimiter != "," || (trial.cellCount > 2 && isClean)
    } else {
      detection.isDelimited = trial.consistency >= 0.75 && isClean
    }
  }

  private static func name(of delimiter: String) -> String {
    delimiter == "\t" ? "tab" : "'\(excerpt(of: delimiter))'"
  }

  // MARK: Quote and escape

  /// Takes `'` for the quote if cells begin and end with it, and none with `"`.
  private static func detectQuote(
    _ sample: CSVSample,
    told: CSVSettings,
    trial: inout CSVTrial,
    in detection: inout CSVDetection
  ) {
    guard told.quote == nil else { return }
    var opened = 0
    var closed = 0
    for cell in trial.rows.joined() {
      if cell.isQuoted { return }
      if cell.bytes.count > 1, cell.bytes.first == 0x27 { opened += 1 }
      if cell.bytes.count > 1, cell.bytes.last == 0x27 { closed += 1 }
    }
    guard opened >= 2, opened == closed else { return }
    var dialect = detection.dialect
    dialect.quote = "'"
    guard dialect.contradiction == nil else { return }
    let quoted = CSVTrial(sample, in: dialect)
    guard quoted.brokenQuotes == 0, quoted.consistency >= trial.consistency else { return }
    detection.dialect.quote = "'"
    detection.reasons.append("quote \"'\"")
    trial = quoted
  }

  /// Takes `\` for the escape if that mends quotes which are broken without it.
  private static func detectEscape(
    _ sample: CSVSample,
    told: CSVSettings,
    trial: inout CSVTrial,
    in detection: inout CSVDetection
  ) {
    guard told.escape == nil, detection.dialect.quote != nil, trial.brokenQuotes > 0 else { return }
    var dialect = detection.dialect
    dialect.escape = "\\"
    guard dialect.contradiction == nil else { return }
    let escaped = CSVTrial(sample, in: dialect)
    guard escaped.brokenQuotes < trial.brokenQuotes, escaped.consistency >= trial.consistency else { return }
    detection.dialect = dialect
    detection.reasons.append("escape '\\'")
    trial = escaped
  }

  // MARK: Comments

  /// The lines that begin with `#`, if there are enough others for them to be comments.
  private static func hashLines(of sample: CSVSample) -> [Range<Int>] {
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
    guard isComment.contains(true) else { return nil }
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
