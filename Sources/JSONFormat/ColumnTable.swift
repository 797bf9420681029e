/// The columns of a file, found by the bytes of their names.
///
/// Objects mostly give their members in the same order, so the column after the last one is tried first; other names are
/// looked up in a hash table whose hash differs from run to run, so that no file can be made to collide.
struct ColumnTable: Sendable {
  /// The names, in the order in which they were first seen.
  private(set) var names: [String] = []
  /// The lengths of the names of the objects that columns are members of, where they are.
  private(set) var objectLengths: [Int: Int] = [:]
  /// All names' bytes, one after another.
  private var bytes: [UInt8] = []
  /// Where each name stands in `bytes`.
  private var ranges: [Range<Int>] = []
  /// Open addressing: positions of columns, -1 where free; a power of two, at most half full.
  private var slots = [Int32](repeating: -1, count: 16)

  var count: Int { names.count }

  /// The position of a column.
  ///
  /// - Parameters:
  ///   - name: The name's bytes, unescaped.
  ///   - guess: The position to try first.
  func position(of name: Span<UInt8>, guess: Int) -> Int? {
    if guess < ranges.count, isName(guess, name) { return guess }
    let mask = slots.count - 1
    var slot = Self.hash(name) & mask
    while slots[slot] >= 0 {
      if isName(Int(slots[slot]), name) { return Int(slots[slot]) }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// Adds a column that is not there yet; its name is valid UTF-8.
  ///
  /// - Parameter objectLength: How long the name of the object is that it is a member of; 0 for a record's own member.
  mutating func add(_ name: Span<UInt8>, objectLength: Int = 0) -> Int {
    let position = ranges.count
    if objectLength > 0 { objectLengths[position] = objectLength }
    let start = bytes.count
    for index in name.indices { bytes.append(name[index]) }
    ranges.append(start..<bytes.count)
    names.append(String(decoding: bytes[start...], as: UTF8.self))
    if 2 * ranges.count > slots.count {
      slots = [Int32](repeating: -1, count: 2 * slots.count)
      for earlier in 0..<position { enter(earlier) }
    }
    enter(position)
    return position
  }

  private mutating func enter(_ position: Int) {
    let mask = slots.count - 1
    var slot = Self.hash(bytes.span.extracting(ranges[position])) & mask
    while slots[slot] >= 0 { slot = (slot + 1) & mask }
    slots[slot] = Int32(position)
  }

  private func isName(_ position: Int, _ name: Span<UInt8>) -> Bool {
    let range = ranges[position]
    guard range.count == name.count else { return false }
    for index in 0..<range.count where bytes[range.lowerBound + index] != name[index] { return false }
    return true
  }

  private static func hash(_ name: Span<UInt8>) -> Int {
    var hasher = Hasher()
    unsafe name.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}
