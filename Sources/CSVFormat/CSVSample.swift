import Records

/// The first bytes of an input, without the lines that cannot be records.
struct CSVSample {
  let bytes: [UInt8]
  /// Where the first record or header may begin, and where the whole lines end.
  private(set) var range: Range<Int>
  /// Whether the input goes on behind the sample.
  let isCut: Bool

  /// How many records are looked at.
  static let recordLimit = 1000

  init(_ sample: Span<UInt8>, isWholeInput: Bool, skippedLines: Int, skippedFooterLines: Int) {
    let bytes = Array(copying: sample)
    self.bytes = bytes
    isCut = !isWholeInput
    let lines = CSVSample.lines(of: bytes.span, from: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
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
  var lines: [Range<Int>] {
    CSVSample.lines(of: bytes.span.extracting(first: range.upperBound), from: range.lowerBound)
  }

  /// Whether a text stands anywhere in it.
  func holds(_ text: String) -> Bool {
    let token = Array(text.utf8)
    guard let first = token.first else { return false }
    let span = bytes.span
    for position in range where span[position] == first {
      if token.count == 1 || bytes[position...].starts(with: token) { return true }
    }
    return false
  }

  /// How many lines there are before a place, from the beginning of the sample on.
  func lineCount(before position: Int) -> Int {
    CSVSample.lines(of: bytes.span.extracting(first: position), from: start).count
  }

  /// Whether the line before a place is empty.
  func isBehindEmptyLine(_ position: Int) -> Bool {
    guard let last = CSVSample.lines(of: bytes.span.extracting(first: position), from: start).last else { return false }
    return bytes[last].allSatisfy { $0 == 0x0A || $0 == 0x0D }
  }

  /// The sample without so many lines at its beginning, counted from its very beginning, and so many at its end.
  func skipping(lines count: Int, footerLines: Int) -> CSVSample {
    var sample = self
    let lines = CSVSample.lines(of: bytes.span.extracting(first: range.upperBound), from: start)
    let from = count > 0 && count < lines.count ? lines[count].lowerBound : range.lowerBound
    let to = footerLines < lines.count ? lines[lines.count - 1 - footerLines].upperBound : from
    sample.range = from..<max(from, to)
    return sample
  }

  /// Where the first line begins, behind a byte order mark.
  private var start: Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

  private static func lines(of bytes: Span<UInt8>, from start: Int) -> [Range<Int>] {
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
