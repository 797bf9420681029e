import EntityModel

/// Where everything of a picture stands, in pixels from its left upper corner.
struct DiagramLayout {
  /// A point.
  struct Point: Hashable {
    var x: Double
    var y: Double
  }

  /// A line's way: it leaves its first point and enters its last one horizontally, at the side of a box.
  struct Route {
    /// From left to right; the first and the last are the ends, between them come the edges of the columns passed.
    var points: [Point]
    /// Whether the second end of the line stands at the first point.
    let isReversed: Bool
    /// Whether both ends are on the right side of one box.
    let isLoop: Bool
  }

  let boxes: [DiagramBox]
  private(set) var corners: [Point]
  /// One for each of the diagram's links.
  private(set) var links: [Route] = []
  /// One for each pair of parent and child.
  private(set) var inheritance: [Route] = []
  private(set) var width = 0.0
  private(set) var height = 0.0

  static let margin = 28.0
  private static let columnGap = 110.0
  private static let rowGap = 30.0
  private static let passingHeight = 12.0

  private let diagram: ModelDiagram

  init(_ diagram: ModelDiagram) {
    self.diagram = diagram
    boxes = diagram.entities.map { DiagramBox($0, note: diagram.notes[$0.name]) }
    corners = boxes.map { _ in Point(x: 0, y: 0) }
    links = diagram.links.map { _ in Route(points: [], isReversed: false, isLoop: false) }
    inheritance = diagram.inheritance.map { _ in Route(points: [], isReversed: false, isLoop: false) }
    let parts = components()
    for part in parts where part.count > 1 { place(part) }
    placeAlone(parts.filter { $0.count == 1 }.map { $0[0] })
    for (index, link) in diagram.links.enumerated() where link.owner.entity == link.member.entity {
      links[index] = loop(of: link)
    }
    partTitlePorts()
    width += Self.margin
    height += Self.margin
  }

  /// Moves ends of lines beside titles apart.
  private mutating func partTitlePorts() {
    var places: [(isInheritance: Bool, index: Int, isFirst: Bool)] = []
    var ends: [TitlePorts.End] = []
    func add(_ route: Route, _ place: (isInheritance: Bool, index: Int), _ isFirst: Bool, _ box: Int, _ sign: String) {
      guard let first = route.points.first, let last = route.points.last else { return }
      places.append((place.isInheritance, place.index, isFirst))
      let farHeight = isFirst ? last.y : first.y
      ends.append(.init(box: box, isOnRight: isFirst || route.isLoop, sign: sign, farHeight: farHeight))
    }
    for (index, link) in diagram.links.enumerated() {
      let route = links[index]
      for (end, isFirst) in [(link.owner, !route.isReversed), (link.member, route.isReversed)] where end.name == nil {
        let sign = end.multiplicity.map { "\($0.isMany) \($0.isOptional)" } ?? "none"
        add(route, (false, index), isFirst, end.entity, sign)
      }
    }
    for (index, pair) in diagram.inheritance.enumerated() {
      let route = inheritance[index]
      add(route, (true, index), !route.isReversed, pair.parent, "parent")
      add(route, (true, index), route.isReversed, pair.child, "child")
    }
    for (place, offset) in zip(places, TitlePorts.offsets(of: ends)) {
      if place.isInheritance {
        inheritance[place.index].moveEnd(isFirst: place.isFirst, by: offset)
      } else {
        links[place.index].moveEnd(isFirst: place.isFirst, by: offset)
      }
    }
  }

  // MARK: Components

  /// Boxes that hang together, the most first.
  private func components() -> [[Int]] {
    var roots = Array(boxes.indices)
    func root(of box: Int) -> Int {
      var box = box
      while roots[box] != box { box = roots[box] }
      return box
    }
    for edge in diagram.links.map({ ($0.owner.entity, $0.member.entity) })
      + diagram.inheritance.map({ ($0.parent, $0.child) })
    {
      let (first, second) = (root(of: edge.0), root(of: edge.1))
      roots[max(first, second)] = min(first, second)
    }
    let groups = Dictionary(grouping: boxes.indices) { root(of: $0) }
    return groups.values.sorted { ($1.count, $0[0]) < ($0.count, $1[0]) }
  }

  /// Places boxes without neighbours in rows below all others.
  private mutating func placeAlone(_ alone: [Int]) {
    let area = alone.reduce(0.0) { $0 + (boxes[$1].width + 40) * (boxes[$1].height + 30) }
    let limit = max(width, (area * 1.6).squareRoot(), 480)
    var corner = Point(x: Self.margin, y: height + (height == 0 ? Self.margin : Self.rowGap * 1.5))
    var bottom = corner.y
    for box in alone.sorted(by: { (boxes[$1].height, $0) < (boxes[$0].height, $1) }) {
      if corner.x > Self.margin, corner.x + boxes[box].width > limit {
        corner = Point(x: Self.margin, y: bottom + Self.rowGap)
      }
      corners[box] = corner
      bottom = max(bottom, corner.y + boxes[box].height)
      width = max(width, corner.x + boxes[box].width)
      height = max(height, bottom)
      // A loop needs room beside its box.
      let hasLoop = diagram.links.contains { $0.owner.entity == box && $0.member.entity == box }
      corner.x += boxes[box].width + 40 + (hasLoop ? 60 : 0)
      if hasLoop { width = max(width, corner.x - 40) }
    }
  }

  // MARK: Layers

