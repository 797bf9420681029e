import EntityModel

/// A model as a picture that stands alone: no scripts, no fonts or links from elsewhere, light and dark.
struct SVGDiagram {
  private let diagram: ModelDiagram
  private let layout: DiagramLayout
  private let title: String

  private static let legendHeight = 34.0
  /// How far a line goes straight before it bends, and where its signs stand.
  private static let stub = 24.0

  init(_ diagram: ModelDiagram, title: String) {
    self.diagram = diagram
    self.title = title
    layout = DiagramLayout(diagram)
  }

  /// The document; every text in it is escaped.
  var text: String {
    let width = max(layout.width, 850)
    let height = layout.height + Self.legendHeight
    var svg = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(number(width))" height="\(number(height))" \
      viewBox="0 0 \(number(width)) \(number(height))" role="img" aria-labelledby="title description">
      <title id="title">\(DotDiagram.html(title))</title>
      <desc id="description">\(DotDiagram.html(description))</desc>
      <style>
      \(DiagramStyle.sheet)</style>
      <rect class="ground" width="\(number(width))" height="\(number(height))"/>

      """
    for (index, route) in layout.inheritance.enumerated() { svg += inheritance(index, route) }
    for (link, route) in zip(diagram.links, layout.links) { svg += line(link, route) }
    for (index, box) in layout.boxes.enumerated() { svg += entity(box, at: layout.corners[index]) }
    svg += DiagramStyle.legend(at: height - 20)
    return svg + "</svg>\n"
  }

  private var description: String {
    let lists = diagram.links.map { link in
      "\(diagram.entities[link.owner.entity].name) – \(diagram.entities[link.member.entity].name)"
    }
    return "\(diagram.entities.count) entities; linked: \(lists.isEmpty ? "none" : lists.joined(separator: ", "))"
  }

  // MARK: Boxes

  private func entity(_ box: DiagramBox, at corner: DiagramLayout.Point) -> String {
    let (x, y) = (corner.x, corner.y)
    let right = x + box.width
    let kind = box.isAbstract ? "box abstract" : "box"
    var svg = """
      <g>
      <rect class="\(kind)" x="\(number(x))" y="\(number(y))" width="\(number(box.width))" \
      height="\(number(box.height))" rx="7"/>
      <path class="head" d="\(head(box, at: corner))"/>
      <text class="\(box.isAbstract ? "title italic" : "title")" x="\(number(x + box.width / 2))" \
      y="\(number(y + 20))" text-anchor="middle">\(DotDiagram.html(box.title))</text>

      """
    for (index, row) in box.rows.enumerated() {
      let middle = y + box.middle(ofRow: index)
      if index > 0, row.mark == .note || (row.mark.isOfLink && !box.rows[index - 1].mark.isOfLink) {
        let above = number(middle - DiagramBox.rowHeight / 2)
        svg += "<path class=\"rule\" d=\"M\(number(x)) \(above)H\(number(right))\"/>\n"
      }
      svg += DiagramStyle.mark(row.mark, x: x + DiagramBox.margin + 3, y: middle)
      svg += """
        <text class="\(Self.style(of: row.mark))" \
        x="\(number(x + DiagramBox.margin + 14))" y="\(number(middle + 4.5))">\(DotDiagram.html(row.name))</text>
        <text class="type" x="\(number(right - DiagramBox.margin))" y="\(number(middle + 4.5))" \
        text-anchor="end">\(DotDiagram.html(row.type))</text>

        """
    }
    return svg + "</g>\n"
  }

  private static func style(of mark: DiagramBox.Mark) -> String {
    switch mark {
    case .link: "link"
    case .note: "type"
    case .linkInKey: "link key"
    case .key: "name key"
    case .required, .optional: "name"
    }
  }

  /// The head's ground, round at the top only.
  private func head(_ box: DiagramBox, at corner: DiagramLayout.Point) -> String {
    let (x, y, right) = (corner.x, corner.y, corner.x + box.width)
    let bottom = y + DiagramBox.titleHeight
    guard !box.rows.isEmpty else {
      return "M\(number(x)) \(number(y + 7))a7 7 0 0 1 7 -7H\(number(right - 7))a7 7 0 0 1 7 7V\(number(bottom - 7))"
        + "a7 7 0 0 1 -7 7H\(number(x + 7))a7 7 0 0 1 -7 -7Z"
    }
    return "M\(number(x)) \(number(bottom))V\(number(y + 7))a7 7 0 0 1 7 -7H\(number(right - 7))a7 7 0 0 1 7 7"
      + "V\(number(bottom))Z"
  }

  // MARK: Lines

  private func line(_ link: ModelDiagram.Link, _ route: DiagramLayout.Route) -> String {
    guard let first = route.points.first, let last = route.points.last else { return "" }
    func called(_ end: ModelDiagram.End) -> String {
      diagram.entities[end.entity].name + (end.name.map { "." + $0 } ?? "")
    }
    let words =
      "\(called(link.owner)) – \(called(link.member))"
      + (link.isCascading ? ", deleted with \(called(link.owner))" : "")
    let left = route.isReversed ? link.member : link.owner
    let right = route.isReversed ? link.owner : link.member
    return """
      <g class="\(link.isCascading ? "line owning" : "line")"><title>\(DotDiagram.html(words))</title>
      <path d="\(route.isLoop ? loop(first, last) : curve(route.points))"/>
      \(DiagramStyle.sign(left.multiplicity, at: first, direction: 1))\
      \(DiagramStyle.sign(right.multiplicity, at: last, direction: route.isLoop ? 1 : -1))\(alarm(link, route))</g>

      """
  }

  /// What is said of either side of a line, in its middle.
  private func alarm(_ link: ModelDiagram.Link, _ route: DiagramLayout.Route) -> String {
    let words = [link.owner, link.member].compactMap { end in
      end.name.flatMap { diagram.alarms[.init(entity: diagram.entities[end.entity].name, name: $0)] }
    }
    guard !words.isEmpty, let first = route.points.first, let last = route.points.last else { return "" }
    let x = route.isLoop ? first.x + Self.stub + 20 : (first.x + last.x) / 2
    return
      "<text class=\"alarm\" x=\"\(number(x))\" y=\"\(number((first.y + last.y) / 2 - 6))\" text-anchor=\"middle\">"
      + DotDiagram.html(words.joined(separator: ", ")) + "</text>"
  }

  private func inheritance(_ index: Int, _ route: DiagramLayout.Route) -> String {
    guard let first = route.points.first, let last = route.points.last else { return "" }
    let pair = diagram.inheritance[index]
    let words = "\(diagram.entities[pair.child].name) inherits from \(diagram.entities[pair.parent].name)"
    // The hollow head points at the parent.
    let tip = route.isReversed ? last : first
    let back = tip.x + (route.isReversed ? -12 : 12)
    return """
      <g class="line inherits"><title>\(DotDiagram.html(words))</title>
      <path d="\(curve(route.points))"/>
      <path class="hollow" d="M\(number(tip.x)) \(number(tip.y))L\(number(back)) \(number(tip.y - 7))\
      V\(number(tip.y + 7))Z"/></g>

      """
  }

  /// Straight at the ends and along the columns that are passed, bent between them.
  private func curve(_ points: [DiagramLayout.Point]) -> String {
    var path = ""
    var points = points
    points[0].x += Self.stub
    points[points.count - 1].x -= Self.stub
    path = "M\(number(points[0].x - Self.stub)) \(number(points[0].y))H\(number(points[0].x))"
    for index in stride(from: 0, to: points.count - 1, by: 1) {
      let (from, to) = (points[index], points[index + 1])
      // Odd steps go along a column, between its edges.
      guard index % 2 == 0 else {
        path += "H\(number(to.x))"
        continue
      }
      let bend = max(16, abs(to.x - from.x) / 2)
      path +=
        "C\(number(from.x + bend)) \(number(from.y)) \(number(to.x - bend)) \(number(to.y)) "
        + "\(number(to.x)) \(number(to.y))"
    }
    return path + "H\(number(points[points.count - 1].x + Self.stub))"
  }

  private func loop(_ first: DiagramLayout.Point, _ last: DiagramLayout.Point) -> String {
    let out = first.x + Self.stub
    let bend = out + 34
    return "M\(number(first.x)) \(number(first.y))H\(number(out))C\(number(bend)) \(number(first.y)) \(number(bend)) "
      + "\(number(last.y)) \(number(out)) \(number(last.y))H\(number(last.x))"
  }
}

/// A length, with at most one decimal.
func number(_ value: Double) -> String {
  let tenths = Int((value * 10).rounded())
  let rest = abs(tenths % 10)
  let sign = tenths < 0 && tenths / 10 == 0 ? "-" : ""
  return rest == 0 ? "\(tenths / 10)" : "\(sign)\(tenths / 10).\(rest)"
}
