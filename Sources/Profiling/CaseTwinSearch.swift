/// Looks for values that differ only by the case of ASCII letters.
enum CaseTwinSearch {
  /// The twins among the values of a table; nil where there are none.
  ///
  /// - Complexity: O(n log n) for n values.
  static func twins(in table: ValueTable) -> ColumnProfile.CaseTwins? {
    var folded: [(hash: UInt64, entry: Int)] = []
    var buffer: [UInt8] = []
    for (index, entry) in table.entries.enumerated() where isWord(entry.nature.kind) {
      table.withBytes(of: index) { text in
        buffer.removeAll(keepingCapacity: true)
        for position in text.indices { buffer.append(lowercased(text[position])) }
      }
      folded.append((valueHash(buffer.span), index))
    }
    folded.sort { ($0.hash, $0.entry) < ($1.hash, $1.entry) }
    var count: Int64 = 0
    var first: (Int, Int)?
    var start = 0
    while start < folded.count {
      var end = start + 1
      while end < folded.count, folded[end].hash == folded[start].hash { end += 1 }
      if end - start > 1 {
        count += Int64(end - start)
        let pair = (folded[start].entry, folded[start + 1].entry)
        if first.map({ pair.1 < $0.1 }) ?? true { first = pair }
      }
      start = end
    }
    guard let first else { return nil }
    return .init(
      count: count,
      first: table.withBytes(of: first.0) { KeptValue($0) },
      second: table.withBytes(of: first.1) { KeptValue($0) }
    )
  }

  /// Numbers and dates have no case.
  private static func isWord(_ kind: ValueKind) -> Bool {
    switch kind {
    case .text, .boolean, .booleanWord, .nullWord: true
    default: false
    }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
