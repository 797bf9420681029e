/// Boxes in layers from left to right: every line goes from a layer to a later one.
///
/// In the manner of Sugiyama: circles are opened, layers are longest paths, lines over several layers get a place to pass
/// in each, and the order within layers is improved by the middle of the neighbours until crossings no longer lessen.
struct LayerGraph {
  /// A box, or the place where a line passes a layer.
  struct Node {
    /// The box; nil for a passing line.
    let box: Int?
    var neighboursBefore: [Neighbour] = []
    var neighboursAfter: [Neighbour] = []
  }

  /// The other end of a line's step.
  struct Neighbour {
    let node: Int
    /// How much lower the node's middle stands than the neighbour's if the step is straight.
    let drop: Double
  }

  /// A line to be drawn, and how far below the middles of its boxes its ends are.
  struct Edge {
    let from: Int
    let to: Int
    var fromOffset = 0.0
    var toOffset = 0.0

    /// The same from its other end.
    var reversed: Edge { Edge(from: to, to: from, fromOffset: toOffset, toOffset: fromOffset) }
  }

  /// A line with all the places it passes, from left to right.
  struct Line {
    /// The line's position among those given.
    let index: Int
    /// Whether it goes from its second end to its first.
    let isReversed: Bool
    /// Nodes, the ends among them.
    var path: [Int]
  }

  private(set) var nodes: [Node]
  /// Nodes from top to bottom, by layer.
  private(set) var layers: [[Int]] = []
  private(set) var lines: [Line] = []

  private static let sweeps = 24

  /// Arranges boxes.
  ///
  /// - Parameters:
  ///   - count: How many boxes there are; they are the first nodes.
  ///   - edges: Lines between different boxes, the first to the left of the second where circles allow it.
  init(count: Int, edges: [Edge]) {
    nodes = (0..<count).map { Node(box: $0) }
    let isReversed = Self.backEdges(count: count, edges)
    let directed = zip(edges, isReversed).map { $1 ? $0.reversed : $0 }
    let ranks = Self.ranks(count: count, directed)
    layers = Array(repeating: [], count: (ranks.max() ?? -1) + 1)
    for box in 0..<count { layers[ranks[box]].append(box) }
    for (index, edge) in directed.enumerated() {
      var path = [edge.from]
      for layer in ranks[edge.from] + 1..<ranks[edge.to] {
        nodes.append(Node(box: nil))
        layers[layer].append(nodes.count - 1)
        path.append(nodes.count - 1)
      }
      path.append(edge.to)
      for (left, right) in zip(path, path.dropFirst()) {
        let drop = (left == edge.from ? edge.fromOffset : 0) - (right == edge.to ? edge.toOffset : 0)
        nodes[left].neighboursAfter.append(Neighbour(node: right, drop: -drop))
        nodes[right].neighboursBefore.append(Neighbour(node: left, drop: drop))
      }
      lines.append(Line(index: index, isReversed: isReversed[index], path: path))
    }
    improveOrder()
  }

  // MARK: Layers

  /// The edges that close a circle, found depth first in the order of the boxes.
  private static func backEdges(count: Int, _ edges: [Edge]) -> [Bool] {
    var outgoing = Array(repeating: [Int](), count: count)
    for (index, edge) in edges.enumerated() { outgoing[edge.from].append(index) }
    var state = Array(repeating: 0, count: count)
    var result = Array(repeating: false, count: edges.count)
    // What nothing leads to comes first, so that it stays on the left.
    let incoming = edges.reduce(into: Array(repeating: 0, count: count)) { $0[$1.to] += 1 }
    let starts = (0..<count).sorted { (incoming[$0] > 0 ? 1 : 0, $0) < (incoming[$1] > 0 ? 1 : 0, $1) }
    for start in starts where state[start] == 0 {
      // Without recursion: a long chain must not fill the stack.
      var stack = [(box: start, next: 0)]
      state[start] = 1
      while let top = stack.last {
        guard top.next < outgoing[top.box].count else {
          state[top.box] = 2
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].next += 1
        let edge = outgoing[top.box][top.next]
        let target = edges[edge].to
        if state[target] == 1 { result[edge] = true }
        guard state[target] == 0 else { continue }
        state[target] = 1
        stack.append((target, 0))
      }
    }
    return result
  }

  /// Layers by the longest path; boxes that nothing leads to move right, beside what they lead to.
  private static func ranks(count: Int, _ edges: [Edge]) -> [Int] {
    var ranks = Array(repeating: 0, count: count)
    for _ in 0..<count {
      var changed = false
      for edge in edges where ranks[edge.to] < ranks[edge.from] + 1 {
        ranks[edge.to] = ranks[edge.from] + 1
        changed = true
      }
      if !changed { break }
    }
    let targets = Set(edges.map(\.to))
    for box in 0..<count where !targets.contains(box) {
      let nearest = edges.filter { $0.from == box }.map { ranks[$0.to] - 1 }.min()
      ranks[box] = nearest ?? ranks[box]
    }
    let first = ranks.min() ?? 0
    return ranks.map { $0 - first }
  }

  // MARK: Order

  private mutating func improveOrder() {
    var best = layers
    var fewest = crossings
    for sweep in 0..<Self.sweeps where fewest > 0 {
      let goesRight = sweep % 2 == 0
      let order = goesRight ? Array(layers.indices.dropFirst()) : layers.indices.dropLast().reversed()
      var places = Array(repeating: 0.0, count: nodes.count)
      for layer in layers { for (place, node) in layer.enumerated() { places[node] = Double(place) } }
      for layer in order {
        let middles = layers[layer].map { node in
          let neighbours = goesRight ? nodes[node].neighboursBefore : nodes[node].neighboursAfter
          guard !neighbours.isEmpty else { return places[node] }
          return neighbours.reduce(0) { $0 + places[$1.node] } / Double(neighbours.count)
        }
        let sorted = zip(layers[layer], middles).enumerated()
          .sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }
        layers[layer] = sorted.map(\.element.0)
        for (place, node) in layers[layer].enumerated() { places[node] = Double(place) }
      }
      let count = crossings
      if count < fewest { (best, fewest) = (layers, count) }
    }
    layers = best
  }

  private var crossings: Int {
    var places = Array(repeating: 0, count: nodes.count)
    for layer in layers { for (place, node) in layer.enumerated() { places[node] = place } }
    var count = 0
    for layer in layers {
      let pairs = layer.flatMap { node in nodes[node].neighboursAfter.map { (places[node], places[$0.node]) } }
      for (index, pair) in pairs.enumerated() {
        count += pairs[..<index].count { ($0.0 - pair.0) * ($0.1 - pair.1) < 0 }
      }
    }
    return count
  }
}
