/// The first bytes of an input, without the lines that cannot be records.
struct CSVSample {
  let bytes: [UInt8]
  /// Where the first record or header may begin, and where the whole lines end.
  let range: Range<Int>
  /// Whether the input goes on behind the sample.
  let isCut: Bool

  /// How many records are looked at.
  static let recordLimit = 1000

  init(_ sample: Span<UInt8>, isWholeInput: Bool, skippedLines: Int, skippedFooterLines: Int) {
    bytes = sample.indices.map { sample[$0] }
    isCut = !isWholeInput
    let lines = CSVSample.lines(of: bytes, from: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    var first = lines.startIndex
    var last = lines.endIndex
    first = min(last, first + max(0, skippedLines))
    // The last line of a cut sample is a piece; a sample of one line is all there is.
    if isCut {
      if last - first > 1 { last -= 1 }
    } else {
      last = max(first, last - max(0, skippedFooterLines))
    }
    range = first < last ? lines[first].lowerBound..<lines[last - 1].upperBound : bytes.count..<bytes.count
  }

  /// The physical lines, line ends included.
  var lines: [Range<Int>] { CSVSample.lines(of: Array(bytes[..<range.upperBound]), from: range.lowerBound) }

  private static func lines(of bytes: [UInt8], from start: Int) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var lineStart = start
    var position = start
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      guard byte == 0x0A || byte == 0x0D else { continue }
      if byte == 0x0D, position < bytes.count, bytes[position] == 0x0A { position += 1 }
      lines.append(lineStart..<position)
      lineStart = position
    }
    if lineStart < bytes.count { lines.append(lineStart..<bytes.count) }
    return lines
  }
}
