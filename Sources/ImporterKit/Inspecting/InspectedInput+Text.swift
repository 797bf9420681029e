import Diagnostics
import EntityModel

extension InspectedInput {
  /// The most columns of an entity that are shown in detail without being asked for.
  public static let mostDetailedColumns = 60

  /// What was found, for people: at most 100 columns wide, everything from the file escaped, whatever the terminal.
  ///
  /// - Parameter isDetailed: Whether every column is shown in detail, however many there are.
  /// - Returns: Lines with their line ends.
  public func text(isDetailed: Bool = false) -> String {
    var lines = [path == "-" ? "<stdin>" : excerpt(of: path, limit: 4_096)]
    for (label, text) in facts {
      for (position, line) in text.wrapped(to: InspectionLayout.width - 11).enumerated() {
        lines.append("  " + (position == 0 ? label : "").filled(to: 9) + line)
      }
    }
    for entity in entities where !entity.columns.isEmpty || entity.recordCount > 0 {
      lines.append("")
      lines += EntityText(entity, isDetailed: isDetailed || entity.columns.count <= Self.mostDetailedColumns).lines
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var facts: [(String, String)] {
    var facts: [(String, String)] = []
    guard format != nil else { return failureFacts }
    facts.append(("file", fileFacts))
    facts.append(("format", excerpt(of: formatName + ": " + formatReason, limit: 1_000)))
    if let dialect { facts.append(("dialect", dialectFacts(dialect))) }
    if !evidence.isEmpty { facts.append(("because", excerpt(of: evidence.joined(separator: "; "), limit: 2_000))) }
    let told = self.told.filter { $0.name != "format" && $0.name != "layout" }
    if !told.isEmpty {
      let list = told.map {
        "\($0.name) '\(excerpt(of: $0.value, limit: 60))'" + ($0.origin == "option" ? "" : " (\($0.origin))")
      }
      facts.append(("told", list.joined(separator: ", ")))
    }
    facts.append(("records", recordFacts))
    return facts + failureFacts
  }

  private var failureFacts: [(String, String)] {
    guard let failure else { return [] }
    let state = recordCount > 0 ? "read to this place only: " : ""
    return [("error", state + excerpt(of: failure.message, limit: 1_000))]
  }

  private var fileFacts: String {
    var parts: [String] = []
    if let byteCount {
      parts.append(byteCount == 1 ? "1 byte" : "\(grouped(byteCount)) bytes")
    } else {
      parts.append("a pipe")
    }
    if isCompressed { parts.append("compressed by gzip") }
    parts.append(
      encoding + (hasByteOrderMark && encodingReason == nil ? " with a byte order mark" : "")
        + (encodingReason.map { " (\(excerpt(of: $0)))" } ?? "")
    )
    if let ends = lineEnds, let text = text(for: ends) { parts.append(text) }
    return parts.joined(separator: ", ")
  }

  private func text(for ends: LineEnds) -> String? {
    let kinds = [("LF", ends.lf), ("CR LF", ends.crlf), ("CR", ends.cr)].filter { $0.1 > 0 }
    guard let first = kinds.first else { return nil }
    if kinds.count == 1 { return "lines end with \(first.0)" }
    let list = kinds.sorted { $0.1 > $1.1 }.map { "\($0.0) (\(grouped($0.1)))" }
    return "mixed line ends: " + list.joined(separator: ", ")
  }

  private func dialectFacts(_ dialect: CSVDialect) -> String {
    func shown(_ mark: String) -> String { mark == "\t" ? "tab" : "'\(excerpt(of: mark))'" }
    var parts = ["delimiter " + shown(dialect.delimiter)]
    parts.append(dialect.quote.map { "quote " + shown($0) } ?? "no quotes")
    if let escape = dialect.escape { parts.append("escape " + shown(escape)) }
    if !dialect.doublesQuotes { parts.append("quotes are not doubled") }
    if let comment = dialect.comment { parts.append("comments begin with " + shown(comment)) }
    switch dialect.header {
    case .none: parts.append("no header")
    case .lines(1): parts.append("1 header line")
    case .lines(let count): parts.append("\(count) header lines")
    }
    if dialect.skippedLines > 0 { parts.append("\(dialect.skippedLines) skipped before it") }
    if dialect.skippedFooterLines > 0 { parts.append("\(dialect.skippedFooterLines) skipped at the end") }
    return parts.joined(separator: ", ")
  }

  private var recordFacts: String {
    var text = grouped(recordCount)
    if entities.count > 1 { text += " of \(entities.count) kinds" }
    guard faultyCount > 0 || !faultCounts.isEmpty else { return text + (recordCount == 0 ? "" : ", none faulty") }
    let codes = faultCounts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
      .map { "\(grouped($0.value)) \($0.key.rawValue)" }
    let faulty =
      faultyCount == 1
      ? "1 is faulty, and load would reject it" : "\(grouped(faultyCount)) are faulty, and load would reject them"
    return text + (faultyCount > 0 ? ", of which " + faulty : "") + ": " + codes.joined(separator: ", ")
  }
}

/// Widths that all inspections share, so that they look alike.
enum InspectionLayout {
  static let width = 100
  static let longestName = 28
  static let longestEnd = 22
}
