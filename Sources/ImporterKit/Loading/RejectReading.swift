import CSVFormat
import Diagnostics
import EntityModel
import Records
import Reporting

/// Finds out whether a file of rejects is read by itself as its records were read in their input.
///
/// A few records can look otherwise than the many that they come from: less speaks for a delimiter, or a header.
struct RejectReading {
  private let input: InputPlan
  /// What is told of the reading of all inputs.
  private let told: ReadingOptions

  init(_ input: InputPlan, told: ReadingOptions) {
    self.input = input
    self.told = told
  }

  /// The options that `load` needs for the file, each ready for a shell; none where the file tells it all.
  ///
  /// Nothing is known then of any model or table.
  func options(for path: String) -> [String] {
    guard case .delimited(let dialect) = input.format.spelling else { return [] }
    var options: [String] = []
    var settings = ReadingOptions()
    guard var content = try? InputContent(path: path) else { return [] }
    if content.encoding.name != input.content.encoding.name, let name = told.encoding,
      let encoding = try? InputEncoding.told(name)
    {
      options += ["--encoding", quotedForShell(name)]
      guard let again = try? InputContent(path: path, encoding: .init(encoding: encoding, isByUser: true)) else {
        return options
      }
      content = again
    }
    guard var found = reading(of: content, settings) else { return options }
    if found.format != input.format.format {
      let format = input.format.format == .text ? FileFormat.csv : input.format.format
      settings.format = format
      options += ["--format", format.rawValue]
      guard let again = reading(of: content, settings) else { return options }
      found = again
    } else if found.dialect == nil {
      settings.layout = .delimited
      options += ["--layout", TextLayout.delimited.rawValue]
      guard let again = reading(of: content, settings) else { return options }
      found = again
    }
    guard let other = found.dialect else { return options }
    return options + difference(of: expected(dialect), from: other)
  }

  private func reading(of content: InputContent, _ settings: ReadingOptions) -> (
    format: FileFormat, dialect: CSVDialect?
  )? {
    var precedent: InputFormat.Precedent?
    guard let kind = try? InputFormat.kind(of: content, options: settings),
      let format = try? InputFormat(
        kind,
        of: content,
        options: settings,
        knownNames: [],
        entity: nil,
        precedent: &precedent
      )
    else { return nil }
    if case .delimited(let dialect) = format.spelling { return (format.format, dialect) }
    return (format.format, nil)
  }

  /// The dialect of the rejects: that of the input, without the lines that they leave out.
  private func expected(_ dialect: CSVDialect) -> CSVDialect {
    var dialect = dialect
    dialect.skippedLines -= input.format.rejectFrame.leftOutLines.count
    if !input.format.rejectFrame.keepsFooter { dialect.skippedFooterLines = 0 }
    dialect.columns = told.columns
    return dialect
  }

  private func difference(of dialect: CSVDialect, from other: CSVDialect) -> [String] {
    var options: [String] = []
    func add(_ name: String, _ value: String, if isNeeded: Bool) {
      if isNeeded { options += ["--" + name, quotedForShell(value)] }
    }
    add("delimiter", dialect.delimiter == "\t" ? "tab" : dialect.delimiter, if: dialect.delimiter != other.delimiter)
    add("quote", dialect.quote ?? "none", if: dialect.quote != other.quote)
    add(
      "escape",
      dialect.doublesQuotes ? dialect.escape ?? dialect.quote ?? "none" : "none",
      if: dialect.escape != other.escape || dialect.doublesQuotes != other.doublesQuotes
    )
    add("comment", dialect.comment ?? "none", if: dialect.comment != other.comment)
    add("line-terminator", dialect.lineEnd.rawValue, if: dialect.lineEnd != other.lineEnd)
    add("skip-lines", "\(dialect.skippedLines)", if: dialect.skippedLines != other.skippedLines)
    let footer = dialect.skippedFooterLines
    add("skip-footer", "\(footer)", if: footer != other.skippedFooterLines)
    if dialect.header != other.header {
      if case .lines(let count) = dialect.header { add("header", "\(count)", if: true) }
      if dialect.header == .none { add("header", "none", if: true) }
    }
    if let columns = dialect.columns, columns != other.columns {
      let isPlain = !columns.contains { $0.isEmpty || $0.contains { ",[]\" ".contains($0) } }
      add("columns", columns.joined(separator: ","), if: isPlain)
      if !isPlain { options.append("--columns …") }
    }
    return options
  }
}

/// A word of a command line, in quotes where a shell would take it apart; control characters are shown, not sent.
func quotedForShell(_ word: String) -> String {
  let isPlain =
    !word.isEmpty
    && word.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2C, 0x2F, 0x3A, 0x3D, 0x5F: true
      default: byte > 0x7F
      }
    }
  return isPlain
    ? excerpt(of: word)
    : "'" + excerpt(of: word).split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
}
