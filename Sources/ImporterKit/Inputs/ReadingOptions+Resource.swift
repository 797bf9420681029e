import DataPackage
import Records

extension ReadingOptions {
  /// What the user told, then what a data package tells of the file.
  func merging(_ resource: DataPackageFile.Resource?) -> ReadingOptions {
    guard let resource else { return self }
    var merged = self
    let dialect = resource.dialect
    merged.format = format ?? resource.format
    merged.delimiter = delimiter ?? dialect.delimiter
    merged.quote = quote ?? (dialect.hasNoQuote ? Mark.none : dialect.quote.map { .text($0) })
    merged.escape = escape ?? dialect.escape.map { .text($0) } ?? (dialect.doublesQuotes == false ? Mark.none : nil)
    merged.comment = comment ?? dialect.comment.map { .text($0) }
    merged.header = header ?? dialect.header
    merged.skippedLines = skippedLines ?? dialect.skippedLines
    merged.nullTokens += resource.missingValues.filter { !$0.isEmpty }
    if let token = dialect.nullSequence, !token.isEmpty { merged.nullTokens.append(token) }
    return merged
  }

  /// The spellings of NULL of fields that have their own `missingValues`, which stand instead of the schema's.
  func nullTokensByField(of resource: DataPackageFile.Resource?) -> [String: [String]] {
    guard let resource else { return [:] }
    let general = nullTokens + [resource.dialect.nullSequence ?? ""].filter { !$0.isEmpty }
    return resource.missingValuesByField.mapValues { general + $0.filter { !$0.isEmpty } }
  }

  var limits: ReadLimits {
    var limits = ReadLimits()
    if let maximumRecordByteCount { limits.recordByteCount = maximumRecordByteCount }
    if let maximumFieldByteCount { limits.fieldByteCount = maximumFieldByteCount }
    if let maximumColumnCount { limits.columnCount = maximumColumnCount }
    return limits
  }
}
