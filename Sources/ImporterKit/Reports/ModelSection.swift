import Diagnostics
import EntityModel
import Reporting

/// The model of a run as a picture: rows in the boxes, references to nothing on the lines.
enum ModelSection {
  /// More entities than this make no picture that anyone would look at.
  private static let entityLimit = 60

  /// The picture; nil where there is nothing to see that the counts do not say.
  static func section(_ model: EntityModel, _ report: RunReport) -> ReportPage.Section? {
    guard (2...entityLimit).contains(model.entities.count) else { return nil }
    var diagram = ModelDiagram(model.withoutReferenceAttributes())
    for entity in report.entities { diagram.notes[entity.name] = note(on: entity) }
    diagram.alarms = alarms(in: model, report.census)
    return ReportPage.Section(
      "How the records hang together",
      remark: diagram.alarms.isEmpty ? nil : "On the lines: references that lead to nothing",
      "<div class=\"wide picture\">\(HTML(markup: SVGDiagram(diagram, title: "the model with its rows").text))</div>\n"
    )
  }

  /// Such as `1,204 inserted, 3 rejected`.
  private static func note(on entity: EntityCounts) -> String {
    let counts = entity.namedCounts.filter { $0.name != "read" && $0.count > 0 }
    return counts.isEmpty ? "no records" : counts.map { "\($0.count.spaced) \($0.name)" }.joined(separator: ", ")
  }

  /// How many references of each relationship lead nowhere.
  private static func alarms(in model: EntityModel, _ census: FaultCensus) -> [ModelDiagram.Relation: String] {
    var counts: [ModelDiagram.Relation: Int64] = [:]
    for (place, count) in census.places where place.code == .unresolvedReference || place.code == .ambiguousReference {
      guard let entity = model.entities.first(where: { $0.name == place.entity }), let field = place.field,
        let link = entity.relationships.first(where: { $0.name == field || field.hasPrefix($0.name + ".") })
      else { continue }
      counts[.init(entity: entity.name, name: link.name), default: 0] += count
    }
    return counts.mapValues { $0 == 1 ? "1 orphan" : "\($0.spaced) orphans" }
  }
}
