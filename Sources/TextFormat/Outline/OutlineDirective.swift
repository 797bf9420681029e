/// A line at the head of an outline that says how it is read, as files of rejects have it.
///
/// ```text
/// %outline: labels        %outline: cells
/// %kinds: Label, Artist   %delimiter: |
/// %parts:                 %indent: 2
/// ```
///
/// It begins with `%outline:`, and ends behind `%parts:` or `%indent`, so that a record may look like one of its lines.
///
/// With `%parts:` or `%indent` (a count of spaces, or blanks by name: `tab`) the file holds parts of an outline, parted by
/// lines `%`. A part hangs below nothing. With labels it is one record, a label of one of the kinds with its attributes,
/// or several: a line `%+` begins a further one, which hangs below what it is indented from.
struct OutlineDirective {
  /// A line between two parts.
  static let partEnd = Array("%".utf8)
  /// A line before a further record of a part.
  static let partContinuation = Array("%+".utf8)
  /// What such a head begins with.
  static let mark = Array("%outline:".utf8)

  private let name: Substring
  private let value: Substring

  /// Nil for any other line.
  init?(_ line: [UInt8]) {
    guard line.first == UInt8(ascii: "%"), line.count < 1 << 16 else { return nil }
    let text = String(decoding: line, as: UTF8.self)
    // By scalars: a mark that combines with what stands before it would hide a colon, a comma or a blank in a character.
    guard let colon = text.unicodeScalars.firstIndex(of: ":") else { return nil }
    name = text[text.unicodeScalars.index(after: text.startIndex)..<colon]
    guard ["outline", "kinds", "kind", "parts", "delimiter", "indent"].contains(name) else { return nil }
    value = Self.trimmed(text[text.unicodeScalars.index(after: colon)...])
  }

  /// Whether the line begins a head.
  var beginsHead: Bool { name == "outline" }
  /// Whether records follow, whatever they look like.
  var endsHead: Bool { name == "parts" || name == "indent" }

  /// Whether a line would part the records of a file of rejects.
  static func parts(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe line.elementsEqual(partEnd) || line.elementsEqual(partContinuation)
  }

  /// Without the spaces at both ends.
  private static func trimmed(_ text: Substring) -> Substring {
    var scalars = text.unicodeScalars.drop { $0 == " " }
    while scalars.last == " " { scalars.removeLast() }
    return Substring(scalars)
  }

  func apply(to parser: inout OutlineParser) {
    switch name {
    case "outline" where value == "labels": parser.layout.style = .labels
    case "outline": parser.layout.style = .cells(delimiter: nil)
    case "delimiter": parser.layout.style = .cells(delimiter: value == "tab" ? "\t" : String(value))
    case "indent":
      parser.isOfParts = true
      parser.unit = Self.indentation(value)
    case "parts": parser.isOfParts = true
    case "kind":
      parser.forgetUntoldHeadings()
      parser.addHeading(String(value))
    default:
      parser.forgetUntoldHeadings()
      for kind in value.unicodeScalars.split(separator: ",") {
        parser.addHeading(String(Self.trimmed(Substring(kind))))
      }
    }
  }

  /// The lines that describe how the parts of an outline are read that a parser has read.
  static func lines(for parser: OutlineParser) -> [String] {
    switch parser.layout.style {
    case .labels:
      let isListed = { (name: String) in
        !name.unicodeScalars.contains(",") && trimmed(name[...]).utf8.count == name.utf8.count
      }
      let listed = parser.headingNames.filter(isListed)
      let single = parser.headingNames.filter { !isListed($0) }
      return ["%outline: labels"] + (listed.isEmpty ? [] : ["%kinds: " + listed.joined(separator: ", ")])
        + single.map { "%kind: " + $0 } + ["%parts:"]
    case .cells(let delimiter):
      let mark = delimiter.map { ["%delimiter: " + ($0 == "\t" ? "tab" : $0)] } ?? []
      return ["%outline: cells"] + mark + ["%indent: \(spelling(of: parser.unit))"]
    }
  }

  /// The blanks of one level: so many spaces, or each blank by its name.
  private static func indentation(_ value: Substring) -> [UInt8] {
    if let count = Int(value) { return [UInt8](repeating: 0x20, count: min(max(count, 1), 1000)) }
    return value.split(separator: " ").map { $0 == "tab" ? 0x09 : 0x20 }
  }

  private static func spelling(of unit: [UInt8]) -> String {
    if unit.allSatisfy({ $0 == 0x20 }), unit.count <= 1000 { return "\(max(unit.count, 1))" }
    return unit.map { $0 == 0x09 ? "tab" : "space" }.joined(separator: " ")
  }
}
