import EntityModel

extension ReadingOptions {
  /// The settings that hold because somebody told them, in the order of the options' help.
  ///
  /// - Parameter user: What the user told; the rest of the settings is a data package's.
  func toldSettings(byUser user: ReadingOptions) -> [InspectedInput.Told] {
    var told: [InspectedInput.Told] = []
    func add(_ name: String, _ value: String?, _ own: String?) {
      guard let value else { return }
      told.append(.init(name: name, value: value, origin: own == nil ? "datapackage.json" : "option"))
    }
    add("format", format?.rawValue, user.format?.rawValue)
    add("encoding", encoding, user.encoding)
    add("layout", layout?.rawValue, user.layout?.rawValue)
    add("widths", widths?.map(\.description).joined(separator: ","), user.widths?.description)
    add("delimiter", delimiter, user.delimiter)
    add("quote", quote?.spelling, user.quote?.spelling)
    add("escape", escape?.spelling, user.escape?.spelling)
    add("line-terminator", lineEnd?.rawValue, user.lineEnd?.rawValue)
    add("comment", comment?.spelling, user.comment?.spelling)
    add("header", header?.spelling, user.header?.spelling)
    add("columns", columns?.joined(separator: ","), user.columns?.joined(separator: ","))
    add("skip-lines", skippedLines.map(String.init), user.skippedLines.map(String.init))
    add("skip-footer", skippedFooterLines.map(String.init), user.skippedFooterLines.map(String.init))
    for token in nullTokens { add("null", token, user.nullTokens.contains(token) ? token : nil) }
    add("list-separator", listSeparator, user.listSeparator)
    add("record-path", recordPath, user.recordPath)
    return told
  }
}

extension ReadingOptions.Mark {
  fileprivate var spelling: String {
    switch self {
    case .none: "none"
    case .text(let text): text
    }
  }
}

extension CSVDialect.Header {
  /// As `--header` takes it.
  var spelling: String {
    switch self {
    case .none: "none"
    case .lines(let count): String(count)
    }
  }
}
