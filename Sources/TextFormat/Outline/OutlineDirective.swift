/// A line at the head of an outline that says how it is read, as files of rejects have it.
///
/// ```text
/// %outline: labels        %outline: cells
/// %kinds: Label, Artist   %delimiter: |
///                         %indent: 2
/// ```
///
/// With `%indent` (a count of spaces, or `tab`) the file holds parts of an outline: records may hang below nothing.
struct OutlineDirective {
  /// What such a head begins with.
  static let mark = Array("%outline:".utf8)

  private let name: Substring
  private let value: String

  /// Nil for any other line.
  init?(_ line: [UInt8]) {
    guard line.first == UInt8(ascii: "%"), line.count < 1 << 16 else { return nil }
    let text = String(decoding: line, as: UTF8.self)
    guard let colon = text.firstIndex(of: ":") else { return nil }
    name = text[text.index(after: text.startIndex)..<colon]
    guard ["outline", "kinds", "delimiter", "indent"].contains(name) else { return nil }
    value = text[text.index(after: colon)...].split(separator: " ").joined(separator: " ")
  }

  func apply(to parser: inout OutlineParser) {
    switch name {
    case "outline" where value == "labels": parser.layout.style = .labels
    case "outline": parser.layout.style = .cells(delimiter: nil)
    case "delimiter": parser.layout.style = .cells(delimiter: value == "tab" ? "\t" : value)
    case "indent":
      parser.isOfParts = true
      parser.unit = value == "tab" ? [0x09] : [UInt8](repeating: 0x20, count: min(max(Int(value) ?? 2, 1), 1000))
    default: for kind in value.split(separator: ",") { parser.addHeading(String(kind.drop { $0 == " " })) }
    }
  }

  /// The lines that describe how a parser reads.
  static func lines(for parser: OutlineParser) -> [String] {
    switch parser.layout.style {
    case .labels:
      let kinds = parser.headingNames.filter { !$0.contains(",") }
      return ["%outline: labels"] + (kinds.isEmpty ? [] : ["%kinds: " + kinds.joined(separator: ", ")])
    case .cells(let delimiter):
      let mark = delimiter.map { ["%delimiter: " + ($0 == "\t" ? "tab" : $0)] } ?? []
      let unit = parser.unit.first == 0x09 ? "tab" : "\(max(parser.unit.count, 1))"
      return ["%outline: cells"] + mark + ["%indent: \(unit)"]
    }
  }
}
