import Diagnostics

/// Finds the name that was probably meant.
enum NameSuggestion {
  /// Other tools' names of types, which look unlike ours.
  private static let synonyms = [
    "text": "string", "varchar": "string", "char": "string", "str": "string", "int": "integer", "bigint": "integer",
    "smallint": "integer", "long": "integer", "float": "number", "double": "number", "real": "number",
    "decimal": "number", "numeric": "number", "bool": "boolean", "timestamp": "datetime", "blob": "string",
  ]

  /// The candidate that differs in the fewest letters, if they are few; else what other tools call it.
  static func nearest(to name: String, among candidates: [String]) -> String? {
    if let synonym = synonyms[name.lowercased()], candidates.contains(synonym) { return synonym }
    return Diagnostics.nearest(to: name, among: candidates)
  }
}
