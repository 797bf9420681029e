/// The ways from a record to its values, as numbers: `address` and, within it, `street`.
///
/// A value directly in a record has the number of its name; deeper ones get numbers of their own.
struct FieldPaths: Sendable {
  /// Numbers from here on are of paths with several steps.
  private static let firstPath: UInt32 = 1 << 20
  /// Numbers from here on are of the keys of a property list.
  static let firstKey: UInt32 = 1 << 28

  private var steps: [(parent: UInt32, name: UInt32)] = []
  private var children: [UInt64: UInt32] = [:]
  private var last: (step: UInt64, path: UInt32) = (.max, 0)
  /// The keys of a property list.
  private(set) var keys: [String] = []
  private var keyNumbers: [[UInt8]: UInt32] = [:]

  /// The path of a name below another path.
  mutating func child(of parent: UInt32, named name: UInt32) -> UInt32 {
    let step = UInt64(parent) << 32 | UInt64(name)
    if last.step == step { return last.path }
    let path = children[step] ?? Self.firstPath + UInt32(truncatingIfNeeded: steps.count)
    if children[step] == nil {
      children[step] = path
      steps.append((parent, name))
    }
    last = (step, path)
    return path
  }

  /// The names on a path, the outermost first.
  func names(on path: UInt32) -> [UInt32] {
    var names: [UInt32] = []
    var rest = path
    while (Self.firstPath..<Self.firstKey).contains(rest) {
      let step = steps[Int(rest - Self.firstPath)]
      names.append(step.name)
      rest = step.parent
    }
    return [rest] + names.reversed()
  }

  /// The path that another one goes on from; nil for one of a single step.
  func parent(of path: UInt32) -> UInt32? {
    (Self.firstPath..<Self.firstKey).contains(path) ? steps[Int(path - Self.firstPath)].parent : nil
  }

  /// The number of a property list's key.
  mutating func key(_ bytes: [UInt8]) -> UInt32 {
    if let number = keyNumbers[bytes] { return number }
    let number = Self.firstKey + UInt32(truncatingIfNeeded: keys.count)
    keyNumbers[bytes] = number
    keys.append(String(decoding: bytes, as: UTF8.self))
    return number
  }
}
