import EntityModel

/// Which quote and escape a sample shows.
extension CSVDetector {
  /// Takes `'` for the quote if cells begin and end with it, and none with `"`.
  static func detectQuote(
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
    guard opened >= 2, closed >= 2 else { return }
    var dialect = detection.dialect
    dialect.quote = "'"
    guard dialect.contradiction == nil else { return }
    var quoted = CSVTrial(sample, in: dialect)
    var isSure = opened == closed && quoted.brokenQuotes == 0 && quoted.consistency >= trial.consistency
    if !isSure, told.escape == nil {
      // Apostrophes within the cells are rarely doubled.
      dialect.doublesQuotes = false
      quoted = CSVTrial(sample, in: dialect)
      isSure = quoted.brokenQuotes == 0 && quoted.consistency > trial.consistency && quoted.consistency >= 0.9
      // So lax a reading may take a word's apostrophe for the beginning of a cell that ends lines later.
      isSure = isSure && !quoted.rows.joined().contains { $0.bytes.contains(0x0A) || $0.bytes.contains(0x0D) }
    }
    guard isSure else { return }
    detection.dialect = dialect
    detection.reasons.append("quote \"'\"" + (dialect.doublesQuotes ? "" : ", not doubled within"))
    trial = quoted
  }

  /// Takes quotes between tabs for text if one stands within a cell, and none encloses anything that needs it.
  ///
  /// Who writes tabs often knows no quotes; one who does would have enclosed the cell that holds one.
  static func detectTextQuotes(
    _ sample: CSVSample,
    told: CSVSettings,
    trial: inout CSVTrial,
    in detection: inout CSVDetection
  ) {
    let quote = UInt8(ascii: "\"")
    guard told.quote == nil, told.escape == nil, detection.dialect.quote == "\"", detection.dialect.delimiter == "\t",
      trial.quotedCellCount > 0
    else { return }
    var standsWithin = false
    for cell in trial.rows.joined() {
      if cell.isQuoted {
        guard !cell.bytes.contains(where: { [quote, 0x09, 0x0A, 0x0D].contains($0) }) else { return }
      } else if cell.bytes.contains(quote) {
        standsWithin = true
      }
    }
    guard standsWithin else { return }
    var dialect = detection.dialect
    dialect.quote = nil
    guard dialect.contradiction == nil else { return }
    let plain = CSVTrial(sample, in: dialect)
    guard plain.consistency >= trial.consistency else { return }
    detection.dialect = dialect
    detection.reasons.append("no quotes")
    trial = plain
  }

  /// Takes `\` for the escape, or quotes for not doubled, if that mends quotes which are broken without it.
  static func detectEscape(
    _ sample: CSVSample,
    told: CSVSettings,
    trial: inout CSVTrial,
    in detection: inout CSVDetection
  ) {
    guard told.escape == nil, detection.dialect.quote != nil, trial.brokenQuotes > 0 else { return }
    var dialect = detection.dialect
    dialect.escape = "\\"
    if dialect.contradiction == nil {
      let escaped = CSVTrial(sample, in: dialect)
      if escaped.brokenQuotes < trial.brokenQuotes, escaped.consistency >= trial.consistency {
        detection.dialect = dialect
        detection.reasons.append("escape '\\'")
        trial = escaped
        return
      }
    }
    dialect = detection.dialect
    dialect.doublesQuotes = false
    let plain = CSVTrial(sample, in: dialect)
    // One broken quote is rather a slip than a habit, unless every record is whole with it.
    guard plain.brokenQuotes == 0, plain.consistency >= max(trial.consistency, 0.99),
      plain.rows.count > trial.rows.count
    else { return }
    detection.dialect = dialect
    detection.reasons.append("quotes not doubled")
    trial = plain
  }
}
