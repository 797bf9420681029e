import Diagnostics
import EntityModel
import Reporting

/// A model as a graph in Graphviz's language: `dot -Tsvg`, or any of its other outputs.
struct DotDiagram {
  private let diagram: ModelDiagram

  init(_ diagram: ModelDiagram) { self.diagram = diagram }

  /// The graph; every name in it is escaped.
  var text: String {
    var lines = [
      "digraph model {",
      "  graph [rankdir=LR, nodesep=0.5, ranksep=1.2, fontname=\"Helvetica\"];",
      "  node [shape=plain, fontname=\"Helvetica\", fontsize=11];",
      "  edge [fontname=\"Helvetica\", fontsize=9, dir=both, color=\"#5b6b7b\"];",
    ]
    for (position, entity) in diagram.entities.enumerated() { lines.append(node(position, entity)) }
    for link in diagram.links {
      let label = [link.owner.name, link.member.name].compactMap(\.self).map(Self.html).joined(separator: " / ")
      let attributes = [
        "label=<\(label.isEmpty ? " " : label)>", "arrowtail=\"\(Self.arrow(link.owner.multiplicity))\"",
        "arrowhead=\"\(Self.arrow(link.member.multiplicity))\"",
      ]
      lines.append("  e\(link.owner.entity) -> e\(link.member.entity) [\(attributes.joined(separator: ", "))];")
    }
    for (parent, child) in diagram.inheritance {
      lines.append("  e\(parent) -> e\(child) [dir=back, arrowtail=onormal, style=dashed];")
    }
    return lines.joined(separator: "\n") + "\n}\n"
  }

  private func node(_ position: Int, _ entity: Entity) -> String {
    let title = (entity.isAbstract ? "<i>\(Self.html(entity.name))</i>" : "<b>\(Self.html(entity.name))</b>")
    var rows = ["<tr><td colspan=\"2\" bgcolor=\"#dfe8f1\">\(title)</td></tr>"]
    for attribute in entity.attributes {
      let name = Self.html(attribute.name)
      let shown = entity.key.contains(attribute.name) ? "<u>\(name)</u>" : name
      let type = Self.html(attribute.type.name) + (attribute.isRequired ? "" : "?")
      rows.append("<tr><td align=\"left\">\(shown)</td><td align=\"left\">\(type)</td></tr>")
    }
    let table = "<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" cellpadding=\"4\">\(rows.joined())</table>"
    return "  e\(position) [label=<\(table)>];"
  }

  /// Crow's feet: a bar for one, a foot for many, a circle where there may be none.
  private static func arrow(_ multiplicity: ModelDiagram.Multiplicity?) -> String {
    guard let multiplicity else { return "none" }
    return (multiplicity.isMany ? "crow" : "tee") + (multiplicity.isOptional ? "odot" : "tee")
  }

  /// A text in one of Graphviz's labels, which are like HTML; control characters are shown, not written.
  static func html(_ text: String) -> String {
    let result = HTML.escaped(text, limit: 80)
    return result.isEmpty ? " " : result
  }
}
