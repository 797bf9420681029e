import Diagnostics

/// The place of a column on the lines of a fixed-width file, in characters.
public struct CharacterRange: Sendable, Hashable {
  /// Its first character, from 1.
  public var first: Int
  /// Its last character; nil where it goes on to the end of the line.
  public var last: Int?

  /// Makes a range that holds at least one character.
  public init(first: Int, last: Int?) {
    self.first = first
    self.last = last
  }

  /// How many characters it holds; nil where it goes on to the end of the line.
  public var width: Int? { last.map { $0 - first + 1 } }
}

/// What is wrong with a list of widths.
public struct WidthFault: Error, Hashable {
  /// In lower case.
  public let message: String
  /// What to write instead.
  public let remedy: String
}

extension CharacterRange {
  /// Reads columns as `1-10,11-30,31-`, or the widths `10,20,5` of columns that touch one another.
  ///
  /// - Throws: `WidthFault` for anything else, for columns that overlap or descend, and for a width of zero.
  public static func list(_ text: String) throws(WidthFault) -> [CharacterRange] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    let isOfWidths = !parts.contains { $0.contains("-") }
    var ranges: [CharacterRange] = []
    for part in parts {
      let range = isOfWidths ? try width(part, after: ranges.last) : try range(part)
      if let previous = ranges.last {
        guard let last = previous.last else {
          throw WidthFault(
            message: "'\(previous)' takes the rest of the line, but '\(excerpt(of: part, limit: 40))' follows",
            remedy: "give it an end, such as \(previous.first)-\(max(range.first - 1, previous.first))"
          )
        }
        guard range.first > last else {
          throw WidthFault(
            message: range.last ?? .max < previous.first
              ? "'\(range)' stands behind '\(previous)', but lies before it" : "'\(previous)' and '\(range)' overlap",
            remedy: "let columns ascend, each from a character behind the one before, such as \(last + 1)-"
          )
        }
      }
      ranges.append(range)
    }
    return ranges
  }

  /// The greatest character that may be named; no line is longer.
  private static let limit = 1 << 30

  private static func width(_ part: String, after previous: CharacterRange?) throws(WidthFault) -> CharacterRange {
    guard let width = Int(part), width <= limit else { throw malformed(part) }
    guard width > 0 else {
      throw WidthFault(message: "the width '\(part)' is not greater than 0", remedy: "write widths of 1 and more")
    }
    let first = (previous?.last ?? 0) + 1
    return CharacterRange(first: first, last: first + width - 1)
  }

  private static func range(_ part: String) throws(WidthFault) -> CharacterRange {
    let bounds = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let first = Int(bounds[0]), bounds.count == 1 || bounds[1].isEmpty || Int(bounds[1]) != nil else {
      throw malformed(part)
    }
    let last: Int? = bounds.count == 1 ? first : Int(bounds[1])
    guard first <= limit, last ?? 0 <= limit else { throw malformed(part) }
    guard first > 0 else {
      throw WidthFault(message: "'\(part)' begins at character 0", remedy: "count characters from 1")
    }
    if let last, last < first {
      throw WidthFault(message: "'\(part)' ends before it begins", remedy: "write from-to, such as \(last)-\(first)")
    }
    return CharacterRange(first: first, last: last)
  }

  private static func malformed(_ part: String) -> WidthFault {
    WidthFault(
      message: "'\(excerpt(of: part, limit: 40))' is no column",
      remedy: "write from-to as 1-10,11-30,31- or widths as 10,20,5"
    )
  }
}

extension CharacterRange: CustomStringConvertible {
  /// Such as `11-30`, or `31-` where it is open.
  public var description: String { "\(first)-\(last.map(String.init) ?? "")" }
}
