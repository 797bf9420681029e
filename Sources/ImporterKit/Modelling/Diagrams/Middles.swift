/// The heights at which the middles of a graph's nodes stand.
///
/// Each is drawn to the middle of its neighbours; nodes of a layer keep their order and a distance. For one layer that is
/// a regression under an order, which pooling neighbours that press on each other solves exactly.
struct Middles {
  private(set) var values: [Double]
  private let graph: LayerGraph
  private let heights: [Double]
  private let gap: Double

  private static let rounds = 16

  init(of graph: LayerGraph, heights: [Double], gap: Double) {
    self.graph = graph
    self.heights = heights
    self.gap = gap
    values = Array(repeating: 0, count: graph.nodes.count)
    for layer in graph.layers {
      var top = 0.0
      let total = layer.reduce(0) { $0 + heights[$1] + gap }
      for node in layer {
        values[node] = top + heights[node] / 2 - total / 2
        top += heights[node] + gap
      }
    }
    for round in 0..<Self.rounds {
      let layers = round % 2 == 0 ? Array(graph.layers) : graph.layers.reversed()
      for layer in layers { settle(layer, looksBoth: round >= Self.rounds / 2, looksBack: round % 2 == 0) }
    }
  }

  private mutating func settle(_ layer: [Int], looksBoth: Bool, looksBack: Bool) {
    // Distances from the first node's middle if all stand close.
    var offsets: [Double] = []
    var offset = 0.0
    for (index, node) in layer.enumerated() {
      if index > 0 { offset += heights[layer[index - 1]] / 2 + gap + heights[node] / 2 }
      offsets.append(offset)
    }
    let wishes = layer.map { node -> Double in
      let before = graph.nodes[node].neighboursBefore
      let after = graph.nodes[node].neighboursAfter
      let neighbours = looksBoth ? before + after : looksBack ? before : after
      guard !neighbours.isEmpty else { return values[node] }
      return neighbours.reduce(0) { $0 + values[$1.node] + $1.drop } / Double(neighbours.count)
    }
    // Pools of nodes that move together: their common wish and how many they are.
    var pools: [(wish: Double, count: Int)] = []
    for (wish, offset) in zip(wishes, offsets) {
      pools.append((wish - offset, 1))
      while pools.count > 1, pools[pools.count - 2].wish > pools[pools.count - 1].wish {
        let last = pools.removeLast()
        let other = pools[pools.count - 1]
        let count = other.count + last.count
        let wish = (other.wish * Double(other.count) + last.wish * Double(last.count)) / Double(count)
        pools[pools.count - 1] = (wish, count)
      }
    }
    var index = 0
    for pool in pools {
      for _ in 0..<pool.count {
        values[layer[index]] = pool.wish + offsets[index]
        index += 1
      }
    }
  }
}
