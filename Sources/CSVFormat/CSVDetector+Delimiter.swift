import Diagnostics
import EntityModel

/// Which delimiter a sample shows.
extension CSVDetector {
  static func detectDelimiter(
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
    for delimiter in [fallback] + delimiters.filter({ $0 != fallback }) + pairs {
      var dialect = detection.dialect
      dialect.delimiter = delimiter
      guard dialect.contradiction == nil, sample.holds(delimiter) else { continue }
      let trial = CSVTrial(sample, in: dialect)
      guard trial.cellCount > 1, trial.consistency >= 0.5 else { continue }
      if pairs.contains(delimiter) {
        guard isPair(delimiter, in: trial, insteadOf: best?.delimiter, best?.trial) else { continue }
        best = (.infinity, delimiter, trial)
        continue
      }
      // More columns speak for a delimiter, the less the more there are.
      let score =
        trial.consistency * (0.25 + 0.75 * cleanliness(of: trial, delimiter)) * (1 - 1 / Double(trial.cellCount + 1))
      if score > best?.score ?? 0 { best = (score, delimiter, trial) }
    }
    guard let best else { return detectRareDelimiter(sample, in: &detection) }
    detection.dialect.delimiter = best.delimiter
    return best.trial
  }

  /// Delimiters of two characters; each is taken instead of its first character alone.
  private static let pairs = [", ", "; ", "||", ";;", "::"]

  /// Whether two characters part the cells: wherever the first of them stands, outside quotes, so does the second.
  private static func isPair(
    _ delimiter: String,
    in trial: CSVTrial,
    insteadOf other: String?,
    _ otherTrial: CSVTrial?
  ) -> Bool {
    guard trial.rows.count > 1, trial.brokenQuotes == 0, let first = delimiter.utf8.first else { return false }
    if let other, let otherTrial {
      guard other.utf8.first == first, trial.consistency >= otherTrial.consistency else { return false }
    } else if trial.consistency < 0.9 {
      return false
    }
    let isProse =
      delimiter == ", " && trial.cellCount == 2 && trial.quotedCellCount == 0
      && trial.rows.joined().allSatisfy { CSVCellKind($0.bytes) == .text }
    return !isProse && !trial.rows.joined().contains { !$0.isQuoted && $0.bytes.contains(first) }
  }

  /// Characters that hardly occur but as delimiters, and the space where quoted cells show that it is one.
  private static func detectRareDelimiter(_ sample: CSVSample, in detection: inout CSVDetection) -> CSVTrial {
    let assumed = CSVTrial(sample, in: detection.dialect)
    for delimiter in ["\u{1F}", "\u{1}", "~", "^", " "] where sample.holds(delimiter) {
      var dialect = detection.dialect
      dialect.delimiter = delimiter
      guard dialect.contradiction == nil else { continue }
      let trial = CSVTrial(sample, in: dialect)
      let isSure =
        delimiter == " "
        ? assumed.quotedCellCount == 0 && trial.quotedCellCount >= max(4, trial.rows.count) && trial.brokenQuotes == 0
        : trial.rows.count > 1 && trial.cellCount > 1 && trial.consistency == 1
      guard isSure else { continue }
      detection.dialect.delimiter = delimiter
      return trial
    }
    return assumed
  }

  /// The delimiter that makes nothing but names of the model of the first line, and most of them.
  static func delimiterOfKnownHeader(
    _ sample: CSVSample,
    knownNames: [String],
    dialect: CSVDialect
  ) -> (delimiter: String, trial: CSVTrial)? {
    let known = Set(knownNames.map { ArraySlice($0.utf8) })
    var best: (dialect: CSVDialect, count: Int)?
    for delimiter in [dialect.delimiter] + delimiters.filter({ $0 != dialect.delimiter }) {
      var candidate = dialect
      candidate.delimiter = delimiter
      guard candidate.contradiction == nil else { continue }
      guard let header = CSVTrial(sample, in: candidate, limit: 1).rows.first, header.count > best?.count ?? 0,
        header.allSatisfy({ known.contains($0.bytes) }), Set(header.map(\.bytes)).count == header.count
      else { continue }
      best = (candidate, header.count)
    }
    return best.map { ($0.dialect.delimiter, CSVTrial(sample, in: $0.dialect)) }
  }

  static func cleanliness(of trial: CSVTrial, _ delimiter: String) -> Double {
    let others = delimiters.filter { $0 != delimiter }.compactMap(\.utf8.first)
    return trial.cleanliness(delimiter: delimiter.utf8.first ?? 0, others: others)
  }

  /// Says how regular the delimiter makes the records, and whether that is enough for delimited text.
  static func judgeDelimiter(_ trial: CSVTrial, knownNames: [String], in detection: inout CSVDetection) {
    let delimiter = detection.dialect.delimiter
    guard trial.cellCount > 1, trial.consistency >= 0.5 else {
      let isOneColumn = trial.rows.allSatisfy { $0.count == 1 }
      detection.reasons.insert(isOneColumn ? "one column" : "delimiter \(name(of: delimiter)) assumed", at: 0)
      return
    }
    let rows = trial.rows.count
    detection.reasons.insert(reason(for: delimiter, trial.matchingRows, of: rows, cellCount: trial.cellCount), at: 0)
    let isClean = cleanliness(of: trial, delimiter) > 0.5
    let known = Set(knownNames.map { ArraySlice($0.utf8) })
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

  /// What speaks for a delimiter: how many of the records have the same number of cells with it.
  static func reason(for delimiter: String, _ matching: Int, of rows: Int, cellCount: Int) -> String {
    "delimiter \(name(of: delimiter)) (\(matching) of \(rows) \(rows == 1 ? "record has" : "records have") \(cellCount) cells)"
  }

  static func name(of delimiter: String) -> String {
    delimiter == "\t" ? "tab" : "'\(excerpt(of: delimiter))'"
  }
}
