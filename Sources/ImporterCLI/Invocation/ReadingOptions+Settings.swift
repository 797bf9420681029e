import Diagnostics
import EntityModel
import ImporterKit

extension ReadingOptions {
  /// Reads the settings that say how inputs are written.
  init(_ settings: Settings) throws(UsageError) {
    self.init()
    format = try settings.value(.format, parseFormat)
    encoding = settings.text(.encoding)
    layout = settings.text(.layout).flatMap(TextLayout.init)
    widths = try settings.value(.widths, parseWidths)
    delimiter = try settings.value(.delimiter, parseDelimiter)
    quote = try settings.value(.quote, parseMark)
    escape = try settings.value(.escape, parseMark)
    lineEnd = settings.text(.lineTerminator).flatMap(CSVDialect.LineEnd.init)
    comment = try settings.value(.comment, parseMark)
    header = try settings.value(.header, parseHeader)
    columns = try settings.value(.columns, parseNames)
    skippedLines = try settings.value(.skipLines, parseCount)
    skippedFooterLines = try settings.value(.skipFooter, parseCount)
    for option in try settings.values(.null, { text throws(ValueFault) in text }) where !nullTokens.contains(option) {
      nullTokens.append(option)
    }
    badRows = settings.text(.badRows).flatMap(CSVDialect.BadRows.init) ?? badRows
    listSeparator = settings.text(.listSeparator)
    recordPath = settings.text(.recordPath)
    maximumRecordByteCount = try settings.value(.maximumRecordSize, parseByteCount)
    maximumFieldByteCount = try settings.value(.maximumFieldSize, parseByteCount)
    maximumColumnCount = try settings.value(.maximumColumns, parseColumnCount)
    try refuseIdleOptions(settings)
    try refuseClashingMarks(settings)
  }

  /// A told setting never does nothing: one that the told format or layout has no use for is an error.
  private func refuseIdleOptions(_ settings: Settings) throws(UsageError) {
    let layout = layout ?? (widths == nil ? nil : .fixed)
    let idle = IdleOptions.names(format, layout)
    for name in OptionName.allCases where idle.contains(name.rawValue) {
      guard let option = settings.option(name) else { continue }
      // That there is no header is true of every format that has none.
      if name == .header, header == CSVDialect.Header.none { continue }
      let what = format == nil || format == .text ? layout.map { "the layout \($0.rawValue)" } : nil
      throw option.error(
        "option '\(option.spelling)' has no meaning for \(what ?? "the format \(format?.rawValue ?? "")")",
        remedy: "leave it out",
        command: settings.command.name
      )
    }
  }

  /// One text cannot part cells and also quote them or begin a comment.
  private func refuseClashingMarks(_ settings: Settings) throws(UsageError) {
    var users: [String: OptionName] = [:]
    // A quote may be its own escape.
    let marks: [(OptionName, Mark?)] = [
      (.delimiter, delimiter.map(Mark.text)), (.quote, quote), (.comment, comment), (.escape, escape),
    ]
    for (name, mark) in marks {
      guard case .text(let text)? = mark, let option = settings.option(name) else { continue }
      if let other = users[text], !(name == .escape && other == .quote) {
        throw option.error(
          "'--\(other.rawValue)' and '--\(name.rawValue)' are both '\(excerpt(of: text))'",
          remedy: "give each a text of its own",
          command: settings.command.name
        )
      }
      users[text] = users[text] ?? name
    }
  }
}
