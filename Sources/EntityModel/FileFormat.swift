/// How a file spells its records.
public enum FileFormat: String, Sendable, Hashable, CaseIterable {
  /// Delimited text with a comma, unless told or detected otherwise (RFC 4180 and its relatives).
  case csv
  /// Delimited text with tabs.
  case tsv
  /// Plain text in one of the layouts of `TextLayout`.
  case text
  /// XML; elements are records.
  case xml
  /// A property list in XML; its dictionaries are records. It is read only.
  case plist
  /// One JSON array of objects.
  case json
  /// One JSON object a line.
  case ndjson

  /// The formats that rows can be written in.
  public static var written: [FileFormat] { allCases.filter { $0 != .plist } }
}

/// How plain text is laid out.
public enum TextLayout: String, Sendable, Hashable, CaseIterable {
  /// One record a line, cells parted by a delimiter.
  case delimited
  /// `Key: value` blocks parted by blank lines, in the manner of GNU recutils' rec format.
  case records
  /// One record a line, columns told by the places of their characters.
  case fixed
  /// Lines whose indentation makes them children of the line above.
  case outline
  /// One value a line.
  case lines
}
