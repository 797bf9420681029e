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
    let folded = name.lowercased()
    if let synonym = synonyms[folded], candidates.contains(synonym) { return synonym }
    // Long input is no slip of the hand, and costs its length.
    guard folded.utf8.count <= 64 else { return nil }
    let measured = candidates.map { (name: $0, distance: distance(Array(folded.utf8), Array($0.lowercased().utf8))) }
    guard let best = measured.min(by: { $0.distance < $1.distance }), best.distance <= max(1, folded.utf8.count / 3)
    else { return nil }
    return best.name
  }

  /// How many letters must be put in, taken out or changed to make one name of the other.
  private static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
    var previous = Array(0...second.count)
    for (row, letter) in first.enumerated() {
      var current = [row + 1]
      for (column, other) in second.enumerated() {
        current.append(min(previous[column + 1] + 1, current[column] + 1, previous[column] + (letter == other ? 0 : 1)))
      }
      previous = current
    }
    return previous[second.count]
  }
}
