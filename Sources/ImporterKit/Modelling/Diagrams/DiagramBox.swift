import Diagnostics
import EntityModel

/// The box of an entity: its rows and its size, in pixels.
struct DiagramBox: Sendable {
  /// What stands before a row's name.
  enum Mark: Sendable, Hashable {
    case key, required, optional, link, linkInKey, note

    var isOfLink: Bool { self == .link || self == .linkInKey }
  }

  /// One attribute or relationship.
  struct Row: Sendable {
    let mark: Mark
    let name: String
    let type: String
    /// The relationship's name in the model.
    let link: String?
  }

  static let titleHeight = 30.0
  static let rowHeight = 21.0
  static let margin = 12.0
  private static let gutter = 14.0
  private static let mostAttributes = 40
  private static let mostCharacters = 64

  let title: String
  let isAbstract: Bool
  let rows: [Row]
  let width: Double
  let height: Double

  init(_ entity: Entity, note: String?) {
    title = Self.shown(entity.name)
    isAbstract = entity.isAbstract
    // What only holds a reference is shown as the relationship.
    let references = Set(entity.relationships.filter { $0.attributes == [$0.name] }.map(\.name))
    let own = entity.attributes.filter { !references.contains($0.name) }
    let attributes = own.prefix(Self.mostAttributes).map { attribute in
      Row(
        mark: entity.key.contains(attribute.name) ? .key : attribute.isRequired ? .required : .optional,
        name: Self.shown(attribute.name),
        type: attribute.type.name,
        link: nil
      )
    }
    let rest = own.count - attributes.count
    let more = rest > 0 ? [Row(mark: .optional, name: "… and \(rest) more", type: "", link: nil)] : []
    let links = entity.relationships.map { link in
      Row(
        mark: entity.key.contains(link.name) ? .linkInKey : .link,
        name: Self.shown(link.name),
        type: Self.shown(link.target) + (link.isToMany ? (link.isOrdered ? " [*] ordered" : " [*]") : ""),
        link: link.name
      )
    }
    rows = attributes + more + links + (note.map { [Row(mark: .note, name: $0, type: "", link: nil)] } ?? [])
    let widest = rows.map { row in
      TextWidth.of(row.name, size: 13) + TextWidth.of(row.type, size: 12) + Self.gutter + 24
    }
    let content = max(TextWidth.of(title, size: 14) * 1.08, widest.max() ?? 0, 90)
    width = (content + 2 * Self.margin).rounded(.up)
    height = Self.titleHeight + Double(rows.count) * Self.rowHeight + (rows.isEmpty ? 0 : 8)
  }

  /// Where the middle of a relationship's row is, from the top; that of the title for others.
  func middle(ofLink name: String?) -> Double {
    guard let name, let index = rows.firstIndex(where: { $0.link == name }) else { return Self.titleHeight / 2 }
    return middle(ofRow: index)
  }

  /// Where the middle of a row is, from the top.
  func middle(ofRow index: Int) -> Double { Self.titleHeight + 4 + (Double(index) + 0.5) * Self.rowHeight }

  /// A name as it is shown: on one line, without control characters, not too long.
  private static func shown(_ text: String) -> String {
    excerpt(of: text, limit: 400).cut(to: mostCharacters)
  }
}

/// How wide text is, without a font at hand: never less than in the wide fonts that browsers fall back on.
enum TextWidth {
  static func of(_ text: String, size: Double) -> Double {
    text.unicodeScalars.reduce(0) { $0 + factor(of: $1) } * size
  }

  private static func factor(of scalar: Unicode.Scalar) -> Double {
    switch scalar {
    case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!": 0.34
    case "f", "r", "t", "(", ")", "[", "]", "-", " ", "/": 0.43
    case "m", "M", "W", "@", "%": 0.98
    case "w", "A"..."Z", "_": 0.76
    case "a"..."z", "0"..."9": 0.63
    default: scalar.isASCII ? 0.7 : displayWidth(of: String(scalar)) == 2 ? 1.05 : 0.75
    }
  }
}
