/// The lines of the beginning of an input, for detectors.
struct SampleLines {
  /// The contents of the lines, without line ends.
  private(set) var lines: [ArraySlice<UInt8>] = []

  /// Takes a sample apart; its last line is left out if it may be cut.
  init(_ sample: Span<UInt8>, isWholeInput: Bool, limit: Int = 20_000) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(sample.count)
    for index in sample.indices { bytes.append(sample[index]) }
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while start < bytes.count, lines.count < limit {
      var end = start
      while end < bytes.count, !LineScan.isLineEnd(bytes[end]) { end += 1 }
      if end == bytes.count, !isWholeInput, !lines.isEmpty { return }
      lines.append(bytes[start..<end])
      let isCRLF = end + 1 < bytes.count && bytes[end] == 0x0D && bytes[end + 1] == 0x0A
      start = end + (isCRLF ? 2 : 1)
    }
  }

  /// Whether a line holds nothing but spaces and tabs.
  static func isBlank(_ line: ArraySlice<UInt8>) -> Bool { line.allSatisfy(LineScan.isBlank) }
}