  /// Places boxes that hang together below what is there.
  private mutating func place(_ part: [Int]) {
    let positions = Dictionary(uniqueKeysWithValues: part.enumerated().map { ($1, $0) })
    // What a line of the graph is in the picture.
    var meanings: [(isInheritance: Bool, index: Int)] = []
    var edges: [LayerGraph.Edge] = []
    for (index, link) in diagram.links.enumerated() where link.owner.entity != link.member.entity {
      guard let from = positions[link.owner.entity], let to = positions[link.member.entity] else { continue }
      edges.append(
        LayerGraph.Edge(
          from: from,
          to: to,
          fromOffset: offset(ofLink: link.owner.name, at: link.owner.entity),
          toOffset: offset(ofLink: link.member.name, at: link.member.entity)
        )
      )
      meanings.append((false, index))
    }
    for (index, pair) in diagram.inheritance.enumerated() where pair.parent != pair.child {
      guard let from = positions[pair.parent], let to = positions[pair.child] else { continue }
      edges.append(
        LayerGraph.Edge(
          from: from,
          to: to,
          fromOffset: offset(ofLink: nil, at: pair.parent),
          toOffset: offset(ofLink: nil, at: pair.child)
        )
      )
      meanings.append((true, index))
    }
    let graph = LayerGraph(count: part.count, edges: edges)
    let columns = columns(of: graph, part)
    let middles = Middles(
      of: graph,
      heights: graph.nodes.map { $0.box.map { boxes[part[$0]].height } ?? Self.passingHeight },
      gap: Self.rowGap
    ).values
    let top =
      zip(graph.nodes, middles)
      .map { node, middle in middle - (node.box.map { boxes[part[$0]].height } ?? Self.passingHeight) / 2 }.min() ?? 0
    let shift = height + (height == 0 ? Self.margin : Self.rowGap * 1.5) - top
    for (layer, column) in zip(graph.layers, columns) {
      for node in layer {
        guard let box = graph.nodes[node].box.map({ part[$0] }) else { continue }
        corners[box] = Point(
          x: column.lowerBound + ((column.upperBound - column.lowerBound) - boxes[box].width) / 2,
          y: middles[node] + shift - boxes[box].height / 2
        )
        height = max(height, corners[box].y + boxes[box].height)
      }
    }
    width = max(width, columns.last?.upperBound ?? 0)
    if graph.layers.last?.contains(where: { hasLoop(graph.nodes[$0].box.map { part[$0] }) }) ?? false {
      width = max(width, (columns.last?.upperBound ?? 0) + 60)
    }
    var layerOfNode = Array(repeating: 0, count: graph.nodes.count)
    for (layer, nodes) in graph.layers.enumerated() { for node in nodes { layerOfNode[node] = layer } }
    for line in graph.lines {
      let meaning = meanings[line.index]
      let between = line.path.dropFirst().dropLast().flatMap { node -> [Point] in
        let column = columns[layerOfNode[node]]
        return [column.lowerBound, column.upperBound].map { Point(x: $0, y: middles[node] + shift) }
      }
      height = max(height, between.map(\.y).max() ?? 0)
      let names = names(of: meaning, isReversed: line.isReversed)
      let first = part[line.path[0]]
      let last = part[line.path[line.path.count - 1]]
      let start = Point(
        x: corners[first].x + boxes[first].width,
        y: corners[first].y + boxes[first].middle(ofLink: names.0)
      )
      let end = Point(x: corners[last].x, y: corners[last].y + boxes[last].middle(ofLink: names.1))
      let route = Route(points: [start] + between + [end], isReversed: line.isReversed, isLoop: false)
      if meaning.isInheritance { inheritance[meaning.index] = route } else { links[meaning.index] = route }
    }
  }

  /// How far below a box's middle a relationship's row is.
  private func offset(ofLink name: String?, at box: Int) -> Double {
    boxes[box].middle(ofLink: name) - boxes[box].height / 2
  }

  private func hasLoop(_ box: Int?) -> Bool {
    diagram.links.contains { $0.owner.entity == box && $0.member.entity == box }
  }

  /// The relationships at the left and the right end of a line.
  private func names(of meaning: (isInheritance: Bool, index: Int), isReversed: Bool) -> (String?, String?) {
    guard !meaning.isInheritance else { return (nil, nil) }
    let link = diagram.links[meaning.index]
    return isReversed ? (link.member.name, link.owner.name) : (link.owner.name, link.member.name)
  }

  /// From where to where each layer reaches.
  private func columns(of graph: LayerGraph, _ part: [Int]) -> [ClosedRange<Double>] {
    var left = Self.margin
    return graph.layers.map { layer in
      let widest = layer.compactMap { graph.nodes[$0].box.map { boxes[part[$0]].width } }.max() ?? 0
      let hasLoop = layer.contains { self.hasLoop(graph.nodes[$0].box.map { part[$0] }) }
      defer { left += widest + Self.columnGap + (hasLoop ? 40 : 0) }
      return left...left + widest
    }
  }

  /// A line from a box to itself, beside its right side.
  private func loop(of link: ModelDiagram.Link) -> Route {
    let box = boxes[link.owner.entity]
    let corner = corners[link.owner.entity]
    let right = corner.x + box.width
    let start = corner.y + box.middle(ofLink: link.owner.name)
    var end = corner.y + box.middle(ofLink: link.member.name)
    // Something to be seen, even where both ends are one row.
    if abs(end - start) < 12 { end = start + 14 }
    return Route(points: [Point(x: right, y: start), Point(x: right, y: end)], isReversed: false, isLoop: true)
  }
}

extension DiagramLayout.Route {
  fileprivate mutating func moveEnd(isFirst: Bool, by offset: Double) {
    guard !points.isEmpty else { return }
    points[isFirst ? 0 : points.count - 1].y += offset
  }
}
