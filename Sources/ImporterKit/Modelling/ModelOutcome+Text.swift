import Diagnostics
import EntityModel

extension ModelOutcome {
  /// The model for people: a table for each entity.
  ///
  /// ```text
  /// music.xcdatamodeld: Core Data model with 2 entities, 3 attributes, 2 relationships
  ///
  /// Label
  ///   name     text          key, required
  ///   artists  many Artist   inverse 'label', delete cascades
  ///
  /// Artist
  ///   …
  /// ```
  ///
  /// - Parameter isDetailed: Whether documentation and further information are shown too.
  public func text(isDetailed: Bool = false) -> String {
    var lines = [summary]
    for entity in model.entities { lines += [""] + EntityOutline(entity, isDetailed: isDetailed).lines }
    return lines.joined(separator: "\n") + "\n"
  }

  private var summary: String {
    func count(_ number: Int, _ one: String, _ many: String) -> String { "\(number) " + (number == 1 ? one : many) }
    let attributes = model.entities.reduce(0) { $0 + $1.attributes.count }
    let links = model.entities.reduce(0) { $0 + $1.relationships.count }
    let kind = origin == .data ? "model inferred from the data" : origin.rawValue
    return excerpt(of: source == "-" ? "standard input" : source, limit: 200) + ": \(kind) with "
      + [
        count(model.entities.count, "entity", "entities"), count(attributes, "attribute", "attributes"),
        count(links, "relationship", "relationships"),
      ].joined(separator: ", ")
  }
}

/// One entity of a model as lines of text.
private struct EntityOutline {
  let entity: Entity
  let isDetailed: Bool

  /// The widest name and type that others are lined up with.
  private static let longestName = 50
  private static let longestType = 28

  init(_ entity: Entity, isDetailed: Bool) {
    self.entity = entity
    self.isDetailed = isDetailed
  }

  private struct Row {
    let name: String
    let type: String
    let rules: [String]
    let documentation: String?
    let userInfo: [String: String]
  }

  var lines: [String] {
    let rows =
      entity.attributes.map { attribute in
        Row(
          name: excerpt(of: attribute.name, limit: 60),
          type: attribute.type.name,
          rules: RuleText.rules(of: attribute, in: entity),
          documentation: attribute.documentation,
          userInfo: attribute.userInfo
        )
      }
      + entity.relationships.map { link in
        Row(
          name: excerpt(of: link.name, limit: 60),
          type: (link.isToMany ? "many " : "one ") + excerpt(of: link.target, limit: 60),
          rules: RuleText.rules(of: link, in: entity),
          documentation: link.documentation,
          userInfo: link.userInfo
        )
      }
    let name = min(Self.longestName, rows.map { displayWidth(of: $0.name) }.max() ?? 0)
    let type = min(Self.longestType, rows.map { displayWidth(of: $0.type) }.max() ?? 0)
    var lines = [title] + uniqueSets
    lines += details(entity.documentation, entity.userInfo, indentation: 2)
    for row in rows {
      let start = "  " + row.name.filled(to: name) + "  " + row.type.filled(to: type)
      lines.append((start + "  " + row.rules.joined(separator: "; ")).droppingBlanks)
      lines += details(row.documentation, row.userInfo, indentation: name + 4)
    }
    if rows.isEmpty { lines.append("  no attributes and no relationships") }
    return lines
  }

  private var title: String {
    var remarks: [String] = []
    if entity.isAbstract { remarks.append("abstract: no table of its own") }
    if let parent = entity.parent { remarks.append("inherits \(excerpt(of: parent, limit: 60))") }
    if entity.key.count > 1 { remarks.append("key " + RuleText.list(entity.key)) }
    return excerpt(of: entity.name, limit: 60) + (remarks.isEmpty ? "" : " (" + remarks.joined(separator: "; ") + ")")
  }

  private var uniqueSets: [String] {
    entity.uniqueSets.map { "  unique together: " + RuleText.list($0) }
  }

  private func details(_ documentation: String?, _ userInfo: [String: String], indentation: Int) -> [String] {
    guard isDetailed else { return [] }
    let blanks = String(repeating: " ", count: indentation)
    return (documentation.map { [blanks + "# " + excerpt(of: $0, limit: 160)] } ?? [])
      + userInfo.sorted { $0.key < $1.key }.map { key, value in
        blanks + "\(excerpt(of: key, limit: 60)) = \(RuleText.quoted(value))"
      }
  }
}

extension String {
  fileprivate var droppingBlanks: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
