import Diagnostics
import EntityModel

/// Reads the `dialect` of a resource.
struct DialectReader {
  /// What is told but cannot be honoured.
  private(set) var remarks: [ModelError] = []

  mutating func dialect(from node: DescriptorNode) throws(ModelError) -> DataPackageDialect {
    try node.requireObject()
    var dialect = DataPackageDialect()
    dialect.delimiter = try node["delimiter"]?.nonEmptyString()
    dialect.escape = try node["escapeChar"]?.nonEmptyString()
    dialect.comment = try node["commentChar"]?.nonEmptyString()
    dialect.nullSequence = try node["nullSequence"]?.string()
    dialect.doublesQuotes = try node["doubleQuote"]?.boolean()
    dialect.skipsInitialSpace = try node["skipInitialSpace"]?.boolean()
    if let quote = try node["quoteChar"]?.string() {
      if quote.isEmpty { dialect.hasNoQuote = true } else { dialect.quote = quote }
    } else if node.hasNull("quoteChar") {
      dialect.hasNoQuote = true
    }
    try readRows(of: node, into: &dialect)
    remark(on: dialect, node)
    try checkLineTerminator(node)
    try remarkOnSilentProperties(node)
    return dialect
  }

  /// Records end with any of the three line ends, so telling one of them tells nothing new; others are not read.
  private func checkLineTerminator(_ node: DescriptorNode) throws(ModelError) {
    guard let terminator = node["lineTerminator"] else { return }
    let text = try terminator.string()
    guard !["\n", "\r\n", "\r"].contains(where: { $0.utf8.elementsEqual(text.utf8) }) else { return }
    throw terminator.error(
      "records end with LF, CRLF or CR, not with '\(excerpt(of: text))'",
      remedy: "write the file with line ends, and remove 'lineTerminator'"
    )
  }

  /// Says of every other property that it has no effect.
  private mutating func remarkOnSilentProperties(_ node: DescriptorNode) throws(ModelError) {
    if let place = node["caseSensitiveHeader"], try place.boolean() {
      remarks.append(
        place.error(
          "'caseSensitiveHeader' is not honoured: letter case alone keeps no column from its field",
          remedy: "spell the header as the schema does"
        )
      )
    }
    if let place = node["csvddfVersion"] {
      let version = try place.spelling()
      if !["1", "1.0", "1.1", "1.2"].contains(version) {
        remarks.append(
          place.error("the version '\(excerpt(of: version))' of CSV dialects is not known; it is read as 1.2")
        )
      }
    }
    for name in node.propertyNames where !Self.knownProperties.contains(name) {
      guard let place = node[name] else { continue }
      let what = Self.propertiesOfOthers.contains(name) ? "is of other formats than text" : "is not known"
      remarks.append(place.error("'\(excerpt(of: name, limit: 60))' of a dialect \(what); it has no effect"))
    }
  }

  /// What is read, and what only describes.
  private static let knownProperties: Set<String> = [
    "delimiter", "lineTerminator", "quoteChar", "doubleQuote", "escapeChar", "nullSequence", "skipInitialSpace",
    "header", "headerRows", "headerJoin", "commentChar", "commentRows", "caseSensitiveHeader", "csvddfVersion",
    "$schema", "name", "title", "description",
  ]

  /// What version 2 has for JSON, spreadsheets and databases.
  private static let propertiesOfOthers: Set<String> = [
    "property", "itemType", "itemKeys", "sheetNumber", "sheetName", "table",
  ]

  /// Reads where the header and the lines that are no records stand: `header`, `headerRows`, `commentRows`.
  private func readRows(of node: DescriptorNode, into dialect: inout DataPackageDialect) throws(ModelError) {
    let hasHeader = try node["header"]?.boolean()
    let headerRows = try rows(node["headerRows"])
    let commentRows = try rows(node["commentRows"])
    guard hasHeader != false else {
      dialect.header = CSVDialect.Header.none
      try skip(commentRows, before: (commentRows.max() ?? 0) + 1, node, &dialect)
      return
    }
    guard let first = headerRows.first, let last = headerRows.last else {
      if hasHeader == true { dialect.header = .lines(1) }
      // A header that is not placed is the first line that is no comment.
      try skip(commentRows, before: (commentRows.max() ?? 0) + 1, node, &dialect)
      return
    }
    guard headerRows == Array(first...last) else {
      throw node.error(
        "the rows of a header must follow one another, found \(headerRows)",
        remedy: "put the header's rows together, or keep one of them"
      )
    }
    if let join = try node["headerJoin"]?.string(), join != " ", headerRows.count > 1 {
      throw node.error(
        "header rows are joined by a space, not by '\(excerpt(of: join))'",
        remedy: "remove 'headerJoin'"
      )
    }
    dialect.header = .lines(headerRows.count)
    if first > 1 { dialect.skippedLines = first - 1 }
    guard commentRows.allSatisfy({ $0 < first }) else {
      throw node.error(
        "'commentRows' after the header cannot be passed over",
        remedy: "mark such rows with a character and give it as 'commentChar'"
      )
    }
  }

  private func skip(
    _ rows: [Int],
    before first: Int,
    _ node: DescriptorNode,
    _ dialect: inout DataPackageDialect
  ) throws(ModelError) {
    guard !rows.isEmpty else { return }
    guard rows == Array(1..<first) else {
      throw node.error(
        "'commentRows' can be passed over only at the start of the file, found \(rows)",
        remedy: "mark such rows with a character and give it as 'commentChar'"
      )
    }
    dialect.skippedLines = rows.count
  }

  /// Row numbers, from 1, in ascending order.
  private func rows(_ node: DescriptorNode?) throws(ModelError) -> [Int] {
    guard let node else { return [] }
    var rows: Set<Int> = []
    for element in try node.elements() {
      let row = try element.count()
      guard row > 0, row <= 10_000 else { throw element.error("rows are numbered from 1 to 10000, found \(row)") }
      rows.insert(row)
    }
    return rows.sorted()
  }

  private mutating func remark(on dialect: DataPackageDialect, _ node: DescriptorNode) {
    if dialect.skipsInitialSpace == true, let place = node["skipInitialSpace"] {
      remarks.append(
        place.error(
          "'skipInitialSpace' is not honoured: spaces after a delimiter stay part of the value",
          remedy: "take the spaces out of the file"
        )
      )
    }
  }
}
