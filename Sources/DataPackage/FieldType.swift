import Diagnostics
import EntityModel

/// The types of Table Schema, versions 1 and 2.
enum FieldType: String, CaseIterable {
  case string, number, integer, boolean, date, time, datetime, year, yearmonth, duration, object, array, list, geopoint,
    geojson, any

  /// What carries the type's values unchanged.
  ///
  /// Types that the model does not have are text, so that a value arrives as it was written: the year `0099` is not 99.
  func attributeType(format: String?) -> AttributeType {
    switch self {
    case .string:
      switch format {
      case "uri": .uri
      case "uuid": .uuid
      case "binary": .binary
      default: .text
      }
    case .number: .double
    case .integer: .integer(bits: 64)
    case .boolean: .boolean
    case .date: .date
    case .datetime: .datetime
    case .time, .year, .yearmonth, .duration, .object, .array, .list, .geopoint, .geojson, .any: .text
    }
  }

  /// What a text must match to be of a type that the model does not have; nil where a pattern cannot say it.
  func pattern(format: String?) -> String? {
    let offset = "(Z|[+-][0-9]{2}:[0-9]{2})?"
    switch self {
    case .string: return format == "email" ? "[^@ ]+@[^@ ]+" : nil
    case .year: return "-?[0-9]{4,}" + offset
    case .yearmonth: return "-?[0-9]{4,}-(0[1-9]|1[0-2])" + offset
    case .time:
      guard let format, format != "default" else {
        return "([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)([.][0-9]+)?" + offset
      }
      return format == "any" ? nil : Self.timePattern(format)
    case .duration:
      return "-?P([0-9]+Y)?([0-9]+M)?([0-9]+W)?([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+([.][0-9]+)?S)?)?"
    case .geopoint:
      guard format == nil || format == "default" else { return nil }
      return "-?[0-9]+([.][0-9]+)?, ?-?[0-9]+([.][0-9]+)?"
    default: return nil
    }
  }

  /// Whether values are kept as text without a check that could find them wrong.
  func isUnchecked(format: String?) -> Bool {
    switch self {
    case .object, .array, .list, .geojson: true
    case .geopoint, .time: pattern(format: format) == nil && format != "any"
    default: false
    }
  }

  /// Whether `minLength` and `maxLength` count what the model counts: characters, or bytes of binary.
  var hasLength: Bool {
    switch self {
    case .string, .any: true
    default: false
    }
  }

  /// Whether `minimum` and `maximum` compare as the model does; texts of a fixed width compare letter by letter.
  var hasOrder: Bool {
    switch self {
    case .duration, .object, .array, .list, .geopoint, .geojson, .boolean: false
    default: true
    }
  }

  /// The regular expression of a time's pattern such as `%H:%M`; nil where a directive is unknown.
  private static func timePattern(_ format: String) -> String? {
    var pattern = ""
    var rest = format[...]
    while let character = rest.popFirst() {
      guard character == "%" else {
        pattern += #"\.[](){}*+?^$|"#.contains(character) ? "[\(character)]" : String(character)
        if character == "\\" || character == "^" || character == "[" || character == "]" { return nil }
        continue
      }
      switch rest.popFirst() {
      case "H": pattern += "([01][0-9]|2[0-3])"
      case "I": pattern += "(0[1-9]|1[0-2])"
      case "M": pattern += "[0-5][0-9]"
      case "S": pattern += "([0-5][0-9]|60)"
      case "f": pattern += "[0-9]{1,6}"
      case "p": pattern += "[AaPp][Mm]"
      case "%": pattern += "%"
      default: return nil
      }
    }
    return pattern
  }

  /// The type of that name, or a complaint that lists the names there are.
  static func named(_ node: DescriptorNode) throws(ModelError) -> FieldType {
    let name = try node.string()
    if let type = FieldType(rawValue: name) { return type }
    let suggestion = NameSuggestion.nearest(to: name, among: allCases.map(\.rawValue))
    throw node.error(
      "the type '\(excerpt(of: name, limit: 40))' is unknown"
        + (suggestion.map { "; did you mean '\($0)'?" } ?? ""),
      remedy: "use one of \(allCases.map(\.rawValue).joined(separator: ", "))"
    )
  }
}
